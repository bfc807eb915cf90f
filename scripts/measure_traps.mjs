#!/usr/bin/env node
// Runs the traps of a built site five times in headless Chromium and records the median results
// among the facts of a file. Refuses a run during which other programs had the core.
//   node scripts/measure_traps.mjs [SITE] [FILE]
// Then: primer check --fix, and read the sentences of both pages of traps.
import { readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";

import { text_of } from "./lib/bench_record.mjs";
import { open_browser, serve } from "./lib/browsers.mjs";
import { with_traps } from "./lib/trap_record.mjs";

const repeats = 5;

/** What the worker of /traps/ sends: {results, lost_share}. */
const run_traps = (page) =>
  page.evaluate(async () => {
    const of_page = (name) => import(new URL(`runtime/${name}.js`, window.assets).href);
    const [{ script }, { set_limit }] = [
      await of_page("base/trusted"),
      await of_page("kernels/detect"),
    ];
    const address = new URL("runtime/traps/worker.js", window.assets);
    const worker = new Worker(script(address), { type: "module" });
    const results = [];
    return new Promise((resolve, reject) => {
      worker.addEventListener("error", ({ message }) => reject(new Error(message)));
      worker.addEventListener("message", ({ data }) => {
        const { type, ...rest } = data;
        if (type === "result") results.push(rest);
        if (type === "failed") reject(new Error(data.reason));
        if (type === "end") resolve({ results, lost_share: data.lost_share });
      });
      const url = new URL("kernels/traps.wasm", window.assets).href;
      worker.postMessage({ url, limit: set_limit(navigator) });
    });
  });

const [site = "build/site", file = "chapters/facts/races.json"] = process.argv.slice(2);
const server = await serve(site);
const browser = await open_browser("chromium", { sandbox: true });
try {
  const page = await browser.newPage();
  await page.goto(`${server.url}traps/`);
  await page.evaluate(() => {
    window.assets = new URL(document.documentElement.dataset.assets, location).href;
  });
  const runs = [];
  for (let i = 0; i < repeats; ++i) runs.push(await run_traps(page));
  const day = new Date().toLocaleDateString("en-GB", { dateStyle: "long" });
  const about = { version: await browser.version(), cpu: cpus()[0].model, day };
  const earlier = JSON.parse(readFileSync(file, "utf8"));
  writeFileSync(file, text_of(with_traps(earlier, runs, about)));
  console.log(`${file}: ${runs[0].results.length} traps`);
} catch (error) {
  console.error(`measure_traps: ${error.message}`);
  process.exitCode = 1;
} finally {
  await browser.close();
  await server.close();
}
