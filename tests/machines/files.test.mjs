// Every machine file conforms to its schema and has what the simulator relies on.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { faults } from "./schema_check.mjs";
import { machines_of } from "./simulator/simulate.mjs";

const schema_of = (name) =>
  JSON.parse(readFileSync(new URL(`./${name}.schema.json`, import.meta.url), "utf8"));
const folders = { processors: schema_of("processor"), gpus: schema_of("gpu") };

for (const [folder, schema] of Object.entries(folders))
  test(`each of ${folder} keeps the schema, and is named as its file`, () => {
    for (const [file, machine] of machines_of(folder)) {
      assert.deepEqual(faults(machine, schema), [], file);
      assert.equal(machine.id, file);
      for (const { matches } of machine.expected.must_not_say) new RegExp(matches);
    }
  });

const rising = (values) => values.every((value, i) => i === 0 || values[i - 1] < value);

/** Paths of schema objects that list their members but allow others. */
function lenient_parts(schema, at = "") {
  const parts = [
    schema.items,
    schema.additionalProperties,
    ...Object.values(schema.properties ?? {}),
  ];
  const definitions = Object.values(schema.definitions ?? {});
  const inside = [...parts, ...definitions].filter((part) => part && typeof part === "object");
  const own = schema.properties && schema.additionalProperties !== false ? [at || "its top"] : [];
  return [...own, ...inside.flatMap((part) => lenient_parts(part, part.description ?? at))];
}

test("a member that the simulator does not know is no member of a file", () => {
  for (const schema of Object.values(folders)) assert.deepEqual(lenient_parts(schema), []);
});

test("a processor's parts name each other, its curves rise in time, and its threads are as many as reported", () => {
  for (const [id, machine] of machines_of("processors")) {
    const { cores, kinds, measuring_thread: seat } = machine;
    const named = [...cores.groups.map(({ kind }) => kind), seat.kind];
    if (seat.share_of_time < 1) named.push(...(seat.other === "stolen" ? [] : [seat.other]));
    for (const kind of named) assert.ok(kind in kinds, `${id}: no kind ${kind}`);
    const threads = cores.groups.reduce((sum, { count, smt }) => sum + count * smt, 0);
    assert.equal(threads, cores.logical_reported, id);
    assert.ok(machine.timer[machine.default_mode], id);
    const curves = Object.values(kinds).flatMap(({ clock }) => Object.values(clock));
    for (const curve of [...curves.filter(Array.isArray), machine.memory.read_gbs_by_threads])
      assert.ok(rising(curve.map(([at]) => at)), `${id}: ${JSON.stringify(curve)}`);
    for (const { levels } of Object.values(kinds)) {
      const visible = levels.filter((level) => level.visible);
      assert.ok(rising(visible.map(({ kib }) => kib)), `${id}: levels out of order`);
      assert.ok(rising(visible.map(({ latency_ns }) => latency_ns)), `${id}: latencies`);
    }
  }
});

test("a file that violates the schema gets an error with its place", () => {
  const [machine] = machines_of("processors").values();
  const broken = structuredClone(machine);
  delete broken.memory.tlb;
  broken.cores.groups[0].count = "four";
  broken.kinds.P.levels[0].kib = -1;
  broken.memory.temporal_prefetcher = true; // no line of the simulator reads it
  assert.deepEqual(faults(broken, folders.processors).sort(), [
    "cores.groups.0.count: expected number, found string",
    "kinds.P.levels.0.kib: expected at least 0, found -1",
    "memory.temporal_prefetcher: the schema knows no such member",
    "memory: has no tlb",
  ]);
});
