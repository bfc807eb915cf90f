// `primer serve` before the WebAssembly modules are built: pages are served, controls that need the
// modules are gray and say why, and all of them become active automatically when the modules exist.
import assert from "node:assert/strict";
import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";

import { open_browser } from "../../scripts/lib/browsers.mjs";
import { any_browser, until } from "./support/browser_page.mjs";
import { repository, ServedBook } from "./support/served_book.mjs";

const built = join(repository, "build/wasm");
const parts = ["figures", "wasm_kernels"];
const is_published = (path) => !/CMakeFiles|\.(a|o|js)$/.test(path);

describe("primer serve without modules", { timeout: 300_000 }, () => {
  const book = new ServedBook();
  const modules = join(book.root, "wasm");
  const fonts = join(book.root, "fonts");
  const search = join(book.root, "search");
  const page = async () => (await fetch(`${book.url}first/`)).text();
  const until_page = async (pattern, is_there = true) => {
    while (pattern.test(await page()) !== is_there)
      await new Promise((done) => setTimeout(done, 50));
  };
  const bring = (part) =>
    cpSync(join(built, part), join(modules, part), { recursive: true, filter: is_published });

  before(async () => {
    mkdirSync(modules);
    await book.start(8480, ["--modules", modules, "--fonts", fonts, "--search", search]);
  });
  after(() => book.stop());

  test("the book is served, and missing parts are reported", async () => {
    assert.match(await page(), /src="\/_primer\/unbuilt\.js"/);
    assert.match(
      book.server.output(),
      /note: some WebAssembly modules are missing, .* scripts\/build/,
    );
    for (const name of ["unbuilt.js", "unbuilt.css", "live.js"]) {
      assert.equal((await fetch(`${book.url}_primer/${name}`)).status, 200, name);
    }
    assert.equal((await fetch(`${book.url}_primer/other.js`)).status, 404);
  });

  test("modules are taken when all are there, and none while they are unfinished", async () => {
    bring(parts[0]);
    writeFileSync(join(modules, "unfinished"), "");
    bring(parts[1]);
    book.save(`${book.text}\n\nA sentence more.\n`);
    await until_page(/A sentence more/);
    assert.match(await page(), /unbuilt\.js/);
    rmSync(join(modules, "unfinished"));
    await until_page(/unbuilt\.js/, false);
    // Reported once the page exists.
    while (!/modules are built: pages can measure/.test(book.server.output()))
      await new Promise((done) => setTimeout(done, 50));
    rmSync(join(modules, "wasm_kernels/traps.wasm"));
    await until_page(/unbuilt\.js/);
  });

  test("search comes with its index", async () => {
    assert.doesNotMatch(await page(), /search-open/);
    mkdirSync(search);
    for (const name of ["pagefind.js", "wasm.en.pagefind", "pagefind.x.pf_meta"])
      writeFileSync(join(search, name), "");
    writeFileSync(
      join(search, "pagefind-entry.json"),
      JSON.stringify({ languages: { en: { hash: "x", wasm: "en" } } }),
    );
    await until_page(/search-open/);
  });

  for (const kind of any_browser) {
    test(`${kind}: what needs a module is grey until it is there`, async () => {
      rmSync(join(modules, "wasm_kernels"), { recursive: true, force: true });
      await until_page(/unbuilt\.js/);
      const browser = await open_browser(kind);
      try {
        const tab = await browser.newPage();
        await tab.goto(`${book.url}first/`, { waitUntil: "load" });
        await until(tab, () => document.querySelector(".bench-controls")?.inert);
        assert.match(
          await tab.evaluate(() => document.querySelector("primer-bench").textContent),
          /being built/,
        );
        assert.equal(
          await tab.evaluate(
            () => getComputedStyle(document.querySelector(".bench-controls")).opacity,
          ),
          "0.45",
        );
        await until(tab, () => "preview" in document.documentElement.dataset);
        bring("wasm_kernels");
        // The page reloads on its own.
        await until(tab, () => document.querySelector(".bench-controls")?.inert === false);
        assert.doesNotMatch(
          await tab.evaluate(() => document.querySelector("main").textContent),
          /being built/,
        );
      } finally {
        await browser.close();
      }
    });
  }
});
