// The tile race in real browsers, also in one whose engine merges vectors (V8's
// --wasm-revectorize).
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";

import { in_each_browser, open_watched } from "../support/browser_page.mjs";

/** Races on /machine/, from the console; each has a new profile. */
async function race_once({ browser, server }) {
  const { page } = await open_watched(browser, `${server.url}machine/`);
  try {
    await page.waitForFunction(() => globalThis.primer?.measure, { timeout: 60_000, polling: 50 });
    return await page.evaluate(() =>
      globalThis.primer.measure({ only: ["matmul.packed"], params: { n: 240 }, quick: true }),
    );
  } finally {
    await page.close();
  }
}

in_each_browser((session) => {
  test("a race decides the tile, the result names it, and the profile keeps why", async () => {
    const { choices, results } = await race_once(session);
    const [choice] = choices;
    const [{ params, choice: taken, status }] = results;
    assert.equal(status, "measured");
    assert.equal(params.tile, 0);
    assert.equal(taken.tile, choice.tile);
    assert.equal(choice.kernel, "matmul.packed");
    assert.equal(choice.rates.length, 8);
    assert.equal(choice.rates[0].tile, choice.tile);
    assert.ok(choice.rates.every(({ value }) => value > 0));
    assert.match(choice.why, /^\d × \d+ won with [\d.]+ GFLOP\/s: /);
  });
});

const has_avx2 = process.arch === "x64" && /\bavx2\b/.test(readFileSync("/proc/cpuinfo", "utf8"));
describe("an engine that joins vectors", { skip: !has_avx2 && "it needs AVX2" }, () => {
  in_each_browser(
    (session) => {
      test("the race finds a tile for it and says so", async () => {
        const said = [];
        // A busy machine may disturb one race of a quarter of a second, but not five.
        for (let attempt = 0; attempt < 5; ++attempt) {
          const [{ why }] = (await race_once(session)).choices;
          said.push(why);
          if (/joins two neighboring vectors of 128 bits into one of 256/.test(why)) return;
        }
        assert.fail(`no race noticed: ${said.join("\n")}`);
      });
    },
    {
      kinds: ["chromium"],
      words: " with --wasm-revectorize",
      args: ["--js-flags=--wasm-revectorize"],
    },
  );
});
