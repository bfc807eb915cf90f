// What the book says by profiles that were really recorded, no simulator between: every verdict,
// level, sentence and live number of every page, held against the file of the machine they were
// recorded on. Roofs, levels and sentences about cores are derived from the recorded samples as a
// page does today. The references are older than some of what is measured now and are argued with
// in the text; a machine that no text was written for is what this is about.
// Reads the book.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { core_notes } from "../../site/runtime/measure/cores.js";
import { derive_roofs, lift_roofs } from "../../site/runtime/measure/roofs.js";
import { rows_of_recorded } from "./oracle/judged_machine.mjs";
import { counting_module, machines_of, unknown_here } from "./simulator/simulate.mjs";

const skip = unknown_here() || false;
const machine = machines_of("processors").get("zen5_vm");

/** A recorded profile with what a page derives from its samples derived anew. */
function derived(file) {
  const profile = JSON.parse(readFileSync(new URL(`../../${file}`, import.meta.url), "utf8"));
  const { levels, roofs } = derive_roofs(profile.results);
  const { bytes, bytes_error } = levels.at(-2);
  const notes = core_notes(profile.results, profile.cores.reported, bytes + bytes_error);
  return lift_roofs({ ...profile, levels, roofs, cores: { ...profile.cores, notes } });
}

for (const file of machine.recorded)
  test(`${file}: all that is said is true`, { skip }, async (t) => {
    const counter = await counting_module("kernels-relaxed");
    const rows = rows_of_recorded(machine, derived(file), counter);
    const number = (is) => rows.filter((row) => row.is === is).length;
    const counts = ["true", "undecided", "false"].map((is) => `${number(is)} ${is}`).join(", ");
    if (process.env.TABLE) t.diagnostic(`${file}: ${counts}`);
    assert.deepEqual(
      rows.filter(({ is }) => is === "false"),
      [],
    );
    assert.ok(number("true") > 140, counts);
  });

test("what is recorded says what is derived from it", () => {
  for (const file of machine.recorded) {
    const { levels, cores } = derived(file);
    const text = readFileSync(new URL(`../../${file}`, import.meta.url), "utf8");
    const recorded = JSON.parse(text);
    assert.deepEqual(recorded.levels, levels, file);
    assert.deepEqual(recorded.cores.notes, cores.notes, file);
  }
});
