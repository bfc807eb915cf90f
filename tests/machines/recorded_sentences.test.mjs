// The book's sentences for recorded profiles, without a simulator: compares every verdict, level,
// sentence and live number of every page with the file of the machine that the profile was recorded
// on. Roofs, levels and sentences about cores are derived from the recorded samples, as on a page
// today. The reference profiles are older than some measurements, and the text discusses them; this
// test is about machines that no text was written for.
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

/** A recorded profile whose derived values are derived from its samples again. */
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

test("recorded profiles agree with the values derived from them", () => {
  for (const file of machine.recorded) {
    const { levels, cores } = derived(file);
    const text = readFileSync(new URL(`../../${file}`, import.meta.url), "utf8");
    const recorded = JSON.parse(text);
    assert.deepEqual(recorded.levels, levels, file);
    assert.deepEqual(recorded.cores.notes, cores.notes, file);
  }
});
