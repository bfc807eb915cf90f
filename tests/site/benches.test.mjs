// Measurements on the pages give visible, verified results: on a quarter of the pages, a different
// quarter per commit, and in a full run on all pages in both browsers.
import assert from "node:assert/strict";
import { test } from "node:test";

import { serve } from "../../scripts/lib/browsers.mjs";
import {
  any_browser,
  complaints,
  in_each_browser,
  open_watched,
  origin_of,
  profile_key,
  run_bench,
} from "./support/browser_page.mjs";
import { sample } from "../rounds.mjs";
import { hurried } from "./support/hurried.mjs";
import { measured_pages, site } from "./support/site.mjs";

const alter = hurried();

in_each_browser(
  (session) => {
    const forget = (page) => page.evaluate((key) => localStorage.removeItem(key), profile_key);

    async function rows_of(page, id) {
      const { state, reason, rows } = await run_bench(page, id);
      assert.equal(state, "done", `${id}: ${reason}`);
      // Two of them measure only the roofs, which a figure shows.
      const has_rows = !["bench-home", "bench-class"].includes(id);
      assert.equal(rows.length > 0, has_rows, id);
      return rows;
    }
    const is_refused = ({ visible, text }) =>
      visible &&
      text.includes("unavailable, because several cores need a cross-origin isolated page");
    // The test browsers have no GPU. kernels.test.mjs tests GPU kernels on a software adapter.
    const lacks_gpu = ({ visible, text }) =>
      visible &&
      /unavailable, because (the browser gave no GPU|this browser offers no WebGPU)/.test(text);
    function is_measured(row, id) {
      assert.ok(row.visible && row.state === "measured", `${id}: "${row.text}"`);
      assert.match(row.text, /^[\d.]+ (±|to) [\d.]+ \S+ .*(checked|doubtful)/, id);
    }

    /** The measurements that a page without isolation refuses, here with isolation headers. */
    async function measure_isolated(path, benches) {
      const server = await serve(site, { isolated: true, alter });
      try {
        const { page } = await open_watched(session.browser, server.url + path);
        for (const id of benches) for (const row of await rows_of(page, id)) is_measured(row, id);
        await page.close();
      } finally {
        await server.close();
      }
    }

    for (const { page: path, benches } of sample(measured_pages, 4)) {
      test(`${path}: every measurement gives a visible, verified result`, async () => {
        const watched = await open_watched(session.browser, session.server.url + path);
        await forget(watched.page);
        const on_several_cores = [];
        for (const id of benches) {
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
  },
  { kinds: any_browser, alter },
);
