// Invented processors: random machine files, each with a seed. They have no `expected`, because the
// truth follows from the rest. Every choice is within the range of products that have been sold.

import { browser_modes } from "./simulate.mjs";
import { uniform } from "./random.mjs";

const modes = Object.keys(browser_modes).filter((name) => !name.includes("rfp"));

/**
 * The random choices of one seed: a number between two (`log`: uniform in its logarithm), an item
 * of a list, yes or no.
 */
function chances(seed) {
  const chance = uniform(seed);
  for (let i = 0; i < 8; ++i) chance(); // neighboring seeds start alike
  const between = (low, high) => low + (high - low) * chance();
  return {
    between,
    log: (low, high) => Math.exp(between(Math.log(low), Math.log(high))),
    one_of: (list) => list[Math.floor(chance() * list.length)],
    is: (share) => chance() < share,
  };
}

function clock_of({ between, is, one_of }) {
  const turbo = between(2, 5.5);
  const left = is(0.5) ? 1 : between(0.6, 0.95); // after a minute
  const began = one_of([2, 8, 20]);
  const sustained = turbo * left;
  const all = sustained * between(0.75, 1);
  return {
    ...{ turbo_ghz: turbo, sustained_one_core_ghz: sustained, sustained_all_cores_ghz: all },
    curve_one_core: [
      [0, turbo],
      [began, turbo],
      [began + between(1, 30), sustained],
    ],
    curve_all_cores: [
      [0, all * 1.05],
      [20, all],
    ],
    wake_ramp_ms: [
      [0, 0.4 * turbo],
      [15, turbo],
    ],
    recover_s: 60,
  };
}

function vector_of({ between, one_of }, isa) {
  const pipes = one_of([1, 2, 2, 4]);
  const latency = one_of([3, 4, 4, 5]);
  return {
    ...{ bits: 128, registers_for_wasm: isa === "arm64" ? 32 : 16 },
    ...{ fma_pipes: pipes, fma_latency: latency, fma_accumulate_latency: latency },
    ...{ add_pipes: pipes, add_latency: one_of([2, 3, 4]), mul_pipes: pipes, mul_latency: latency },
    unfused_pairs_per_cycle: Math.min(most_pairs, pipes * one_of([0.5, 0.75, 1])),
    int8_dot: { engine_uses: "sdot", ops_per_cycle: 32 * pipes },
    issue_width: Math.max(2 * pipes, Math.round(between(3, 10))),
  };
}

// For 128-bit vectors, a multiply and an add: six units, because nobody has sold more.
const most_pairs = 3;
const most_kib = { usual: 131_072, of_small_arm: 32_768 }; // of a cache
const few_threads = 8;

const powers_of = { first: [32, 48, 64, 96, 128], times: [8, 16, 24, 32, 64] };

/**
 * Two to four levels, each larger, farther away and slower than the previous one. The last is
 * shared.
 */
function levels_of({ between, log, one_of }, turbo, { cores, isa }) {
  const most = most_kib[isa === "arm64" && cores <= few_threads ? "of_small_arm" : "usual"];
  const count = one_of([2, 3, 3, 4]);
  let kib = one_of(powers_of.first);
  let cycles = one_of([3, 4, 5]);
  let gbs = between(14, 40) * turbo;
  return Array.from({ length: count }, (_, i) => {
    const level = {
      ...{ name: `level ${i + 1}`, kib, line_bytes: 64, visible: true },
      shared_by_cores: i === count - 1 ? cores : 1,
      ...{ latency_cycles: cycles, latency_ns: cycles / turbo, read_gbs_one_core: gbs },
    };
    kib = Math.min(most, kib * one_of(powers_of.times));
    cycles = Math.min(48 * turbo, cycles * log(2.6, 4.5));
    gbs *= between(0.55, 0.8);
    return level;
  }).filter((level, i, all) => i === 0 || level.kib >= 4 * all[i - 1].kib);
}

function memory_of({ between, log, one_of }, last, cores) {
  const one = last.read_gbs_one_core * between(0.3, 0.75);
  const all = one * Math.min(cores, log(1, 4));
  const local = Math.max(2.2 * last.latency_ns, between(70, 140));
  return {
    technology: "by chance",
    ...{ latency_ns_page_local: local, latency_ns_anywhere: local * between(1.05, 1.8) },
    ...{ read_gbs_one_core: one, read_gbs_all_cores: all, theoretical_gbs: 1.3 * all },
    ...{
      read_gbs_by_threads: [
        [1, one],
        [Math.max(2, cores), all],
      ],
      fetch_bytes: one_of([64, 128]),
    },
    ...{ copy_over_read: between(0.9, 1.05), store_fetches_line_first: true },
    ...{ latency_at_full_load_factor: 2, page_bytes: 4096, huge_pages: false },
    tlb: { l1_entries: 64, l2_entries: 2048, l2_hit_extra_cycles: 7, walk_ns: between(20, 60) },
    numa: { nodes: 1, remote_latency_ns: null },
  };
}

/** The machine file for a seed. */
export function random_machine(seed) {
  const by = chances(seed);
  const isa = by.one_of(["arm64", "x86-64"]);
  const count = by.one_of([2, 4, 8, 12, 24]);
  const clock = clock_of(by);
  const levels = levels_of(by, clock.turbo_ghz, { cores: count, isa });
  const memory = memory_of(by, levels.at(-1), count);
  const ports = by.one_of([2, 3, 4]);
  const P = {
    ...{ microarchitecture: "by chance", clock, levels, memory_extra_ns: 0 },
    vector: vector_of(by, isa),
    smt: { threads: 1, sum_gain_compute: 1 },
    load: { ports_128: ports, bytes_per_cycle_128: 16 * ports, store_bytes_per_cycle: 16 },
    misses_in_flight: Math.round(by.log(4, 40)),
    memory_read_gbs_one_core: memory.read_gbs_one_core,
  };
  const groups = [{ kind: "P", count, smt: 1, cluster_of: count }];
  return {
    ...{ id: `random_${seed}`, name: `a processor of seed ${seed}`, class: "desktop", os: "Linux" },
    ...{ isa, memory, kinds: { P }, trap: "none", sources: { "*": "estimate" } },
    cores: { logical_reported: count, groups, usable_between: [Math.ceil(count / 2), count] },
    measuring_thread: { kind: "P", share_of_time: 1 },
    ...{ timer: browser_modes, default_mode: by.one_of(modes) },
    page_limits: {
      ...{ device_memory_gib: 8, wasm_memory_max_mib: 4096, largest_set_mib: 1024 },
      ...{ tab_killed_above_mib: null, screen_locks_after_s: null },
    },
  };
}
