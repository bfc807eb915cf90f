// What a profile says about its GPU as a whole: which state it is in, which decides every sentence.
// Pure; needs both machines' results, so it is worked out anew whenever either changes.

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
const own_ratio = 4; // no processor's own graphics read so much more than its cores: fabrics narrow these
const past_cache = 4; // times the last cache, from where on a set is memory's
const least_set = 2 ** 27; // bytes that all threads read together, where no cache is known

const measured = (profile, kernel) =>
  (profile.results ?? []).filter(
    (r) => r.kernel === kernel && r.status === "measured" && r.verified,
  );

/** Intel's cards: Dawn calls them gen-12hp and xe-2hpg, and what is part of a processor …lp and …lpg. */
const is_arc = ({ name = "", architecture = "" }) =>
  /\barc\b/i.test(name) || /hpg?$/.test(architecture);

/**
 * The most that all cores together read of memory, GB/s: of sets that no cache of theirs holds; 0 when
 * several cores were never tried on such.
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

/** The GPU's read bandwidth at its largest size, GB/s; 0 when not measured. */
function gpu_read(profile) {
  const reads = measured(profile, "gpu.read").filter(({ params }) => params.w === 0);
  return reads.at(-1)?.best ?? 0;
}

/**
 * Has the GPU memory of its own: "shared", "own" or "unclear". WebGPU does not say. Where the maker and
 * the processor leave one possibility it is that; else what reads several times what all cores do has
 * its own, and nothing follows from reading less.
 */
export function memory_of(device, profile) {
  const vendor = (device.vendor ?? "").toLowerCase();
  if (shares_always.includes(vendor)) return "shared";
  if (vendor === "intel") return is_arc(device) ? "own" : "shared";
  if (vendor === "nvidia" && device.beside === "x86") return "own";
  const [mine, theirs] = [gpu_read(profile), all_core_read(profile)];
  if (!(mine > 0) || !(theirs > 0)) return "unclear";
  const makes_cards = vendor === "nvidia" || vendor === "amd";
  return makes_cards && mine >= own_ratio * theirs ? "own" : "unclear";
}

/**
 * A profile with all that its GPU's results say together: roofs, levels, and `gpu`, whose `state` is
 * none, refused, software, shared, own or unclear (`reason` says why in the first two), with what
 * the curves tell.
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

/** Without what an earlier edition measured of a GPU that this one has measured. */
const of_this_edition = (results, { method }) =>
  method === gpu_method
    ? results.filter((r) => r.device !== "gpu" || r.method === gpu_method)
    : results;

/** The largest read is flagged where it was not clearly out of the caches. */
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
