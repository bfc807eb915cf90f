// /your-model/: complete without scripts, and with the same bill for other models and settings,
// from a link, from a pasted config.json and with the reader's machine.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import {
  any_browser,
  complaints,
  in_each_browser,
  open_watched,
  origin_of,
  profile_key,
  until,
} from "./support/browser_page.mjs";
import { axe_violations } from "./support/axe.mjs";
import { pages, read_page } from "./support/site.mjs";

const of_profile = (name) =>
  readFileSync(new URL(`../fixtures/profiles/${name}.json`, import.meta.url), "utf8");

const llama = JSON.stringify({
  model_type: "llama",
  hidden_size: 2048,
  intermediate_size: 8192,
  num_hidden_layers: 16,
  num_attention_heads: 32,
  num_key_value_heads: 8,
  vocab_size: 128256,
  tie_word_embeddings: true,
});

test("only this page loads its style, and chapter 5 links to it", () => {
  const loading = pages.filter((page) => read_page(page).includes("/your-model.css"));
  assert.deepEqual(loading.sort(), ["es/your-model/", "your-model/"]);
  for (const page of ["one-chip/", "es/one-chip/"])
    assert.match(read_page(page), /<main[\s\S]*href="[^"]*your-model\//, page);
});

/** The value in the line with this label; null if there is none. */
const value_of = (page, label) =>
  page.evaluate((text) => {
    const row = [...document.querySelectorAll(".costs-part tr")].find(
      (one) => one.querySelector("summary").textContent === text,
    );
    return row?.cells[1].textContent ?? null;
  }, label);

// Another model has another number of lines, so the content below the bill moves.
const wrong = async (watched, server) =>
  (await complaints(watched, origin_of(server))).filter((text) => !text.startsWith("layout shift"));

const is_sideways = () =>
  document.documentElement.scrollWidth > document.documentElement.clientWidth;

in_each_browser(
  (session) => {
    const url = (path = "your-model/") => session.server.url + path;
    const open = async (path, options) => {
      const watched = await open_watched(session.browser, url(path), options);
      await watched.page.waitForSelector("html[data-ready]");
      return watched;
    };
    const settled = (page) => page.waitForSelector(".costs[data-ready]");

    test("without scripts, it has the bill of one model and a table of all", async () => {
      const page = await session.browser.newPage();
      await page.setJavaScriptEnabled(false);
      for (const path of ["your-model/", "es/your-model/"])
        for (const [width, height] of [
          [1280, 900],
          [390, 844],
        ]) {
          await page.setViewport({ width, height });
          await page.goto(url(path), { waitUntil: "load" });
          assert.equal(await page.evaluate(is_sideways), false, `${path} at ${width} px`);
          const seen = await page.evaluate(() => ({
            presets: document.querySelectorAll(".costs-presets tbody tr").length,
            chips: document.querySelectorAll(".costs-fits tbody tr").length,
            lines: document.querySelectorAll(".costs-part tr").length,
            formulas: document.querySelectorAll(".costs-part details .costs-filled").length,
            sources: document.querySelectorAll(".costs-part a[href^='#ref-']").length,
            broken: [...document.querySelectorAll(".costs a[href^='#']")].filter(
              ({ hash }) => !document.getElementById(hash.slice(1)),
            ).length,
            points: [...document.querySelectorAll(".costs-roofline svg")].filter(
              (one) => one.textContent.includes("FLOP") && one.textContent.includes("H100"),
            ).length,
            floors: document.querySelectorAll(".costs-floors tbody td").length,
            form: getComputedStyle(document.querySelector(".costs-form")).display,
          }));
          assert.ok(seen.presets >= 15 && seen.chips >= 15, JSON.stringify(seen));
          assert.ok(seen.lines >= 20 && seen.formulas >= seen.lines, JSON.stringify(seen));
          assert.ok(seen.points === 2 && seen.floors === 6, JSON.stringify(seen));
          assert.ok(seen.sources > 8 && seen.broken === 0 && seen.form === "none");
        }
      await page.close();
    });

    test("a setting changes the bill and the address, and the address brings it back", async () => {
      const watched = await open("your-model/");
      const { page } = watched;
      assert.equal(await value_of(page, "All parameters"), "8.030 billion");
      await page.select("#costs-model", "gemma-3-27b");
      await settled(page);
      await page.$eval("#costs-tokens", (field) => {
        field.value = "131072";
        field.dispatchEvent(new Event("input", { bubbles: true }));
      });
      // 10.41 GiB: unslothai/unsloth#4757
      await until(page, () =>
        [...document.querySelectorAll(".costs-part td")].some((cell) =>
          cell.textContent.includes("(10.4 GiB)"),
        ),
      );
      const address = await page.evaluate(() => location.href);
      assert.match(address, /#model=gemma-3-27b&tokens=131072$/);
      const again = await open(`your-model/${new URL(address).hash}`);
      await settled(again.page);
      assert.equal(await again.page.$eval("#costs-tokens", ({ value }) => value), "131072");
      assert.equal(await value_of(again.page, "All parameters"), "27.01 billion");
      const before = await page.$eval(".costs-bill", (bill) => bill.textContent);
      assert.equal(await again.page.$eval(".costs-bill", (bill) => bill.textContent), before);
      for (const one of [watched, again]) {
        assert.deepEqual(await wrong(one, session.server), []);
        await one.page.close();
      }
    });

    test("a pasted config.json is read, and a broken one is explained", async () => {
      const watched = await open("your-model/");
      const { page } = watched;
      const paste = async (text) => {
        await page.$eval(
          "#costs-config",
          (field, value) => {
            field.value = value;
            field.dispatchEvent(new Event("input", { bubbles: true }));
          },
          text,
        );
        await settled(page);
      };
      const problem = () => page.$eval(".costs-problem", (place) => place.textContent);
      await paste(llama);
      await until(page, () =>
        document.querySelector(".costs-part td + td").textContent.includes("262"),
      );
      assert.equal(await value_of(page, "All parameters"), "1.236 billion");
      assert.equal(await page.$eval("#costs-model", ({ value }) => value), "own");
      assert.equal(await problem(), "");
      assert.match(await page.evaluate(() => location.hash), /^#config=/);
      await paste(llama.replace("vocab_size", "vocab_sice"));
      await until(page, () => document.querySelector(".costs-problem").textContent !== "");
      assert.equal(
        await problem(),
        "“vocab_size” is missing; “vocab_sice” (line 1) is not a known key",
      );
      await paste('{"hidden_size": 2048,');
      await until(page, () => /JSON/.test(document.querySelector(".costs-problem").textContent));
      await paste('{"model_type": "<img src=x onerror=alert(1)>", "hidden_size": 1e999}');
      await until(page, () => !/vocab/.test(document.querySelector(".costs-problem").textContent));
      assert.equal(await page.$(".costs img"), null);
      assert.deepEqual(await wrong(watched, session.server), []);
      await page.close();
    });

    test("the roofline is redrawn for a setting, and its points open to their formulas", async () => {
      const watched = await open("your-model/");
      const { page } = watched;
      const words = () => page.$eval(".costs-roofline .plot-wide svg", (one) => one.textContent);
      assert.match(await words(), /NVIDIA H100 SXM[\s\S]*decode/);
      await page.select("#costs-chip", "a100-sxm-80");
      await settled(page);
      await until(page, () =>
        document.querySelector(".costs-roofline .plot-narrow").textContent.includes("A100"),
      );
      assert.doesNotMatch(await words(), /H100/);
      const filled = await page.$$eval(".costs-part tr", (rows) =>
        rows
          .filter((row) => /^(Decode, one|Prefill of|Training, one)/.test(row.textContent))
          .map((row) => [row.querySelector(".costs-filled").textContent, row.cells[1].textContent]),
      );
      assert.equal(filled.length, 3);
      for (const [formula, value] of filled) {
        assert.match(formula, /^[\d.]+ [GTPE]FLOP \/ [\d.]+ [GT]B = [\d.,]+ FLOP\/B$/);
        assert.equal(value.split(" FLOP/B")[0], formula.split(" = ")[1].split(" FLOP/B")[0]);
      }
      assert.deepEqual(await wrong(watched, session.server), []);
      await page.close();
    });

    test("training, and the reader's machine", async () => {
      const watched = await open("your-model/#model=llama-3.1-8b&training=1&batch=4");
      const { page } = watched;
      await settled(page);
      assert.equal(await value_of(page, "Optimizer"), "96.4 GB (89.7 GiB)");
      assert.equal(await page.$eval(".costs-batches", ({ hidden }) => hidden), true);
      for (const [name, title] of [
        ["big", "Your processor, one core"],
        ["gpu", "Your GPU, in 32 bits"],
      ]) {
        await page.evaluate(
          ([key, text]) => localStorage.setItem(key, text),
          [profile_key, of_profile(name)],
        );
        await page.goto(url("your-model/"));
        await settled(page);
        const titles = await page.$$eval(".costs-part caption", (all) =>
          all.map((one) => one.textContent),
        );
        assert.ok(titles.includes(title), titles.join());
        await until(
          page,
          (label) => document.querySelector(".costs-roofline").textContent.includes(label),
          name === "gpu" ? "your GPU" : "your machine",
        );
      }
      assert.deepEqual(await wrong(watched, session.server), []);
      await page.close();
    });

    test("in Spanish, nothing stays English after a change", async () => {
      const watched = await open("es/your-model/");
      const { page } = watched;
      await page.select("#costs-model", "deepseek-v3");
      await settled(page);
      await until(
        page,
        () =>
          document.querySelector(".costs-summary").textContent.includes("chips") ||
          document.querySelector(".costs-part td + td").textContent.includes("mil"),
      );
      // A figure's description is in English if one of its sentences has no translation.
      const words = await page.$eval(".costs-bill", (bill) => {
        const copy = bill.cloneNode(true);
        for (const text of copy.querySelectorAll("desc[lang=en]")) text.remove();
        return copy.textContent;
      });
      assert.doesNotMatch(words, /\b(layers|weights|tokens of|at least|sequences|the)\b/);
      assert.match(words, /mil millones/);
      assert.deepEqual(await wrong(watched, session.server), []);
      await page.close();
    });

    test("it is accessible, with open lines, in both themes and at both widths", async () => {
      for (const theme of ["light", "dark"]) {
        const watched = await open("your-model/#model=mixtral-8x7b&batch=8");
        const { page } = watched;
        await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: theme }]);
        await settled(page);
        for (const [width, height] of [
          [1280, 900],
          [390, 844],
        ]) {
          await page.setViewport({ width, height });
          await page.$$eval(".costs details", (all) => all.forEach((one) => (one.open = true)));
          assert.deepEqual(await axe_violations(page), [], `${theme}, ${width} px`);
          assert.equal(await page.evaluate(is_sideways), false, `${width} px`);
        }
        await page.close();
      }
    });
  },
  { kinds: any_browser },
);
