// The clock as a canary tells it, on a core and by a clock of the page that are known.
import assert from "node:assert/strict";
import { test } from "node:test";

import { Canary } from "../../../../site/runtime/kernels/canary.js";
import { uniform } from "../../../machines/simulator/random.mjs";

/**
 * A canary that has read `count` times a core of ghz(second), by a clock of `tick_ms`; edges come up to a tick late where
 * the browser moves them.
 */
function canary_of({ ghz, count = 200, tick_ms = 1, moved = false }) {
  const chance = uniform(11);
  const late = new Map();
  let ms = 0;
  let asked = 0;
  const edge = (k) => {
    if (!late.has(k)) late.set(k, moved ? chance() : 0);
    return (k + late.get(k)) * tick_ms;
  };
  const now = () => {
    ms += ++asked > 3 ? tick_ms / 200 : 5e-5;
    const k = Math.floor(ms / tick_ms);
    return (ms >= edge(k) ? k : k - 1) * tick_ms;
  };
  const module = {
    canary_ops: 64,
    canary: (iterations) => {
      asked = 0;
      ms += (iterations * 64) / ghz(ms / 1e3) / 1e6;
    },
  };
  const canary = new Canary(module, now, tick_ms);
  const read = Array.from({ length: count }, () => canary.read());
  return { canary, read };
}

test("a reading tells the clock, and ticks alone do not make it doubtful", () => {
  const { canary, read } = canary_of({ ghz: () => 3 });
  assert.ok(read.every(({ ghz }) => Math.abs(ghz - 3) < 0.06));
  assert.equal(canary.tolerance, 0.03);
  assert.equal(canary.told, 0.03);
  assert.ok(Math.abs(canary.clock_ghz - 3) < 0.06);
});

test("moved edges widen what a reading may be off by, and many readings still tell the clock", () => {
  const { canary, read } = canary_of({ ghz: () => 3, moved: true, count: 400 });
  assert.ok(canary.tolerance > 0.06 && canary.tolerance <= 0.1);
  assert.ok(canary.told < 0.05);
  assert.ok(Math.abs(canary.clock_ghz / 3 - 1) < 0.03);
  const steady = read.slice(1).filter((after, i) => canary.steady(read[i], after));
  assert.ok(steady.length > 0.95 * (read.length - 1));
});

test("a falling clock is told moment by moment by ticks of a millisecond", () => {
  const ghz = (seconds) => 4 - seconds / 4;
  const { canary, read } = canary_of({ ghz, count: 400 });
  const [early, late] = [20, 380].map((i) =>
    canary.clock_at({ before: read[i], after: read[i + 1] }),
  );
  assert.ok(Math.abs(early / read[20].ghz - 1) < 0.05);
  assert.ok(Math.abs(late / read[380].ghz - 1) < 0.05);
  assert.ok(canary.throttled);
});

test("a sample on the other kind of core is not steady, and no reading of that core counts", () => {
  const ghz = (seconds) => (seconds % 1 < 0.25 ? 2.8 : 4);
  const { canary, read } = canary_of({ ghz, count: 600 });
  assert.ok(canary.is_of_two);
  const pairs = read.slice(1).map((after, i) => [read[i], after]);
  const steady = pairs.filter((pair) => canary.steady(...pair));
  assert.ok(steady.length > 0.5 * pairs.length);
  assert.ok(steady.every((pair) => pair.every((one) => one.ghz > 3.3)));
  assert.ok(
    Math.abs(canary.clock_ghz / 4 - 1) < 0.03 && Math.abs(canary.sustained_ghz / 4 - 1) < 0.03,
  );
  assert.ok(!canary.throttled);
  assert.ok(!canary_of({ ghz: () => 3 }).canary.is_of_two);
});
