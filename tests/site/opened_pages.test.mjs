// Reading, in both browsers: every page opens quietly and completely, with scripts and without, on
// a phone and on a desk, under any base path; accessible as far as axe-core can tell.
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
import { is_full } from "../rounds.mjs";
import { gzip_size, measured_pages, pages, site } from "./support/site.mjs";

const readable = pages.filter((page) => page !== "404.html");
const theme = (page, name) =>
  page.evaluate((chosen) => {
    document.documentElement.dataset.theme = chosen;
  }, name);

in_each_browser((session) => {
  for (const path of readable) {
    const name = path || "home page";
    const is_chromium = session.kind === "chromium";
    // Firefox is asked on the phone, and on a desk in a full run; measured pages it opens there wherever they are measured.
    if (session.asks_all)
      test(`${name}: quiet on a desk, in Chromium without axe violations`, async () => {
        const watched = await open_watched(session.browser, session.server.url + path);
        // Axe is asked for all in light here, and for what width and colours change in dark on the phone.
        if (is_chromium) {
          await theme(watched.page, "light");
          assert.deepEqual(await axe_violations(watched.page), []);
          if (is_full) {
            await theme(watched.page, "dark");
            assert.deepEqual(await axe_violations(watched.page, ["color-contrast"]), []);
          }
        } else await new Promise((resolve) => setTimeout(resolve, 300));
        assert.deepEqual(await complaints(watched, origin_of(session.server)), []);
        await watched.page.close();
      });

    test(`${name}: fits a phone, and only loads what was asked for`, async () => {
      const watched = await open_watched(session.browser, session.server.url + path, {
        width: 390,
        height: 844,
      });
      const { content, window_width } = await watched.page.evaluate(() => ({
        content: document.documentElement.scrollWidth,
        window_width: document.documentElement.clientWidth,
      }));
      assert.ok(content <= window_width, `${content} px of content on ${window_width} px`);
      const scripts = watched.seen.requests.filter((url) => url.endsWith(".js"));
      const loaded = await Promise.all(
        scripts.map(async (url) => gzip_size(Buffer.from(await (await fetch(url)).arrayBuffer()))),
      );
      assert.ok(loaded.reduce((a, b) => a + b, 0) <= 15 * 1024, scripts.join(" "));
      assert.ok(
        !watched.seen.requests.some((url) => /\.wasm|\.json/.test(url)),
        "something was loaded before intent",
      );
      assert.deepEqual(await complaints(watched, origin_of(session.server)), []);
      if (is_full) assert.deepEqual(await axe_violations(watched.page), []);
      if (is_chromium) {
        await theme(watched.page, "dark");
        assert.deepEqual(await axe_violations(watched.page, ["color-contrast", "target-size"]), []);
      }
      await watched.page.close();
    });
  }

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
      assert.match(await lost.evaluate(() => document.body.textContent), /no such page/);
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
    await page.select(".theme-switch", "dark");
    await page.reload({ waitUntil: "domcontentloaded" });
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "dark");
    await until_ready(page);
    assert.equal(await page.$eval(".theme-switch", (select) => select.value), "dark");
    await page.select(".theme-switch", "system");
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), undefined);
    await page.close();
  });
});

// Firefox has no switch for scripts in a page, only in its preferences, so a browser of its own.
in_each_browser(
  (session) => {
    for (const { page: path } of measured_pages) {
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
