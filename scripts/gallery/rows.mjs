// A profile as a row of a large gallery, with the same values as `RecordedMachine` of the build.
import { createHash } from "node:crypto";

import { core_of } from "../../site/runtime/gallery/find.js";

/**
 * The columns in order, with DuckDB's types. Rates are of one core, in FLOP/s and B/s; 0: not
 * measured.
 */
export const columns = {
  name: "VARCHAR",
  browser: "VARCHAR",
  os: "VARCHAR",
  day: "VARCHAR",
  cores: "INTEGER",
  clock_ghz: "DOUBLE",
  arithmetic: "DOUBLE",
  memory: "DOUBLE",
  numbers: "VARCHAR",
};

/**
 * A digest that is equal for two profiles of the same run, whatever their names: no two runs give
 * the same numbers to the last digit.
 */
function digest_of({ roofs = [], levels = [], results = [] }) {
  const all = [
    ...roofs.map(({ value }) => value),
    ...levels.flatMap(({ read_gbs, latency_ns }) => [read_gbs, latency_ns]),
    ...results.map(({ median }) => median),
  ];
  return createHash("sha256").update(all.join()).digest("hex").slice(0, 32);
}

/** The values of a profile, one per column. */
export function row_of(profile) {
  const { arithmetic, memory } = core_of(profile);
  const { name = "", browser = "", os = "", created = "", cores = {}, clock_ghz = 0 } = profile;
  return [
    name,
    browser,
    os,
    created.slice(0, 10),
    cores.usable ?? 0,
    clock_ghz,
    arithmetic,
    memory,
    digest_of(profile),
  ];
}
