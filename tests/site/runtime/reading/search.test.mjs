// Search with Pagefind's index of the built book: its size, its speed, the keyboard, and what
// happens without it.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { serve } from "../../../../scripts/lib/browsers.mjs";
import { sample } from "../../../rounds.mjs";
import { axe_violations } from "../../support/axe.mjs";
import {
  any_browser,
  complaints,
  in_each_browser,
  key_of,
  open_watched,
  until,
  until_ready,
} from "../../support/browser_page.mjs";
import { open_file } from "../../support/index_file.mjs";
import { gzip_size, site } from "../../support/site.mjs";

const primer = process.env.PRIMER ?? "build/release/generator/primer";
const folder = mkdtempSync(join(tmpdir(), "search-"));
const searchable = join(folder, "site");

/** The first and the last word in each file of the index, and some between them. */
function some_words() {
  const directory = join(searchable, "search/index");
  const english = readdirSync(directory).filter((name) => name.startsWith("en_"));
  return english.flatMap((name) => {
    const [words] = open_file(readFileSync(join(directory, name)));
    const is_taken = (_, i) => i % 12 === 0 || i === words.length - 1;
    // Nobody types the invisible operators of a formula.
    const is_typed = ([word]) => !/[\u2061-\u2064]/.test(word);
    return words
      .filter(is_taken)
      .filter(is_typed)
      .map(([word]) => word);
  });
}

before(() => {
  const index = join(folder, "index");
  execFileSync(primer, ["index", "--out", site, "--search", index], { stdio: "pipe" });
  const build = ["build", "--book", ".", "--out", searchable, "--search", index];
  execFileSync(primer, build, { stdio: "pipe" });
});
after(() => rmSync(folder, { recursive: true, force: true }));

in_each_browser(
  (session) => {
    const base = "/repo/";
    let server = null;
    before(async () => {
      server = await serve(searchable, { base });
    });
    after(() => server.close());

    const open_book = (path, options) => open_watched(session.browser, server.url + path, options);
    const is_open = (page) =>
      until(page, () => document.querySelector("dialog.panel")?.open === true);
    const results = (page) =>
      page.$$eval(".found a", (links) => links.map((a) => ({ href: a.href, text: a.textContent })));
    /** Types and waits for the results of exactly these words. */
    async function ask(page, words, options) {
      await page.evaluate(() => {
        const dialog = document.querySelector("dialog.panel");
        delete dialog.dataset.answered;
        dialog.querySelector("input").select();
      });
      await page.keyboard.type(words, options);
      await until(
        page,
        (asked) => document.querySelector("dialog.panel").dataset.answered === asked,
        words,
      );
      return results(page);
    }

    test("the slash opens it; answers lead to sections below the base path", async () => {
      const watched = await open_book("roofline/");
      const { page } = watched;
      assert.deepEqual(
        server.requests.filter((path) => path.includes("/search/")),
        [],
      );
      await page.keyboard.press("/");
      await is_open(page);
      const [first] = await ask(page, "ridge");
      assert.ok(first.href.startsWith(`${server.url}`), first.href);
      assert.match(first.href, /#/);
      assert.deepEqual(await axe_violations(page), []);
      await until(page, () =>
        /sections?[,.]/.test(document.querySelector("dialog [role=status]").textContent),
      );

      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("ArrowUp");
      assert.equal(await page.evaluate(() => document.activeElement.href), first.href);
      await page.keyboard.press("ArrowUp");
      assert.equal(await page.evaluate(() => document.activeElement.type), "search");
      await page.keyboard.press("Escape");
      assert.equal(await page.$eval("dialog.panel", (dialog) => dialog.open), false);
      assert.deepEqual(await complaints(watched, new URL(server.url).origin), []);
      await page.close();
    });

    test("a first search of one word or of two, typed as people type, loads less than 100 KB", async () => {
      for (const words of sample(["ridge", "arithmetic intensity", "softmax attention"], 3)) {
        const fresh = await serve(searchable, { base });
        const { page } = await open_watched(session.browser, `${fresh.url}roofline/`);
        // The last request that a page makes on its own.
        await until(page, () =>
          ["400", "600"].every((weight) => document.fonts.check(`${weight} 1em "Roofline Figure"`)),
        );
        const before_it = new Set(fresh.requests);
        await page.keyboard.press("/");
        await is_open(page);
        assert.ok((await ask(page, words, { delay: 150 })).length > 0);
        const loaded = [...new Set(fresh.requests)].filter((path) => !before_it.has(path));
        const bytes = loaded.map((path) =>
          gzip_size(readFileSync(join(searchable, path.slice(base.length)))),
        );
        const sum = bytes.reduce((a, b) => a + b, 0);
        assert.ok(sum > 50_000 && sum <= 100 * 1024, `${words}: ${sum} bytes: ${loaded.join(" ")}`);
        await page.close();
        await fresh.close();
      }
    });

    test("later answers are immediate; Enter follows the first; no results are reported", async () => {
      const { page } = await open_book("workload/");
      await page.click(".search-open");
      await is_open(page);
      await ask(page, "cache");
      // Pagefind shortens a word until it finds one with that beginning, so no word may start with
      // its first letter.
      await page.$eval("dialog.panel input", (input) => {
        input.value = "ወረቀት";
        input.dispatchEvent(new Event("input"));
      });
      await until(
        page,
        () => document.querySelector("dialog [role=status]").textContent === "Nothing found.",
      );
      assert.deepEqual(await results(page), []);
      const [{ href }] = await ask(page, "arithmetic intensity");
      await page.keyboard.press("Enter");
      await until(page, (address) => location.href === address, href);
      const is_there = () =>
        document.getElementById(decodeURIComponent(location.hash.slice(1))) !== null;
      await until(page, is_there);
      await page.close();
    });

    test("words are found in the files that they were cut into", async () => {
      const { page } = await open_book("");
      const words = some_words();
      assert.ok(words.length >= 100);
      const lost = await page.evaluate(async (wanted) => {
        const engine = await import(new URL("search/pagefind.js", document.baseURI).href);
        await engine.options({ basePath: new URL("search/", document.baseURI).pathname });
        const missing = [];
        for (const word of wanted)
          if ((await engine.search(word)).results.length === 0) missing.push(word);
        return missing;
      }, words);
      assert.deepEqual(lost, []);
      await page.close();
    });

    test("in a field the slash is a slash; with shortcuts off it does nothing", async () => {
      const { page } = await open_book("machine/");
      await page.evaluate(() => {
        const field = Object.assign(document.createElement("input"), { id: "field" });
        document.querySelector("main").prepend(field);
        field.focus();
      });
      await page.keyboard.press("/");
      assert.equal(await page.$eval("#field", (field) => field.value), "/");
      assert.equal(await page.$("dialog.panel"), null);
      await page.evaluate(
        (key) => {
          localStorage.setItem(key, "off");
          document.activeElement.blur();
        },
        key_of("keys", base),
      );
      await page.evaluate(() => {
        addEventListener("keydown", (event) => {
          window.was_taken = event.defaultPrevented;
        });
      });
      await page.keyboard.press("/");
      assert.equal(await page.evaluate(() => window.was_taken), false);
      assert.equal(await page.$("dialog.panel"), null);
      await page.evaluate((key) => localStorage.removeItem(key), key_of("keys", base));
      await page.close();
    });

    test("on a phone it fits, and nothing moves when its button appears", async () => {
      const watched = await open_book("roofline/", { width: 390, height: 844 });
      const { page } = watched;
      await page.click(".search-open");
      await is_open(page);
      await ask(page, "bandwidth");
      const { left, right } = await page.$eval("dialog.panel", (d) =>
        d.getBoundingClientRect().toJSON(),
      );
      assert.ok(left >= 0 && right <= 390, `${left} to ${right}`);
      assert.deepEqual(await complaints(watched, new URL(server.url).origin), []);
      await page.close();
    });

    test("on phones the head is one row, whose signs keep their names", async () => {
      for (const width of [320, 390]) {
        for (const path of sample(["roofline/", "es/"], 2)) {
          const watched = await open_book(path, { width, height: 844 });
          const { page } = watched;
          const parts = await page.$$eval(
            ".page-head > :not(:empty), .contents > summary",
            (elements) =>
              elements.map((element) => {
                const { left, right, top, bottom } = element.getBoundingClientRect();
                const name = element.getAttribute("aria-label") ?? element.textContent.trim();
                return { left, right, top, bottom, name };
              }),
          );
          assert.equal(
            parts.length,
            path === "es/" ? 6 : 7,
            "title, place, whose numbers, search, contents and their sign, colours",
          );
          const row = {
            top: Math.max(...parts.map((p) => p.top)),
            bottom: Math.min(...parts.map((p) => p.bottom)),
          };
          assert.ok(row.top < row.bottom, `${width} px, ${path}: ${JSON.stringify(parts)}`);
          for (const { left, right, name } of parts) {
            assert.ok(left >= 0 && right <= width, `${name}: ${left} to ${right} of ${width}`);
            assert.notEqual(name, "");
          }
          assert.deepEqual(await complaints(watched, new URL(server.url).origin), []);
          assert.deepEqual(await axe_violations(page), []);
          await page.close();
        }
      }
    });

    test("a missing index is reported; a site without one has no button", async () => {
      const lost = await serve(searchable, {
        alter: (path, body) => (path.includes("/search/") ? null : body),
      });
      try {
        const { page } = await open_watched(session.browser, `${lost.url}roofline/`);
        await page.click(".search-open");
        await until(page, () =>
          /Unavailable, because/.test(document.querySelector("dialog [role=status]")?.textContent),
        );
        await page.goto(`${session.server.url}roofline/`);
        await until_ready(page);
        assert.equal(await page.$(".search-open"), null);
        await page.keyboard.press("/");
        assert.equal(await page.$("dialog.panel"), null);
        await page.close();
      } finally {
        await lost.close();
      }
    });
  },
  { kinds: any_browser },
);
