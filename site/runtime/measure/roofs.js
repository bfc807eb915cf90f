// Derives the levels and roofs of a machine from probes only: compute from peak.* over chains,
// memory from stream.read over working sets, and latency from latency.chase if the module has it. A
// verified kernel that beats its probe by more than 2 % raises the roof and is named as its source.
// Pure functions over the results of a profile.

import { median } from "../base/stats.js";
import { busy_share } from "../kernels/lost_time.js";
import { has_range, interval_of } from "../profile/interval.js";
import { range_members } from "../profile/level_size.js";
import { is_doubtful } from "../profile/result_text.js";
import { clear, find_levels, typical_latency } from "./levels.js";

export const lift_limit = 1.02;

const is_good = (result) => result.status === "measured" && result.verified && !is_doubtful(result);
const is_probe = (result) => is_good(result) && result.threads === 1;
const by_size = (a, b) => a.params.w - b.params.w;

const alike_in_memory = 4; // times a set; sets that are less apart are equally fast in memory
const surely_innermost = 24 * 1024; // bytes; the first cache of every processor is larger

/** {levels, roofs, notes} of the processor. Missing probes give fewer levels and roofs. */
export function derive_roofs(results) {
  const probes = results.filter(is_probe);
  const memory = memory_levels(probes, largest_tried(results));
  const roofs = [...with_best_ceiling(compute_roofs(results.filter(is_good))), ...memory.roofs];
  return { levels: memory.levels, roofs, notes: memory.notes };
}

/**
 * The ranges of one core's roofs that have no single number, because other programs had the core
 * for too long or because its clock moved: {arithmetic, memory}, each {low, high} or null. Null if
 * both have a number, or if even a range is unknown.
 */
export function ranges_of({ results, lost_share }) {
  const is_busy = lost_share > busy_share;
  const known = is_busy ? [] : derive_roofs(results).roofs;
  const { roofs } = derive_roofs(results.map(without_range));
  const of = (...names) => {
    const is_it = ({ class: c }) => names.includes(c.isa ?? c.level) && c.threads === 1;
    const [best] = roofs.filter(is_it).sort((a, b) => b.high - a.high);
    return best && !known.some(is_it) ? { low: best.low, high: best.high } : null;
  };
  const ranges = { arithmetic: of("fma", "simd"), memory: of("out") };
  return is_busy || ranges.arithmetic || ranges.memory ? ranges : null;
}

/** A result as if it were a number, so that roofs are derived from it; its interval stays. */
const without_range = (result) =>
  has_range(result)
    ? { ...result, flags: result.flags.filter((flag) => !has_range({ flags: [flag] })) }
    : result;

/**
 * One roof per arithmetic probe and number of threads. The number of chains with the highest median
 * wins, because the highest of many best values would be the luckiest. The roof is the winner's
 * best value.
 */
function compute_roofs(probes) {
  const best = new Map();
  for (const result of probes.filter((r) => r.kernel.startsWith("peak."))) {
    const key = `${result.kernel} ${result.threads}`;
    if (!(best.get(key)?.median >= result.median)) best.set(key, result);
  }
  return [...best.values()].map((result) => ({
    device: "cpu",
    class: { isa: result.kernel.slice("peak.".length), threads: result.threads },
    unit: result.unit,
    value: result.best,
    ...around(result.best, result),
    from: `${result.kernel}{${Object.entries(result.params)
      .map(([k, v]) => `${k}=${v}`)
      .join(",")}}`,
  }));
}

/**
 * Raises the FMA ceiling to the SIMD ceiling for the same number of threads: if a core reaches a
 * rate with separate adds and multiplies, it can reach it with multiply-adds, too. So the highest
 * ceiling, which figures and sentences use, is always the FMA ceiling if there is one.
 */
function with_best_ceiling(roofs) {
  return roofs.map((roof) => {
    const { isa, threads } = roof.class;
    const simd = roofs.find(({ class: c }) => c.isa === "simd" && c.threads === threads);
    return isa === "fma" && simd?.value > roof.value
      ? { ...simd, class: roof.class, lifted: true }
      : roof;
  });
}

/** The largest set in bytes that one core read, even if its result is not trustworthy. */
const largest_tried = (results) =>
  Math.max(0, ...results.filter(is_timed_read).map(({ params }) => params.w));

const is_timed_read = ({ kernel, params, status, threads }) =>
  kernel === "stream.read" && !params.variant && status === "measured" && threads === 1;

/** The interval around `value`, as wide as that of `result`, which gave the value. */
function around(value, result) {
  const { low, high } = interval_of(result);
  const { median: middle } = result;
  return { low: Math.max(0, value - (middle - low)), high: value + (high - middle) };
}

/**
 * Levels and their roofs. Only the largest set shows the outermost level; without it, a cache would
 * be taken for memory.
 */
function memory_levels(probes, largest) {
  const reads = best_per_size(
    probes.filter((r) => r.kernel === "stream.read" && !r.params.variant),
  );
  const nothing = { levels: [], roofs: [], notes: { largest: 0, flags: [] } };
  const is_whole = reads.length >= 3 && reads[0].params.w <= surely_innermost;
  if (!is_whole) return nothing; // a run that ended early has only the large sets
  const chases = near_chases(probes);
  const { caches } = find_levels(chases, reads);
  const levels = caches.length > 0 ? caches.map(cache_of) : [innermost(reads)];
  if (reads.at(-1).params.w === largest) levels.push(outermost(reads, chases, caches));
  for (let i = levels.length - 2; i >= 0; --i) {
    // An inner level is at least as fast as the next outer level.
    levels[i].read_gbs = Math.max(levels[i].read_gbs, levels[i + 1].read_gbs);
  }
  const roofs = levels.map((level) => ({
    device: "cpu",
    class: { level: level.name, threads: 1 },
    unit: "GB/s",
    value: level.read_gbs,
    ...around_level(level, reads),
    from: "stream.read",
  }));
  return { levels, roofs, notes: notes_on(reads, largest) };
}

/**
 * The interval of a level's rate. Only another program that streams can make a smaller set in
 * memory slower than a larger one, and it may have slowed the larger set as much. So the slowest
 * large set widens the interval of memory.
 */
function around_level({ name, read_gbs: rate }, reads) {
  const own = around(rate, nearest_to(reads, rate));
  if (name !== "out") return own;
  const largest = reads.at(-1).params.w;
  const large = reads.filter(({ params }) => params.w >= largest / alike_in_memory);
  const apart = rate - Math.min(...large.map((r) => r.best));
  return {
    low: Math.min(own.low, Math.max(0, rate - apart)),
    high: Math.max(own.high, rate + apart),
  };
}

/** The read whose best rate is nearest to the rate of a level, and which therefore gave it. */
const nearest_to = (reads, rate) =>
  reads.reduce((a, b) => (Math.abs(b.best - rate) < Math.abs(a.best - rate) ? b : a));

/**
 * The chases that go page by page, in ascending order of their sets. If neighbors are at several
 * distances, only the chases with the largest.
 */
function near_chases(probes) {
  const all = probes.filter(
    ({ kernel, params }) => kernel === "latency.chase" && !params.variant && !params.order,
  );
  const line = Math.max(...all.map(({ params }) => params.line ?? 64));
  return all.filter(({ params }) => (params.line ?? 64) === line).sort(by_size);
}

/**
 * The level for a cache that was found. A pass over little data is mostly call overhead, so the
 * fastest set counts for the first cache. For any other cache, the median counts, because neither
 * neighbor affects the sets in the middle.
 */
function cache_of({ low, high, chases, reads }, i) {
  const rates = reads.map((r) => r.best);
  return {
    device: "cpu",
    name: `L${i + 1}`,
    read_gbs: i === 0 ? Math.max(...rates) : median(rates),
    latency_ns: typical_latency(chases),
    ...range_members(low, high),
  };
}

/**
 * The first level if no chase separates the caches: the one that certainly holds the smallest sets.
 */
function innermost(reads) {
  const held = reads.filter(({ params }) => params.w <= surely_innermost);
  return { device: "cpu", name: "L1", read_gbs: Math.max(...held.map((r) => r.best)) };
}

function outermost(reads, chases, caches) {
  const last = caches[caches.length - 1]?.high ?? 0;
  const far = chases.filter(({ params }) => params.w >= clear * last);
  const latency = caches.length > 0 && far.length > 0 ? { latency_ns: typical_latency(far) } : {};
  const read_gbs = Math.max(...reads.slice(-2).map((r) => r.best));
  const reached = reached_by(reads, chases, last);
  return { device: "cpu", name: "out", read_gbs, ...latency, reached };
}

const flat = 1.15; // ratio of the latencies at the two largest sets
const beyond = 4; // times the size at which the last cache ends
// No cache that one core can fill is larger than this, and none has a higher latency, page-local
// and on one core. Either limit distinguishes memory from a cache whose curve is as flat.
const memory_bytes = 2 ** 30;
const memory_ns = 95;

/**
 * Whether the outermost level is a "cache", because the curves have not yet leveled off, or
 * "memory", because they have, far beyond the last cache and at a size or latency that no cache
 * has. Otherwise "unclear".
 */
function reached_by(reads, chases, last_cache) {
  const [near, far] = reads.slice(-2);
  if (far.best < near.best * 0.9) return "cache";
  const [sooner, later] = chases.slice(-2);
  if (!later || last_cache === 0) return "unclear";
  if (later.params.w >= near.params.w && later.median > sooner.median * flat) return "cache";
  if (Math.min(far.params.w, later.params.w) < beyond * last_cache) return "unclear";
  return far.params.w >= memory_bytes || later.median >= memory_ns ? "memory" : "unclear";
}

/** The read with the highest median per working set, over its other parameters (chains). */
function best_per_size(reads) {
  const best = new Map();
  for (const read of reads)
    if (!(best.get(read.params.w)?.median >= read.median)) best.set(read.params.w, read);
  return [...best.values()].sort(by_size);
}

/**
 * Flags the largest working set if it still reads clearly slower than the one before, which means
 * that there is no plateau at the end.
 */
function notes_on(reads, largest) {
  const [before, last] = reads.slice(-2);
  const is_in_cache = last.params.w === largest && last.best < before.best * 0.9;
  return { largest, flags: is_in_cache ? ["in-cache"] : [] };
}

/**
 * The profile, with every roof raised that a verified kernel of its class beats by more than 2 %.
 * The kernel is named as the roof's source and flagged. Compute is compared by instruction class,
 * memory by level.
 */
export function lift_roofs(profile) {
  const results = (profile.results ?? []).filter((r) => r.device !== "gpu" && is_probe(r));
  const lifted_by = new Map();
  const roofs = (profile.roofs ?? []).map((roof) => {
    if (roof.device !== "cpu" || roof.class.threads !== 1) return roof;
    const rivals = results.filter(
      (r) => r.unit === roof.unit && same_class(r, roof, profile.levels ?? [], results),
    );
    const top = rivals.reduce((a, b) => (b.best > (a?.best ?? 0) ? b : a), null);
    if (!top || top.best <= roof.value * lift_limit) return roof;
    lifted_by.set(top, roof);
    const interval = around(top.best, top);
    return { ...roof, value: top.best, ...interval, from: top.kernel, lifted: true };
  });
  const flagged = (profile.results ?? []).map((r) =>
    lifted_by.has(r) ? { ...r, flags: [...new Set([...r.flags, "lifted-roof"])] } : r,
  );
  return { ...profile, roofs, results: flagged.map((result) => beside_roof(result, roofs)) };
}

/**
 * Flags a result that beats the roof of another run by more than 2 %. The two runs had different
 * clocks or cores, so the share of the roof is unknown until both come from one run or agree.
 * Results of several cores are only compared with each other, and on a battery two runs of them
 * differ in clock as a rule, so their roofs are no reason for doubt.
 */
function beside_roof(result, roofs) {
  const { flags = [], roof_class, threads = 1, unit, run } = result;
  if (result.device === "gpu" || result.status !== "measured" || threads > 1) return result;
  const is_beaten = ({ device, class: { isa, threads: many = 1 }, ...roof }) =>
    device === "cpu" &&
    isa === roof_class &&
    many === 1 &&
    roof.unit === unit &&
    roof.run !== run &&
    result.median > roof.value * lift_limit;
  const others = flags.filter((flag) => flag !== "beyond-roof");
  return roofs.some(is_beaten)
    ? { ...result, flags: [...others, "beyond-roof"] }
    : { ...result, flags: others };
}

const is_roof_probe = ({ kernel }) => kernel.startsWith("peak.") || kernel === "stream.read";

function same_class(result, roof, levels, results) {
  if (is_roof_probe(result)) return false;
  if (result.run && roof.run && result.run !== roof.run) return false; // maybe at another clock
  if (roof.class.isa) return result.roof_class === roof.class.isa;
  return (
    result.roof_class === "memory" && level_of(result, levels, results)?.name === roof.class.level
  );
}

/**
 * The level whose read bandwidth is nearest to the rate of stream.read at the result's working set;
 * null if unknown.
 */
function level_of(result, levels, results) {
  const reads = results.filter((r) => r.kernel === "stream.read" && !r.params.variant);
  if (levels.length === 0 || reads.length === 0 || !(result.params.w > 0)) return null;
  const distance = (a, b) => Math.abs(Math.log(a / b));
  const nearest = (list, value_of, wanted) =>
    list.reduce((a, b) => (distance(value_of(b), wanted) < distance(value_of(a), wanted) ? b : a));
  const read = nearest(reads, (r) => r.params.w, result.params.w);
  return nearest(levels, (level) => level.read_gbs, read.best);
}
