// A profile as a row of a large gallery: what lists and distributions say of it, as `RecordedMachine` of the build.
import { createHash } from "node:crypto";

import { core_of } from "../../site/runtime/gallery/find.js";

/** The columns in their order, with DuckDB's types. Rates are of one core, in FLOP/s and B/s; 0: not measured. */
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

/** The same of two profiles that are one run, under whatever name: no two measure the same to the last digit. */
function digest_of({ roofs = [], levels = [], results = [] }) {
  const all = [
    ...roofs.map(({ value }) => value),
    ...levels.flatMap(({ read_gbs, latency_ns }) => [read_gbs, latency_ns]),
    ...results.map(({ median }) => median),
  ];
  return createHash("sha256").update(all.join()).digest("hex").slice(0, 32);
}

/** A profile's values, a column each. */
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
