// The race of chapter 2: a press fills six matrices with the real kernels, the places are those of
// the times, and nothing moves. With reduced motion, only the end is shown.
import assert from "node:assert/strict";
import { test } from "node:test";

import {
  any_browser,
  complaints,
  in_each_browser,
  open_watched,
  origin_of,
  until,
} from "./support/browser_page.mjs";
import { axe_violations } from "./support/axe.mjs";
import { pages, read_page } from "./support/site.mjs";

const chapters = ["matmul/", "es/matmul/"];

test("only the chapter with the race loads its style", () => {
  const loading = pages.filter((page) => read_page(page).includes("/race.css"));
  assert.deepEqual(loading.sort(), [...chapters].sort());
});

/** Opens a chapter, and races at a size that takes no time. */
async function race_on(session, path, { reduced = false } = {}) {
  const watched = await open_watched(session.browser, session.server.url + path);
  const { page } = watched;
  if (reduced)
    await page.emulateMediaFeatures([{ name: "prefers-reduced-motion", value: "reduce" }]);
  await (await page.$("#fig-ladder-race")).scrollIntoView();
  await page.waitForSelector(".race-bar button");
  await page.evaluate(() => {
    document.querySelector(".race-bar input").value = "64";
    window.seen = 0;
    new MutationObserver(() => {
      const shares = [...document.querySelectorAll(".race i")];
      window.seen += shares.some((i) => Number(i.style.getPropertyValue("--done")) % 1 > 0);
    }).observe(document.getElementById("fig-ladder-race"), { subtree: true, attributes: true });
  });
  await page.focus(".race-bar input");
  await page.keyboard.press("Enter");
  await until(page, () => document.querySelectorAll(".race b:not(:empty)").length === 6);
  return watched;
}

in_each_browser(
  (session) => {
    for (const path of chapters)
      test(`/${path}: six programs race, and the fastest is first`, async () => {
        const watched = await race_on(session, path);
        const { page } = watched;
        const seen = await page.evaluate(() => ({
          lanes: [...document.querySelectorAll(".race > li")].map((lane) => ({
            place: Number(lane.querySelector("b").textContent),
            done: Number(lane.querySelector("i").style.getPropertyValue("--done")),
            share: Number(
              lane.querySelector(".race-matrix").style.getPropertyValue("--at-finish") || 1,
            ),
          })),
          drawn: getComputedStyle(document.querySelector("#fig-ladder-race > .plot-wide")).display,
          said: document.querySelector(".race-bar output").textContent,
          parts: window.seen,
        }));
        const places = seen.lanes.map(({ place }) => place);
        assert.deepEqual([...places].sort(), [1, 2, 3, 4, 5, 6]);
        assert.ok(seen.lanes.every(({ done }) => done === 1));
        const by_place = seen.lanes.toSorted((a, b) => a.place - b.place);
        const shares = by_place.map(({ share }) => share);
        assert.deepEqual(
          shares,
          shares.toSorted((a, b) => b - a),
        );
        assert.equal(seen.drawn, "none");
        assert.match(seen.said, /1,?024/);
        assert.ok(seen.parts > 0);
        await page.evaluate(() => scrollTo({ top: 0, behavior: "instant" }));
        assert.deepEqual(await axe_violations(page, null), []);
        assert.deepEqual(await complaints(watched, origin_of(session.server)), []);
        await page.close();
      });

    session.test_once("with reduced motion, no matrix is shown half full", async () => {
      const { page } = await race_on(session, "matmul/", { reduced: true });
      assert.equal(await page.evaluate(() => window.seen), 0);
      await page.close();
    });
  },
  { kinds: any_browser },
);
