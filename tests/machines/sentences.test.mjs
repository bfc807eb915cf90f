// The book's sentences about machines that we do not own: a full run and a run on several cores, on
// every processor of processors/, compared with the truth from its file. known_false.json lists
// known false sentences by cause. An entry that is no longer false must be removed.
//   TABLE=1 node --test tests/machines/sentences.test.mjs    prints the table of machines and
//   sentences
// Reads the book.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { is_full } from "../rounds.mjs";
import { judged_machine, variants_of } from "./oracle/judged_machine.mjs";
import { pages_that_speak } from "./oracle/site_pages.mjs";
import { unmatched_claims } from "./oracle/verdict_oracle.mjs";
import { counting_module, machines_of, unknown_here } from "./simulator/simulate.mjs";

const causes = JSON.parse(readFileSync(new URL("./known_false.json", import.meta.url), "utf8"));
const skip = unknown_here() || false;
const counters = skip
  ? {}
  : {
      relaxed: await counting_module("kernels-relaxed"),
      simd128: await counting_module("kernels-simd128"),
    };
const all = [...machines_of("processors")].flatMap(([id, machine]) => variants_of(id, machine));

const unique = (list) => [...new Set(list)].sort();
const known_of = (name) => unique(Object.values(causes).flatMap((names) => names[name] ?? []));

/**
 * One line per machine: the counts of its sentences and numbers by judgement, and the false ones.
 */
function line_of(name, rows) {
  const number = (is) => rows.filter((row) => row.is === is).length;
  const counts = ["true", "undecided", "not judged", "false"]
    .map((is) => `${number(is)} ${is}`)
    .join(", ");
  const wrong = rows.filter(({ is }) => is === "false");
  return [
    `${name}: ${counts}`,
    ...wrong.map(({ id, say, why }) => `  ${id}: ${why} (${say.slice(0, 300)})`),
  ].join("\n");
}

test("each case of each verdict has a predicate, and no predicate is left over", (t) => {
  const { unclaimed, gone } = unmatched_claims(pages_that_speak);
  assert.deepEqual(gone, []);
  if (is_full) assert.deepEqual(unclaimed, []);
  for (const name of unclaimed) t.diagnostic(`note: not judged, no predicate: ${name}`);
});

for (const { name, machine, ...how } of all)
  test(`${name}: all that is said is true, but for what is known`, { skip }, async (t) => {
    const rows = await judged_machine(machine, { counters, ...how });
    if (process.env.TABLE) t.diagnostic(line_of(name, rows));
    const wrong = unique(rows.filter(({ is }) => is === "false").map(({ id }) => id));
    const known = known_of(name);
    const fresh = rows.filter(({ is, id }) => is === "false" && !known.includes(id));
    assert.deepEqual(fresh, [], `false of ${name}`);
    const mended = known.filter((id) => !wrong.includes(id));
    assert.deepEqual(mended, [], `false of ${name} no longer: take it out of known_false.json`);
  });

// The same with other random numbers, in a full run. The false sentences depend on when the thread
// moves to another core or loses its core. The goal is one in a thousand; seeds 2 and 3 had three.
const other_seeds = is_full ? [1, 2, 3, 4] : [];
const most_of_all_seeds = 0.004;
const of_seeds = [];
for (const seed of other_seeds)
  for (const { name, machine, ...how } of all)
    test(`${name}, seed ${seed}: nothing false on the home page`, { skip }, async (t) => {
      const rows = await judged_machine(machine, { counters, seed, ...how });
      of_seeds.push(...rows);
      if (process.env.TABLE) t.diagnostic(line_of(`${name}, seed ${seed}`, rows));
      const wrong = rows.filter(({ is, id }) => is === "false" && id.startsWith("home "));
      assert.deepEqual(wrong, []);
    });
test("hardly anything is false, whatever the seed", { skip: skip || !is_full }, () => {
  const wrong = of_seeds.filter(({ is }) => is === "false");
  assert.ok(wrong.length <= most_of_all_seeds * of_seeds.length, line_of("all", of_seeds));
});

// A browser that resists fingerprinting has ticks of 16.67 ms, and once had some of 100 ms. If two
// results are compared, one long sample may then be off by a few percent.
const most_false = 0.02;
for (const mode of ["firefox_rfp", "firefox_rfp_old"])
  test(`raspberry_pi_5 in ${mode}: it ends, and hardly anything is false`, { skip }, async (t) => {
    const machine = { ...machines_of("processors").get("raspberry_pi_5"), default_mode: mode };
    const rows = await judged_machine(machine, { counters });
    if (process.env.TABLE) t.diagnostic(line_of(mode, rows));
    const wrong = rows.filter(({ is }) => is === "false");
    assert.ok(rows.length > 150 && wrong.length <= most_false * rows.length, line_of(mode, rows));
  });

test("known false sentences name existing machines", () => {
  const names = all.map(({ name }) => name);
  const unknown = Object.values(causes)
    .flatMap(Object.keys)
    .filter((name) => !names.includes(name) && !name.startsWith("random machines"));
  assert.deepEqual(unknown, []);
});
