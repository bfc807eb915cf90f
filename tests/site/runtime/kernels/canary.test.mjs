// The clock as measured by a canary, for known cores and page clocks.
import assert from "node:assert/strict";
import { test } from "node:test";

import { Canary } from "../../../../site/runtime/kernels/canary.js";
import { uniform } from "../../../machines/simulator/random.mjs";

/**
 * A canary after `count` readings on a core at ghz(second), with a clock of `tick_ms`. Edges are up
 * to a tick late if the browser moves them. `per_cycle(second)` is the work of the core per cycle,
 * `home` is what is known about it.
 */
function canary_of({ ghz, count = 200, tick_ms = 1, moved = false, per_cycle, home }) {
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
  const width = per_cycle && (() => per_cycle(ms / 1e3) * ghz(ms / 1e3) * (0.95 + chance() / 10));
  const canary = new Canary(module, now, tick_ms, { width, home });
  const read = Array.from({ length: count }, () => canary.read());
  return { canary, read };
}

test("a reading gives the clock, and ticks alone do not make it doubtful", () => {
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

test("a falling clock is tracked with ticks of a millisecond", () => {
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

test("kinds of core with the same clock are distinguished by their work per cycle", () => {
  const per_cycle = (seconds) => (seconds % 1 < 0.25 ? 4 : 8);
  const { canary, read } = canary_of({ ghz: () => 2, count: 600, per_cycle });
  assert.ok(canary.is_of_two);
  const steady = read.slice(1).filter((after, i) => canary.steady(read[i], after));
  assert.ok(steady.length > 0.5 * read.length && steady.every(({ wide }) => wide > 6));
});

test("a stay on another kind of core is not steady, however short", () => {
  const is_away = (seconds) => seconds > 2 && seconds < 2.05;
  const per_cycle = (seconds) => (is_away(seconds) ? 8 : 16);
  const ghz = (seconds) => (is_away(seconds) ? 1.8 : 3.5);
  const { canary, read } = canary_of({ ghz, count: 600, per_cycle });
  const away = read.filter(({ wide }) => wide < 12);
  assert.ok(away.length > 1 && away.length < 0.03 * read.length && !canary.is_of_two);
  const steady = read.slice(1).filter((after, i) => canary.steady(read[i], after));
  assert.ok(steady.length > 0.9 * read.length && steady.every(({ wide }) => wide > 12));
});

test("a last visit to another kind of core is no heat, where one was there before", () => {
  const ghz = (visits) => (seconds) =>
    visits.some(([from, to]) => seconds > from && seconds < to) ? 3.28 : 5.1;
  const per_cycle = () => 16; // the same core at another clock
  const fell = (...visits) => canary_of({ ghz: ghz(visits), count: 600, per_cycle }).canary;
  for (const last of [1.3, 3])
    assert.ok(!fell([0.4, 0.45], [last, 9]).throttled, "it has been there for a moment");
  assert.ok(fell([1.3, 9]).throttled, "nothing tells it from heat");
  const other = (seconds) => (seconds > 1.3 ? 8 : 16);
  const moved = canary_of({ ghz: ghz([[1.3, 9]]), count: 600, per_cycle: other }).canary;
  assert.ok(!moved.throttled, "what it does in a cycle tells it");
});

test("clocks that cross as the wider core grows hot do not make it the other one", () => {
  const is_away = (seconds) => seconds % 1 < 0.2;
  const ghz = (seconds) => (is_away(seconds) ? 2.6 : Math.max(2, 3.3 - seconds / 3));
  const per_cycle = (seconds) => (is_away(seconds) ? 8 : 16);
  const { canary, read } = canary_of({ ghz, count: 800, per_cycle });
  const at_home = read.slice(1).filter((after, i) => canary.steady(read[i], after));
  assert.ok(at_home.length > 0.4 * read.length && at_home.every(({ wide }) => wide > 12));
  assert.ok(canary.clock_ghz > 3.1 && canary.throttled);
});

test("a core that is known is told at the clock of then, if it does as much in a cycle", () => {
  const of = (home, per_cycle = () => 8) => canary_of({ ghz: () => 1.9, per_cycle, home }).canary;
  const slowed = of({ ghz: 3.6, wide: 8 });
  assert.equal(slowed.clock_ghz, 3.6);
  assert.ok(slowed.is_below_best && !slowed.throttled);
  for (const other of [
    of(null),
    of({ ghz: 3.6, wide: 16 }),
    of({ ghz: 9, wide: 8 }),
    of({ ghz: 1, wide: 8 }),
  ]) {
    assert.ok(Math.abs(other.clock_ghz / 1.9 - 1) < 0.03, `${other.clock_ghz}`);
    assert.ok(!other.is_below_best);
  }
  assert.equal(of({ ghz: 1.7, wide: 8 }).clock_ghz, 1.7, "its numbers are of that clock");
  const by_turns = of({ ghz: 1.9, wide: 8 }, (seconds) => (seconds % 1 < 0.25 ? 8 : 4));
  assert.ok(by_turns.steady({ ghz: 1.9, wide: 8, at: 50 }, { ghz: 1.9, wide: 8, at: 51 }));
  assert.ok(!by_turns.steady({ ghz: 1.9, wide: 4, at: 50 }, { ghz: 1.9, wide: 4, at: 51 }));
});
