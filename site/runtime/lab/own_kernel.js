// Analyzes the reader's own kernel: from its operations, bytes and time follow the roof that bounds
// it, its share of that roof, what limits it, and what would help. The roofs are those of a
// measured machine or of a chip's data sheet. Pure; base units throughout (FLOP, B, s).

import { own } from "../base/own.js";

/** The data types of a kernel; integer operations are counted in op. */
export const types = [
  ...["fp64", "fp32", "tf32", "fp16", "bf16", "fp8", "fp6", "fp4", "int8", "int4"],
];
export const is_integer = (type) => type.startsWith("int");
const bits = { tf32: 32, bf16: 16 };
export const bits_of = (type) => own(bits, type) ?? Number(/\d+$/.exec(type)?.[0]);

const line_bytes = 64;
const far_bytes = 2 ** 26; // size of a chase that does not fit in most caches
const near = 0.6; // share of a roof from which the kernel is bound by it
const beyond = 1.05; // share of a roof that is more than a measurement error
const in_turn = 1.15; // ratio to the sum of compute and memory time

const of_cpu = (list) => (list ?? []).filter(({ device }) => device !== "gpu");
const giga = 1e9;

/** The value of one roof class on `threads` threads, in base units; 0 if missing. */
function roof_in(profile, name, threads) {
  const found = of_cpu(profile.roofs).find(
    ({ class: { isa, level, threads: its = 1 } }) => (isa ?? level) === name && its === threads,
  );
  return (found?.value ?? 0) * giga;
}

/** The combined read rate of `threads` threads over the largest measured sets. */
function reading_of(profile, threads) {
  if (threads === 1) return roof_in(profile, "out", 1);
  const reads = (profile.results ?? []).filter(
    (r) =>
      r.kernel === "stream.read" &&
      r.threads === threads &&
      r.status === "measured" &&
      r.verified &&
      r.params.w > 0,
  );
  const largest = reads.reduce((a, b) => (b.params.w > (a?.params.w ?? 0) ? b : a), null);
  return (largest?.median ?? 0) * giga;
}

/** The instruction sets that a type uses in WebAssembly, and notes about it. */
function arithmetic_of(profile, type, threads) {
  const highest = (names) => Math.max(...names.map((name) => roof_in(profile, name, threads)));
  const floats = highest(["fma", "simd"]);
  if (type === "int4") return { peak: roof_in(profile, "i8dot", threads), notes: ["int4-as-int8"] };
  if (is_integer(type)) return { peak: roof_in(profile, "i8dot", threads), notes: [] };
  if (type === "fp64") return { peak: floats / 2, notes: ["fp64-half"] };
  return { peak: floats, notes: type === "fp32" ? [] : ["as-fp32"] };
}

/**
 * The roofs of a measured machine for a type on `cores` cores: {name, peak, bandwidth, scalar,
 * levels, latency, one_core, usable, finer, notes, cores}; null if the profile has none.
 */
export function roofs_of_profile(profile, { type, cores }) {
  const one = { ...arithmetic_of(profile, type, 1), bandwidth: roof_in(profile, "out", 1) };
  if (!(one.peak > 0 && one.bandwidth > 0)) return null;
  const together = arithmetic_of(profile, type, cores).peak;
  const reading = reading_of(profile, cores);
  const notes = [...one.notes];
  if (cores > 1 && !(together > 0)) notes.push("peak-times-cores");
  if (cores > 1 && !(reading > 0)) notes.push("bandwidth-times-cores");
  const levels = of_cpu(profile.levels).filter(({ name }) => name !== "out");
  return {
    cores,
    peak: together > 0 ? together : one.peak * cores,
    bandwidth: reading > 0 ? reading : one.bandwidth * cores,
    scalar: is_integer(type) ? 0 : roof_in(profile, "scalar", 1) * cores,
    levels: levels.map(({ name, read_gbs }) => ({ name, bandwidth: read_gbs * giga * cores })),
    latency: latency_of(profile),
    one_core: { peak: one.peak, bandwidth: one.bandwidth },
    usable: profile.cores?.usable ?? 0,
    finer: finer_in({ fp32: arithmetic_of(profile, "fp32", 1).peak, int8: int8_of(profile) }, type),
    notes,
  };
}

/**
 * The latency of a load from memory in seconds: of the outermost level, otherwise of the largest
 * chase; 0: unknown.
 */
function latency_of(profile) {
  const out = of_cpu(profile.levels).find(({ name }) => name === "out");
  if (out?.latency_ns > 0) return out.latency_ns / giga;
  const chases = (profile.results ?? []).filter(
    ({ kernel, status, verified, params }) =>
      kernel === "latency.chase" && status === "measured" && verified && !params.order,
  );
  // For equal sizes, prefer the widest spacing
  const size = ({ params: { w, line = 64 } }) => w + line / 1000;
  const far = chases.reduce((a, b) => (a && size(a) >= size(b) ? a : b), null);
  return far?.params.w >= far_bytes ? far.median / giga : 0;
}

const int8_of = (profile) => roof_in(profile, "i8dot", 1);

/**
 * The roofs of a chip ({title, bandwidth, peaks}); null if its data sheet has no peak for this
 * type.
 */
export function roofs_of_chip({ bandwidth, peaks }, { type }) {
  const peak = peaks[type];
  if (!(peak > 0 && bandwidth > 0)) return null;
  const none = { scalar: 0, levels: [], latency: 0, one_core: null, usable: 0, notes: ["chip"] };
  return { ...none, cores: 1, peak, bandwidth, finer: finer_in(peaks, type), is_chip: true };
}

/**
 * The narrower type with the highest peak: {type, gain}; null if no type gains at least a fifth.
 */
function finer_in(peaks, type) {
  const narrower = Object.entries(peaks)
    .filter(([name, peak]) => bits_of(name) < bits_of(type) && peak > 1.2 * peaks[type])
    .sort(([, a], [, b]) => b - a);
  return narrower.length > 0 ? { type: narrower[0][0], gain: narrower[0][1] / peaks[type] } : null;
}

/**
 * Judges a kernel ({flop, bytes, seconds, type, cores}) under roofs: {intensity, rate, traffic,
 * ridge, roof ("memory" or "arithmetic"), limit, share, waits, level, at_roof, helps}. `waits` is
 * "memory", "arithmetic", "both" (one after the other), "cache" (faster than memory; `level` is the
 * level that could do it), "beyond" (above every roof), "threads", "latency", "vectors", "launch"
 * or "unknown".
 */
export function judge({ flop, bytes, seconds, type, cores }, roofs) {
  const { peak, bandwidth } = roofs;
  const intensity = flop / bytes;
  const ridge = peak / bandwidth;
  const limit = Math.min(peak, bandwidth * intensity);
  const seen = {
    ...{ intensity, ridge, limit, type, cores, flop, bytes, seconds },
    rate: flop / seconds,
    traffic: bytes / seconds,
    roof: intensity < ridge ? "memory" : "arithmetic",
    share: flop / seconds / limit,
    at_roof: flop / limit,
  };
  const { waits, level } = waiting(seen, roofs);
  return { ...seen, waits, level, helps: helping({ ...seen, waits }, roofs) };
}

function waiting(seen, roofs) {
  const { share, roof, rate, traffic, flop, bytes, seconds } = seen;
  if (share > beyond) {
    if (roof === "arithmetic" || rate > beyond * roofs.peak) return { waits: "beyond" };
    const enough = roofs.levels.filter((level) => level.bandwidth * beyond >= traffic);
    if (roofs.levels.length > 0 && enough.length === 0) return { waits: "beyond" };
    return { waits: "cache", level: enough.at(-1)?.name };
  }
  if (share >= near) return { waits: roof };
  const one_after_the_other = flop / roofs.peak + bytes / roofs.bandwidth;
  if (seconds <= in_turn * one_after_the_other) return { waits: "both" };
  if (roofs.is_chip) return { waits: seconds < 20e-6 ? "launch" : "unknown" };
  return { waits: suspect(seen, roofs) };
}

/** The most likely cause for a kernel below every roof, according to its own numbers. */
function suspect({ rate, traffic, intensity, cores }, { one_core, latency, scalar }) {
  const one_limit = Math.min(one_core.peak, one_core.bandwidth * intensity);
  const line_by_line = latency > 0 ? (cores * line_bytes) / latency : 0;
  if (traffic <= 1.5 * line_by_line && traffic >= 0.5 * line_by_line) return "latency";
  if (cores > 1 && rate <= 1.1 * one_limit && rate >= near * one_limit) return "threads";
  if (scalar > 0 && rate <= 1.1 * scalar && rate >= 0.3 * scalar) return "vectors";
  return "unknown";
}

/** What would make the kernel faster, each with the best possible time then (null: unknown). */
function helping(seen, roofs) {
  const { flop, bytes, ridge, intensity, seconds, waits, cores, type } = seen;
  const helps = [];
  const add = (id, more = {}) => helps.push({ id, ...more });
  const has_room = !roofs.is_chip && roofs.usable > cores;
  if (waits === "memory" || waits === "cache") {
    add("fewer-bytes", { factor: ridge / intensity, bytes: flop / ridge });
    const best = waits === "memory" ? roofs.levels.at(-1) : null;
    if (best?.bandwidth > 1.3 * roofs.bandwidth)
      add("stay-in-cache", {
        level: best.name,
        seconds: Math.max(bytes / best.bandwidth, flop / roofs.peak),
      });
    if (bits_of(type) > 8) add("narrower", { seconds: Math.max(seconds / 2, flop / roofs.peak) });
  }
  if (waits === "arithmetic") {
    if (roofs.finer)
      add("finer", {
        ...roofs.finer,
        seconds: Math.max(seconds / roofs.finer.gain, bytes / roofs.bandwidth),
      });
    add("fewer-operations");
  }
  if (waits === "both") add("overlap", { seconds: seen.at_roof });
  if (waits === "latency") add("in-flight", { seconds: seen.at_roof });
  if (waits === "threads") add("share-work", { seconds: seen.at_roof });
  if (waits === "vectors") add("use-vectors", { seconds: seen.at_roof });
  if (waits === "launch") add("larger-pieces");
  if (waits === "unknown") add("chains-and-counts", { seconds: seen.at_roof });
  if (waits === "beyond") add("count-again");
  if (has_room && waits !== "beyond" && waits !== "threads")
    add("more-cores", { cores: roofs.usable });
  return helps;
}
