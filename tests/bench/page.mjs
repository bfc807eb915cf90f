// Implements `scripts/bench page`: how fast a measurement can be cancelled, and the longest task of
// the page's main thread while one runs, in Chromium. The exit status is not 0 if a bar is missed.
import { parseArgs } from "node:util";

import { open_browser, serve } from "../../scripts/lib/browsers.mjs";
import { open_watched, run_bench, until } from "../site/support/browser_page.mjs";
import { roofline_bench, roofline_page, site } from "../site/support/site.mjs";

const { values } = parseArgs({ options: { rounds: { type: "string", default: "7" } } });
const median = (list) => [...list].sort((a, b) => a - b)[list.length >> 1];

/** Milliseconds from the click that cancels until the page reports it. */
async function cancelled(page) {
  await page.click(`#${roofline_bench} .bench-button`);
  const is_under_way = (id) => Number(document.getElementById(id).getAttribute("progress")) > 0.1;
  await until(page, is_under_way, roofline_bench);
  return page.evaluate(async (id) => {
    const bench = document.getElementById(id);
    const begin = performance.now();
    bench.querySelector(".bench-button").click();
    while (bench.getAttribute("state") === "running")
      await new Promise((resolve) => setTimeout(resolve, 1));
    return performance.now() - begin;
  }, roofline_bench);
}

/**
 * The longest task of the page's main thread during a measurement, in milliseconds; 0 if none
 * reaches 50.
 */
async function longest_task(page) {
  await page.evaluate(() => {
    window.tasks = [0];
    const note = (list) => window.tasks.push(...list.getEntries().map((task) => task.duration));
    new PerformanceObserver(note).observe({ type: "longtask" });
  });
  await run_bench(page, roofline_bench);
  return page.evaluate(() => Math.max(...window.tasks));
}

const server = await serve(site);
const browser = await open_browser("chromium");
const [ends, tasks] = [[], []];
for (let round = 0; round < Number(values.rounds); ++round) {
  const { page } = await open_watched(browser, server.url + roofline_page);
  ends.push(await cancelled(page));
  tasks.push(await longest_task(page));
  await page.close();
}
await browser.close();
await server.close();
for (const [name, list, bar] of [
  ["cancel a measurement", ends, 100],
  ["longest task while measuring", tasks, 50],
]) {
  const met = median(list) <= bar;
  const all = list.map((ms) => ms.toFixed(0)).join(", ");
  console.log(
    `${met ? "met   " : "MISSED"} ${name}: ${median(list).toFixed(0)} ms (<= ${bar}); ${all}`,
  );
  if (!met) process.exitCode = 1;
}
