// The caches that a page finds on machines with known caches: their number, capacities and
// latencies, and whether the level beyond is memory.
import assert from "node:assert/strict";
import { test } from "node:test";

import { find_levels, typical_latency } from "../../../../site/runtime/measure/levels.js";
import { derive_roofs } from "../../../../site/runtime/measure/roofs.js";
import { roof_tasks } from "../../../../site/runtime/kernels/tasks.js";
import { machine_summary } from "../../../../site/runtime/profile/machine_summary.js";
import { range_of, range_words, size_words } from "../../../../site/runtime/profile/level_size.js";

const kib = 1024;
const mib = 1024 * kib;
const w_param = { name: "w", unit: "B", default: 65536, min: 4096, max: 2 ** 30 };
const registry = [
  { id: "stream.read", unit: "GB/s", class: "memory", params: [w_param] },
  { id: "latency.chase", unit: "ns", class: "latency", params: [w_param] },
];

const line_param = { name: "line", unit: "B", default: 64, min: 64, max: 128, choices: [64, 128] };
const with_lines = registry.map((kernel) => ({ ...kernel, params: [w_param, line_param] }));

// Caches from the core outward: {holds, ns, gbs}; the last entry is memory.
const cache = (holds, ns, gbs) => ({ holds, ns, gbs });
const machines = {
  "two caches, the second of 12 MiB": [
    cache(128 * kib, 0.94, 98),
    cache(12 * mib, 5.45, 81),
    cache(Infinity, 97, 56.5),
  ],
  "96 KiB and 12 MiB": [
    cache(96 * kib, 0.7, 205),
    cache(12 * mib, 4.67, 120),
    cache(Infinity, 112, 61.5),
  ],
  "four caches, two of them close together": [
    cache(48 * kib, 0.83, 154),
    cache(192 * kib, 1.88, 128),
    cache(2.5 * mib, 3.54, 92),
    cache(12 * mib, 17.5, 42),
    cache(Infinity, 118, 31),
  ],
  "a third cache as slow to read as memory": [
    cache(48 * kib, 1.52, 98),
    cache(2 * mib, 4.55, 70),
    cache(105 * mib, 71, 14),
    cache(Infinity, 118, 12.5),
  ],
  "a small board": [
    cache(64 * kib, 1.67, 74),
    cache(512 * kib, 5, 48),
    cache(2 * mib, 17.5, 26),
    cache(Infinity, 112, 14.9),
  ],
  "a stacked cache before quick memory": [
    cache(32 * kib, 0.79, 158),
    cache(1 * mib, 2.77, 140),
    cache(96 * mib, 12.5, 105),
    cache(Infinity, 66, 43),
  ],
};

/** The share of a set of `w` bytes that hits each level, as a power `p` of the part that fits. */
function shares(levels, w, p) {
  let inner = 0;
  return levels.map(({ holds }) => {
    const hit = Math.min(1, ((0.95 * holds) / w) ** p);
    const own = hit - inner;
    inner = hit;
    return own;
  });
}

const sum = (list) => list.reduce((a, b) => a + b, 0);
const wait = (levels, w) => sum(shares(levels, w, 2).map((share, i) => share * levels[i].ns));
const pass = (levels, w) =>
  25 + sum(shares(levels, w, 3).map((share, i) => (share * w) / levels[i].gbs));

/**
 * The results of a run at `pace` up to `largest` bytes, with errors of up to 1 % in a repeating
 * order.
 */
function results_of(levels, { pace = "full", largest = 2 ** 30 } = {}) {
  return roof_tasks(registry, { pace, largest }).map(({ kernel, params }, i) => {
    const noise = 1 + 0.01 * Math.sin(12.9898 * i);
    const w = params.w;
    const value = kernel.unit === "ns" ? wait(levels, w) : w / pass(levels, w);
    const known = { kernel: kernel.id, params, threads: 1, unit: kernel.unit, flags: [] };
    const number = value * noise;
    return { ...known, status: "measured", verified: true, best: number, median: number };
  });
}

for (const [name, levels] of Object.entries(machines)) {
  test(`${name}: as many levels as there are, each with its size and its wait`, () => {
    const found = derive_roofs(results_of(levels)).levels;
    const names = levels.map((_, i) => (i === levels.length - 1 ? "out" : `L${i + 1}`));
    assert.deepEqual(
      found.map((level) => level.name),
      names,
    );
    for (const [i, { holds, ns, gbs }] of levels.entries()) {
      const level = found[i];
      const near = (value, truth, share) =>
        assert.ok(Math.abs(value / truth - 1) <= share, `${level.name}: ${value}, not ${truth}`);
      near(level.latency_ns, ns, 0.15);
      near(level.read_gbs, gbs, 0.15);
      if (holds === Infinity) continue;
      const { low, high } = range_of(level);
      assert.ok(low <= holds * 1.001 && holds <= high * 1.001, `${holds}: ${range_words(level)}`);
      assert.ok(high <= 2.1 * low, `${range_words(level)} says little`);
    }
    assert.equal(found.at(-1).reached, "memory");
  });
}

test("a cache that answers as late as some memory is not called memory", () => {
  const levels = machines["a third cache as slow to read as memory"];
  const found = derive_roofs(results_of(levels, { largest: 64 * mib })).levels;
  assert.deepEqual(
    found.map(({ name }) => name),
    ["L1", "L2", "out"],
  );
  assert.equal(found.at(-1).reached, "unclear");
});

test("chases at half the distance count only where there are no wider ones", () => {
  const near = results_of(machines["a small board"]).map((result) => {
    const line = result.unit === "ns" ? 128 : undefined;
    return { ...result, params: { ...result.params, ...(line ? { line } : {}) } };
  });
  const halved = near
    .filter(({ unit }) => unit === "ns")
    .map((r) => ({
      ...r,
      params: { ...r.params, line: 64 },
      best: r.best / 2,
      median: r.median / 2,
    }));
  const { levels } = derive_roofs([...halved, ...near]);
  assert.deepEqual(levels, derive_roofs(near).levels);
  assert.ok(roof_tasks(with_lines, { pace: "full" }).some(({ params }) => params.line === 128));
});

test("a run that ended before its small sets were read has no levels", () => {
  const large = results_of(machines["a small board"]).filter(({ params }) => params.w > 4 * mib);
  assert.deepEqual(derive_roofs(large).levels, []);
});

test("a quick run has no chases: it names the first cache, and none that it cannot tell", () => {
  const levels = machines["two caches, the second of 12 MiB"];
  const found = derive_roofs(results_of(levels, { pace: "quick", largest: 2 ** 28 })).levels;
  assert.deepEqual(
    found.map(({ name }) => name),
    ["L1", "out"],
  );
  assert.ok(!found.some(({ bytes }) => bytes > 0));
  assert.equal(found.at(-1).reached, "unclear");
});

test("a size is given by the two sets around it", () => {
  const sizes = (low, high) => ({ bytes: Math.sqrt(low * high), bytes_error: (high - low) / 2 });
  assert.equal(range_words(sizes(512 * kib, mib)), "between 512 KiB and 1 MiB");
  assert.equal(range_words(sizes(741376, 1482752)), "between 724 KiB and 1.41 MiB");
  assert.equal(range_words({}), "");
  const rounded = { bytes: 741000, bytes_error: 262000 }; // as in a link
  assert.equal(range_words(rounded), "between 512 KiB and 1 MiB");
  assert.equal(size_words(0.5), "less than 1 B");
});

test("the words name every cache by its number and its range", () => {
  const levels = machines["four caches, two of them close together"];
  const profile = derive_roofs(results_of(levels));
  const words = machine_summary({ ...profile, results: [] }).join(" ");
  assert.match(words, /L1 holds between 44 KiB and 64 KiB, answers in 0\.8\d* ns/);
  assert.match(words, /L4 holds between 11\.3 MiB and 16 MiB, answers in 1[67]\.\d ns/);
  assert.doesNotMatch(words, /about [\d.]+ .iB \(/);
});

// A virtual machine whose neighbors use the same third-level cache: a chase returns to a line too
// late, while a stream still finds it.
const curve_of = (points, member) =>
  points.map(([w, value]) => ({ params: { w: w * mib }, [member]: value }));
const walked = curve_of(
  [
    [1 / 64, 0.9],
    [1 / 32, 0.9],
    [1 / 8, 3.2],
    [1 / 4, 3.2],
    [1 / 2, 3.2],
    [2, 11.1],
    [4, 11.1],
    [6, 67],
    [8, 104],
    [16, 134],
    [32, 137],
    [64, 137],
    [512, 137],
  ],
  "median",
);
const read_at = (last) =>
  curve_of(
    [
      [1 / 64, 140],
      [1 / 4, 138],
      [1, 120],
      [2, 113],
      [4, 106],
      [6, 103],
      [8, 101],
      ...last,
      [64, 40],
      [256, 36],
      [1024, 35],
    ],
    "best",
  );

test("a cache ends where reads leave it, though a slow walk finds less of it", () => {
  const shared = find_levels(
    walked,
    read_at([
      [12, 99],
      [16, 90],
      [24, 64],
      [32, 45],
    ]),
  ).caches;
  assert.equal(shared.length, 3);
  assert.deepEqual([shared[2].low / mib, shared[2].high / mib], [12, 24]);
  assert.deepEqual(
    shared[2].chases.map(({ params }) => params.w / mib),
    [4],
    "it waits as long as the walk that found it",
  );
  const alone = find_levels(
    walked,
    read_at([
      [12, 60],
      [16, 50],
      [24, 45],
      [32, 42],
    ]),
  ).caches;
  assert.ok(alone[2].low <= 8 * mib, "reads that slow down leave it too");
});

test("a smaller set that answers later than a larger one was disturbed", () => {
  const waits = (all) => typical_latency(all.map((median) => ({ median })));
  assert.equal(waits([16, 24, 11.1]), 11.1);
  assert.equal(waits([16.4, 23.2, 11.7, 11.6, 12.1]), 11.6);
  assert.equal(waits([10, 10.1, 10.2, 14]), 10.1);
});

test("the FMA ceiling is never below the SIMD ceiling", () => {
  const peak = (isa, best, threads = 1) => ({
    kernel: `peak.${isa}`,
    params: { chains: 8 },
    threads,
    status: "measured",
    verified: true,
    unit: "GFLOP/s",
    best,
    median: best,
    mad: 0,
    flags: [],
  });
  const ceilings = (results) =>
    derive_roofs(results).roofs.map(({ class: c, value, from }) => [c.isa, c.threads, value, from]);
  assert.deepEqual(ceilings([peak("fma", 51), peak("simd", 53.8)]), [
    ["fma", 1, 53.8, "peak.simd{chains=8}"],
    ["simd", 1, 53.8, "peak.simd{chains=8}"],
  ]);
  assert.deepEqual(ceilings([peak("fma", 51), peak("simd", 90, 2)])[0][2], 51);
  assert.deepEqual(ceilings([peak("fma", 51), peak("simd", 30)])[0][2], 51);
});
