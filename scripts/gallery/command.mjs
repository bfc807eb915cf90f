// The command scripts/profiles; its usage is in that file.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { plausible_profile, random_from } from "../lib/plausible_profiles.mjs";
import { check_replaceable } from "../lib/profile_file.mjs";
import { open_duckdb, read_parquet, write_parquet } from "./parquet.mjs";
import { is_file, shown, to_read, write_to } from "./place.mjs";
import { columns, row_of } from "./rows.mjs";
import { summary_of } from "./summary.mjs";

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    plausible: { type: "string" },
    seed: { type: "string", default: "1" },
    out: { type: "string", default: "figures/gallery.json" },
  },
});
const [command, ...places] = positionals;

function fail(message) {
  console.error(`profiles: ${message}`);
  process.exit(2);
}

function* plausible_rows(count, seed) {
  const random = random_from(seed);
  for (let i = 0; i < count; ++i) yield row_of(plausible_profile(random));
}

function* rows_in(directories) {
  for (const directory of directories) {
    for (const name of readdirSync(directory).sort()) {
      if (name.endsWith(".json"))
        yield row_of(JSON.parse(readFileSync(join(directory, name), "utf8")));
    }
  }
}

// The names of the columns are in the last part of the file, as text.
const is_rows = (bytes) =>
  bytes.subarray(0, 4).toString() === "PAR1" &&
  Object.keys(columns).every((name) => bytes.includes(name));

const is_summary = (bytes) => {
  const { machines, left_out } = JSON.parse(bytes);
  return Number.isInteger(machines) && typeof left_out === "object";
};

async function pack(folder) {
  const [place, ...directories] = places;
  const count = Number(options.plausible ?? 0);
  if (!place || count > 0 === directories.length > 0)
    fail("pack takes a place, and directories of profiles or --plausible COUNT");
  if (is_file(place)) check_replaceable(place, is_rows);
  const rows = count > 0 ? plausible_rows(count, Number(options.seed)) : rows_in(directories);
  const connection = await open_duckdb([place]);
  const written = await write_to(place, join(folder, "written.parquet"), (file) =>
    write_parquet(connection, rows, file),
  );
  console.log(`${shown(place)}: ${written} rows`);
}

async function summarise(folder) {
  if (places.length === 0) fail("summarise takes the places of Parquet");
  check_replaceable(options.out, is_summary);
  const connection = await open_duckdb(places);
  const files = [];
  for (const place of places)
    files.push(await to_read(place, join(folder, `${files.length}.parquet`)));
  const summary = await summary_of(connection, await read_parquet(connection, files));
  writeFileSync(options.out, `${JSON.stringify(summary)}\n`);
  const { machines, left_out } = summary;
  console.log(`${options.out}: ${machines} machines`);
  for (const [why, count] of Object.entries(left_out)) console.log(`  ${count} left out: ${why}`);
}

const folder = mkdtempSync(join(tmpdir(), "profiles-"));
try {
  await { pack, summarise }[command](folder);
} catch (error) {
  console.error(`profiles: ${error.message}`);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
