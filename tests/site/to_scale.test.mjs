// /to-scale/: the walls are as tall as the numbers in the text, without scripts and with the
// profile of a measured machine.
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

test("only this page loads its style, and the home page and chapter 1 link to it", () => {
  const loading = pages.filter((page) => read_page(page).includes("/to-scale.css"));
  assert.deepEqual(loading.sort(), ["es/to-scale/", "to-scale/"]);
  for (const page of ["", "roofline/", "es/", "es/roofline/"])
    assert.match(read_page(page), /<main[\s\S]*href="[^"]*to-scale\//, page);
});

/** The visible values: heights in px of the drawing, the table and the text. */
function seen_of() {
  const figure = document.querySelector("#fig-to-scale");
  const svg = [...figure.querySelectorAll("svg.figure-svg")].find(
    (one) => one.getClientRects().length > 0,
  );
  const scale = svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
  const walls = [...svg.querySelectorAll(".wall-bar")].map(
    (bar) => bar.getBoundingClientRect().height / scale,
  );
  const ends = [...svg.querySelectorAll(":scope > g")].map((column) => {
    const bar = column.querySelector(".wall-bar").getBoundingClientRect();
    const line = [...column.querySelectorAll(".wall-mark")].at(-1).firstElementChild;
    return Math.abs(line.getBoundingClientRect().top - bar.bottom);
  });
  const number = (text) => Number(text.replace(/[^\d.]/g, ""));
  const rows = [...figure.querySelectorAll(".plot-data tbody tr")];
  const table = rows.filter((row) => row.cells[1].textContent === "H100");
  const ticks = [...svg.querySelectorAll(".wall-tick text")].map((one) => number(one.textContent));
  const [arithmetic, memory] = [...document.querySelectorAll("main > p data")].map((one) =>
    number(one.firstChild.textContent),
  );
  return {
    walls,
    ends,
    table: table.map((row) => number(row.cells[3].textContent)),
    text: [arithmetic, memory],
    ticks,
    labels: [...svg.querySelectorAll(".wall-words")].map((one) =>
      one
        .getAttribute("transform")
        .match(/-?[\d.]+/g)
        .map(Number),
    ),
    height: svg.getBoundingClientRect().height / scale,
    wide: document.documentElement.scrollWidth <= document.documentElement.clientWidth,
  };
}

const is_near = (a, b, tolerance) => Math.abs(a / b - 1) < tolerance;
function agree(seen) {
  seen.walls.forEach((wall, i) => {
    assert.ok(is_near(wall, seen.text[i], 0.005), `${wall} px, ${seen.text[i]} in the text`);
    assert.ok(is_near(seen.table[i], seen.text[i], 0.006), `${seen.table[i]} in the table`);
    assert.ok(seen.ends[i] < 1, `the last mark is ${seen.ends[i]} px from the end of its wall`);
  });
  const count = Math.ceil(seen.walls[0] / 1000) - 1;
  assert.deepEqual(
    seen.ticks,
    Array.from({ length: count }, (_, i) => (i + 1) * 1000),
  );
  assert.ok(seen.height > seen.walls[0] && seen.height < seen.walls[0] + 100);
  assert.ok(seen.wide, "the page scrolls sideways");
}

in_each_browser(
  (session) => {
    const url = () => `${session.server.url}to-scale/`;

    test("without scripts, one px is a core of the reference machine", async () => {
      const page = await session.browser.newPage();
      await page.setJavaScriptEnabled(false);
      for (const [width, height] of [
        [1280, 900],
        [390, 844],
        [320, 640],
      ]) {
        await page.setViewport({ width, height });
        await page.goto(url(), { waitUntil: "load" });
        const seen = await page.evaluate(seen_of);
        agree(seen);
        assert.ok(seen.walls[0] > 10_000 && seen.walls[1] < 500);
      }
      await page.close();
    });

    test("the button switches the axes and back, at once with reduced motion", async () => {
      const watched = await open_watched(session.browser, url());
      const { page } = watched;
      const before = await page.evaluate(seen_of);
      const turn = () => page.click(".scale-bar > button");
      await turn();
      const is_small = () =>
        document.querySelector("#fig-to-scale .plot-wide svg").viewBox.baseVal.height < 800;
      await until(page, is_small);
      await until(page, () => {
        const [arithmetic, memory] = [...document.querySelectorAll(".plot-wide .wall-bar")].map(
          (bar) => bar.getBoundingClientRect().height,
        );
        // 110 px per factor of ten: log10(16,852) and log10(134)
        return Math.abs(arithmetic - 465) < 1 && Math.abs(memory - 234) < 1;
      });
      const words = await page.$$eval(".plot-wide .wall-words", (all) =>
        all
          .filter((one) => one.getAttribute("visibility") !== "hidden")
          .map((one) => one.firstElementChild.textContent),
      );
      assert.deepEqual(await axe_violations(page, null), []);
      assert.equal(words.filter((one) => one === "H100").length, 2);
      assert.ok(words.length > 8 && words.length < before.ticks.length);
      await page.emulateMediaFeatures([{ name: "prefers-reduced-motion", value: "reduce" }]);
      await turn();
      await until(page, () => {
        const svg = document.querySelector("#fig-to-scale .plot-wide svg");
        return svg.viewBox.baseVal.height > 10_000;
      });
      assert.deepEqual(await page.evaluate(seen_of), before);
      assert.deepEqual(await complaints(watched, origin_of(session.server)), []);
      await page.close();
    });

    for (const name of ["big", "phone"])
      test(`with the machine of ${name}.json, one px is its core, and the reference machine can be restored`, async () => {
        const watched = await open_watched(session.browser, url());
        const { page } = watched;
        const before = await page.evaluate(seen_of);
        await page.evaluate(
          (key, text) => localStorage.setItem(key, text),
          profile_key,
          of_profile(name),
        );
        await page.reload();
        await until(page, () => document.querySelector("#fig-to-scale[data-from=reader]"));
        const own = await page.evaluate(seen_of);
        agree(own);
        assert.ok(Math.abs(own.walls[0] / before.walls[0] - 1) > 0.1);
        await page.click(".machine-chip > summary");
        await page.click('.machine-chip input[value="reference"]');
        await until(page, () => document.querySelector("#fig-to-scale[data-from=reference]"));
        assert.deepEqual(await page.evaluate(seen_of), before);
        await page.evaluate(() => localStorage.clear());
        assert.deepEqual(await complaints(watched, origin_of(session.server)), []);
        await page.close();
      });
  },
  { kinds: any_browser },
);
