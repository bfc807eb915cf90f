// Levels and roofs of a machine, from probes alone: peak.* over chains for arithmetic, stream.read
// over working sets for memory, latency.chase where the module has it. A verified kernel that beats
// its probe by more than 2 % lifts the roof and is named. Pure functions over the results of a
// profile.

import { median, plateaus, knees } from "../base/stats.js";

export const lift_limit = 1.02;

const is_good = (result) => result.status === "measured" && result.verified;
const is_probe = (result) => is_good(result) && result.threads === 1;
const by_size = (a, b) => a.params.w - b.params.w;

/**
 * Working sets that belong to a level on practically every machine; "out" is the two largest that
 * were read.
 */
const level_windows = [
  { name: "L1", from: 8 * 1024, to: 24 * 1024 },
  { name: "L2", from: 64 * 1024, to: 192 * 1024 },
  { name: "L3", from: 2 * 2 ** 20, to: 6 * 2 ** 20 },
];

/** {levels, roofs, notes} of the processor. Missing probes give fewer of them. */
export function derive_roofs(results) {
  const probes = results.filter(is_probe);
  const memory = memory_levels(probes);
  const roofs = [...compute_roofs(results.filter(is_good)), ...memory.roofs];
  return { levels: memory.levels, roofs, notes: memory.notes };
}

/** The best of each arithmetic probe over its chains, for each number of threads. */
function compute_roofs(probes) {
  const best = new Map();
  for (const result of probes.filter((r) => r.kernel.startsWith("peak."))) {
    const key = `${result.kernel} ${result.threads}`;
    if (!(best.get(key)?.best >= result.best)) best.set(key, result);
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
  if (reads.length < 3) return { levels: [], roofs: [], notes: { largest: 0, flags: [] } };
  const chases = probes
    .filter((r) => r.kernel === "latency.chase" && !r.params.variant)
    .sort(by_size);
  const sizes = capacities(reads, chases);
  const named = level_windows
    .map(({ name, from, to }) => ({
      name,
      points: reads.filter((r) => r.params.w >= from && r.params.w <= to),
    }))
    .filter(({ points }) => points.length > 0);
  const outermost = { name: "out", points: reads.slice(-2) };
  const levels = drop_repeats([...named, outermost]).map(({ name, points }, i, all) => ({
    device: "cpu",
    name,
    read_gbs: Math.max(...points.map((r) => r.best)),
    ...latency_of(chases, points),
    ...capacity_of(i, all, sizes),
  }));
  levels[levels.length - 1].reached = reached_by(reads, chases);
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

// No cache of today answers as late as this, page-local and on one core; memory that answers sooner
// stays "unclear".
const memory_ns = 70;
const flat = 1.15; // between the two largest sets
const beyond = 4; // times the size at which the last knee lies

/**
 * What the outermost level is: "cache" where the curves have not yet levelled off, "memory" where
 * they have, far beyond the last knee and as slowly as only memory answers, else "unclear": a cache
 * larger than the largest set looks flat as well.
 */
function reached_by(reads, chases) {
  const [near, far] = reads.slice(-2);
  const [sooner, later] = chases.slice(-2);
  if (far.best < near.best * 0.9 || later?.median > sooner?.median * flat) return "cache";
  if (chases.length < 6) return "unclear";
  const last_knee = Math.max(0, ...capacities(reads, chases).map(({ size }) => size));
  const is_far = Math.min(far.params.w, later.params.w) >= beyond * last_knee;
  return is_far && last_knee > 0 && later.median >= memory_ns ? "memory" : "unclear";
}

/** A middle level that reads as fast as the outermost one is not a level of its own. */
function drop_repeats(levels) {
  const out = median(levels[levels.length - 1].points.map((r) => r.best));
  return levels.filter(
    ({ name, points }) =>
      name === "out" || name === "L1" || median(points.map((r) => r.best)) > out * 1.1,
  );
}

/** Of the probe's runs with other parameters (chains), the fastest at each working set. */
function best_per_size(reads) {
  const best = new Map();
  for (const read of reads)
    if (!(best.get(read.params.w)?.median >= read.median)) best.set(read.params.w, read);
  return [...best.values()].sort(by_size);
}

/**
 * Where a curve leaves its plateaus: latency shows every level, bandwidth only the last cache
 * reliably, and that one also where latency does not see it.
 */
function capacities(reads, chases) {
  if (chases.length >= 6) {
    const found = knees(
      chases.map((r) => r.params.w),
      plateaus(chases.map((r) => r.median)),
    );
    return [...found, ...knees_of_reads(reads).slice(-1)];
  }
  return knees_of_reads(reads).slice(-1);
}

function knees_of_reads(reads) {
  return knees(
    reads.map((r) => r.params.w),
    plateaus(reads.map((r) => r.best)),
  );
}

/** The size of level `i`, when a knee lies between the working sets of this level and the next. */
function capacity_of(i, levels, found) {
  if (i === levels.length - 1) return {};
  const inside = Math.max(...levels[i].points.map((r) => r.params.w));
  const outside = Math.min(...levels[i + 1].points.map((r) => r.params.w));
  const knee = found.find(({ size }) => size >= inside * 0.9 && size <= outside * 1.5);
  return knee ? { bytes: knee.size, bytes_error: knee.error } : {};
}

function latency_of(chases, points) {
  const sizes = points.map((r) => r.params.w);
  const near = chases.filter(
    (r) => r.params.w >= Math.min(...sizes) && r.params.w <= Math.max(...sizes),
  );
  return near.length ? { latency_ns: median(near.map((r) => r.median)) } : {};
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
