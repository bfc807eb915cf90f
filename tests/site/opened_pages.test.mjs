// Reading, in both browsers: every page opens completely and without complaints, with and without
// scripts, on a phone and on a desktop, under any base path, and accessible as far as axe-core can
// tell.
import assert from "node:assert/strict";
import { test } from "node:test";

import { serve } from "../../scripts/lib/browsers.mjs";
import { axe_violations } from "./support/axe.mjs";
import {
  any_browser,
  complaints,
  in_each_browser,
  open_watched,
  origin_of,
  until_ready,
} from "./support/browser_page.mjs";
import { is_full, sample } from "../rounds.mjs";
import { gzip_size, measured_pages, pages, read_page, site } from "./support/site.mjs";

const readable = pages.filter((page) => page !== "404.html");
/**
 * Pages that together have every element and class of the book, so every rule of the stylesheet and
 * every construct. Only these are tested with axe-core, for colors and target sizes, and a third of
 * them per commit in the second browser. Of the other pages, a third is opened per commit; for
 * mistakes in their texts, built_pages.test.mjs has html-validate. A full run tests all.
 */
const telling = new Set();
{
  const looks = new Map(
    readable.map((page) => [
      page,
      new Set(
        [...read_page(page).matchAll(/<(\w+)(?: [^>]*?class="([^"]*)")?/g)].flatMap(
          ([, name, classes = ""]) => [name, ...classes.split(" ")],
        ),
      ),
    ]),
  );
  for (;;) {
    const left = [...looks].sort(([, a], [, b]) => b.size - a.size)[0];
    if (left[1].size === 0) break;
    const [page, shown] = left;
    telling.add(page);
    for (const names of looks.values())
      if (names !== shown) for (const name of shown) names.delete(name);
    shown.clear();
  }
}
const is_asked = (page) => is_full || telling.has(page);
const opened = new Set([
  ...telling,
  ...sample(
    readable.filter((page) => !telling.has(page)),
    3,
  ),
]);
const opened_twice = new Set(sample([...telling], 3));
const desk = { width: 1280, height: 900 };
const phone = { width: 390, height: 844 };
const theme = (page, name) =>
  page.evaluate((chosen) => {
    document.documentElement.dataset.theme = chosen;
  }, name);

in_each_browser((session) => {
  async function fits(watched) {
    const { content, window_width } = await watched.page.evaluate(() => {
      const { scrollWidth: content, clientWidth: window_width } = document.documentElement;
      return { content, window_width };
    });
    assert.ok(content <= window_width, `${content} px of content on ${window_width} px`);
  }

  async function only_loads_what_was_asked_for({ page, seen }) {
    // Some kinds of pages load more after they are ready.
    await page.waitForNetworkIdle({ idleTime: 200 });
    const scripts = seen.requests.filter((url) => url.endsWith(".js"));
    const loaded = await Promise.all(
      scripts.map(async (url) => gzip_size(Buffer.from(await (await fetch(url)).arrayBuffer()))),
    );
    assert.ok(loaded.reduce((a, b) => a + b, 0) <= 15 * 1024, scripts.join(" "));
    assert.ok(
      !seen.requests.some((url) => /\.wasm|\.json/.test(url)),
      "something was loaded before intent",
    );
  }

  /** On a desktop: all rules in light mode. The phone tests colors in dark mode. */
  async function is_accessible_on_a_desk({ page }, path) {
    if (!is_asked(path)) return;
    await theme(page, "light");
    assert.deepEqual(await axe_violations(page), []);
    if (!is_full) return;
    await theme(page, "dark");
    assert.deepEqual(await axe_violations(page, ["color-contrast"]), []);
  }

  async function is_accessible_on_a_phone({ page }, path) {
    if (is_full) assert.deepEqual(await axe_violations(page), []);
    if (!is_asked(path)) return;
    await theme(page, "dark");
    assert.deepEqual(await axe_violations(page, ["color-contrast", "target-size"]), []);
  }

  for (const [i, path] of readable.entries()) {
    const is_chromium = session.kind === "chromium";
    // Firefox opens its pages on a phone only.
    if (!(session.asks_all ? opened : opened_twice).has(path)) continue;
    // Each page is loaded once, every other one on the phone, and then gets the other width; a full
    // run loads it at both.
    const is_first_wide = session.asks_all && i % 2 === 0;
    const sizes = is_first_wide ? [desk, phone] : session.asks_all ? [phone, desk] : [phone];
    for (const size of is_full ? sizes : sizes.slice(0, 1))
      test(`${path || "home page"}, loaded at ${size.width} px: quiet, fits, loads what was asked for, accessible`, async () => {
        const url = session.server.url + path;
        const watched = await open_watched(session.browser, url, size);
        for (const width of is_full ? [size] : sizes) {
          if (width !== size) await watched.page.setViewport(width);
          if (width === phone) await fits(watched);
          if (width === size) await only_loads_what_was_asked_for(watched);
          if (is_chromium && width === desk) await is_accessible_on_a_desk(watched, path);
          if (is_chromium && width === phone) await is_accessible_on_a_phone(watched, path);
        }
        assert.deepEqual(await complaints(watched, origin_of(session.server)), []);
        // An opened note floats, and the text after it must be below.
        await watched.page.setViewport(phone);
        await watched.page.$$eval("details.note", (notes) =>
          notes.forEach((note) => (note.open = true)),
        );
        await fits(watched);
        await watched.page.close();
      });
  }

  if (session.kind === "chromium")
    test("a drawing is an image whose name and description are its title and desc", async () => {
      const page = await session.browser.newPage();
      await page.goto(`${session.server.url}roofline/`);
      await page.$$eval("details.fold", (folds) => folds.forEach((fold) => (fold.open = true)));
      const said = await page.$$eval("figure svg[role=img]", (drawings) =>
        drawings
          .filter((one) => one.checkVisibility())
          .map((one) => ["title", "desc"].map((part) => one.querySelector(part).textContent)),
      );
      const { nodes } = await (await page.createCDPSession()).send("Accessibility.getFullAXTree");
      const heard = nodes
        .filter((node) => !node.ignored && node.role.value === "image" && node.name.value)
        .map(({ name, description }) => [name.value, description?.value]);
      assert.ok(said.length > 5);
      for (const one of said)
        assert.ok(
          heard.some((other) => other.join() === one.join()),
          `${one[0]} is not among ${heard.map(([name]) => name)}`,
        );
      await page.close();
    });

  test("under a base path everything loads; an unknown address gets the 404 page", async () => {
    const repo = await serve(site, { base: "/repo/" });
    try {
      const watched = await open_watched(session.browser, repo.url + measured_pages[0].page);
      assert.deepEqual(await complaints(watched, new URL(repo.url).origin), []);
      assert.equal(
        await watched.page.evaluate(() => document.documentElement.hasAttribute("data-ready")),
        true,
      );
      await watched.page.close();
      const lost = await session.browser.newPage();
      const response = await lost.goto(`${repo.url}no/such/page/`);
      assert.equal(response.status(), 404);
      assert.match(await lost.evaluate(() => document.body.textContent), /Page not found/);
      await lost.close();
    } finally {
      await repo.close();
    }
  });

  test("the chosen theme is there before the next page paints, and can be undone", async () => {
    const { page } = await open_watched(
      session.browser,
      session.server.url + measured_pages[0].page,
    );
    await page.click(".theme-switch");
    await page.click(".theme-switch");
    await page.reload({ waitUntil: "domcontentloaded" });
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "dark");
    await until_ready(page);
    assert.match(await page.$eval(".theme-switch", ({ title }) => title), /Dark$/);
    await page.click(".theme-switch");
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), undefined);
    await page.close();
  });
});

// Firefox can disable scripts only in its preferences, so this needs a separate browser.
in_each_browser(
  (session) => {
    for (const { page: path } of measured_pages.filter(({ page }) => is_asked(page))) {
      test(`${path || "home page"}: complete`, async () => {
        const page = await session.browser.newPage();
        if (session.kind === "chromium") await page.setJavaScriptEnabled(false);
        await page.goto(session.server.url + path, { waitUntil: "load" });
        const found = await page.evaluate(() => {
          const shown = (selector) =>
            [...document.querySelectorAll(selector)].map(
              (e) => e.getClientRects().length > 0 && e.textContent.trim().length > 0,
            );
          return {
            ran: document.documentElement.hasAttribute("data-ready"),
            told: document.querySelector("main > noscript p")?.getClientRects().length ?? 0,
            asks: "page" in document.documentElement.dataset,
            hidden: shown("primer-bench .reference, .verdict, .live, .answer > summary").filter(
              (ok) => !ok,
            ).length,
            drawings: [...document.querySelectorAll(".plot")].map(
              (plot) =>
                [...plot.querySelectorAll("svg")].filter((svg) => svg.getClientRects().length > 0)
                  .length,
            ),
            buttons: [...document.querySelectorAll("main button, main input")].filter(
              (control) => control.getClientRects().length > 0,
            ).length,
          };
        });
        assert.equal(found.ran, false);
        assert.equal(
          found.told > 0,
          found.asks,
          "it says what needs scripts, where something does",
        );
        assert.equal(found.buttons, 0);
        assert.equal(found.hidden, 0);
        assert.ok(
          found.drawings.every((count) => count === 1),
          "each figure shows one layout",
        );
        await page.close();
      });
    }
  },
  { kinds: any_browser, words: ", scripts off", preferences: { "javascript.enabled": false } },
);
