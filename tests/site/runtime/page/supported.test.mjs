// Tests that a verdict is shown only if the whole interval of each of its numbers supports it.
import assert from "node:assert/strict";
import { test } from "node:test";

import { is_supported } from "../../../../site/runtime/page/supported.js";

const registry = [{ id: "stream.read", params: [{ name: "w", default: 64 }] }];
const read = (w, median, half) => ({
  ...{ kernel: "stream.read", params: { w }, status: "measured", median, best: median },
  ...{ low: median - half, high: median + half },
});
// More results of one kernel than a verdict names.
const others = Array.from({ length: 40 }, (_, i) => read(1000 + i, 20, 20));
const profile = {
  results: [...others, read(16, 100, 2), read(64, 30, 6)],
  roofs: [
    { device: "cpu", class: { isa: "fma" }, value: 58, low: 57, high: 59 },
    { device: "cpu", class: { level: "out" }, value: 24, low: 12, high: 26 },
    { device: "gpu", class: { isa: "fma" }, value: 900, low: 800, high: 1000 },
  ],
};
const value_of = ({ results }, w) => results.find(({ params }) => params.w === w).median;

/** Whether the case is supported, and the number of profiles tried: [boolean, number]. */
async function judged(verdict, choose) {
  let tried = 0;
  const case_for = async (moved) => {
    tried += 1;
    return choose(moved);
  };
  const index = choose(profile);
  return [await is_supported(verdict, index, { profile, registry, case_for }), tried];
}

const run = (w) => ({ kernel: "stream.read", params: { w }, threads: 1 });
const of_default = { kernel: "stream.read", params: {}, threads: 1 };

test("a case that all ends of intervals choose is supported; only named numbers move", async () => {
  const choose = (of) => (value_of(of, 16) > 50 ? 1 : 0);
  assert.deepEqual(await judged({ runs: [run(16)], roofs: false }, choose), [true, 2]);
});

test("an end beyond a threshold leaves the verdict undecided, whatever the kernel's other results", async () => {
  const choose = (of) => (value_of(of, 64) > 35 ? 1 : 0);
  const [of_64] = await judged({ runs: [run(16), of_default], roofs: false }, choose);
  assert.equal(of_64, false);
  assert.deepEqual(await judged({ runs: [run(16)], roofs: false }, choose), [true, 2]);
});

test("roofs of the processor are moved if the verdict names them", async () => {
  const choose = ({ roofs }) => (roofs[0].value / roofs[1].value > 3 ? 1 : 0);
  assert.deepEqual(await judged({ runs: [], roofs: true }, choose), [false, 3]);
  assert.deepEqual(await judged({ runs: [], roofs: false }, choose), [true, 0]);
});
