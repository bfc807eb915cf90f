// Tests the interval around a number: what determines it, and that a second run falls inside it 9
// times out of 10.
import assert from "node:assert/strict";
import { test } from "node:test";

import {
  around_of,
  interval_from,
  interval_of,
} from "../../../../site/runtime/profile/interval.js";
import { median } from "../../../../site/runtime/base/stats.js";
import { uniform } from "../../../machines/simulator/random.mjs";

const result = (values, more = {}) => ({
  ...{ values, median: median(values), unit: "GFLOP/s", params: {}, bytes: 0 },
  ...more,
});
const width = (one, how) => {
  const { low, high } = interval_from(one, how);
  return (high - low) / 2 / one.median;
};

test("equal samples leave what runs differ by: more in caches, most in memory", () => {
  const same = [50, 50, 50, 50, 50, 50, 50];
  const near = (actual, expected) => assert.ok(Math.abs(actual - expected) < 1e-9, `${actual}`);
  near(width(result(same)), 0.02);
  near(width(result(same, { unit: "GB/s", bytes: 2 ** 20 })), 0.04);
  near(width(result(same, { unit: "GB/s", bytes: 2 ** 26 })), 0.08);
  near(width(result(same, { unit: "ns", bytes: 4096, params: { w: 2 ** 26 } })), 0.08);
});

test("parts of a run that differ widen it, one odd sample of many does not", () => {
  assert.ok(width(result([50, 50, 55, 55, 60, 60])) > 0.25);
  assert.ok(width(result([50, 50, 50, 99, 50, 50, 50, 50, 50])) < 0.03);
  assert.ok(width(result([50, 50, 60, 50, 50])) > 0.1);
});

test("a busy core's number is lower than the undisturbed one", () => {
  const same = [30, 30, 30, 30, 30, 30];
  const { low, high } = interval_from(result(same), { lost_share: 0.5 });
  assert.ok(low < 30 && high > 59 && high < 63, `${low} to ${high}`);
  const cut = interval_from(result(same), { lost_share: 0.5, is_cut: true });
  assert.ok(cut.high > 33 && cut.high < 35, `${cut.high}: interrupted calls were left out`);
  const wait = interval_from(result(same, { unit: "ns" }), { lost_share: 0.5 });
  assert.ok(wait.low < 16 && wait.high < 32);
});

test("a clock that moved leaves the range of all samples", () => {
  const { low, high } = interval_from(result([30, 57, 31, 56, 30, 57], { flags: ["drift"] }));
  assert.ok(low > 28 && low < 30 && high > 57 && high < 59, `${low} to ${high}`);
});

test("of an old result the samples give it, of a linked one the median deviation", () => {
  assert.equal(around_of({ median: 10, mad: 1, unit: "GB/s" }) > 3, true);
  assert.deepEqual(interval_of({ median: 10, low: 8, high: 11 }), { low: 8, high: 11 });
  assert.deepEqual(interval_of({ median: 10, low: null, high: null, unit: "GB/s" }), {
    low: 9.8,
    high: 10.2,
  });
});

test("a second run falls inside it 9 times of 10, where runs differ less than parts of one", () => {
  const chance = uniform(5);
  const normal = () => Math.sqrt(-2 * Math.log(1 - chance())) * Math.cos(2 * Math.PI * chance());
  for (const [count, spread] of [
    [5, 0.04],
    [7, 0.06],
    [15, 0.08],
  ]) {
    const run = () => result(Array.from({ length: count }, () => 50 * (1 + spread * normal())));
    let inside = 0;
    for (let i = 0; i < 2000; ++i) {
      const { low, high } = interval_from(run());
      const { median: second } = run();
      inside += second >= low && second <= high;
    }
    assert.ok(inside > 0.85 * 2000 && inside < 0.985 * 2000, `${inside / 20} % of ${count}`);
  }
});
