// /traps/: every trap ends with numbers or a reason, and the page states what follows from them.
import assert from "node:assert/strict";
import { test } from "node:test";

import { longest, sentence, traps } from "../../../site/runtime/traps/sentences.js";
import {
  any_browser,
  complaints,
  in_each_browser,
  open_watched,
  origin_of,
  until,
} from "../support/browser_page.mjs";

test("a sentence follows from the two numbers", () => {
  const [id] = traps.map((trap) => trap.id);
  const of = (wrong, right, more = {}) =>
    sentence({ id, unit: "GB/s", wrong, right, ratio: wrong / right, is_checked: true, ...more });
  assert.deepEqual(of(60, 20), [
    "bites",
    "Here: pages never written 60.0 GB/s, pages written before 20.0 GB/s. " +
      "The wrong number is 3.00 times too high.",
  ]);
  assert.match(of(5, 20, { id: "denormals" })[1], /is 4\.00 times too low\./);
  assert.match(of(4, 1, { unit: "ns" })[1], /is 4\.00 times too long\./);
  assert.equal(of(5, 20)[0], "harmless", "an error the other way is none of this trap's");
  assert.equal(of(20.5, 20)[0], "harmless");
  assert.match(of(20.5, 20)[1], /the trap makes no difference/);
  assert.match(of(Infinity, 20)[1], /more GB\/s than the clock can resolve/);
  assert.match(
    of(60, 20, { is_checked: false })[1],
    /The check catches it: nothing was computed\.$/,
  );
  for (const { id: each } of traps) {
    const found = sentence({
      id: each,
      unit: "GFLOP/s",
      wrong: 123,
      right: 45.6,
      ratio: 2.7,
      is_checked: false,
    });
    assert.ok(longest(each).length >= found[1].length, each);
  }
  assert.deepEqual(sentence({ id, reason: "out of memory" }), [
    "unavailable",
    "Unavailable, because out of memory.",
  ]);
});

in_each_browser(
  (session) => {
    const open = (path = "traps/") => open_watched(session.browser, `${session.server.url}${path}`);
    const results = (page) =>
      page.evaluate(() =>
        [...document.querySelectorAll(".trap-result")].map(
          ({ dataset, textContent, offsetHeight }) => ({
            state: dataset.state,
            words: textContent,
            height: offsetHeight,
          }),
        ),
      );

    test("the module of the traps is loaded on this page's button, and only there", async () => {
      const { page, seen } = await open("");
      assert.ok(!seen.requests.some((url) => /traps/.test(url.split("/").pop())));
      await page.close();
    });

    test("every trap ends in a result or a reason", async () => {
      const watched = await open();
      const { page, seen } = watched;
      await until(page, () => document.querySelector(".traps-bar button") !== null);
      assert.ok(!seen.requests.some((url) => url.endsWith(".wasm")));
      await page.bringToFront();
      await page.click(".traps-bar button");
      await until(
        page,
        () => document.querySelector(".traps-status").textContent === "Done.",
        null,
        240_000,
      );
      const found = await results(page);
      assert.equal(found.length, traps.length);
      for (const [i, { state, words }] of found.entries()) {
        const told = `${traps[i].id}: ${state}: ${words}`;
        assert.match(state, /^(bites|harmless|unavailable)$/, told);
        assert.match(
          words,
          state === "unavailable" ? /^Unavailable, because .+\.$/ : /^Here: /,
          told,
        );
      }
      // Traps that work on every machine: a sum that depends on itself, and a loop that was
      // optimized away.
      const of = (id) => found[traps.findIndex((trap) => trap.id === id)];
      assert.equal(of("too-few-chains").state, "bites", of("too-few-chains").words);
      assert.match(of("too-few-chains").words, /too low/);
      assert.match(of("dead-code").words, /too high\. The check catches it/);
      assert.deepEqual(await complaints(watched, origin_of(session.server)), []);
      await page.close();
    });

    test("cancelling leaves no trap waiting", async () => {
      const { page } = await open();
      await until(page, () => document.querySelector(".traps-bar button") !== null);
      await page.bringToFront();
      await page.click(".traps-bar button");
      await page.click(".traps-bar button");
      await until(page, () => /^Stopped/.test(document.querySelector(".traps-status").textContent));
      for (const { state } of await results(page)) assert.notEqual(state, "running");
      await page.close();
    });
  },
  { kinds: any_browser },
);
