// Measuring at its own pace, in both browsers: the roofline is drawn and stored, a run can be
// cancelled, and no kernel runs on the page's own thread. `scripts/bench page` measures how fast
// cancelling is and how long the page blocks. tests/site/benches.test.mjs has the measurements of
// all pages.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { serve } from "../../../scripts/lib/browsers.mjs";
import { hurried } from "../support/hurried.mjs";
import {
  complaints,
  in_each_browser,
  open_watched,
  origin_of,
  profile_key,
  run_bench,
  until,
} from "../support/browser_page.mjs";
import { roofline_bench, roofline_page, site } from "../support/site.mjs";

const recorded = readFileSync(
  new URL("../../../figures/profiles/reference-chromium.json", import.meta.url),
  "utf8",
);

/**
 * Runs before the page's scripts. Replaces the numbers that a worker measured by those of
 * `profile`, which was recorded on a quiet machine: on a busy one results may be doubtful, and
 * doubtful results change no figure.
 */
function replace_numbers(profile) {
  const is_same = (a, b) =>
    a.kernel === b.kernel &&
    a.threads === b.threads &&
    Object.entries(a.params).every(([name, value]) => (b.params[name] ?? value) === value);
  window.Worker = class extends Worker {
    constructor(...how) {
      super(...how);
      this.addEventListener("message", ({ data }) => {
        if (data.suite) data.suite.lost_share = null;
        for (const result of data.suite?.results ?? []) {
          const { params, ...numbers } = profile.results.find((one) => is_same(result, one)) ?? {};
          Object.assign(result, numbers);
        }
      });
    }
  };
}

/**
 * Runs before the page's scripts. `window.events` lists in order when workers begin, their messages
 * and when they are terminated, `window.exported` the exports of each WebAssembly module that is
 * instantiated in the page itself.
 */
function record_events() {
  window.events = [];
  window.exported = [];
  window.Worker = class extends Worker {
    constructor(...how) {
      super(...how);
      window.events.push("begun");
      this.addEventListener("message", ({ data }) => window.events.push(data.type));
    }
    terminate() {
      super.terminate();
      window.events.push("ended");
    }
  };
  const { instantiate } = WebAssembly;
  WebAssembly.instantiate = async (...what) => {
    const made = await instantiate.apply(WebAssembly, what);
    window.exported.push(Object.keys((made.instance ?? made).exports));
    return made;
  };
}

in_each_browser((session) => {
  const open = (options) =>
    open_watched(session.browser, session.server.url + roofline_page, options);
  const forget = (page) => page.evaluate((key) => localStorage.removeItem(key), profile_key);

  test("a measured roofline changes figure and sentence in place, is kept, and is none of the page's own thread", async () => {
    const before = `(${replace_numbers})(${recorded}); (${record_events})();`;
    const { page, seen } = await open({ before });
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
    const { state, reason } = await run_bench(page, roofline_bench);
    assert.equal(state, "done", reason);
    const second = await look();
    assert.ok(second.drawn > 0 && second.verdicts > 0 && second.live > 0, JSON.stringify(second));
    assert.notEqual(second.source, first.source);
    assert.deepEqual(second.heights, first.heights);
    const { events, exported } = await page.evaluate(() => ({
      events: window.events,
      exported: window.exported,
    }));
    assert.deepEqual([events[0], ...events.slice(-2)], ["begun", "done", "ended"]);
    assert.ok(exported.length > 0, "the figure was drawn again here");
    assert.ok(!exported.flat().includes("canary"), `a module of kernels: ${exported}`);
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

  session.test_once(
    "progress is shown; cancelling ends the workers at once and keeps nothing",
    async () => {
      const { page } = await open({ before: record_events });
      await forget(page);
      await page.click(`#${roofline_bench} .bench-button`);
      await until(
        page,
        (id) => Number(document.getElementById(id).getAttribute("progress")) > 0.1,
        roofline_bench,
      );
      await page.evaluate((id) => {
        window.events.push("canceled");
        document.querySelector(`#${id} .bench-button`).click();
      }, roofline_bench);
      await until(
        page,
        (id) => document.getElementById(id).getAttribute("state") !== "running",
        roofline_bench,
      );
      await new Promise((resolve) => setTimeout(resolve, 300));
      const { state, status, events } = await page.evaluate((id) => {
        const bench = document.getElementById(id);
        const said = bench.querySelector(".bench-status").textContent;
        return { state: bench.getAttribute("state"), status: said, events: window.events };
      }, roofline_bench);
      assert.equal(state, "idle");
      assert.match(status, /Canceled/);
      // terminate() stops a worker at once: nobody waits for the next sample, and no other worker
      // begins.
      const since = events.slice(events.indexOf("canceled"));
      assert.ok(events.includes("progress"), events.join());
      assert.deepEqual(events.filter((event) => event === "begun").length, 1, events.join());
      assert.ok(!since.includes("begun") && !events.includes("done"), events.join());
      assert.equal(since.at(-1), "ended", events.join());
      assert.equal(await page.evaluate((key) => localStorage.getItem(key), profile_key), null);
      await page.close();
    },
  );

  test("on an isolated page (COOP, COEP) the clock is finer and everything works", async () => {
    const isolated = await serve(site, { isolated: true, alter: hurried() });
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
