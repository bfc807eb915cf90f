// The trip of one byte in chapter 3: a byte is in flight for the latency, a stream fills the path
// with latency times bandwidth, and how many multipliers work depends on the FLOPs per byte.
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
import { sample } from "../rounds.mjs";

const flight = /(\S+)\s(k?M?B)\D+1\.17\sMB\D+(\d+)\D+512/;

/** Opens the stage. `amount` reads [bytes in flight, unit, busy multipliers] from its numbers. */
async function trip_on(session, path, features = []) {
  const watched = await open_watched(session.browser, session.server.url + path);
  const { page } = watched;
  await page.emulateMediaFeatures(features);
  await (await page.$("#fig-zoom .plot-tools")).scrollIntoView();
  await page.waitForSelector("#fig-zoom .plot-tools > button");
  await page.focus("#fig-zoom .plot-tools > button");
  await page.keyboard.press("Enter");
  await page.waitForSelector(".trip");
  const numbers = async () =>
    flight.exec(await page.$eval(".trip-numbers", (p) => p.textContent)).slice(1);
  return { ...watched, watched, numbers };
}

in_each_browser(
  (session) => {
    for (const path of sample(["gpu/", "es/gpu/"], 2))
      test(`/${path}: bytes arrive after the latency`, async () => {
        const { page, watched, numbers } = await trip_on(session, path);
        assert.deepEqual(await numbers(), ["0", "B", "0"]);
        await page.keyboard.press("Enter"); // the stage has the focus on its first button
        await until(page, () => document.querySelector(".trip-byte") !== null);
        assert.deepEqual(await numbers(), ["1.00", "B", "0"]);
        await page.click(".trip-bar button:nth-of-type(2)");
        await until(page, () => document.querySelector(".trip-core [data-busy]") !== null);
        assert.deepEqual(await numbers(), ["1.17", "MB", "2"]);
        await page.select(".trip select", "300");
        assert.deepEqual(await numbers(), ["1.17", "MB", "512"]);
        await page.evaluate(() => scrollTo({ top: 0, behavior: "instant" }));
        assert.deepEqual(await axe_violations(page, null), []);
        assert.deepEqual(await complaints(watched, origin_of(session.server)), []);
        await page.close();
      });

    session.test_once("with reduced motion, a press shows the end", async () => {
      const features = [{ name: "prefers-reduced-motion", value: "reduce" }];
      const { page, numbers } = await trip_on(session, "gpu/", features);
      await page.click(".trip-bar button:nth-of-type(2)");
      assert.deepEqual(await numbers(), ["1.17", "MB", "2"]);
      await page.close();
    });
  },
  { kinds: any_browser },
);
