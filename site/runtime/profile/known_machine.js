// Selects the stored facts that a quick run reuses because it has no time to measure them. Pure.

import { end_of_caches } from "./level_size.js";
import { width_of } from "../kernels/width.js";

/**
 * {choices, last_cache, home} for a request: the winning tiles, the end of the last cache in bytes,
 * and the core of the stored results, {ghz, wide, memory_gbs}: the clock of its roofs, its work per
 * cycle, and its memory bandwidth. `home` is missing if these were not measured.
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
