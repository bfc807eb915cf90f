// The home page: the button in the first screen, what a measurement makes of it.
import assert from "node:assert/strict";
import { test } from "node:test";

import {
  any_browser,
  in_each_browser,
  key_of,
  open_watched,
  profile_key,
  run_bench,
  until,
  until_ready,
  with_its_fonts,
} from "./support/browser_page.mjs";
import { hurried } from "./support/hurried.mjs";

const sizes = [
  { width: 1280, height: 900 },
  { width: 390, height: 844 },
];
const ring = (page) =>
  page.evaluate(() => {
    const all = [...document.querySelectorAll(".guess-grip")];
    const { x, y, width, height } = all
      .find((one) => one.getClientRects().length > 0)
      .getBoundingClientRect();
    return { x: x + width / 2, y: y + height / 2, width };
  });
const guess_words = (page) =>
  page.$$eval(".guess-form b", (outputs) => outputs.map(({ textContent }) => textContent));

in_each_browser(
  (session) => {
    /** The page with all its fonts: they decide how high it is, and where the ridge lies. */
    const open = async (size = {}) => {
      const opened = await open_watched(session.browser, session.server.url, size);
      await until(opened.page, () => document.documentElement.dataset.ready === "painted");
      await opened.page.evaluate(() => document.fonts.ready.then(() => true));
      return opened;
    };

    for (const size of sizes)
      test(`${size.width} px: the button is in the first 700 px, the page below 3,200`, async () => {
        const { page } = await open(size);
        const { bottom, height } = await page.evaluate(() => ({
          bottom: document.querySelector(".hero .bench-button").getBoundingClientRect().bottom,
          height: document.documentElement.scrollHeight,
        }));
        await page.close();
        assert.ok(bottom <= 700, `the button ends at ${bottom} px`);
        assert.ok(height <= 3200, `the page is ${height} px high`);
      });

    test("the ridge follows the pointer and the ranges, and is there on the next visit", async () => {
      const { page, seen } = await open();
      assert.ok(!seen.requests.some((url) => url.endsWith("/guess.js")), "loaded before intent");
      const from = await ring(page);
      assert.ok(from.width >= 44 * 0.9, `${from.width} px to take hold of`);
      const before = await guess_words(page);
      await page.mouse.move(from.x, from.y);
      await page.mouse.down();
      await page.waitForFunction(() =>
        performance.getEntriesByType("resource").some(({ name }) => name.endsWith("/guess.js")),
      );
      await page.mouse.move(from.x - 60, from.y + 40, { steps: 4 });
      await page.waitForFunction(
        (words) => document.querySelector(".guess-form b").textContent !== words,
        {},
        before[0],
      );
      await page.mouse.up();
      const dragged = await ring(page);
      assert.ok(Math.abs(dragged.x - from.x + 60) < 2 && Math.abs(dragged.y - from.y - 40) < 2);
      await page.focus('.guess-form [name="bandwidth"]');
      await page.keyboard.press("ArrowRight");
      const by_keys = await guess_words(page);
      assert.ok((await ring(page)).x < dragged.x, "more bytes a second, a ridge further left");
      await page.reload({ waitUntil: "load" });
      await until_ready(page);
      await page.waitForFunction(
        (words) => document.querySelector(".guess-form b").textContent === words,
        {},
        by_keys[0],
      );
      await page.evaluate((key) => localStorage.removeItem(key), key_of("guess.v1"));
      await page.close();
    });

    // In a hurry nothing is measured well enough for a roof: the reader's machine is the reference machine.
    test("pressed it measures; who comes back finds their roof and numbers", async () => {
      const { page } = await open();
      const { state, status } = await run_bench(page, "bench-home");
      assert.equal(state, "done", status);
      assert.equal(await page.$eval(".hero .bench-button", (e) => e.textContent), "Measure again");
      await page.evaluate(async (key) => {
        const url = new URL(`${document.documentElement.dataset.assets}reference.json`, location);
        const profile = await (await fetch(url)).json();
        for (const roof of profile.roofs) roof.run = profile.created; // as a measurement leaves them
        localStorage.setItem(key, JSON.stringify(profile));
      }, profile_key);
      await page.reload({ waitUntil: "load" });
      await page.waitForSelector('#fig-home-roofs[data-from="reader"]');
      await page.waitForSelector("#verdict-home[data-from]");
      const numbers = await page.$$eval(".home > .plot + ul .live", (all) =>
        all.map(({ dataset }) => dataset.from),
      );
      assert.deepEqual(numbers, ["reader", "reader", "reader"]);
      assert.equal(await page.$eval(".hero .bench-button", (e) => e.textContent), "Measure again");
      assert.match(await page.$eval("#verdict-home", (e) => e.textContent), /^Your core/);
      await page.evaluate(
        (key) => localStorage.setItem(key, JSON.stringify({ rate: 6e10, bandwidth: 2e10 })),
        key_of("guess.v1"),
      );
      await page.reload({ waitUntil: "load" });
      const judged = /^You guessed a ridge of 3\.0 FLOP\/B\. It is 2\.4\s*FLOP\/B\.$/;
      await until(
        page,
        (words) => new RegExp(words).test(document.querySelector(".guess-form p").textContent),
        judged.source,
      );
      await page.evaluate(() => localStorage.clear());
      await page.close();
    });

    test("whoever has read is offered to go on where they were", async () => {
      const { page } = await open();
      const path = await page.$eval(".card h3 > a", ({ pathname }) => pathname);
      const record = { share: 0.4, at: "here", within: 0, when: 5, sections: {} };
      await page.evaluate(
        (key, text) => localStorage.setItem(key, text),
        key_of("reading.v1"),
        JSON.stringify({ schema: 1, pages: { [path]: record } }),
      );
      await page.reload({ waitUntil: "load" });
      await page.waitForSelector(`.hero .bench-try a[href$="${path}#here"]`);
      assert.match(await page.$eval(".hero .bench-try", (e) => e.textContent), /^Continue: 0 /);
      await page.evaluate(() => localStorage.clear());
      await page.close();
    });
  },
  { kinds: any_browser, alter: hurried(with_its_fonts) },
);
