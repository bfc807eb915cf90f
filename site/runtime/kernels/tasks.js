// Turns a request ("matmul.packed with n = 512") into tasks over a registry. Pure; errors are
// messages for readers.

import { sorted_unique } from "../base/stats.js";
import { is_judge, judging_kernel } from "./tier_check.js";

/** The registry entries that match `pattern`: an id, "id:variant", or a family ("matmul.*"). */
export function select_kernels(registry, pattern) {
  const [id, variant] = pattern.split(":");
  const family = id.endsWith("*") ? id.slice(0, -1) : null;
  return registry.filter(
    (kernel) =>
      (family === null ? kernel.id === id : kernel.id.startsWith(family)) &&
      (variant === undefined || kernel.variant === variant),
  );
}

/** All declared parameters, given or default. Throws a RangeError with a message for readers. */
export function complete_params(kernel, given = {}) {
  const params = {};
  for (const { name, default: fallback, min, max, choices } of kernel.params) {
    const value = given[name] ?? fallback;
    if (typeof value !== "number" || !(value >= min && value <= max)) {
      throw new RangeError(`${kernel.id}: ${name} = ${value} is outside ${min} … ${max}`);
    }
    if (choices && !choices.includes(value)) {
      throw new RangeError(`${kernel.id}: ${name} = ${value} is none of ${choices.join(", ")}`);
    }
    params[name] = value;
  }
  return params;
}

/**
 * The registry entry for a run of a page, {kernel, variant?, params}; undefined if there is none.
 */
export function kernel_of(registry, run) {
  const variant = run.variant ?? run.params?.variant ?? "";
  return registry.find((k) => k.id === run.kernel && (k.variant ?? "") === variant);
}

/**
 * The task for one run of a page, {kernel, variant?, params, threads}; null if the module has no
 * such kernel.
 */
export function task_of(registry, run) {
  const kernel = kernel_of(registry, run);
  if (!kernel) return null;
  return { kernel, params: complete_params(kernel, run.params), threads: run.threads ?? 1 };
}

/** The identity of a result in a profile: kernel, variant, parameters sorted by name, threads. */
export function task_key({ kernel, params, threads = 1 }) {
  const id = typeof kernel === "string" ? kernel : kernel.id;
  const variant = typeof kernel === "string" ? params.variant : kernel.variant;
  const all = { ...params, ...(variant ? { variant } : {}) };
  const words = Object.keys(all)
    .sort()
    .map((name) => `${name}=${all[name]}`);
  return `${id}{${words.join(",")}}x${threads}`;
}

/**
 * Smaller parameters that run the same code quickly, for warming up. Sizes shrink; shapes and
 * choices stay. A parameter in bytes shrinks to 16 KiB, any other above 64 to 64, but never below
 * its minimum.
 */
export function short_params(kernel, params) {
  const short = {};
  for (const { name, unit, min, choices } of kernel.params) {
    const enough = choices ? params[name] : unit === "B" ? 16384 : 64;
    short[name] = Math.max(min, Math.min(params[name], enough));
  }
  return short;
}

/**
 * Powers of two from `low` to `high`, with `steps` sizes per doubling, rounded to whole multiples
 * of 4 KiB above 32 KiB.
 */
export function size_sweep(low, high, steps = 1) {
  const sizes = [];
  for (let i = 0; ; ++i) {
    const exact = low * 2 ** (i / steps);
    if (exact > high * 1.0001) return sizes;
    const grain = exact >= 32768 ? 4096 : 1024;
    sizes.push(Math.round(exact / grain) * grain);
  }
}

const longest_cycle = 2 ** 29; // bytes of a pointer cycle, which takes long to set up
const parallel_set = 2 ** 26; // bytes for several parallel chases, beyond most caches
const parallel_chains = [1, 4, 8, 16];
// Bytes: caches end below this, and memory behaves the same at all sizes
const finely_up_to = 2 ** 26;

// Eight chains saturate any core's units. Beyond sixteen, engines run out of registers, except on
// processors with 32, whose widest cores need more. The best number is in between. One and three
// chains show the latency.
const chains_tried = {
  quick: [10, 12, 14, 16],
  full: [1, 3, 8, 10, 12, 13, 14, 15, 16],
  thorough: [1, 2, 3, 4, 6, 8, 10, 12, 13, 14, 15, 16],
};
const many_chains = 24;

/**
 * The numbers of chains to try at a pace. With more registers, a quick run tries other numbers, but
 * not more of them.
 */
function chains_at(pace, has_many_registers) {
  if (!has_many_registers) return chains_tried[pace];
  return [...chains_tried[pace].slice(pace === "quick" ? 1 : 0), many_chains];
}

/**
 * Neighbors in a chase are two lines of 64 bytes apart. Many processors have 128-byte lines in
 * outer caches or fetch lines in pairs, so that every second step would hit.
 */
const spacing_of = ({ params }) =>
  params.some(({ name }) => name === "line") ? { line: 128 } : {};

/** The working sets to read at a pace, up to `most` bytes. */
function sizes_to_read(pace, most) {
  if (pace === "quick") return size_sweep(8192, most);
  return pace === "thorough" ? size_sweep(8192, most, 2) : finely(most);
}

/** Two sizes per doubling where caches end, because a small cache could hide between two sizes. */
function finely(most) {
  return sorted_unique([
    ...size_sweep(8192, Math.min(most, finely_up_to), 2),
    ...size_sweep(8192, most),
  ]);
}

const nearer = 3; // order of a chase: eight pages at a time

/**
 * The probes behind the roofs: every peak.* over its chains, and stream.read over working sets up
 * to `largest` bytes. `x86` tells whether the processor is an x86, with 16 registers. Except at the
 * quick pace, also latency.chase, whose cycles take long to set up, and the number of misses that
 * one core can have in flight. With a `small_tlb`, chases visit eight pages at a time instead of
 * 64, so that translation costs nothing.
 */
export function roof_tasks(registry, how = {}) {
  const { pace = "quick", largest = 2 ** 28, x86, small_tlb = false } = how;
  const tasks = [];
  const add = (kernel, given) => {
    const params = complete_params(kernel, given);
    const values = small_tlb && params.order === 0 ? { values: { ...params, order: nearer } } : {};
    tasks.push({ kernel, params, ...values, threads: 1, probe: true });
  };
  for (const kernel of registry.filter((k) => k.id.startsWith("peak."))) {
    const chains = kernel.params.find((p) => p.name === "chains");
    if (!chains) {
      add(kernel, {});
      continue;
    }
    const tried = chains_at(pace, x86 === false);
    for (const n of tried.filter((c) => c >= chains.min && c <= chains.max))
      add(kernel, { chains: n });
  }
  const sweep = (id, most, sizes_up_to) => {
    const kernel = registry.find((k) => k.id === id && !k.variant);
    const w = kernel?.params.find((p) => p.name === "w");
    if (!w) return;
    for (const size of sizes_up_to(Math.min(most, w.max)).filter((s) => s >= w.min))
      add(kernel, { w: size, ...spacing_of(kernel) });
  };
  sweep("stream.read", largest, (most) => sizes_to_read(pace, most));
  if (pace !== "quick") sweep("latency.chase", Math.min(largest, longest_cycle), finely);
  const several = registry.find((k) => k.id === "parallelism.chase");
  if (several && pace !== "quick") {
    for (const chains of parallel_chains)
      add(several, { w: Math.min(largest, parallel_set), chains, ...spacing_of(several) });
  }
  return tasks;
}

/**
 * The runs of a full suite in addition to the probes: everything that a profile of the whole book
 * contains, and so every number in a chapter. Format as for task_of(). Old profiles may have probes
 * with numbers of chains that are no longer tried.
 */
export function suite_runs(registry, profile) {
  const probes = new Set(
    roof_tasks(registry, { pace: "thorough", largest: 2 ** 30, x86: false }).map(task_key),
  );
  const is_probe = (run) =>
    probes.has(task_key(run)) ||
    (run.kernel.startsWith("peak.") && run.params.chains && run.threads === 1);
  const runs = profile.results.map(({ kernel, params, threads }) => ({ kernel, params, threads }));
  return runs.filter((run) => !is_probe(run));
}

/** Appends to `tasks` the probe that detects unoptimized code, unless it is already there. */
export function with_judge(registry, tasks) {
  const kernel = judging_kernel(registry);
  if (!kernel || tasks.some(is_judge)) return tasks;
  return [...tasks, { kernel, params: complete_params(kernel, { chains: 1 }), threads: 1 }];
}

const reduced_bytes = [4096, 65536, 2 ** 20, 2 ** 24];

const largest_read = 2 ** 28;
const roomy = 1.5 * 2 ** 30; // bytes, of the 2 GiB that a memory can have

/** The largest power of two of bytes that each of `threads` can read if all fit into `room`. */
const set_of_each = (threads, room) =>
  Math.min(largest_read, 2 ** Math.floor(Math.log2(Math.max(2 ** 20, room / threads))));

/**
 * The tasks for `threads` of `reported` cores: compute, and reads of sets as large as memory
 * allows, because many caches are large together. Up to `reported` threads also a shared matmul. On
 * powers of two and on all cores also an all-reduce. `room` is the bytes for the sets of all
 * threads, `chains` the chains of the compute probe.
 */
export function core_tasks(registry, threads, reported, { room = roomy, chains = 12 } = {}) {
  const isa = registry.some((k) => k.id === "peak.fma") ? "fma" : "simd";
  const wanted = [
    [`peak.${isa}`, { chains }],
    ["stream.read", { w: set_of_each(threads, Math.min(room, roomy)) }],
  ];
  if (threads <= reported) wanted.push(["matmul.parallel", { n: 1024 }]);
  const is_round = (threads & (threads - 1)) === 0 || threads === reported;
  if (threads > 1 && threads <= reported && is_round) {
    for (const bytes of reduced_bytes)
      wanted.push(["allreduce.ring", { bytes }], ["allreduce.tree", { bytes }]);
  }
  return tasks_for(registry, wanted).map((task) => ({ ...task, threads }));
}

/** The baseline for all cores: the same matmul on one core. */
export function core_baseline(registry) {
  return tasks_for(registry, [["matmul.packed", { n: 1024 }]]).map((t) => ({ ...t, threads: 1 }));
}

function tasks_for(registry, wanted) {
  return wanted.flatMap(([id, params]) => {
    const kernel = registry.find((k) => k.id === id && !k.variant);
    return kernel ? [{ kernel, params: complete_params(kernel, params) }] : [];
  });
}
