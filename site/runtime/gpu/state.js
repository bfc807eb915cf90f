// What a profile says about its GPU as a whole: which state it is in, which decides every sentence.
// Pure; needs both machines' results, so it is worked out anew whenever either changes.

import { bank_conflicts, divergence, rows_to_fill, staircase } from "./curves.js";
import {
  bytes_in_flight,
  fetch_size,
  gpu_levels,
  gpu_roofs,
  is_plateau,
  warp_width,
} from "./roofs.js";

const shares_always = ["apple", "arm", "qualcomm", "img-tec", "img"];
const own_ratio = 2.5;

const measured = (profile, kernel) =>
  (profile.results ?? []).filter(
    (r) => r.kernel === kernel && r.status === "measured" && r.verified,
  );

const is_arc = ({ name = "", architecture = "" }) =>
  /\barc\b/i.test(name) || /-hpg$/.test(architecture);

/** The most that all cores together read, GB/s; 0 when several cores were never tried. */
function all_core_read(profile) {
  const several = measured(profile, "stream.read").filter(({ threads }) => threads > 1);
  return Math.max(0, ...several.map(({ best }) => best));
}

/** The GPU's read bandwidth at its largest size, GB/s; 0 when not measured. */
function gpu_read(profile) {
  const reads = measured(profile, "gpu.read").filter(({ params }) => params.w === 0);
  return reads.at(-1)?.best ?? 0;
}

/** Has the GPU memory of its own: "shared", "own" or "unclear". */
export function memory_of(device, profile) {
  const vendor = (device.vendor ?? "").toLowerCase();
  if (shares_always.includes(vendor)) return "shared";
  if (vendor === "intel" && !is_arc(device)) return "shared";
  const [mine, theirs] = [gpu_read(profile), all_core_read(profile)];
  if (!(mine > 0) || !(theirs > 0)) return "unclear";
  if (mine < own_ratio * theirs) return "shared";
  const makes_cards =
    vendor === "nvidia" || vendor === "amd" || (vendor === "intel" && is_arc(device));
  return makes_cards ? "own" : "unclear";
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
  const results = with_cache_flag(profile.results);
  const width = warp_width(results);
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
