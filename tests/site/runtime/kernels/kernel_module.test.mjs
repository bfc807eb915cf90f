// Is the set of a chase in its caches when it is timed? Tested on a machine with two levels of
// known latencies, where every other kernel evicts the data of a chase.
import assert from "node:assert/strict";
import { test } from "node:test";

import { runs_of_a_lap } from "../../../../site/runtime/kernels/kernel_module.js";
import { complete_params } from "../../../../site/runtime/kernels/tasks.js";
import { measure_suite } from "../../../../site/runtime/measure/sampler.js";

const mib = 2 ** 20;
const line = 64;
const steps = 4096; // of one run
const w_param = { name: "w", unit: "B", default: mib, min: 4096, max: 2 ** 30 };
const registry = [
  { id: "latency.chase", title: "Follow", unit: "ns", class: "latency", params: [w_param] },
  { id: "stream.read", title: "Read", unit: "GB/s", class: "memory", params: [w_param] },
].map((kernel, index) => ({ ...kernel, index }));

const cache = { bytes: 16 * mib, ns: 14 };
const memory_ns = 100;

/**
 * Its cache holds the most recently used data. Each line of a chase is cold once after other
 * kernels ran.
 */
function machine() {
  let t = 1000;
  let selected;
  let params;
  let clock = 0; // bytes touched so far
  const sets = new Map(); // by base: {seen, warm}, the clock after its last run and its warm bytes
  const step_ms = (is_warm) => (is_warm ? cache.ns : memory_ns) * 1e-6;
  const walk = (base, reps) => {
    const fits = params.w <= cache.bytes;
    const set = sets.get(base) ?? { seen: -Infinity, warm: 0 };
    const displaced = clock - set.seen;
    let warm = fits ? Math.max(0, set.warm - displaced) : 0;
    for (let left = reps * steps * line; left > 0;) {
      const part = Math.min(left, steps * line);
      const is_warm = warm >= params.w;
      t += (part / line) * step_ms(is_warm);
      if (fits) warm = Math.min(params.w, warm + part);
      clock += is_warm ? 0 : part;
      left -= part;
    }
    sets.set(base, { seen: clock, warm });
  };
  const module = {
    registry,
    canary_ops: 64,
    heap_base: 65536,
    select: (kernel, given) => {
      selected = kernel;
      params = given;
    },
    flops: () => (selected.class === "latency" ? steps : 0),
    bytes: () => (selected.class === "latency" ? steps * line : params.w),
    memory_needed: () => params.w + 128,
    reserve: () => true,
    prepare: () => {
      clock += params.w;
      t += params.w / 1e7;
    },
    run: (kernel, base, reps) => {
      if (kernel.class === "latency") walk(base, reps);
      else {
        clock += reps * params.w;
        t += (reps * params.w) / 2e7;
      }
    },
    verify: () => ({ error: 0, tolerance: 1 }),
    canary: (iterations) => {
      t += (iterations * 64) / 3e6;
    },
  };
  const now = () => {
    t += 1e-4;
    return Math.floor(t / 0.02) * 0.02;
  };
  const pause = async (ms) => {
    t += ms;
  };
  return { module, now, pause };
}

const task = (index, w) => ({
  kernel: registry[index],
  params: complete_params(registry[index], { w }),
});

for (const pace of ["full", "thorough"]) {
  test(`${pace} pace: a chase through what a cache holds waits for that cache`, async () => {
    const sizes = [mib, 2 * mib, 4 * mib, 8 * mib, 64 * mib];
    const others = [16 * mib, 24 * mib].map((w) => task(1, w));
    const tasks = [...sizes.map((w) => task(0, w)), ...others];
    const { results } = await measure_suite({ ...machine(), tasks, pace, report: () => {} });
    const ns = results.slice(0, sizes.length).map(({ median }) => Math.round(median * 10) / 10);
    assert.deepEqual(ns.map(Math.round), [14, 14, 14, 14, 100]);
  });
}

test("a lap is as many runs as visit the whole set; of all else it is one", () => {
  const { module } = machine();
  module.select(registry[0], { w: 8 * mib });
  assert.equal(runs_of_a_lap(module, registry[0]), (8 * mib) / (steps * line) + 1);
  assert.equal(runs_of_a_lap(module, registry[1]), 1);
});
