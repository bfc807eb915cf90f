// Levels and roofs of a machine, from probes alone: peak.* over chains for arithmetic, stream.read
// over working sets for memory, latency.chase where the module has it. A verified kernel that beats
// its probe by more than 2 % lifts the roof and is named. Pure functions over the results of a
// profile.

import { median } from "../base/stats.js";
import { range_members } from "../profile/level_size.js";
import { is_doubtful } from "../profile/result_text.js";
import { clear, find_levels, typical_latency } from "./levels.js";

export const lift_limit = 1.02;

const is_good = (result) => result.status === "measured" && result.verified && !is_doubtful(result);
const is_probe = (result) => is_good(result) && result.threads === 1;
const by_size = (a, b) => a.params.w - b.params.w;

const surely_innermost = 24 * 1024; // bytes: every processor's first cache holds more

/** {levels, roofs, notes} of the processor. Missing probes give fewer of them. */
export function derive_roofs(results) {
  const probes = results.filter(is_probe);
  const memory = memory_levels(probes);
  const roofs = [...compute_roofs(results.filter(is_good)), ...memory.roofs];
  return { levels: memory.levels, roofs, notes: memory.notes };
}

/**
 * The best of each arithmetic probe over its chains, for each number of threads. It wins by its median and is told at its best:
 * the highest of many bests would be the luckiest.
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
    from: `${result.kernel}{${Object.entries(result.params)
      .map(([k, v]) => `${k}=${v}`)
      .join(",")}}`,
  }));
}

function memory_levels(probes) {
  const reads = best_per_size(
    probes.filter((r) => r.kernel === "stream.read" && !r.params.variant),
  );
  const nothing = { levels: [], roofs: [], notes: { largest: 0, flags: [] } };
  const is_whole = reads.length >= 3 && reads[0].params.w <= surely_innermost;
  if (!is_whole) return nothing; // a run that ended early has the large sets only
  const chases = near_chases(probes);
  const { caches } = find_levels(chases, reads);
  const levels = caches.length > 0 ? caches.map(cache_of) : [innermost(reads)];
  levels.push(outermost(reads, chases, caches));
  for (let i = levels.length - 2; i >= 0; --i) {
    // what an outer level delivers, one nearer to the core does too
    levels[i].read_gbs = Math.max(levels[i].read_gbs, levels[i + 1].read_gbs);
  }
  const roofs = levels.map((level) => ({
    device: "cpu",
    class: { level: level.name, threads: 1 },
    unit: "GB/s",
    value: level.read_gbs,
    from: "stream.read",
  }));
  return { levels, roofs, notes: notes_on(reads) };
}

/** The chases that go page by page, over their sets: of several distances of neighbours the widest. */
function near_chases(probes) {
  const all = probes.filter(
    ({ kernel, params }) => kernel === "latency.chase" && !params.variant && !params.order,
  );
  const line = Math.max(...all.map(({ params }) => params.line ?? 64));
  return all.filter(({ params }) => (params.line ?? 64) === line).sort(by_size);
}

/**
 * A cache that was found. A pass over little data is mostly a call, so the first is as fast as its
 * fastest set; of the others the middle set counts, which neither neighbour disturbs.
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

/** Where no chase tells the caches apart: the one that certainly holds the smallest sets. */
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

const flat = 1.15; // between the two largest sets
const beyond = 4; // times the size at which the last cache ends
// No cache that one core can fill is larger than this, and none answers later than that, page-local
// and on one core: either tells memory from a cache that looks as flat.
const memory_bytes = 2 ** 30;
const memory_ns = 95;

/**
 * What the outermost level is: "cache" where the curves have not yet levelled off, "memory" where
 * they have, far beyond the last cache, and no cache is that large or that slow, else "unclear".
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

/** Of the probe's runs with other parameters (chains), the fastest at each working set. */
function best_per_size(reads) {
  const best = new Map();
  for (const read of reads)
    if (!(best.get(read.params.w)?.median >= read.median)) best.set(read.params.w, read);
  return [...best.values()].sort(by_size);
}

/**
 * No plateau at the end (the largest working set still reads clearly slower than the one before) is
 * a flag on it.
 */
function notes_on(reads) {
  const [before, last] = reads.slice(-2);
  return { largest: last.params.w, flags: last.best < before.best * 0.9 ? ["in-cache"] : [] };
}

/**
 * The profile with every roof lifted that a verified kernel of its class beats by more than 2 %;
 * the kernel is named as the roof's origin and flagged. Arithmetic is compared by instruction
 * class, memory by level.
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
    return { ...roof, value: top.best, from: top.kernel, lifted: true };
  });
  const flagged = (profile.results ?? []).map((r) =>
    lifted_by.has(r) ? { ...r, flags: [...new Set([...r.flags, "lifted-roof"])] } : r,
  );
  return { ...profile, roofs, results: flagged };
}

const is_roof_probe = ({ kernel }) => kernel.startsWith("peak.") || kernel === "stream.read";

function same_class(result, roof, levels, results) {
  if (is_roof_probe(result)) return false;
  if (result.run && roof.run && result.run !== roof.run) return false; // at another clock, perhaps
  if (roof.class.isa) return result.roof_class === roof.class.isa;
  return (
    result.roof_class === "memory" && level_of(result, levels, results)?.name === roof.class.level
  );
}

/**
 * The level whose read bandwidth is nearest to what stream.read measured at the result's own
 * working set.
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
