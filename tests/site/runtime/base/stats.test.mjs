// The statistics behind every published number, on data with known answers.
import assert from "node:assert/strict";
import { test } from "node:test";

import {
  knees,
  mad,
  median,
  middle_round,
  paired_ratio,
  plateau,
  plateaus,
  quantile,
  ranked,
} from "../../../../site/runtime/base/stats.js";

const near = (actual, expected, within) =>
  assert.ok(Math.abs(actual - expected) <= within, `${actual} is not ${expected} ± ${within}`);

/** Repeatable noise in [0, 1). */
function random(seed = 1) {
  let state = seed;
  return () => (state = (state * 1664525 + 1013904223) % 2 ** 32) / 2 ** 32;
}

test("median, quantiles and MAD of small lists", () => {
  assert.equal(median([3, 1, 2]), 2);
  assert.equal(median([4, 1, 3, 2]), 2.5);
  assert.equal(quantile([10, 20, 30, 40, 50], 0.9), 46);
  assert.equal(quantile([7], 0.9), 7);
  assert.equal(mad([1, 1, 2, 2, 4, 6, 9]), 1);
  assert.ok(Number.isNaN(median([])));
});

test("a race is won by the first that is as fast as the fastest, within a tie", () => {
  const order = (...values) =>
    ranked(values.map((value, at) => ({ at, value }))).map(({ at }) => at);
  assert.deepEqual(order(50, 60, 40), [1, 0, 2]);
  assert.deepEqual(order(99, 40, 100), [0, 2, 1]); // level: the preferred one
  assert.deepEqual(order(98, 100), [1, 0]);
  assert.deepEqual(order(98.6, 99, 100), [0, 2, 1]);
  assert.deepEqual(order(), []);
  assert.deepEqual(order(NaN, 3, 0, -Infinity), [1]);
});

test("the median does not move when a third of the samples are disturbed", () => {
  const next = random();
  const samples = Array.from({ length: 60 }, (_, i) => (i % 3 === 0 ? 20 : 46.5) + next());
  near(median(samples), 47, 0.6);
});

test("a plateau is a high quantile with a fine clock and the median with a coarse one", () => {
  const rates = [40, 44, 45, 45, 46, 67];
  assert.ok(plateau(rates, 0.001) > 50);
  assert.equal(plateau(rates, 0.1), 45);
});

test("paired ratios cancel drift that hits both kernels", () => {
  const drift = [1, 0.95, 0.9, 0.8, 0.7];
  const { ratio, mad: spread } = paired_ratio(
    drift.map((d) => 36 * d),
    drift.map((d) => 2 * d),
  );
  near(ratio, 18, 1e-9);
  near(spread, 0, 1e-9);
});

test("three cache levels are found in a noisy curve, with their sizes to half a step", () => {
  const next = random(7);
  const sizes = Array.from({ length: 16 }, (_, i) => 8192 * 2 ** i);
  const bandwidth = sizes.map(
    (s) => (s <= 32768 ? 90 : s <= 2 ** 20 ? 60 : s <= 2 ** 25 ? 28 : 13) * (0.97 + 0.06 * next()),
  );
  const segments = plateaus(bandwidth);
  assert.equal(segments.length, 4);
  const found = knees(sizes, segments);
  [32768, 2 ** 20, 2 ** 25].forEach((size, i) => {
    assert.ok(found[i].size > size && found[i].size < 2 * size, `${found[i].size} after ${size}`);
    near(found[i].error, size / 2, 1);
  });
});

test("a flat curve has one plateau, whatever the noise", () => {
  const next = random(3);
  const flat = Array.from({ length: 12 }, () => 20 * (0.98 + 0.04 * next()));
  assert.equal(plateaus(flat).length, 1);
  assert.deepEqual(plateaus([]), []);
  assert.equal(plateaus([5, 5, 5]).length, 1);
});

test("the middle round's own numbers give its ratio, and a round without one does not count", () => {
  const above = [10, 30, 40, 0, 90];
  const below = [5, 10, 10, 0, 10]; // 2, 3, 4, none, 9
  assert.deepEqual(middle_round(above, below), { above: 30, below: 10, ratio: 3 });
  assert.deepEqual(middle_round([1, 1, 1], [0, 0, 1]), { above: 1, below: 0, ratio: Infinity });
  assert.deepEqual(middle_round([], []), { above: NaN, below: NaN, ratio: NaN });
});
