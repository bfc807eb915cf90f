// The same for random processors (simulator/random_machine.mjs), each with a fixed seed: two by
// default, 200 in a full run. Sentences known to be false for them match a pattern in
// known_false.json, and in a full run each pattern must match.
// Reads the book.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { is_full, rounds } from "../rounds.mjs";
import { judged_machine } from "./oracle/judged_machine.mjs";
import { faults } from "./schema_check.mjs";
import { random_machine } from "./simulator/random_machine.mjs";
import { counting_module, unknown_here } from "./simulator/simulate.mjs";

const read_json = (name) => JSON.parse(readFileSync(new URL(name, import.meta.url), "utf8"));
const causes = read_json("known_false.json");
const skip = unknown_here() || false;
const patterns_of = (name) => Object.values(causes).flatMap((names) => names[name] ?? []);
const seeds = Array.from({ length: rounds("RANDOM_MACHINES", 2, 200) }, (_, i) => i + 1);

const slows_down = ({ kinds: { P } }) => P.clock.curve_one_core.at(-1)[1] < P.clock.turbo_ghz;

test("machines by chance keep the schema, whatever the seed", () => {
  const schema = read_json("processor.schema.json");
  const needed = { ...schema, required: schema.required.filter((key) => key !== "expected") };
  for (let seed = 1; seed <= 1000; ++seed) {
    const machine = random_machine(seed);
    assert.deepEqual(faults(machine, needed), [], machine.id);
    const { levels } = machine.kinds.P;
    for (const [i, { kib, latency_ns, read_gbs_one_core: gbs }] of levels.entries()) {
      if (i === 0) continue;
      assert.ok(kib >= 4 * levels[i - 1].kib, machine.id);
      assert.ok(latency_ns > levels[i - 1].latency_ns, machine.id);
      assert.ok(gbs < levels[i - 1].read_gbs_one_core, machine.id);
    }
    assert.ok(machine.memory.latency_ns_page_local > levels.at(-1).latency_ns, machine.id);
  }
});

const met = new Set();
const counters = skip ? {} : { relaxed: await counting_module() };

for (const seed of seeds)
  test(
    `a processor of seed ${seed}: all that is said is true, but for what is known`,
    { skip },
    async () => {
      const machine = random_machine(seed);
      const name = slows_down(machine) ? "random machines that slow down" : "random machines";
      const known = patterns_of(name);
      const rows = await judged_machine(machine, { counters });
      const wrong = rows.filter(({ is }) => is === "false");
      const fresh = wrong.filter(({ id }) => {
        const hit = known.filter((pattern) => new RegExp(pattern).test(id));
        for (const pattern of hit) met.add(`${name}: ${pattern}`);
        return hit.length === 0;
      });
      assert.deepEqual(fresh, [], machine.id);
    },
  );

test("every known false sentence occurs", { skip: skip || !is_full }, () => {
  const all = ["random machines", "random machines that slow down"].flatMap((name) =>
    patterns_of(name).map((pattern) => `${name}: ${pattern}`),
  );
  assert.deepEqual(
    all.filter((one) => !met.has(one)),
    [],
  );
});
