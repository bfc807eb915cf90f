// What a phone does to a page that measures: it kills tabs that use much memory, and locks its
// screen.
import assert from "node:assert/strict";
import { test } from "node:test";

import { counting_module, machines_of, unknown_here } from "./simulator/simulate.mjs";
import { SimulatedBrowser } from "./simulator/simulated_browser.mjs";

const relaxed = !unknown_here();
const counters = {
  simd128: await counting_module("kernels-simd128"),
  ...(relaxed ? { relaxed: await counting_module() } : {}),
};
const assets = "https://book.example/_/0/";
const phone = machines_of("processors").get("iphone_a17");
const request = { roofs: true, pace: "full" };
const browser = (machine) => new SimulatedBrowser(machine, { counters, relaxed });
const measured = ({ results }) => results.filter(({ status }) => status === "measured");

test("a full run keeps within what a phone's tab survives, in the sum of all sets", async () => {
  const used = browser(phone);
  const profile = await used.run(({ measure }) => measure(request, { assets }));
  assert.ok(used.page.written_mib <= 384, `${used.page.written_mib} MiB`);
  assert.equal(measured(profile).length, profile.results.length);
  assert.ok(profile.results.some(({ params }) => params.w === 2 ** 28));
});

test("a screen that would lock is asked to stay on", async () => {
  const used = browser({
    ...phone,
    page_limits: { ...phone.page_limits, screen_locks_after_s: 5 },
  });
  const profile = await used.run(({ measure }) => measure(request, { assets }));
  assert.equal(measured(profile).length, profile.results.length);
});

for (const locks_after of [8, 16, 24]) {
  test(`a screen that locks after ${locks_after} s costs only what was running`, async () => {
    const page_limits = { ...phone.page_limits, screen_locks_after_s: locks_after };
    const used = browser({ ...phone, page_limits });
    const profile = await used.run(({ measure }) => {
      navigator.wakeLock.request = async () => {
        throw new Error("the battery is low");
      };
      return measure(request, { assets });
    });
    const kept = measured(profile);
    const lost = profile.results.filter(({ status }) => status !== "measured");
    assert.ok(kept.length > 0 && lost.length > 0, `${kept.length} kept, ${lost.length} lost`);
    for (const { reason } of lost) assert.match(reason, /the page was hidden before/);
    for (const { kernel, params, median } of kept)
      if (kernel === "stream.read" && params.w >= 2 ** 27)
        assert.ok(Math.abs(median / 41 - 1) < 0.1);
    const is_whole = kept.some(
      ({ kernel, params }) => kernel === "stream.read" && params.w === 8192,
    );
    assert.equal(profile.levels.length > 0, is_whole);
  });
}
