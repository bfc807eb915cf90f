// /machine/: results, file, clearing, and primer.measure on the console, in both browsers.
import assert from "node:assert/strict";
import { test } from "node:test";

import {
  in_each_browser,
  open_watched,
  profile_key,
  run_bench,
  until,
} from "./support/browser_page.mjs";

in_each_browser((session) => {
  async function on_machine(use) {
    const { page } = await open_watched(session.browser, `${session.server.url}machine/`);
    await until(page, () => document.querySelector(".machine button") !== null);
    await use(page);
    await page.close();
  }
  const measure = (page, options) =>
    page.evaluate(async (wanted) => {
      try {
        const { schema, results } = await window.primer.measure(wanted);
        return { schema, results };
      } catch (error) {
        return { error: `${error.name}: ${error.message}` };
      }
    }, options);

  test("what was measured stands in one table, can be saved, and can be cleared", async () => {
    await on_machine(async (page) => {
      await page.evaluate((key) => localStorage.removeItem(key), profile_key);
      const { state, reason } = await run_bench(page, "bench-machine");
      assert.equal(state, "done", reason);
      await until(page, () => document.querySelectorAll(".machine tbody tr").length >= 5);
      const table = await page.evaluate(() => document.querySelector(".machine table").textContent);
      assert.match(table, /matmul\.packed/);
      assert.match(table, /GFLOP\/s/);
      const saved = await page.evaluate(() => {
        const files = [];
        URL.createObjectURL = (blob) => files.push(blob) && "#";
        HTMLAnchorElement.prototype.click = () => {};
        const named = (text) =>
          [...document.querySelectorAll(".machine button")].find((b) => b.textContent === text);
        named("Save as JSON").click();
        named("Clear").click();
        return files[0].text();
      });
      assert.equal(JSON.parse(saved).schema, 1);
      assert.equal(await page.evaluate((key) => localStorage.getItem(key), profile_key), null);
      const words = await page.evaluate(() => document.querySelector(".machine").textContent);
      assert.match(words, /Nothing has been measured/);
    });
  });

  test("primer.measure measures any kernel and returns a profile without storing it", async () => {
    await on_machine(async (page) => {
      const only = ["matmul.packed", "stream.triad"];
      const { schema, results, error } = await measure(page, {
        only,
        params: { n: 96 },
        quick: true,
      });
      assert.equal(error, undefined);
      assert.equal(schema, 1);
      assert.deepEqual([...new Set(results.map((r) => r.kernel))].sort(), only);
      const packed = results.find((r) => r.kernel === "matmul.packed");
      assert.equal(packed.params.n, 96);
      assert.ok(packed.verified);
      const triad = results.find((r) => r.kernel === "stream.triad");
      assert.equal(triad.params.n, undefined, "it does not declare n, so n is ignored for it");
      assert.equal(await page.evaluate((key) => localStorage.getItem(key), profile_key), null);
    });
  });

  test("primer.measure takes the module's name", async () => {
    await on_machine(async (page) => {
      const small = { only: ["matmul.packed"], params: { n: 64 }, quick: true };
      const { results } = await measure(page, { ...small, module: "simd128" });
      assert.deepEqual([...new Set(results.map((r) => r.module))], ["simd128"]);
    });
  });

  test("unknown kernels, parameters and sizes are errors", async () => {
    await on_machine(async (page) => {
      const error_of = async (options) => (await measure(page, options)).error;
      assert.match(await error_of({ only: ["matmul.fastest"] }), /no kernel matches/);
      const odd = { only: ["matmul.packed", "stream.triad"], params: { size: 3 } };
      assert.match(await error_of(odd), /none of the selected kernels has a parameter "size"/);
      assert.match(await error_of({ only: ["matmul.packed"], params: { n: -1 } }), /outside/);
    });
  });

  test("several threads on a page that is not isolated: unavailable, because …", async () => {
    await on_machine(async (page) => {
      const { results } = await measure(page, { only: ["matmul.packed"], threads: 2, quick: true });
      for (const result of results) {
        assert.equal(result.status, "unavailable");
        assert.match(result.reason, /isolated page/);
      }
    });
  });

  test("other pages have no console", async () => {
    const { page } = await open_watched(session.browser, session.server.url);
    assert.equal(await page.evaluate(() => window.primer), undefined);
    await page.close();
  });
});
