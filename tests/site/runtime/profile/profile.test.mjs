// The stored profile: complete, merged, and never trusted.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { keep_first, restore } from "../../../../site/runtime/page/at_first.js";
import {
  empty_profile,
  merge_profiles,
  parse_profile,
  ProfileStore,
  shape,
  storage_key,
} from "../../../../site/runtime/profile/profile.js";

import { lift_roofs } from "../../../../site/runtime/measure/roofs.js";
import { machine_summary } from "../../../../site/runtime/profile/machine_summary.js";

const result = (members = {}) => ({
  kernel: "matmul.packed",
  params: { n: 512 },
  threads: 1,
  device: "cpu",
  module: "relaxed",
  status: "measured",
  flags: [],
  unit: "GFLOP/s",
  best: 45,
  median: 44,
  mad: 0.3,
  samples: 15,
  verified: true,
  ...members,
});
const roof = (members = {}) => ({
  device: "cpu",
  class: { isa: "fma", threads: 1 },
  unit: "GFLOP/s",
  value: 46,
  from: "peak.fma",
  ...members,
});
const profile = (members = {}) => ({ ...empty_profile("2026-01-01T00:00:00Z"), ...members });

function memory_storage(initial = {}) {
  const values = new Map(Object.entries(initial));
  return {
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => values.set(key, value),
    removeItem: (key) => values.delete(key),
  };
}

test("a profile keeps unknown members in storage", () => {
  const storage = memory_storage();
  const store = new ProfileStore(() => storage);
  const kept = profile({ results: [result({ note: "by hand" })], from_the_future: { a: 1 } });
  assert.equal(store.save(kept), "");
  assert.deepEqual(store.load(), { profile: kept, problem: "" });
  store.clear();
  assert.equal(store.load().profile, null);
});

test("a loaded profile is replaced by results measured here", () => {
  const loaded = profile({ results: [result({ params: { n: 64 } })], loaded: true });
  const fresh = profile({ results: [result()] });
  assert.deepEqual(merge_profiles(loaded, fresh), fresh);
});

const hostile = {
  "not JSON": ["{", /not JSON/],
  "a list": ["[]", /not an object/],
  null: ["null", /not an object/],
  "another schema": ['{"schema":2}', /schema is 2/],
  "results that are not a list": ['{"schema":1,"results":{}}', /"results" is not a list/],
  "a result without a kernel": [
    JSON.stringify(profile({ results: [result({ kernel: 3 })] })),
    /no kernel/,
  ],
  "a number that is a string": [
    JSON.stringify(profile({ results: [result({ median: "44" })] })),
    /median is not a number/,
  ],
  "a negative number": [
    JSON.stringify(profile({ results: [result({ best: -1 })] })),
    /best is not a number/,
  ],
  "a parameter that is an object": [
    JSON.stringify(profile({ results: [result({ params: { n: {} } })] })),
    /parameter n/,
  ],
  "a roof without a class": [JSON.stringify(profile({ roofs: [roof({ class: null })] })), /roof 0/],
  "too much of it": [" ".repeat(5 * 2 ** 20), /4 MiB/],
};
for (const [what, [text, words]] of Object.entries(hostile)) {
  test(`rejected in words: ${what}`, () => {
    assert.match(parse_profile(text).error, words);
    const { profile: loaded, problem } = new ProfileStore(() =>
      memory_storage({ [storage_key]: text }),
    ).load();
    assert.equal(loaded, null);
    assert.match(problem, /cannot be read/);
  });
}

test("refused storage keeps the results for this page and is reported", () => {
  const store = new ProfileStore(() => {
    throw new DOMException("denied", "SecurityError");
  });
  assert.deepEqual(store.load(), { profile: null, problem: "" });
  assert.match(store.save(profile()), /lost when you leave/);
  assert.equal(store.load().profile.schema, 1);
});

test("new results replace the same measurement and leave the others", () => {
  const other = result({ kernel: "stream.triad", params: { w: 1024 } });
  const merged = merge_profiles(
    profile({ results: [result(), other], gallery: "x" }),
    profile({ results: [result({ median: 50 })] }),
  );
  assert.equal(merged.results.length, 2);
  assert.equal(merged.results.find((r) => r.kernel === "matmul.packed").median, 50);
  assert.equal(merged.gallery, "x");
});

test("a failed attempt does not displace a measured number", () => {
  const failed = { ...result(), status: "unavailable", reason: "memory refused" };
  const merged = merge_profiles(profile({ results: [result()] }), profile({ results: [failed] }));
  assert.deepEqual(merged.results, [result()]);
});

test("roofs and levels of a device are replaced together, or not at all", () => {
  const levels = [{ device: "cpu", name: "L1", read_gbs: 90 }];
  const old = profile({
    roofs: [roof(), roof({ class: { level: "L3", threads: 1 }, unit: "GB/s", value: 28 })],
    levels,
  });
  assert.deepEqual(merge_profiles(old, profile()).roofs, old.roofs);
  assert.deepEqual(merge_profiles(old, profile()).levels, levels);
  const fresh = profile({ roofs: [roof({ value: 48 })], levels: [] });
  assert.deepEqual(merge_profiles(old, fresh).roofs, [roof({ value: 48 })]);
});

test("results of all cores do not change those of one core", () => {
  const level = { device: "cpu", name: "L1", read_gbs: 90 };
  const one = profile({
    results: [result()],
    roofs: [roof()],
    levels: [level],
    clock_ghz: 3,
    timer_us: 100,
    cores: { reported: 4 },
  });
  const pair = roof({ class: { isa: "fma", threads: 2 }, value: 90 });
  const all = profile({
    results: [result({ threads: 2, median: 88 })],
    roofs: [pair],
    clock_ghz: null,
    timer_us: 5,
    cores: { reported: 4, usable: 2 },
  });
  const merged = merge_profiles(one, all);
  assert.equal(merged.results.length, 2);
  assert.deepEqual(merged.roofs, [roof(), pair]);
  assert.deepEqual(merged.levels, [level]);
  assert.equal(merged.clock_ghz, 3);
  assert.equal(merged.timer_us, 5);
  assert.deepEqual(merge_profiles(merged, one).cores, { reported: 4, usable: 2 });
});

/**
 * {"levels[].bytes": [0, 1e15]}: the numbers of a schema, or of the runtime's checks, with their
 * limits.
 */
function bounds_of(node, path = "") {
  if (typeof node === "function")
    return node.maximum === undefined ? {} : { [path]: [node.minimum, node.maximum] };
  const inside = Array.isArray(node)
    ? [["[]", node[0]]]
    : Object.entries(node).map(([name, one]) => [`.${name}`, one]);
  return Object.assign({}, ...inside.map(([name, one]) => bounds_of(one, path + name)));
}

function bounds_of_schema(node, path = "") {
  const own = [node.type].flat().some((type) => type === "number" || type === "integer");
  const { minimum, maximum, properties = {}, items } = node;
  if (own && maximum !== undefined) return { [path]: [minimum, maximum] };
  const inside = Object.entries(properties).map(([name, one]) =>
    bounds_of_schema(one, `${path}.${name}`),
  );
  return Object.assign({}, ...inside, items ? bounds_of_schema(items, `${path}[]`) : {});
}

const schema = JSON.parse(
  readFileSync(new URL("../../../../site/static/schemas/profile.json", import.meta.url), "utf8"),
);

/**
 * Every member that the schema names: [[path from the top, its schema], …], "0" for the entries of
 * a list.
 */
const members_of = ({ properties, items }, path = []) =>
  items
    ? members_of(items, [...path, "0"])
    : Object.entries(properties ?? {}).flatMap(([name, node]) => [
        [[...path, name], node],
        ...members_of(node, [...path, name]),
      ]);

/** A profile whose member at `path` has the wrong type. */
function spoiled([...path], { type }) {
  const choice = { tile: 101, why: "w" };
  const whole = {
    ...{ schema: 1, cores: {}, gpu: { state: "own" }, devices: [{}], levels: [{}] },
    results: [{ kernel: "k", params: {}, choice, status: "unavailable", reason: "r" }],
    roofs: [{ class: {}, unit: "GB/s", value: 1 }],
    choices: [{ rates: [{}] }],
  };
  const last = path.pop();
  path.reduce((node, name) => node[name], whole)[last] = type === "object" ? 1 : {};
  return JSON.stringify(whole);
}

test("what the schema names is checked, apart from what no page reads", () => {
  const unread = members_of(schema)
    .filter(([path, node]) => parse_profile(spoiled(path, node)).error === undefined)
    .map(([path]) => path.join("."));
  const rates = ["", ".0.tile", ".0.value"].map((path) => `choices.0.rates${path}`);
  assert.deepEqual(unread, ["results.0.decided", "results.0.samples", ...rates]);
});

test("numbers have the bounds of the schema", () => {
  const wanted = bounds_of_schema(schema);
  delete wanted[".results[].choice.tile"]; // where a choice is looked at as a whole
  for (const path of [".choices[].rates[].tile", ".choices[].rates[].value"]) delete wanted[path]; // which nothing shows
  assert.deepEqual(bounds_of(shape), wanted);
});

for (const [what, members] of [
  ["a clock of 1e300 GHz", { clock_ghz: 1e300 }],
  ["a roof beyond all machines", { roofs: [roof({ value: 1e300 })] }],
  ["a level with a negative size", { levels: [{ device: "cpu", name: "L1", bytes: -1 }] }],
  ["a result beyond all machines", { results: [result({ median: 1e300 })] }],
  ["a parameter beyond all memory", { results: [result({ params: { n: 1e300 } })] }],
  ["no whole thread", { results: [result({ threads: 0 })] }],
]) {
  test(`out of the schema's bounds: ${what}`, () => {
    assert.match(parse_profile(JSON.stringify(profile(members))).error ?? "", /not a number/);
  });
}

test("a cache of less than a byte is reported in words", () => {
  for (const bytes of [0.5, 5e-324]) {
    const levels = [{ device: "cpu", name: "L1", bytes, bytes_error: bytes }];
    const said = machine_summary(profile({ levels })).join(" ");
    assert.match(said, /L1 holds between less than 1 B and/);
    assert.doesNotMatch(said, /undefined/);
  }
});

test("what a machine put into the page goes with it", () => {
  const live = { textContent: "12.5 GB/s", value: "12.5", title: "", dataset: {} };
  const kept = structuredClone(live);
  for (const text of ["99 GB/s", "7 GB/s"]) {
    keep_first(live);
    Object.assign(live, {
      textContent: text,
      value: "1",
      title: "Measured on your machine",
      dataset: { from: "reader" },
    });
  }
  restore(live);
  assert.deepEqual(live, kept);
  restore(live);
  assert.deepEqual(live, kept);
});

test("every place that a profile can change is given back", () => {
  const source = readFileSync(
    new URL("../../../../site/runtime/page/refresh.js", import.meta.url),
    "utf8",
  );
  for (const part of ["live", "verdict", "figure", "bench"]) {
    const body = source.split(`async function update_${part}(`)[1].split("\n}\n")[0];
    assert.match(body, /keep_first\(/, part);
    assert.match(body, /(restore|take_back)\(/, part);
  }
  const body = source.split("function take_back(")[1].split("\n}\n")[0];
  assert.match(body, /restore\(/);
});

test("a quick run leaves the caches that a full one found, unless the clock is another", () => {
  const level = (name, members = {}) => ({ device: "cpu", name, read_gbs: 50, ...members });
  const roof_at = (class_of, value) => ({
    ...{ device: "cpu", unit: "GB/s", from: "stream.read", value },
    class: { threads: 1, ...class_of },
  });
  const full = profile({
    clock_ghz: 3,
    levels: [level("L1", { bytes: 46341, bytes_error: 16384 }), level("L2"), level("out")],
    roofs: [
      roof_at({ isa: "fma" }, 40),
      roof_at({ level: "L2" }, 50),
      roof_at({ level: "out" }, 20),
    ],
  });
  const quick = (clock_ghz) =>
    profile({
      clock_ghz,
      levels: [level("L1"), level("out")],
      roofs: [
        roof_at({ isa: "fma" }, 41),
        roof_at({ level: "L1" }, 60),
        roof_at({ level: "out" }, 21),
      ],
    });
  const values = ({ roofs }) => roofs.map((one) => [one.class.isa ?? one.class.level, one.value]);
  const same = merge_profiles(full, quick(3.05));
  assert.deepEqual(
    same.levels.map(({ name }) => name),
    ["L1", "L2", "out"],
  );
  assert.deepEqual(Object.fromEntries(values(same)), { fma: 41, L2: 50, out: 20 });
  const slower = merge_profiles(full, quick(2));
  assert.deepEqual(Object.fromEntries(values(slower)), { fma: 41, L1: 60, out: 21 });
});

test("what is divided is of one run: a later clock changes no rate, a later kernel lifts no roof", () => {
  const roof_of = (run) => ({
    ...{ device: "cpu", class: { isa: "simd", threads: 1 }, unit: "GFLOP/s", value: 48 },
    ...{ from: "peak.simd", clock_ghz: 3, run },
  });
  const mains = profile({ clock_ghz: 2, roofs: [roof_of("a")] });
  assert.match(
    machine_summary(mains).join(" "),
    /ran at 3\.00 GHz and reached 48\.0 GFLOP\/s, 16\.0 operations/,
  );
  const kernel = (run) => ({
    ...{
      kernel: "matmul.packed",
      params: { n: 64 },
      threads: 1,
      unit: "GFLOP/s",
      best: 60,
      median: 60,
    },
    ...{ mad: 1, roof_class: "simd", status: "measured", verified: true, flags: [], run },
  });
  const value = (run) => lift_roofs({ ...mains, results: [kernel(run)] }).roofs[0].value;
  assert.deepEqual([value("a"), value("b")], [60, 48]);
});
