// A simulated core with a fixed rate per kernel, on the time of core_time.mjs. It is for tests that
// depend on who has the core and on the page's clock, but not on caches or units. It needs no
// module of kernels.

import { CoreTime } from "./core_time.mjs";

const ghz = 3;
const mebibyte = 2 ** 20;
const chains = { name: "chains", unit: "", default: 12, min: 1, max: 24 };
const set = { name: "w", unit: "B", default: 2 ** 16, min: 4096, max: 2 ** 30 };
const size = { name: "n", unit: "", default: 512, min: 1, max: 4096 };

export const registry = [
  { id: "peak.fma", class: "fma", unit: "GFLOP/s", params: [chains] },
  { id: "peak.simd", class: "simd", unit: "GFLOP/s", params: [chains] },
  { id: "peak.scalar", class: "scalar", unit: "GFLOP/s", params: [chains] },
  { id: "stream.read", class: "memory", unit: "GB/s", params: [set] },
  { id: "matmul.packed", class: "fma", unit: "GFLOP/s", params: [size] },
].map((kernel, index) => ({ variant: "", title: kernel.id, ...kernel, index }));

/** The rate of each kernel on an undisturbed core, in GFLOP/s or, for stream.read, in GB/s. */
export const truth = {
  "peak.fma": () => 16 * ghz,
  "peak.simd": ({ chains: count }) => (count === 1 ? 8 / 6 : 8) * ghz,
  "peak.scalar": () => 2 * ghz,
  "stream.read": ({ w }) => (w <= 2 ** 18 ? 96 : w <= 2 ** 23 ? 60 : 24),
  "matmul.packed": () => 15 * ghz,
};

const flops_of = ({ id }, { n }) => (id === "matmul.packed" ? 2 * n ** 3 : 1e5);

/** A machine file with one kind of core at 3 GHz; `more` adds members. */
const file_of = (more) => ({
  class: "desktop",
  cores: { groups: [{ kind: "P", count: 2, smt: 1 }] },
  measuring_thread: { kind: "P", share_of_time: 1 },
  kinds: {
    P: {
      clock: {
        ...{ curve_one_core: [[0, ghz]], curve_all_cores: [[0, ghz]] },
        ...{ wake_ramp_ms: [[0, ghz]], recover_s: 10 },
      },
    },
  },
  ...more,
});

/**
 * {module, now, pause, time} for measure_suite(). `slowed(kernel, ms, params)` is a factor for the
 * duration of a call at the time `ms`.
 */
export function simple_core({ tick_ms = 0.005, seed = 1, slowed = () => 1, ...more } = {}) {
  const time = new CoreTime(file_of(more), { timer: { tick_ms }, seed });
  let [selected, params] = [null, {}];
  const work_of = () => (selected.unit === "GB/s" ? params.w : flops_of(selected, params));
  const module = {
    ...{ registry, canary_ops: 64, heap_base: 65536 },
    select: (kernel, given) => ([selected, params] = [kernel, given]),
    flops: () => (selected.unit === "GB/s" ? 0 : flops_of(selected, params)),
    bytes: () => (selected.unit === "GB/s" ? params.w : 0),
    memory_needed: () => params.w ?? 4096,
    reserve: (bytes) => bytes <= 2048 * mebibyte,
    prepare: () => time.work(() => 1e4),
    verify: () => ({ error: 0, tolerance: 1 }),
    run(kernel, base, reps) {
      const factor = time.noise() * slowed(kernel, time.ms, params);
      const ns = (reps * work_of()) / truth[kernel.id](params);
      time.work((core) => (factor * ns * ghz) / core.ghz);
    },
    canary: (iterations) => time.work((core) => (iterations * 64) / core.ghz),
  };
  return { module, now: () => time.now(), pause: async (ms) => time.rest(ms), time };
}
