// Whether a run's readings of the clock come from one core or alternate between two kinds of core.
import assert from "node:assert/strict";
import { test } from "node:test";

import { home_band } from "../../../../site/runtime/kernels/clock_modes.js";
import { uniform } from "../../../machines/simulator/random.mjs";

/** `count` readings of a clock ghz(i), each with a relative error of up to `error`. */
function readings(count, ghz, error) {
  const chance = uniform(3);
  return Array.from({ length: count }, (_, i) => ghz(i) * (1 + error * (chance() + chance() - 1)));
}
const one_core = [0, Infinity];
const away = (i) => i % 40 < 8; // eight readings of forty

test("a thread that moves to slower cores and back belongs to the faster", () => {
  for (const error of [0.001, 0.03, 0.08]) {
    const falling = (i) => 5 - 0.6 * (i / 800);
    const [from, to] = home_band(readings(800, (i) => (away(i) ? 0.74 : 1) * falling(i), error));
    assert.ok(from > 3.7 && from < 4.3, `limit ${from} of readings off by ${error}`);
    assert.equal(to, Infinity);
  }
});

test("a rare stay on slower cores is one all the same, in one half of the run or in both", () => {
  const away_once_more = (i) => i > 1000 && i % 200 < 20;
  const [from, to] = home_band(readings(2000, (i) => (away_once_more(i) ? 3.6 : 4.7), 0.01));
  assert.ok(from > 3.7 && from < 4.6 && to === Infinity);
});

test("one that hardly ever sits on the faster cores belongs to the slower", () => {
  const [from, to] = home_band(readings(400, (i) => (away(i) ? 4 : 2.5), 0.01));
  assert.equal(from, 0);
  assert.ok(to > 2.6 && to < 3.9);
});

test("heat, a power limit, neighbours and few readings are of one core", () => {
  const of = (ghz, error = 0.01, count = 400) => home_band(readings(count, ghz, error));
  assert.deepEqual(
    of((i) => 4 - i / 200),
    one_core,
    "a clock that falls slowly",
  );
  assert.deepEqual(
    of((i) => (i < 200 ? 4 : 3)),
    one_core,
    "one that falls at once",
  );
  assert.deepEqual(
    of((i) => (i < 150 || i > 300 ? 4 : 3)),
    one_core,
    "and recovers",
  );
  assert.deepEqual(
    of((i) => (i < 200 ? (i % 20 < 5 ? 3 : 4) : 2)),
    one_core,
    "and has left one clock for good",
  );
  assert.deepEqual(
    of((i) => 4 * (i % 12 === 0 ? 0.3 + (i % 7) / 10 : 1)),
    one_core,
    "stolen now and then",
  );
  assert.deepEqual(
    of(() => 4, 0.08),
    one_core,
    "a coarse clock",
  );
  assert.deepEqual(
    of((i) => (away(i) ? 3 : 4), 0.01, 30),
    one_core,
    "thirty readings",
  );
});
