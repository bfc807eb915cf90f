// One result from samples, for a known kernel, clock and canary.
import assert from "node:assert/strict";
import { test } from "node:test";

import { flag_words, goes_by_clock, summarise } from "../../../../site/runtime/profile/summary.js";

const canary = { clock_ghz: 2, throttled: false, steady: (before, after) => before + after >= 4 };
const module = { select: () => {}, flops: () => 4e9, bytes: () => 2e9 };
const sample = (seconds, more = {}) => ({
  seconds,
  before: 2,
  after: 2,
  clock_error: 0.01,
  ...more,
});
const state = (samples, more = {}) => ({
  kernel: { id: "k", unit: "GFLOP/s", class: "fma" },
  params: { n: 8 },
  samples,
  check: { error: 1, tolerance: 1 },
  ...more,
});
const one = (samples, more, how = {}) =>
  summarise(state(samples, more), module, { canary: { ...canary, ...how } });
const five = [1, 2, 2, 2, 4].map((seconds) => sample(seconds));

test("a value is work per second in the kernel's unit, time per step in ns", () => {
  const rate = one(five);
  assert.deepEqual(
    [rate.median, rate.status, rate.samples, rate.verified],
    [2, "measured", 5, true],
  );
  assert.deepEqual(rate.values, [4, 2, 2, 2, 1]);
  assert.equal(rate.per_cycle, 1);
  assert.ok(rate.best >= 2 && rate.best <= 4);
  const unit = (name) => one(five, { kernel: { id: "k", unit: name, class: "c" } });
  assert.deepEqual([unit("GB/s").median, "per_cycle" in unit("GB/s")], [1, false]);
  const steps = summarise(state(five, { kernel: { id: "k", unit: "ns", class: "c" } }), module, {
    canary,
  });
  assert.deepEqual([steps.median, "per_cycle" in steps], [0.5, false]);
  assert.ok(steps.best > 0 && steps.best <= steps.median, "the best time is a short one");
  const none = { ...module, flops: () => 0 };
  assert.equal(
    summarise(state(five, { kernel: { id: "k", unit: "ns", class: "c" } }), none, { canary })
      .median,
    2e9,
  );
  assert.equal(one(five, { kernel: { id: "k", unit: "Gop/s", class: "c" } }).per_cycle, 1);
});

test("a spread is never less than what the clock leaves open", () => {
  const same = [1, 1, 1, 1, 1].map((seconds) => sample(seconds, { clock_error: 0.02 }));
  assert.ok(Math.abs(one(same).mad - 0.04) < 1e-12);
  assert.ok(one(five).mad >= 0.01);
});

test("a wrong or impossible result has no number", () => {
  const wrong = one(five, { check: { error: 1.5, tolerance: 1 } });
  assert.deepEqual(
    [wrong.status, wrong.flags, wrong.verified, wrong.median],
    ["unavailable", ["unverified"], false, undefined],
  );
  assert.equal(wrong.reason, "its result was wrong (error 1.5, allowed 1.0)");
  assert.equal(one(five, { check: { error: NaN, tolerance: 1 } }).status, "unavailable");
  const refused = one([], { reason: "no memory" });
  assert.deepEqual(
    [refused.status, refused.reason, refused.flags],
    ["unavailable", "no memory", []],
  );
});

test("samples of an unsteady core are left out, or all are flagged", () => {
  const slow = (seconds) => sample(seconds, { before: 1, after: 2 });
  const mixed = one([...five.slice(0, 3), slow(9), slow(9)]);
  assert.deepEqual([mixed.samples, mixed.flags], [3, ["few-samples"]]);
  const most = one([...five.slice(0, 2), slow(9), slow(9), slow(9)]);
  assert.deepEqual([most.samples, most.flags], [5, ["drift"]]);
});

test("of a thread that moves, a sample that was on both kinds of core does not count", () => {
  const mixed = [1, 1, 1, 1.6, 1.7, 1.8].map((seconds) => sample(seconds));
  assert.deepEqual([one(mixed).median < 4, one(mixed).samples], [true, 6]);
  const moved = one(mixed, {}, { is_of_two: true });
  assert.deepEqual([moved.median, moved.samples], [4, 3]);
  assert.equal(one(mixed.slice(2), {}, { is_of_two: true }).samples, 3, "three at least");
});

test("flags say what the numbers suffer from, each in words", () => {
  const clock = (clock_error, count = 5) =>
    one(new Array(count).fill(sample(1, { clock_error }))).flags;
  assert.deepEqual(clock(0.025), []);
  assert.deepEqual(clock(0.026), ["coarse-tick"]);
  assert.deepEqual(clock(0.01, 4), ["few-samples"]);
  assert.deepEqual(one(five, {}, { throttled: true }).flags, ["throttled"]);
  assert.deepEqual(one(five, {}, { is_below_best: true }).flags, ["below-best"]);
  for (const flag of [
    "below-best",
    "coarse-tick",
    "few-samples",
    "throttled",
    "drift",
    "unverified",
  ])
    assert.ok(flag_words[flag]);
});

test("a result names its kernel, variant, threads and tile", () => {
  const plain = one(five);
  assert.deepEqual([plain.params, plain.threads, "choice" in plain], [{ n: 8 }, 1, false]);
  const full = one(five, {
    kernel: { id: "k", variant: "v", unit: "GB/s", class: "c" },
    threads: 3,
    choice: { tile: "6x8" },
  });
  assert.deepEqual(
    [full.params, full.threads, full.choice],
    [{ n: 8, variant: "v" }, 3, { tile: "6x8" }],
  );
});

/**
 * Samples at `clocks`, in seconds. The canary measures a clock to 3 %, and its highest was 2 GHz.
 */
const at_clocks = (clocks, seconds_of, more = {}) => {
  const samples = clocks.map((ghz) => sample(seconds_of(ghz), { ghz }));
  const how = { told: 0.03, clock_at: ({ ghz }) => ghz, steady: () => true };
  return summarise(state(samples, more), module, {
    ...{ canary: { ...canary, ...how }, memory_gbs: 10 },
  });
};

test("what ran at one slow clock goes by the best as far as memory lets it", () => {
  const slow = [1, 1, 1, 1, 1];
  const free = at_clocks(slow, () => 2); // 2 GB in 2 s, where memory needs 0.2
  assert.ok(Math.abs(free.median - 4) < 1e-9);
  const bound = at_clocks(slow, () => 0.25); // 0.125 s at the best clock, and memory needs 0.2
  assert.ok(Math.abs(bound.median - 20) < 1e-9);
  const paced = at_clocks(slow, () => 0.2);
  assert.ok(Math.abs(paced.median - 20) < 1e-9);
});

test("what several threads did is not put on the clock of one", () => {
  const slow = [1, 1, 1, 1, 1];
  assert.ok(Math.abs(at_clocks(slow, () => 2, { threads: 4 }).median - 2) < 1e-9);
});

test("streams and chases that ran at one clock are not converted", () => {
  const slow = [1, 1, 1, 1, 1];
  const stream = { kernel: { id: "k", unit: "GB/s", class: "memory" } };
  assert.ok(Math.abs(at_clocks(slow, () => 2, stream).median - 1) < 1e-9);
  const chase = { kernel: { id: "k", unit: "ns", class: "scalar" } };
  assert.ok(Math.abs(at_clocks(slow, () => 2, chase).median - 0.5) < 1e-9);
});

test("what ran at several clocks shows whether it goes by them", () => {
  const falling = [2, 1.8, 1.6, 1.4, 1.2, 1];
  assert.ok(Math.abs(at_clocks(falling, (ghz) => 2 / ghz).median - 4) < 1e-9);
  assert.ok(Math.abs(at_clocks(falling, () => 2).median - 2) < 1e-9);
  const chase = { kernel: { id: "k", unit: "ns", class: "scalar" } };
  assert.ok(Math.abs(at_clocks(falling, (ghz) => 2 / ghz, chase).median - 0.25) < 1e-9);
});

test("what goes by the clock in part is put on the best clock in that part", () => {
  const falling = [2, 1.8, 1.6, 1.4, 1.2, 1];
  // Its rate divided by the square root of the clock.
  const { median } = at_clocks(falling, (ghz) => 2 / Math.sqrt(ghz));
  assert.ok(Math.abs(median / (2 * Math.SQRT2) - 1) < 0.01, `${median}`);
});

test("a stream goes by the clock where a larger one was seen to", () => {
  const how = { told: 0.03, clock_at: ({ ghz }) => ghz, steady: () => true };
  const kernel = { id: "k", unit: "GB/s", class: "memory" };
  const known = { ...canary, ...how };
  const seen = (clocks, seconds_of, more = { kernel }) =>
    goes_by_clock(
      state(
        clocks.map((ghz) => sample(seconds_of(ghz), { ghz })),
        more,
      ),
      known,
    );
  const falling = [2, 1.5, 1.2, 1];
  assert.ok(seen(falling, (ghz) => 2 / ghz));
  assert.ok(!seen(falling, () => 2), "memory");
  assert.ok(!seen([1, 1, 1], (ghz) => 2 / ghz), "one clock does not tell");
  const slow = [1, 1, 1, 1, 1].map((ghz) => sample(2, { ghz }));
  const of = (is_within) =>
    summarise(state(slow, { kernel }), module, { canary: known, memory_gbs: 10, is_within }).median;
  assert.deepEqual([of(true), of(false)], [2, 1]);
});

test("what lies in the core's own caches goes by its clock", () => {
  const little = { ...module, bytes: () => 16384 };
  const samples = [1, 1, 1, 1, 1].map((ghz) => sample(16e-6, { ghz }));
  const how = { told: 0.03, clock_at: ({ ghz }) => ghz, steady: () => true };
  const stream = { kernel: { id: "k", unit: "GB/s", class: "memory" } };
  const all = { canary: { ...canary, ...how }, memory_gbs: 10 };
  const { median } = summarise(state(samples, stream), little, all);
  assert.ok(Math.abs(median - 2.048) < 1e-9);
});

test("one thread's clock does not scale the results of several threads", () => {
  const falling = { told: 0.03, clock_at: () => 1, is_of_two: false };
  const none = { ...module, bytes: () => 0 };
  const median_on = (threads) =>
    summarise(state(five, { threads }), none, { canary: { ...canary, ...falling } }).median;
  assert.equal(median_on(1), 4, "at the best clock, which is twice that of the samples");
  assert.equal(median_on(8), 2);
});
