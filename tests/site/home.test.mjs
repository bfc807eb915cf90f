// The home page: the button on the first screen, and the page after a measurement.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { serve } from "../../scripts/lib/browsers.mjs";
import {
  any_browser,
  complaints,
  in_each_browser,
  key_of,
  open_watched,
  origin_of,
  profile_key,
  run_bench,
  until,
  until_ready,
  with_its_fonts,
} from "./support/browser_page.mjs";
import { axe_violations } from "./support/axe.mjs";
import { hurried } from "./support/hurried.mjs";
import { site } from "./support/site.mjs";

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
/** Shortens runs, as hurried() does, but still detects a busy machine. */
const alter = (path, body) =>
  path.endsWith("lost_time.js") ? body : hurried(with_its_fonts)(path, body);

const recorded = readFileSync(
  new URL("../../figures/profiles/reference-firefox.json", import.meta.url),
  "utf8",
);

/**
 * Runs before the page's scripts. Replaces a run's numbers with those of `profile`, and pretends
 * that other programs used the core for the fraction `lost` of the time. With `lost`, no number is
 * trustworthy.
 * `window.moved` counts the animations of figures and of samples.
 */
function replace_numbers({ profile, lost }) {
  window.moved = { svg: 0, circle: 0 };
  const { animate } = Element.prototype;
  Element.prototype.animate = function (...how) {
    window.moved[this.localName] += 1;
    return animate.apply(this, how);
  };
  window.Worker = class extends Worker {
    constructor(...how) {
      super(...how);
      this.addEventListener("message", ({ data }) => {
        if (!data.suite) return;
        data.suite.lost_share = lost;
        for (const result of data.suite.results) {
          const alike = profile.results.filter(({ kernel }) => kernel === result.kernel);
          const { params, threads, ...numbers } = alike.at(-1) ?? result;
          Object.assign(result, numbers, lost ? { flags: ["disturbed"] } : {});
        }
      });
    }
  };
}

const guess_words = (page) =>
  page.$$eval(".guess-form b", (outputs) => outputs.map(({ textContent }) => textContent));

in_each_browser(
  (session) => {
    /** The page with all its fonts, which determine its height and the position of the ridge. */
    const open = async (size = {}, { url } = session.server) => {
      const opened = await open_watched(session.browser, url, size);
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

    // A hurried measurement is not precise enough for a roof, so the reader's machine is the
    // reference machine.
    test("pressed it measures; who comes back finds their roof and numbers", async () => {
      const { page } = await open();
      const { state, status } = await run_bench(page, "bench-home");
      assert.equal(state, "done", status);
      assert.equal(await page.$eval(".hero .bench-button", (e) => e.textContent), "Measure again");
      await page.evaluate(async (key) => {
        const url = new URL(`${document.documentElement.dataset.assets}reference.json`, location);
        const profile = await (await fetch(url)).json();
        // The state that a measurement leaves behind.
        for (const roof of profile.roofs) roof.run = profile.created;
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

    const question = "How fast is the machine you are reading this on?";
    const title = (page) => page.$eval("main h1", (e) => e.textContent);
    const titled = (page, words) =>
      until(page, (text) => document.querySelector("main h1").textContent === text, words);
    /** Labels of the visible buttons and links next to the result, in order. */
    const actions = (page) =>
      page.$$eval(".hero .bench-controls :is(button, a)", (all) =>
        all.filter((e) => e.getClientRects().length > 0).map((e) => e.textContent),
      );
    /** The page on a return visit, with these entries stored. */
    const open_again = async (entries, size = {}, server = session.server) => {
      const { page: first } = await open_watched(session.browser, `${server.url}sw.js`, size);
      await first.evaluate((all) => {
        localStorage.clear();
        for (const [name, text] of all) localStorage.setItem(name, text);
      }, entries);
      await first.close();
      return open(size, server);
    };

    for (const size of sizes)
      test(`${size.width} px: the answer is the headline, and nothing moves`, async () => {
        const guess = JSON.stringify({ rate: 1e11, bandwidth: 2e10 });
        const stored = [
          [profile_key, recorded],
          [key_of("guess.v1"), guess],
        ];
        // As published: a font that arrives late is not used, so it moves nothing.
        const published = await serve(site);
        const watched = await open_again(stored, size, published);
        const { page } = watched;
        await titled(page, "1.8 FLOPs per byte. An H100 needs 295. You guessed 5.0.");
        await until(page, () => document.querySelector(".result-row") !== null);
        assert.deepEqual(await actions(page), ["Share", "Read why", "Again"]);
        const ridge = await page.$$eval(".home > .plot + ul .live", (all) => all[2].textContent);
        assert.match(ridge, /^1\.8\s/, "the list agrees with the headline");
        await until(page, () => document.querySelector(".guess-form input").disabled);
        const path = await page.$eval(".result-why", ({ pathname }) => pathname);
        assert.match(path, /roofline/);
        assert.deepEqual(await axe_violations(page), []);
        await page.focus(".result-share");
        await page.keyboard.press("Enter");
        await until(page, () => document.querySelector("dialog img")?.naturalWidth === 1200);
        const card = await page.evaluate(() => ({
          alt: document.querySelector("dialog img").alt,
          focus: document.activeElement.download,
        }));
        assert.match(card.alt, /1\.8 FLOPs per byte\. An H100 needs 295\./);
        assert.equal(card.focus, "my-roofline.png");
        await page.keyboard.press("Escape");
        await until(page, () => document.querySelector("dialog.card-panel") === null);
        assert.equal(await page.evaluate(() => document.activeElement.textContent), "Share");
        assert.deepEqual(await complaints(watched, origin_of(published)), []);
        await page.evaluate(() => document.querySelector('[value="reference"]').click());
        await titled(page, question);
        const [only, ...others] = await actions(page);
        assert.match(only, /^Measure /);
        assert.deepEqual(others, []);
        await page.close();
        await published.close();
      });

    test("a guess that was never made is not mentioned or drawn after the answer", async () => {
      const { page } = await open_again([[profile_key, recorded]]);
      await titled(page, "1.8 FLOPs per byte. An H100 needs 295.");
      const is_shown = () =>
        [...document.querySelectorAll(".guess")].some((e) => e.getClientRects().length > 0);
      await until(page, () => document.querySelector(".guess-form").hidden);
      assert.equal(await page.evaluate(is_shown), false);
      await page.evaluate(() => localStorage.clear());
      await page.close();
    });

    const measured = async (lost, entries = []) => {
      const { page } = await open_again(entries);
      await page.evaluateOnNewDocument(replace_numbers, { profile: JSON.parse(recorded), lost });
      await page.reload({ waitUntil: "load" });
      await until_ready(page);
      await page.focus('.guess-form [name="bandwidth"]');
      await until(page, () => document.querySelector(".guess-form b").textContent !== "");
      // With a result, "Again" replaces the button.
      const button = entries.length > 0 ? ".result-again" : "#bench-home .bench-button";
      await page.waitForSelector(button, { visible: true });
      const { status } = await run_bench(page, "bench-home", button);
      return { page, status };
    };

    test("a steady run changes the headline, and Again starts another run", async () => {
      const { page, status } = await measured(null);
      await until(page, () => /An H100 needs 295/.test(document.querySelector("h1").textContent));
      const ridge = (await title(page)).match(/^[\d.]+/)[0];
      assert.match(status, new RegExp(`(?<![\\d.])${ridge.replace(".", "\\.")}\\s?FLOP/B`));
      assert.doesNotMatch(await title(page), /guessed/);
      assert.equal(await page.evaluate(() => document.activeElement.textContent), "Share");
      assert.equal(await page.$(".samples"), null, "the roof replaces its samples");
      const moved = () => page.evaluate(() => window.moved);
      await until(page, () => window.moved.svg === 1);
      const before = await moved();
      assert.ok(before.circle > 0, "samples drop into the figure");
      await page.emulateMediaFeatures([{ name: "prefers-reduced-motion", value: "reduce" }]);
      await page.focus(".result-again");
      await page.keyboard.press("Enter");
      await until(page, () =>
        ["running"].includes(document.querySelector("primer-bench").getAttribute("state")),
      );
      assert.deepEqual(await actions(page), ["Cancel"]);
      await until(page, () =>
        ["done"].includes(document.querySelector("primer-bench").getAttribute("state")),
      );
      assert.deepEqual(await moved(), before, "nothing moves with reduced motion");
      assert.deepEqual(await actions(page), ["Share", "Read why", "Again"]);
      await page.evaluate(() => localStorage.clear());
      await page.close();
    });

    test("after a steady run, a busy one keeps the answer, without band, samples or motion", async () => {
      const { page, status } = await measured(0.4, [[profile_key, recorded]]);
      assert.match(status, /^Your machine was busy/);
      await titled(page, "1.8 FLOPs per byte. An H100 needs 295.");
      await until(page, () => document.querySelector(".samples") === null);
      assert.equal(await page.$(".busy-band"), null);
      assert.ok(!(await page.evaluate(() => window.moved.svg)), "the view does not zoom");
      assert.deepEqual(await actions(page), ["Share", "Read why", "Again"]);
      await page.evaluate(() => localStorage.clear());
      await page.close();
    });

    test("a busy run shows a range, keeps its samples and offers one action", async () => {
      const { page, status } = await measured(0.4);
      await until(page, () =>
        /^Your machine was busy/.test(document.querySelector("h1").textContent),
      );
      const [, low, high] = (await title(page)).match(/between ([\d.]+) and ([\d.]+) GFLOP\/s$/);
      assert.match(status, new RegExp(`${low} to ${high} GFLOP/s`));
      assert.deepEqual(await actions(page), ["Measure again"]);
      const drawn = await page.$$eval(".plot-wide .samples > *", (all) =>
        all.map(({ localName }) => localName),
      );
      assert.ok(drawn.length > 0 && drawn.every((name) => name === "circle"), drawn.join());
      const chip = await page.$eval(".machine-chip summary", (e) => e.textContent);
      assert.match(chip, /^\s*reference:/);
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
  { kinds: any_browser, alter },
);
