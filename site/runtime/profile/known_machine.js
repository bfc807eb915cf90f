// What a quick run takes from the profile that is there, since it has no time to find it out again. Pure.

import { end_of_caches } from "./level_size.js";
import { width_of } from "../kernels/width.js";

/**
 * {choices, last_cache, home} for a request: the tiles that won, the bytes at which the last cache ends, and the core that the
 * numbers are told of, {ghz, wide, memory_gbs}: the clock of its roofs, what it does in a cycle, and its memory's rate. `home` is missing
 * where that was not measured.
 */
export function known_machine({ choices, levels, results, roofs, clock_ghz } = {}) {
  const known = { choices, last_cache: end_of_caches(levels) };
  const wide = width_of(results ?? []);
  const is_roof = ({ device, class: { isa, threads = 1 } }) =>
    device !== "gpu" && isa === "simd" && threads === 1;
  const ghz = roofs?.find(is_roof)?.clock_ghz ?? clock_ghz;
  if (!(wide > 0 && ghz > 0)) return known;
  const out = levels?.find(({ device, name }) => device !== "gpu" && name === "out");
  return { ...known, home: { ghz, wide, memory_gbs: out?.read_gbs ?? 0 } };
}
