// Every fault that a browser, a reader or an update can cause is reported in words, and no wrong
// number is ever shown.
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
  until_ready,
} from "./support/browser_page.mjs";
import { hurried } from "./support/hurried.mjs";
import { roofline_bench, roofline_page, site } from "./support/site.mjs";

in_each_browser(
  (session) => {
    const open = (options) =>
      open_watched(session.browser, session.server.url + roofline_page, options);
    const forget = (page) => page.evaluate((key) => localStorage.removeItem(key), profile_key);

    const faults = [
      [
        "no WebAssembly",
        () => {
          delete window.WebAssembly;
        },
        /does not run WebAssembly/,
      ],
      [
        "no SIMD",
        () => {
          WebAssembly.validate = () => false;
        },
        /no SIMD/,
      ],
      [
        "no workers",
        () => {
          window.Worker = undefined;
        },
        /no workers/,
      ],
    ];
    for (const [fault, make, words] of faults) {
      test(`${fault}: unavailable, because …`, async () => {
        const { page } = await open({ before: make });
        const { state, reason, status } = await run_bench(page, roofline_bench);
        assert.equal(state, "unavailable");
        assert.match(reason, words);
        assert.match(status, /Unavailable, because/);
        await page.close();
      });
    }

    test("no relaxed SIMD: the other module measures", async () => {
      const { page } = await open({
        before: () => {
          const validate = WebAssembly.validate;
          WebAssembly.validate = (bytes) =>
            !new Uint8Array(bytes).join().includes("253,133,2") && validate(bytes);
        },
      });
      await forget(page);
      const { state } = await run_bench(page, roofline_bench);
      assert.equal(state, "done");
      const modules = await page.evaluate(
        (key) => [...new Set(JSON.parse(localStorage.getItem(key)).results.map((r) => r.module))],
        profile_key,
      );
      assert.deepEqual(modules.filter(Boolean), ["simd128"]);
      await forget(page);
      await page.close();
    });

    test("storage refused: results are shown, and the page says that they will be gone", async () => {
      const { page } = await open({
        before: () => {
          Storage.prototype.setItem = () => {
            throw new DOMException("full", "QuotaExceededError");
          };
        },
      });
      const { state, status, rows } = await run_bench(page, roofline_bench);
      assert.equal(state, "done");
      assert.match(status, /lost when you leave/);
      assert.ok(rows.every((row) => row.state === "measured"));
      await page.close();
    });

    test("a corrupted profile is refused and the reference machine stays", async () => {
      const { page, seen } = await open();
      await page.evaluate(
        (key) => localStorage.setItem(key, '{"schema":1,"results":[{"kernel":7}]}'),
        profile_key,
      );
      await page.reload({ waitUntil: "load" });
      await until_ready(page);
      await new Promise((resolve) => setTimeout(resolve, 500));
      assert.equal(await page.$('.plot[data-from="reader"]'), null);
      assert.deepEqual(await complaints({ page, seen }, origin_of(session.server)), []);
      await forget(page);
      await page.close();
    });

    test("while another tab measures, this one reports it", async () => {
      const other = (await open()).page;
      await other.evaluate(
        () =>
          new Promise((locked) => {
            navigator.locks.request("primer.measure", () => {
              locked();
              return new Promise(() => {});
            });
          }),
      );
      const { page } = await open();
      const { state, reason } = await run_bench(page, roofline_bench);
      assert.equal(state, "unavailable");
      assert.match(reason, /another tab is measuring/);
      await other.close();
      await page.close();
    });

    test("a hidden tab ends the run and keeps what was finished", async () => {
      const { page } = await open();
      await forget(page);
      // At the first sign of progress, before the measurement can have ended.
      await page.evaluate((id) => {
        const bench = document.getElementById(id);
        const hide = () => {
          if (!(Number(bench.getAttribute("progress")) > 0)) return;
          Object.defineProperty(document, "hidden", { value: true, configurable: true });
          document.dispatchEvent(new Event("visibilitychange"));
        };
        new MutationObserver(hide).observe(bench, { attributeFilter: ["progress"] });
      }, roofline_bench);
      const { state, status } = await run_bench(page, roofline_bench);
      if (state === "done") assert.match(status, /; \d+ unavailable|^Your machine was busy/);
      else assert.deepEqual([state, /hidden/.test(status)], ["idle", true]);
      await page.close();
    });

    /**
     * The outcome of the measurement from a server that alters runtime files: {name: text → text or
     * null}.
     */
    async function with_altered(changes) {
      const alter = (path, body) => {
        const change = changes[Object.keys(changes).find((name) => path.endsWith(`/${name}`))];
        return change ? change(String(body)) : body;
      };
      const altered = await serve(site, { alter: hurried(alter) });
      const { page } = await open_watched(session.browser, altered.url + roofline_page);
      try {
        return await run_bench(page, roofline_bench);
      } finally {
        await page.close();
        await altered.close();
      }
    }
    const replaced = (text, before, after) => {
      assert.ok(text.includes(before), `the fault no longer fits the code: ${before}`);
      return text.replace(before, after);
    };

    test("a wrong result never shows its number", async () => {
      const { state, rows } = await with_altered({
        "kernels/kernel_module.js": (text) =>
          replaced(text, "error: this.#exports.verify(kernel.index, base)", "error: 1e9"),
      });
      assert.equal(state, "done");
      for (const row of rows) {
        assert.equal(row.state, "unavailable");
        assert.match(row.text, /unavailable, because its result was wrong/);
        assert.doesNotMatch(row.text, /GB\/s|GFLOP\/s/);
      }
    });

    test("refused memory: what does not fit is unavailable, the rest is measured", async () => {
      const { state, rows, status } = await with_altered({
        "kernels/kernel_module.js": (text) =>
          replaced(text, "bytes <= this.#limit &&", "bytes <= 32 * 2 ** 20 &&"),
      });
      assert.equal(state, "done", status);
      assert.ok(
        rows.some((row) => /MiB of memory/.test(row.text)),
        JSON.stringify(rows),
      );
      assert.ok(
        rows.some((row) => row.state === "measured"),
        JSON.stringify(rows),
      );
    });

    test("a worker that the browser killed is noticed", async () => {
      const { state, reason } = await with_altered({
        "measure/measure.js": (text) => replaced(text, "patience_ms = 60_000", "patience_ms = 500"),
        "measure/worker.js": () => "/* silent */",
      });
      assert.equal(state, "unavailable");
      assert.match(reason, /ended the measuring worker/);
    });

    test("scripts that an update removed: unavailable, because the book was updated", async () => {
      const { state, reason } = await with_altered({ "measure/bench.js": () => null });
      assert.equal(state, "unavailable");
      assert.match(reason, /the book was updated: reload/);
    });
  },
  { kinds: any_browser, alter: hurried() },
);
