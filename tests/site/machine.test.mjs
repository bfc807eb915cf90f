// /machine/: runs, results, files, links, clearing, and primer.measure on the console, in both
// browsers.
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
  run_bench,
  until,
} from "./support/browser_page.mjs";
import { axe_violations } from "./support/axe.mjs";
import { hurried } from "./support/hurried.mjs";

const recorded = readFileSync(
  new URL("../../figures/profiles/reference-firefox.json", import.meta.url),
  "utf8",
);

in_each_browser(
  (session) => {
    async function on_machine(use, { stored = null, hash = "", width = 1280 } = {}) {
      const url = `${session.server.url}machine/`;
      // First what is the book's and no page: what a page finds stored is put there before it is
      // loaded.
      const watched = await open_watched(session.browser, `${session.server.url}sw.js`, { width });
      const { page } = watched;
      await page.evaluate(
        (key, text) => (text ? localStorage.setItem(key, text) : localStorage.removeItem(key)),
        profile_key,
        stored,
      );
      await page.goto(url + hash, { waitUntil: "load" });
      await until(page, () => document.querySelector(".machine button, .visit") !== null);
      await use(page, watched);
      await page.evaluate((key) => localStorage.removeItem(key), profile_key);
      await page.close();
    }
    const measure = (page, options) =>
      page.evaluate(async (wanted) => {
        try {
          const { schema, results } = await window.primer.measure(wanted);
          return { schema, results };
        } catch (error) {
          return { error: `${error.name}: ${error.message}` };
        }
      }, options);
    const press = (page, label) =>
      page.evaluate((text) => {
        [...document.querySelectorAll("main button")].find((b) => b.textContent === text).click();
      }, label);
    /** Does what loads the page again, which cuts off the answer, and waits until it is there. */
    const through_reload = async (page, action) => {
      const loaded = page.waitForNavigation({ waitUntil: "load" });
      await action().catch(() => {});
      await loaded;
      await until(page, () => document.querySelector(".machine button") !== null);
    };
    const stored_in = (page) => page.evaluate((key) => localStorage.getItem(key), profile_key);
    const says = (page, words) =>
      until(page, (text) => document.querySelector(".machine")?.textContent.includes(text), words);
    /** What the page would have saved or opened, kept in window.made instead. */
    const keep_files = (page) =>
      page.evaluate(() => {
        window.made = [];
        URL.createObjectURL = (blob) => window.made.push(blob) && "#";
        HTMLAnchorElement.prototype.click = () => {};
      });
    const load = (page, text) =>
      page.evaluate(async (content) => {
        const { load_file } = await import(
          new URL(
            "runtime/machine/keep.js",
            new URL(document.documentElement.dataset.assets, document.baseURI),
          ).href
        );
        await load_file(new File([content], "a.json"), document.querySelector(".machine-results"));
      }, text);

    test("the results are in one table, can be saved, and can be cleared", async () => {
      await on_machine(async (page) => {
        const { state, reason } = await run_bench(page, "bench-machine");
        assert.equal(state, "done", reason);
        await until(page, () => document.querySelectorAll(".machine details tbody tr").length >= 5);
        const table = await page.evaluate(
          () => document.querySelector(".machine details table").textContent,
        );
        assert.match(table, /matmul\.packed/);
        assert.match(table, /GFLOP\/s/);
        await keep_files(page);
        await press(page, "Save as JSON");
        const saved = await page.evaluate(() => window.made[0].text());
        assert.equal(JSON.parse(saved).schema, 1);
        await through_reload(page, () => press(page, "Clear"));
        await says(page, "Nothing has been measured");
        assert.equal(await stored_in(page), null);
        const mine = () => document.querySelectorAll('main [data-from="reader"]').length;
        assert.equal(
          await page.evaluate(mine),
          0,
          "figures and numbers are the reference machine's",
        );
      });
    });

    test("with a profile every figure and sentence is the reader's, and nothing moves", async () => {
      await on_machine(
        async (page, watched) => {
          await until(page, () => {
            const [drawn, all] = ['.plot[data-from="reader"]', ".plot"].map((name) =>
              document.querySelectorAll(name),
            );
            return all.length >= 4 && drawn.length === all.length;
          });
          await until(page, () => document.querySelector(".machine-summary p") !== null);
          await press(page, "A card to share");
          await until(page, () => document.querySelector(".machine-card")?.naturalWidth === 1200);
          await keep_files(page);
          await press(page, "Save the roofline as SVG");
          await until(page, () => window.made.length > 0);
          const svg = await page.evaluate(() => window.made[0].text());
          assert.match(svg, /^<svg/);
          assert.doesNotMatch(svg, /var\(--/, "its colours are written out");
          assert.deepEqual(await complaints(watched, origin_of(session.server)), []);
        },
        { stored: recorded },
      );
    });

    test("a link shows the machine read-only, says whose it is, and stores nothing", async () => {
      let hash = "";
      await on_machine(
        async (page) => {
          await says(page, "Link to it");
          await press(page, "Link to it");
          await until(page, () => document.querySelector(".machine-link") !== null);
          const url = await page.evaluate(() => document.querySelector(".machine-link").value);
          hash = url.slice(url.indexOf("#"));
        },
        { stored: recorded },
      );
      assert.match(hash, /^#m=/);
      await on_machine(
        async (page) => {
          await until(page, () => document.querySelector(".visit") !== null);
          const notice = await page.evaluate(() => document.querySelector(".visit").textContent);
          assert.match(notice, /You are looking at someone else's machine \(Firefox/);
          const heading = await page.evaluate(() => document.querySelector("h1").textContent);
          assert.equal(heading, "Another machine");
          const links = await page.$$eval(".visit a", (all) => all.map((a) => a.textContent));
          assert.deepEqual(links, ["Guess yours", "Back to your machine"]);
          await until(page, () => document.querySelector('.plot[data-from="reader"]') !== null);
          const buttons = await page.evaluate(() =>
            [...document.querySelectorAll("#bench-machine button")].map((b) => b.disabled),
          );
          assert.deepEqual(buttons, [true, true, true, true]);
          assert.equal(await stored_in(page), null);
        },
        { hash },
      );
      await on_machine(
        async (page) => {
          const said = () => document.querySelector("#bench-machine .bench-status").textContent;
          await until(page, () => document.querySelector(".bench-status").textContent !== "");
          assert.match(await page.evaluate(said), /cannot be shown: the link is damaged/);
          assert.equal(await page.evaluate(() => document.querySelector(".visit")), null);
        },
        { hash: "#m=zzz" },
      );
    });

    test("a machine of the gallery is shown next to the reader's, which stays", async () => {
      const own = JSON.stringify({ ...JSON.parse(recorded), name: "Mine" });
      await on_machine(
        async (page) => {
          await until(page, () => document.querySelector('.plot[data-from="reader"]') !== null);
          const notice = await page.evaluate(() => document.querySelector(".visit").textContent);
          assert.match(notice, /You are looking at AMD EPYC, Chromium/);
          const named = () =>
            [...document.querySelectorAll(".machine-summary th")].map((th) => th.textContent);
          await until(page, () => document.querySelector(".machine-summary th") !== null);
          assert.ok((await page.evaluate(named)).includes("Your own machine"));
          assert.equal(JSON.parse(await stored_in(page)).name, "Mine");
        },
        { stored: own, hash: "#with=reference-chromium" },
      );
      for (const hash of ["#with=../x", "#with=nobody"]) {
        await on_machine(
          async (page) => {
            const said = () => document.querySelector("#bench-machine .bench-status").textContent;
            await until(page, () => document.querySelector(".bench-status").textContent !== "");
            assert.match(
              await page.evaluate(said),
              /cannot be shown: the gallery has no machine of that name/,
            );
          },
          { hash },
        );
      }
    });

    test("a saved profile takes the place of the stored one, which can be taken back", async () => {
      await on_machine(
        async (page) => {
          const other = JSON.stringify({ ...JSON.parse(recorded), name: "Another machine" });
          await through_reload(page, () => load(page, other));
          await says(page, "Restore what the file replaced");
          assert.equal(JSON.parse(await stored_in(page)).name, "Another machine");
          await through_reload(page, () => press(page, "Restore what the file replaced"));
          await says(page, "Save as JSON");
          assert.equal(JSON.parse(await stored_in(page)).name, JSON.parse(recorded).name);
        },
        { stored: recorded },
      );
    });

    test("the lab: a kernel from a link is placed, and no part has axe violations", async () => {
      await on_machine(
        async (page, watched) => {
          await until(page, () => document.querySelector("#own-kernel svg") !== null);
          const said = await page.evaluate(
            () => document.querySelector("#own-kernel .lab-answer").textContent,
          );
          assert.match(said, /right of the ridge of NVIDIA H100 SXM \(295 FLOP\/B\)/);
          await page.evaluate(() => {
            for (const id of ["repeat", "trials"]) document.getElementById(id).open = true;
          });
          await until(page, () => document.querySelector("#repeat form, #trials button") !== null);
          await until(page, () => document.querySelectorAll("#trials button").length === 4);
          assert.deepEqual(await axe_violations(page), []);
          assert.deepEqual(await complaints(watched, origin_of(session.server)), []);
        },
        { hash: "#k=1e15,1e12,2,bf16,1,h100-sxm", width: 390 },
      );
    });

    test("a kernel is repeated until it is stopped", async () => {
      await on_machine(
        async (page) => {
          await page.bringToFront();
          await until(page, () => document.querySelector("#repeat form") !== null);
          const press_repeat = () =>
            page.evaluate(() => document.querySelector("#repeat form").requestSubmit());
          await press_repeat();
          await until(page, () => document.querySelector("#repeat svg") !== null);
          await press_repeat();
          await until(page, () => document.querySelector("#repeat .lab-answer button") !== null);
          const said = await page.evaluate(
            () => document.querySelector("#repeat .lab-status").textContent,
          );
          assert.equal(said, "Stopped; the result was checked.");
        },
        { hash: "#repeat" },
      );
    });

    test("a file that is not a profile is refused in words and changes nothing", async () => {
      await on_machine(
        async (page) => {
          const refused = {
            "{": /it is not JSON/,
            "[]": /it is not an object/,
            '{"schema": 7}': /its schema is 7/,
            '{"schema": 1}': /it holds no results/,
            '{"schema": 1, "results": [{"kernel": 3}]}': /result 0: no kernel/,
          };
          for (const [text, words] of Object.entries(refused)) {
            await load(page, text);
            const answer = () => document.querySelector(".machine-results").textContent;
            assert.match(await page.evaluate(answer), words);
            assert.equal(await stored_in(page), recorded);
          }
        },
        { stored: recorded },
      );
    });

    test("the gallery's entry is shown before anything is opened", async () => {
      await on_machine(
        async (page) => {
          await says(page, "Send to the gallery");
          await press(page, "Send to the gallery");
          await until(page, () => document.querySelector(".machine-entry") !== null);
          const text = await page.evaluate(() => document.querySelector(".machine-entry").value);
          assert.match(text, /^```text\nBrowser: Firefox/);
          assert.match(text, /Roof: fma: [\d.]+ GFLOP\/s/);
          assert.ok(text.length < 4000, `${text.length} characters do not fit an address`);
        },
        { stored: recorded },
      );
    });

    test("in the gallery's entry a profile's words are code, short, and no Markdown", async () => {
      const said = "```\n# LOGIN EXPIRED\n<img src=x> @everyone [go](https://evil.example) `";
      const sent = JSON.parse(recorded);
      const roofs = sent.roofs.map((roof) => ({ ...roof, class: { level: said, threads: 1 } }));
      const levels = sent.levels.map((level) => ({ ...level, name: said }));
      await on_machine(
        async (page) => {
          await says(page, "Send to the gallery");
          await press(page, "Send to the gallery");
          await until(page, () => document.querySelector(".machine-entry") !== null);
          const { text, title } = await page.evaluate(() => {
            const link = document.querySelector('.machine-answer a[href*="/issues/new"]');
            const area = document.querySelector(".machine-entry");
            return {
              text: area.value,
              title: link && new URL(link.href).searchParams.get("title"),
            };
          });
          assert.match(text, /^```text\n[^`]+\n```\n\nPaste the JSON[^`]+```json\n\n```\n$/);
          const [, fenced] = text.split("```");
          assert.ok(
            fenced.split("\n").every((line) => line.length <= 200),
            fenced,
          );
          assert.ok(!title || (title.length <= 200 && !/[\n`]/.test(title)), title);
        },
        { stored: JSON.stringify({ ...sent, browser: said, os: said, roofs, levels }) },
      );
    });

    test("a full run says what it does and how long it takes, not aloud, and can be cancelled", async () => {
      await on_machine(async (page) => {
        await page.bringToFront();
        await press(page, "Measure everything");
        const status = "#bench-machine .bench-status";
        // Aloud only where a quarter is reached, which on a busy machine the first words may do.
        const is_told = (name) => {
          const { ariaLive, textContent } = document.querySelector(name);
          return ariaLive === "off" && /left\.$/.test(textContent);
        };
        await until(page, is_told, status);
        const live = (name) => document.querySelector(name).getAttribute("aria-live");
        await press(page, "Cancel");
        await until(
          page,
          (name) => /^Canceled/.test(document.querySelector(name).textContent),
          status,
        );
        assert.equal(await page.evaluate(live, status), "polite");
        assert.equal(await stored_in(page), null);
      });
    });

    test("primer.measure measures any kernel and returns a profile without storing it", async () => {
      await on_machine(async (page) => {
        const only = ["matmul.packed", "stream.triad"];
        const { schema, results, error } = await measure(page, {
          only,
          params: { n: 96 },
          quick: true,
        });
        assert.equal(error, undefined);
        assert.equal(schema, 1);
        assert.deepEqual([...new Set(results.map((r) => r.kernel))].sort(), only);
        const packed = results.find((r) => r.kernel === "matmul.packed");
        assert.equal(packed.params.n, 96);
        assert.ok(packed.verified);
        const triad = results.find((r) => r.kernel === "stream.triad");
        assert.equal(triad.params.n, undefined, "it does not declare n, so n is ignored for it");
        assert.equal(await page.evaluate((key) => localStorage.getItem(key), profile_key), null);
      });
    });

    test("primer.measure takes the module's name", async () => {
      await on_machine(async (page) => {
        const small = { only: ["matmul.packed"], params: { n: 64 }, quick: true };
        const { results } = await measure(page, { ...small, module: "simd128" });
        assert.deepEqual([...new Set(results.map((r) => r.module))], ["simd128"]);
      });
    });

    test("unknown kernels, parameters and sizes are errors", async () => {
      await on_machine(async (page) => {
        const error_of = async (options) => (await measure(page, options)).error;
        assert.match(await error_of({ only: ["matmul.fastest"] }), /no kernel matches/);
        const odd = { only: ["matmul.packed", "stream.triad"], params: { size: 3 } };
        assert.match(await error_of(odd), /none of the selected kernels has a parameter "size"/);
        assert.match(await error_of({ only: ["matmul.packed"], params: { n: -1 } }), /outside/);
      });
    });

    test("several threads on a page that is not isolated: unavailable, because …", async () => {
      await on_machine(async (page) => {
        const { results } = await measure(page, {
          only: ["matmul.packed"],
          threads: 2,
          quick: true,
        });
        for (const result of results) {
          assert.equal(result.status, "unavailable");
          assert.match(result.reason, /isolated page/);
        }
      });
    });

    test("other pages have no console", async () => {
      const { page } = await open_watched(session.browser, session.server.url);
      assert.equal(await page.evaluate(() => window.primer), undefined);
      await page.close();
    });
  },
  { kinds: any_browser, alter: hurried() },
);
