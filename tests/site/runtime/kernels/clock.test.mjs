// Timing against a clock whose tick, jitter and kernel speed are known exactly.
import assert from "node:assert/strict";
import { test } from "node:test";

import {
  calibrate,
  clock_error,
  measure_tick,
  plan_batch,
  plan_pool_batch,
  time_batch,
  time_edges,
} from "../../../../site/runtime/kernels/clock.js";
import { LostTime } from "../../../../site/runtime/kernels/lost_time.js";
import { median } from "../../../../site/runtime/base/stats.js";

/**
 * A browser's clock: reading it costs 0.2 µs, it shows multiples of `tick` ms. `work(ms)` passes
 * time.
 */
function coarse_clock(tick) {
  let t = 1000.123;
  return {
    now: () => {
      t += 0.0002;
      return Math.floor(t / tick) * tick;
    },
    work: (ms) => {
      t += ms;
    },
  };
}

for (const tick of [0.005, 0.1, 1, 16]) {
  test(`a tick of ${tick} ms is measured, not assumed`, () => {
    const { now } = coarse_clock(tick);
    const found = measure_tick(now);
    assert.ok(Math.abs(found - tick) <= 0.05 * tick, `${found}`);
  });
}

test("edge alignment is right where a plain batch of the same length is not", () => {
  const cost = 0.05;
  const plain = [];
  const aligned = [];
  const clock = coarse_clock(1);
  const run = (units) => clock.work(units * cost);
  for (let i = 0; i < 15; ++i) {
    clock.work(0.37);
    const a = time_batch(clock.now, run, 50);
    plain.push(a.ms / a.units);
    const b = time_edges(clock.now, run, 1, 3, 1);
    aligned.push(b.ms / b.units);
  }
  const worst = (values) => Math.max(...values.map((v) => Math.abs(v / cost - 1)));
  assert.ok(worst(aligned) < 0.03, `aligned off by ${worst(aligned)}`);
  assert.ok(worst(plain) > 0.1, `plain off by ${worst(plain)}`);
  assert.ok(Math.abs(median(aligned) / cost - 1) < 0.02);
});

test("aligned edges are right on the average, for calls shorter and longer than a tick", () => {
  for (const [usual, tick] of [
    [0.05, 1],
    [0.54, 1],
    [0.9, 1],
    [3.1, 1],
    [0.54, 0.1],
  ]) {
    const clock = coarse_clock(tick);
    const found = Array.from({ length: 400 }, (_, i) => {
      const cost = usual * (0.8 + 0.4 * ((i * 0.618) % 1)); // no call is as long as the one before
      clock.work(0.377 * tick);
      const { ms, units } = time_edges(clock.now, (n) => clock.work(n * cost), 1, 6, tick);
      return ms / units / cost;
    });
    const mean = found.reduce((a, b) => a + b, 0) / found.length;
    assert.ok(Math.abs(mean - 1) < 0.015, `calls of ${usual} ms by a tick of ${tick}: ${mean}`);
  }
});

test("a batch spans fifty ticks or 4 ms; edges take over when that is too long", () => {
  assert.deepEqual(plan_batch(0.005), { ms: 4, edges: false });
  assert.deepEqual(plan_batch(0.1), { ms: 5, edges: false });
  assert.deepEqual(plan_batch(1), { ms: 50, edges: false });
  assert.deepEqual(plan_batch(5), { ms: 60, edges: true });
  assert.deepEqual(plan_batch(16), { ms: 160, edges: true });
  assert.deepEqual(plan_pool_batch(0.005, 20), { ms: 20, edges: false });
  assert.deepEqual(plan_pool_batch(16, 20), { ms: 320, edges: false });
  assert.deepEqual(plan_batch(0.1, { quick: true }), { ms: 10, edges: true });
  assert.deepEqual(plan_batch(1, { quick: true }), { ms: 25, edges: true });
});

test("calibration finds the units of a batch for fast and slow kernels", () => {
  for (const cost of [0.0003, 0.04, 700]) {
    const clock = coarse_clock(0.1);
    const { units, unit_ms } = calibrate(clock.now, (n) => clock.work(n * cost), 10, 0.1);
    assert.ok(Math.abs(unit_ms / cost - 1) < 0.1, `${unit_ms} for ${cost}`);
    assert.ok(cost > 10 ? units === 1 : Math.abs(units * cost - 10) < 1);
  }
});

test("the clock's share of a sample is a tick, or with aligned edges a call and jitter", () => {
  assert.equal(clock_error({ ms: 50, edges: false }, 1, 50), 0.02);
  assert.ok(Math.abs(clock_error({ ms: 10, edges: true }, 0.1, 0.1) - 0.015) < 1e-9);
  assert.ok(clock_error({ ms: 10, edges: true }, 1, 0.1) > 0.05);
});

test("on a coarse clock, a sample that other programs interrupt often still has a duration", () => {
  const clock = coarse_clock(1);
  const lost = new LostTime(1);
  let calls = 0;
  // A call takes 0.1 ms, so it seems to take no time unless another program interrupts it.
  const run = () => clock.work(++calls % 4 === 0 ? 6 : 0.1);
  const how = { lost, usual_ms: 0.1 };
  const { ms, units, is_gone } = time_edges(clock.now, run, 1, 10, 1, how);
  assert.ok(is_gone);
  assert.ok(ms > 0 && ms / units > 0.1, `${ms} ms for ${units} calls`);
});
