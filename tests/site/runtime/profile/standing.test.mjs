// Tests the state of the reader's result and its headline (profile/standing.js).
import assert from "node:assert/strict";
import { test } from "node:test";

import { headline_of, roof_words, standing_of } from "../../../../site/runtime/profile/standing.js";

const roof = (kind, value) => ({ device: "cpu", class: { ...kind, threads: 1 }, value });
const [fma, simd, out] = [
  roof({ isa: "fma" }, 51),
  roof({ isa: "simd" }, 53.8),
  roof({ level: "out" }, 22.6),
];
const busy = { arithmetic: { low: 30, high: 57 }, memory: { low: 12, high: 20 } };
const headline = (profile, more) => headline_of(standing_of(profile), { needs: 295.2, ...more });

test("both roofs are steady, whatever a later busy run gave", () => {
  const standing = standing_of({ roofs: [fma, simd, out], disturbed: busy });
  const ridge = 53.8 / 22.6;
  assert.deepEqual(standing, { state: "steady", ceiling: 53.8, slope: 22.6, ridge, half: 0 });
  const said = headline({ roofs: [fma, simd, out] }, { guess: 5 });
  assert.equal(said, "2.4 FLOPs per byte. An H100 needs 295. You guessed 5.0.");
});

test("the ridge carries the intervals of both roofs", () => {
  const with_half = (one, half) => ({ ...one, low: one.value - half, high: one.value + half });
  const roofs = [with_half(fma, 30), with_half(simd, 1.614), with_half(out, 0.904)];
  const { ridge, half } = standing_of({ roofs });
  assert.ok(Math.abs(half / ridge - 0.05) < 1e-9, "3 and 4 % of the roofs make 5 % of their ratio");
  assert.equal(headline({ roofs }), "2.4 ± 0.1 FLOPs per byte. An H100 needs 295.");
});

test("a guess that was never made is not in the headline", () => {
  for (const guess of [null, undefined, 0, NaN])
    assert.equal(
      headline({ roofs: [fma, out] }, { guess }),
      "2.3 FLOPs per byte. An H100 needs 295.",
    );
});

test("a book without an H100 compares with nothing", () => {
  assert.equal(headline({ roofs: [fma, out] }, { needs: null }), "2.3 FLOPs per byte.");
});

test("a busy run gives a range and no ridge", () => {
  const standing = standing_of({ roofs: [], disturbed: busy });
  assert.deepEqual(standing, { state: "range", is_busy: true, ...busy });
  const words = "Your machine was busy: between 30 and 57 GFLOP/s";
  assert.equal(headline({ roofs: [], disturbed: busy }, { guess: 5 }), words);
  const memory = { disturbed: { arithmetic: null, memory: busy.memory } };
  assert.equal(headline(memory), "Your machine was busy: between 12 and 20 GB/s");
  assert.equal(
    headline({ disturbed: busy, lost_share: 0.02 }),
    "Your core's clock moved: between 30 and 57 GFLOP/s",
  );
});

test("one steady roof gives no headline, and neither does a damaged range", () => {
  for (const profile of [
    null,
    {},
    { roofs: [fma] },
    { roofs: [out], disturbed: null },
    { disturbed: { arithmetic: { low: "1", high: {} }, memory: { low: 3, high: 2 } } },
  ]) {
    assert.deepEqual(standing_of(profile), { state: "none" });
    assert.equal(headline(profile), "");
  }
});

test("the two numbers are those of the headline", () => {
  assert.deepEqual(roof_words({ roofs: [fma, simd, out] }), ["54 GFLOP/s", "23 GB/s"]);
  assert.deepEqual(roof_words({ roofs: [out] }), ["23 GB/s"]);
  assert.deepEqual(roof_words({}), []);
});
