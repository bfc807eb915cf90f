// The state of a profile's GPU, which decides all sentences about it. Pure. It depends on results
// of the processor and the GPU, so it is computed again whenever either changes.

import { gpu_method } from "./kernels.js";
import { bank_conflicts, divergence, rows_to_fill, staircase } from "./curves.js";
import {
  bytes_in_flight,
  fetch_size,
  gpu_levels,
  gpu_roofs,
  is_plateau,
  shader_width,
} from "./roofs.js";

const shares_always = ["apple", "arm", "qualcomm", "img-tec", "img"];
// No integrated GPU reads so much more than its cores, because they share a fabric. The exception
// is AMD's MI300A, whose processor shares stacked memory with it, and the MI300X has the same name.
const own_ratio = 4;
const is_mi300 = ({ architecture = "" }) => /^cdna-?3/.test(architecture);
const past_cache = 4; // times the size of the last cache, beyond which a set is in memory
const least_set = 2 ** 27; // bytes that all threads read together, if no cache size is known

const measured = (profile, kernel) =>
  (profile.results ?? []).filter(
    (r) => r.kernel === kernel && r.status === "measured" && r.verified,
  );

/**
 * Intel's cards: Dawn calls them gen-12hp and xe-2hpg, and what is part of a processor …lp and
 * …lpg. The name does not tell: "Arc" has been that of both since 2023.
 */
const is_arc = ({ architecture }) => /hpg?$/.test(architecture);

/**
 * The highest rate at which all cores read memory, GB/s, over sets that do not fit in their caches;
 * 0 if several cores were never tried on such sets.
 */
export function all_core_read(profile) {
  const caches = (profile.levels ?? []).filter(
    ({ device, bytes }) => device !== "gpu" && bytes > 0,
  );
  const last = Math.max(0, ...caches.map(({ bytes }) => bytes));
  const enough = Math.max(least_set, past_cache * last);
  const several = measured(profile, "stream.read").filter(
    ({ threads, params }) => threads > 1 && threads * params.w >= enough,
  );
  return Math.max(0, ...several.map(({ best }) => best));
}

/** The GPU's read bandwidth at its largest size, GB/s; 0 if not measured. */
function gpu_read(profile) {
  const reads = measured(profile, "gpu.read").filter(({ params }) => params.w === 0);
  return reads.at(-1)?.best ?? 0;
}

/**
 * Whether the GPU has its own memory: "shared", "own" or "unclear". WebGPU does not report it. If
 * vendor and processor leave one possibility, it is that one. Otherwise a GPU that reads several
 * times faster than all cores has its own memory; from a slower one nothing follows.
 */
export function memory_of(device, profile) {
  const vendor = (device.vendor ?? "").toLowerCase();
  if (shares_always.includes(vendor)) return "shared";
  if (vendor === "intel" && device.architecture) return is_arc(device) ? "own" : "shared";
  if (vendor === "nvidia" && device.beside === "x86") return "own";
  const [mine, theirs] = [gpu_read(profile), all_core_read(profile)];
  if (!(mine > 0) || !(theirs > 0)) return "unclear";
  const makes_cards = vendor === "nvidia" || (vendor === "amd" && !is_mi300(device));
  return makes_cards && mine >= own_ratio * theirs ? "own" : "unclear";
}

/**
 * Adds everything that the GPU's results say together: roofs, levels, and `gpu`, whose `state` is
 * none, refused, software, shared, own or unclear (`reason` explains the first two), with the
 * findings from its curves.
 */
export function with_gpu(profile) {
  const { gpu } = profile;
  const device = (profile.devices ?? []).find(({ kind }) => kind === "gpu");
  if (gpu.state === "none" || gpu.state === "refused" || !device) return profile;
  const is_program = device.state === "software";
  const memory = is_program ? "shared" : memory_of(device, profile);
  const results = with_cache_flag(of_this_edition(profile.results, device));
  const width = shader_width(results, device);
  const others = (list = []) => list.filter((entry) => entry.device !== device.id);
  return {
    ...profile,
    devices: profile.devices.map((one) => (one === device ? { ...one, memory } : one)),
    results,
    roofs: [...others(profile.roofs), ...gpu_roofs(results)],
    levels: [...others(profile.levels), ...gpu_levels(results)],
    gpu: {
      state: is_program ? "software" : memory,
      width,
      fetch: fetch_size(results),
      in_flight: bytes_in_flight(results, 1),
      divergence: divergence(results, width.value),
      banks: bank_conflicts(results),
      staircase: staircase(results),
      batch: rows_to_fill(results),
    },
  };
}

/** Drops results of an older GPU method if this method has measured the GPU. */
const of_this_edition = (results, { method }) =>
  method === gpu_method
    ? results.filter((r) => r.device !== "gpu" || r.method === gpu_method)
    : results;

/** Flags the largest read if a part of it may have been cached. */
function with_cache_flag(results) {
  const is_largest = ({ kernel, params, status }) =>
    kernel === "gpu.read" && params.w === 0 && status === "measured";
  const flat = is_plateau(results);
  return results.map((r) => {
    if (!is_largest(r)) return r;
    const flags = r.flags.filter((flag) => flag !== "in-cache");
    return { ...r, flags: flat ? flags : [...flags, "in-cache"] };
  });
}
