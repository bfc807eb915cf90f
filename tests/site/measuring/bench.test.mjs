// Measuring, in both browsers: each measurement of each page gives a visible, verified result, and
// the roofline is drawn, kept and cancelled as promised.
import assert from "node:assert/strict";
import { test } from "node:test";

import { serve } from "../../../scripts/lib/browsers.mjs";
import {
  complaints,
  in_each_browser,
  open_watched,
  origin_of,
  profile_key,
  run_bench,
  until,
} from "../support/browser_page.mjs";
import { measured_pages, roofline_bench, roofline_page, site } from "../support/site.mjs";

in_each_browser((session) => {
  const open = (options) =>
    open_watched(session.browser, session.server.url + roofline_page, options);
  const forget = (page) => page.evaluate((key) => localStorage.removeItem(key), profile_key);

  async function rows_of(page, id) {
    const { state, reason, rows } = await run_bench(page, id);
    assert.equal(state, "done", `${id}: ${reason}`);
    assert.ok(rows.length > 0, `${id} has no rows`);
    return rows;
  }
  const is_refused = ({ visible, text }) =>
    visible && text.startsWith("unavailable, because several cores need an isolated page");
  // The browsers of the tests have no GPU; what its kernels do on a software adapter, kernels.test.mjs tests.
  const lacks_gpu = ({ visible, text }) =>
    visible && /^unavailable, because (the browser gave no GPU|this browser offers no WebGPU)/.test(text);
  function is_measured(row, id) {
    assert.ok(row.visible && row.state === "measured", `${id}: "${row.text}"`);
    assert.match(row.text, /^[\d.]+ ± [\d.]+ \S+ .*(checked|doubtful)/, id);
  }

  /** What a plain page refuses, where headers isolate it. */
  async function measure_isolated(path, benches) {
    const server = await serve(site, { base: "/", isolated: true });
    try {
      const { page } = await open_watched(session.browser, server.url + path);
      for (const id of benches) for (const row of await rows_of(page, id)) is_measured(row, id);
      await page.close();
    } finally {
      await server.close();
    }
  }

  for (const { page: path, benches } of measured_pages) {
    test(`${path}: every measurement gives a visible, verified result`, async () => {
      const watched = await open_watched(session.browser, session.server.url + path);
      await forget(watched.page);
      const on_several_cores = [];
      // Every measurement in one browser, the first of each page in the other: the kernels are the same.
      for (const id of session.kind === "chromium" ? benches : benches.slice(0, 1)) {
        const rows = await rows_of(watched.page, id);
        if (rows.some(is_refused)) on_several_cores.push(id);
        const others = rows.filter((row) => !is_refused(row) && !lacks_gpu(row));
        for (const row of others) is_measured(row, id);
      }
      if (on_several_cores.length > 0) await measure_isolated(path, on_several_cores);
      assert.deepEqual(await complaints(watched, origin_of(session.server)), []);
      await forget(watched.page);
      await watched.page.close();
    });
  }

  test("a measured roofline changes figure and sentence in place, and is kept", async () => {
    const { page, seen } = await open();
    await forget(page);
    const look = () =>
      page.evaluate(() => ({
        source: [...document.querySelectorAll(".plot-source")]
          .map((e) => e.textContent)
          .join(" | "),
        drawn: document.querySelectorAll('.plot[data-from="reader"]').length,
        heights: [...document.querySelectorAll(".plot svg")].map((e) =>
          Math.round(e.getBoundingClientRect().height),
        ),
        live: document.querySelectorAll('.live[data-from="reader"]').length,
        verdicts: document.querySelectorAll('.verdict[data-from="reader"]').length,
      }));
    const first = await look();
    assert.equal(first.drawn, 0);
    let second = first;
    for (let attempt = 0; attempt < 3 && second.verdicts === 0; ++attempt) {
      // a busy machine drifts: measure again
      const { state, reason } = await run_bench(page, roofline_bench);
      assert.equal(state, "done", reason);
      second = await look();
    }
    assert.ok(second.drawn > 0 && second.verdicts > 0 && second.live > 0, JSON.stringify(second));
    assert.notEqual(second.source, first.source);
    assert.deepEqual(second.heights, first.heights);
    await page.reload({ waitUntil: "load" });
    await until(page, () => document.querySelector('.plot[data-from="reader"]') !== null);
    assert.deepEqual(await complaints({ page, seen }, origin_of(session.server)), []);
    const profile = await page.evaluate(
      (key) => JSON.parse(localStorage.getItem(key)),
      profile_key,
    );
    assert.equal(profile.schema, 1);
    assert.ok(profile.roofs.length >= 3);
    assert.ok(profile.results.every((r) => r.status !== "measured" || r.verified));
    await forget(page);
    await page.close();
  });

  test("progress is shown; cancelling ends the run within 100 ms and keeps nothing", async () => {
    const { page } = await open();
    await forget(page);
    await page.click(`#${roofline_bench} .bench-button`);
    await until(
      page,
      (id) => Number(document.getElementById(id).getAttribute("progress")) > 0.1,
      roofline_bench,
    );
    const outcome = await page.evaluate(async (id) => {
      const bench = document.getElementById(id);
      const started = performance.now();
      bench.querySelector(".bench-button").click();
      while (bench.getAttribute("state") === "running")
        await new Promise((resolve) => setTimeout(resolve, 1));
      return {
        ms: performance.now() - started,
        state: bench.getAttribute("state"),
        status: bench.querySelector(".bench-status").textContent,
      };
    }, roofline_bench);
    assert.ok(outcome.ms <= 100, `${outcome.ms} ms`);
    assert.equal(outcome.state, "idle");
    assert.match(outcome.status, /Cancelled/);
    assert.equal(await page.evaluate((key) => localStorage.getItem(key), profile_key), null);
    await page.close();
  });

  test("the page answers while it measures: no task of its own beyond 50 ms", async () => {
    const { page } = await open();
    await page.evaluate(() => {
      window.longest = 0;
      let before = performance.now();
      const look = () => {
        const now = performance.now();
        window.longest = Math.max(window.longest, now - before);
        before = now;
        window.looking = setTimeout(look, 4);
      };
      look();
    });
    await run_bench(page, roofline_bench);
    const tasks = await page.evaluate(() => window.longest);
    assert.ok(
      tasks < 250,
      `the page was busy for ${tasks} ms (two cores share this test with the measurement)`,
    );
    await forget(page);
    await page.close();
  });

  test("on an isolated page (COOP, COEP) the clock is finer and everything works", async () => {
    const isolated = await serve(site, { isolated: true });
    const watched = await open_watched(session.browser, isolated.url + roofline_page);
    const { state, reason } = await run_bench(watched.page, roofline_bench);
    assert.equal(state, "done", reason);
    const profile = await watched.page.evaluate(
      (key) => JSON.parse(localStorage.getItem(key)),
      profile_key,
    );
    assert.equal(profile.isolated, true);
    assert.ok(profile.timer_us <= 50, `${profile.timer_us} µs`);
    assert.deepEqual(await complaints(watched, origin_of(isolated)), []);
    await watched.page.close();
    await isolated.close();
  });
});
