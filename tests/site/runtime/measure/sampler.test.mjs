// The measuring protocol on a module with invented speed, clock and faults, so that the right
// answer is known.
import assert from "node:assert/strict";
import { test } from "node:test";

import {
  choose_module,
  describe_browser,
  detect,
} from "../../../../site/runtime/kernels/detect.js";
import { derive_roofs, lift_roofs } from "../../../../site/runtime/measure/roofs.js";
import { badge_of } from "../../../../site/runtime/profile/result_text.js";
import { middle_runs, same_run, spread_of } from "../../../../site/runtime/profile/runs.js";
import { parse_term, runs_in_spec, terms_in } from "../../../../scripts/lib/kernel_terms.mjs";
import { measure_suite } from "../../../../site/runtime/measure/sampler.js";
import {
  complete_params,
  roof_tasks,
  select_kernels,
  short_params,
  size_sweep,
  suite_runs,
  task_key,
  task_of,
} from "../../../../site/runtime/kernels/tasks.js";

const n_param = { name: "n", unit: "", default: 512, min: 1, max: 4096 };
const w_param = { name: "w", unit: "B", default: 65536, min: 4096, max: 2 ** 30 };
const registry = [
  {
    id: "peak.fma",
    variant: "",
    title: "Peak",
    unit: "GFLOP/s",
    class: "fma",
    params: [{ name: "chains", unit: "", default: 8, min: 1, max: 16 }],
  },
  {
    id: "stream.read",
    variant: "",
    title: "Read",
    unit: "GB/s",
    class: "memory",
    params: [w_param],
  },
  {
    id: "matmul.packed",
    variant: "",
    title: "Packed",
    unit: "GFLOP/s",
    class: "fma",
    params: [
      n_param,
      { name: "tile", unit: "", default: 608, min: 216, max: 808, choices: [216, 608] },
    ],
  },
  {
    id: "matmul.packed",
    variant: "cache",
    title: "Cache only",
    unit: "GFLOP/s",
    class: "fma",
    params: [n_param],
  },
].map((kernel, index) => ({ ...kernel, index }));

/**
 * A machine of 3 GHz, 48 GFLOP/s, with 1 MiB of fast memory; it ticks by 0.1 ms and can be slowed
 * or faulty.
 */
function machine({
  faulty = "",
  slow_after = Infinity,
  memory = 2 ** 30,
  matmul_rate = 45e9,
} = {}) {
  let t = 5000;
  let params = {};
  let selected = null;
  const clock = () => (t > slow_after ? 1.5 : 3);
  const flops = () => (selected.id === "peak.fma" ? 1e6 : 2e6);
  const seconds = () => {
    if (selected.id === "stream.read") return params.w / (params.w > 2 ** 20 ? 20e9 : 90e9);
    return flops() / (selected.id === "peak.fma" ? 48e9 : matmul_rate);
  };
  const module = {
    registry,
    canary_ops: 64,
    heap_base: 65536,
    select: (kernel, given) => {
      selected = kernel;
      params = given;
    },
    flops,
    bytes: () => params.w ?? 1e3,
    memory_needed: () => params.w ?? 4096,
    reserve: (bytes) => bytes <= memory,
    prepare: () => {
      t += 0.01;
    },
    run: (kernel, base, reps) => {
      t += (reps * seconds() * 1e3 * 3) / clock();
    },
    verify: (kernel) => ({ error: kernel.id === faulty ? 0.5 : 1e-7, tolerance: 1e-5 }),
    canary: (iterations) => {
      t += (iterations * 64) / (clock() * 1e6);
    },
  };
  const now = () => {
    t += 1e-4;
    return Math.floor(t / 0.1) * 0.1;
  };
  const pause = async (ms) => {
    t += ms;
  };
  return { module, now, pause };
}

const measure = (invented, tasks, pace = "quick") =>
  measure_suite({ ...invented, tasks, pace, report: () => {} });
const task = (index, given = {}) => ({
  kernel: registry[index],
  params: complete_params(registry[index], given),
});
const near = (actual, expected, share = 0.02) =>
  assert.ok(
    Math.abs(actual / expected - 1) <= share,
    `${actual} is not ${expected} within ${share}`,
  );

for (const [pace, fewest] of Object.entries({ quick: 5, full: 7, thorough: 15 })) {
  test(`${pace} pace: right rates, enough samples, no flags`, async () => {
    const suite = await measure(machine(), [task(0), task(1, { w: 65536 }), task(2)], pace);
    near(suite.tick_ms, 0.1);
    near(suite.clock_ghz, 3);
    const [peak, read, matmul] = suite.results;
    near(peak.median, 48);
    near(read.median, 90);
    near(matmul.median, 45);
    for (const result of suite.results) {
      assert.equal(result.status, "measured");
      assert.ok(result.verified);
      assert.ok(result.samples >= fewest, `${result.samples} samples`);
      assert.deepEqual(result.flags, []);
    }
    near(matmul.p90, 2e6 / 45e9, 0.03);
  });
}

test("progress never falls, and of many tasks each takes its part", async () => {
  const invented = machine({ memory: 2 ** 30 });
  // They share a region, run one after the other, and take longer than a full run samples.
  const sizes = Array.from({ length: 800 }, (_, i) => 2 ** 28 + i * 2 ** 16);
  const tasks = sizes.map((w) => task(1, { w }));
  const heard = [];
  const report = (share, text) => heard.push({ share, is_sample: text.startsWith("Measuring") });
  await measure_suite({ ...invented, tasks, pace: "full", report });
  const shares = heard.map(({ share }) => share);
  assert.deepEqual(
    shares,
    shares.toSorted((a, b) => a - b),
  );
  const half = heard[Math.floor(heard.length / 2)].share;
  assert.ok(half > 0.3 && half < 0.75, `${half} in the middle`);
});

test("progress reports contain the roof samples as they are taken", async () => {
  const heard = [];
  const report = (share, text, samples = []) => heard.push(...samples);
  const invented = machine();
  const tasks = [task(0), task(1), task(2)].filter(Boolean);
  const { results } = await measure_suite({ ...invented, tasks, pace: "full", report });
  const found = new Map(results.map((one) => [one.kernel, one]));
  const kinds = { "peak.fma": "arithmetic", "stream.read": "memory" };
  assert.ok(results.some(({ kernel }) => kernel in kinds) && heard.length > 0);
  for (const [kernel, of] of Object.entries(kinds)) {
    const own = heard.filter((one) => one.of === of);
    const { median: rate } = found.get(kernel) ?? {};
    assert.equal(own.length > 0, rate > 0, kernel);
    const near_it = own.filter((one) => Math.abs(one.rate / (rate * 1e9) - 1) < 0.1);
    assert.ok(near_it.length >= own.length / 2, `${kernel}: ${own.map((one) => one.rate)}`);
  }
  assert.ok(heard.filter(({ of }) => of === "memory").every(({ set }) => set > 0));
});

test("a wrong result is unavailable with its error, and its number is gone", async () => {
  const { results } = await measure(machine({ faulty: "matmul.packed" }), [task(0), task(2)]);
  assert.equal(results[0].status, "measured");
  assert.equal(results[1].status, "unavailable");
  assert.match(results[1].reason, /result was wrong/);
  assert.equal(results[1].median, undefined);
});

test("refused memory: one shared region, and what still does not fit is unavailable", async () => {
  const tasks = [task(1, { w: 2 ** 20 }), task(1, { w: 2 ** 20 * 1.5 }), task(1, { w: 2 ** 26 })];
  const { results } = await measure(machine({ memory: 2 ** 21 }), tasks);
  assert.deepEqual(
    results.map((r) => r.status),
    ["measured", "measured", "unavailable"],
  );
  assert.match(results[2].reason, /^it needs 64 MiB of memory, more than this book takes .* or/);
});

test("large working sets share one region in turn, small ones have their own", async () => {
  const invented = machine({ memory: 2 ** 27 + 2 ** 26 });
  const owners = [];
  const { prepare } = invented.module;
  invented.module.prepare = (kernel, base) => {
    owners.push(base);
    prepare(kernel, base);
  };
  const large = [2 ** 27, 2 ** 27 - 2 ** 20].map((w) => task(1, { w }));
  const { results } = await measure(invented, [task(0), ...large, task(2)]);
  assert.ok(results.every((r) => r.status === "measured"));
  const places = [...new Set(owners)].sort((a, b) => a - b);
  // Data move slightly within a region.
  const regions = places.filter((base, i) => !(base - places[i - 1] < 4096));
  assert.equal(regions.length, 3, "two small regions and one for both large sets");
  assert.equal(places.length, 9, "each at three places");
  const turns = owners.filter((base) => base >= regions[2]);
  assert.ok(turns.length < 20, `${turns.length} times prepared: not in turn`);
});

test("many middle-sized working sets share a region rather than refuse a large one", async () => {
  const middle = Array.from({ length: 6 }, (_, i) => task(1, { w: 2 ** 25 + i * 4096 }));
  const tasks = [...middle, task(1, { w: 2 ** 27 })]; // 320 MiB with one region each
  const { results } = await measure(machine({ memory: 2 ** 27 + 2 ** 26 }), tasks);
  assert.deepEqual(results.map((r) => r.reason).filter(Boolean), []);
});

test("a core that slows down for good bars nothing: its best, what is left, and the same per cycle", async () => {
  const slowing = machine({ slow_after: 5250 });
  const suite = await measure(slowing, [task(0), task(2)], "thorough");
  near(suite.clock_ghz, 3);
  near(suite.clock_sustained_ghz, 1.5);
  const [peak, matmul] = suite.results;
  for (const [result, rate] of [
    [peak, 48],
    [matmul, 45],
  ]) {
    assert.deepEqual(result.flags, ["throttled"]);
    assert.notEqual(badge_of(result).kind, "bad");
    near(result.median, rate);
    near(result.sustained, rate / 2);
    near(result.per_cycle, rate / 3);
  }
});

test("a kernel that runs at two speeds is flagged", async () => {
  const leaping = machine();
  const { run } = leaping.module;
  leaping.module.run = (kernel, base, reps) =>
    run(kernel, base, kernel.id === "matmul.packed" && leaping.now() > 5300 ? reps * 3 : reps);
  const { results } = await measure(leaping, [task(0), task(2)], "thorough");
  assert.deepEqual(
    results.map(({ flags }) => flags),
    [[], ["two-speeds"]],
  );
});

test("a roof is not drawn from an untrusted probe", async () => {
  const tasks = roof_tasks(registry, { largest: 2 ** 26 });
  const { results } = await measure(machine(), tasks);
  for (const flag of ["drift", "slow-tier"]) {
    const doubtful = results.map((r) => ({ ...r, flags: [flag] }));
    assert.deepEqual(derive_roofs(doubtful).roofs, []);
  }
  const warm = results.map((r) => ({ ...r, flags: ["throttled"] }));
  assert.deepEqual(derive_roofs(warm).roofs, derive_roofs(results).roofs);
});

test("what memory paces is not scaled by a clock that it does not follow", async () => {
  const slowing = machine({ slow_after: 5250 });
  const { run } = slowing.module;
  slowing.module.run = (kernel, base, reps) => {
    if (kernel.id !== "stream.read") return run(kernel, base, reps);
    // As fast as before, whatever the core does.
    const halved = slowing.now() > 5250 ? reps / 2 : reps;
    return run(kernel, base, halved);
  };
  const { results } = await measure(slowing, [task(0), task(1, { w: 2 ** 22 })], "thorough");
  near(results[1].median, 20, 0.03);
  assert.equal(results[1].sustained, undefined);
});

test("a full run ends early where the spread is small, and goes on where it is not", async () => {
  const noisy = machine();
  const { run } = noisy.module;
  let batches = 0;
  noisy.module.run = (kernel, base, reps) => {
    const is_late = kernel.id === "matmul.packed" && reps > 10 && ++batches % 2;
    run(kernel, base, is_late ? reps * 1.3 : reps);
  };
  const { results } = await measure(noisy, [task(0), task(2)], "full");
  assert.ok(results[0].samples < 10, `${results[0].samples} samples of a steady kernel`);
  assert.equal(results[1].samples, 15, `± ${results[1].mad} of ${results[1].median}`);
});

test("a full run of slow kernels keeps to its time, and each has its samples", async () => {
  const slow = machine({ matmul_rate: 0.05e9 }); // 40 ms a product
  const tasks = Array.from({ length: 150 }, (_, i) => task(2, { n: 100 + i }));
  const began = slow.now();
  const { results } = await measure(slow, tasks, "full");
  assert.ok(slow.now() - began < 60_000, `${slow.now() - began} ms`);
  assert.ok(results.every(({ samples }) => samples >= 3 && samples === results[0].samples));
});

test("the full suite: the roofs, and whatever a profile of the whole book holds", () => {
  const asked = (pace) => roof_tasks(registry, { pace, largest: 2 ** 30 }).map(task_key);
  const [full, thorough] = [asked("full"), asked("thorough")];
  assert.ok(full.length < thorough.length);
  assert.deepEqual(
    full.filter((key) => !thorough.includes(key)),
    [],
  );
  const results = [
    { kernel: "peak.fma", params: { chains: 6 }, threads: 1 },
    { kernel: "peak.fma", params: { chains: 5 }, threads: 1 }, // from an earlier edition
    { kernel: "matmul.packed", params: { n: 1000, tile: 608 }, threads: 1, status: "measured" },
    { kernel: "matmul.packed", params: { n: 64, variant: "cache" }, threads: 1 },
  ];
  const runs = suite_runs(registry, { results });
  assert.deepEqual(
    runs.map((run) => task_key(task_of(registry, run))),
    ["matmul.packed{n=1000,tile=608}x1", "matmul.packed{n=64,variant=cache}x1"],
  );
});

test("roofs come from probes; a kernel 2 % above its roof lifts it and is named", async () => {
  const tasks = [...roof_tasks(registry, { largest: 2 ** 26 }), task(2)];
  const honest = await measure(machine(), tasks);
  const derived = derive_roofs(honest.results);
  near(derived.roofs.find((r) => r.class.isa === "fma").value, 48);
  near(derived.roofs.find((r) => r.class.level === "L1").value, 90);
  near(derived.roofs.find((r) => r.class.level === "out").value, 20);
  assert.deepEqual(
    derived.levels.map((l) => l.name),
    ["L1", "out"],
  );

  const fast = await measure(machine({ matmul_rate: 52e9 }), tasks);
  const lifted = lift_roofs({ results: fast.results, ...derive_roofs(fast.results) });
  const roof = lifted.roofs.find((r) => r.class.isa === "fma");
  near(roof.value, 52);
  assert.equal(roof.from, "matmul.packed");
  assert.ok(lifted.results.find((r) => r.kernel === "matmul.packed").flags.includes("lifted-roof"));
});

test("parameters: defaults, limits, choices, and short ones for warming up", () => {
  const packed = registry[2];
  assert.deepEqual(complete_params(packed, { n: 100 }), { n: 100, tile: 608 });
  assert.throws(() => complete_params(packed, { n: 1e6 }), /n = 1000000 is outside 1 … 4096/);
  assert.throws(() => complete_params(packed, { tile: 300 }), /none of 216, 608/);
  assert.deepEqual(short_params(packed, { n: 1000, tile: 608 }), { n: 64, tile: 608 });
  assert.deepEqual(short_params(registry[1], { w: 2 ** 28 }), { w: 16384 });
});

test("kernels by id, variant and family; a run of a page to its task", () => {
  assert.equal(select_kernels(registry, "matmul.packed").length, 2);
  assert.equal(select_kernels(registry, "matmul.packed:cache").length, 1);
  assert.equal(select_kernels(registry, "*").length, 4);
  assert.equal(select_kernels(registry, "nothing").length, 0);
  assert.equal(
    task_of(registry, { kernel: "matmul.packed", params: { n: 64, variant: "cache" } }).kernel
      .variant,
    "cache",
  );
  assert.equal(task_of(registry, { kernel: "gone" }), null);
  assert.notEqual(task_key(task(2)), task_key(task(3)));
});

test("working sets double from 8 KiB in whole pages", () => {
  assert.deepEqual(size_sweep(8192, 65536), [8192, 16384, 32768, 65536]);
  assert.ok(
    size_sweep(8192, 2 ** 20, 2)
      .slice(4)
      .every((size) => size % 4096 === 0),
  );
});

test("the module is chosen by what the browser validates, and the reason is words", () => {
  const all = { wasm: true, simd: true, relaxed: true, shared: false };
  assert.equal(choose_module(all).file, "kernels-relaxed.wasm");
  assert.equal(choose_module({ ...all, relaxed: false }).file, "kernels-simd128.wasm");
  assert.equal(
    choose_module({ ...all, shared: true }, { threads: 2 }).file,
    "kernels-relaxed-shared.wasm",
  );
  assert.match(choose_module(all, { threads: 2 }).reason, /isolated page/);
  assert.match(choose_module({ ...all, simd: false }).reason, /no SIMD/);
  assert.match(choose_module({ wasm: false }).reason, /does not run WebAssembly/);
  assert.match(
    choose_module({ ...all, relaxed: false }, { wanted: "relaxed" }).reason,
    /no relaxed SIMD/,
  );
  assert.equal(detect({}).wasm, false);
  assert.equal(detect().simd, true);
});

test("browsers are named for the record", () => {
  const named = (userAgent) => describe_browser({ userAgent }).browser;
  assert.equal(
    named("Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0"),
    "Firefox 153.0",
  );
  assert.match(
    named("Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/156.0.0.0 Safari/537.36"),
    /156/,
  );
});

test("a result belongs to a run only with the same parameters, defaults included", () => {
  const run = { kernel: "matmul.packed", params: { n: 64 } };
  const result = (params, members = {}) => ({
    kernel: "matmul.packed",
    params,
    threads: 1,
    ...members,
  });
  assert.ok(same_run(result({ n: 64, tile: 608 }), run, registry));
  assert.ok(!same_run(result({ n: 64, tile: 216 }), run, registry));
  assert.ok(!same_run(result({ n: 64, tile: 608 }, { threads: 2 }), run, registry));
  assert.ok(!same_run(result({ n: 64, variant: "cache" }), run, registry));
});

test("of several runs the middle one is kept, and a failure never wins over a number", () => {
  const run = (median) => [
    { status: "measured", median },
    { status: "unavailable", reason: "x" },
  ];
  const failed = [
    { status: "unavailable", reason: "y" },
    { status: "unavailable", reason: "x" },
  ];
  const [first, second] = middle_runs([failed, run(44), run(47), run(45)]);
  assert.equal(first.median, 45);
  assert.equal(second.reason, "x");
});

test("spread over runs: a drifting machine moves values, not their ratios", () => {
  const run = (share) => [
    { kernel: "a", params: {}, unit: "GFLOP/s", status: "measured", median: 50 * share },
    { kernel: "b", params: {}, unit: "GFLOP/s", status: "measured", median: 25 * share },
    { kernel: "c", params: {}, unit: "GB/s", status: "unavailable", reason: "x" },
  ];
  const spread = spread_of([run(1), run(0.9), run(1.1), run(1.05), run(0.95)]);
  assert.deepEqual(
    spread.map(({ kernel }) => kernel),
    ["a", "b"],
  );
  near(spread[1].value, 25);
  near(spread[1].mad, 0.05);
  assert.ok(spread[1].ratio.mad < 1e-9);
  assert.equal(spread[1].ratio.to, "a");
});

test("terms in chapters and specs become runs", () => {
  const text =
    "`stream.read{w=64MiB}` and matmul.packed.best{n=100} / matmul.packed{n=64,variant=cache}, " +
    "peak.fma, other.kernel{n=1}";
  assert.deepEqual(terms_in(text, registry), [
    { kernel: "stream.read", params: { w: 2 ** 26 }, threads: 1 },
    { kernel: "matmul.packed", params: { n: 100 }, threads: 1 },
    { kernel: "matmul.packed", params: { n: 64, variant: "cache" }, threads: 1 },
    { kernel: "peak.fma", params: {}, threads: 1 },
  ]);
  assert.deepEqual(
    runs_in_spec({ rungs: [{ kernel: "stream.read", params: { w: "1 MiB" } }] }, registry),
    [{ kernel: "stream.read", params: { w: 2 ** 20 }, threads: 1 }],
  );
  assert.equal(parse_term("matmul.packed{n=99999}", registry), null);
});

/**
 * A machine whose memory responds in 100 ns, and after `ms` in 50: chases alone and sixteen at
 * once.
 */
function two_states(ms) {
  const { module, now, pause } = machine();
  const chains = { name: "chains", unit: "", default: 1, min: 1, max: 16 };
  const common = { variant: "", title: "Chase", unit: "ns", class: "latency" };
  const kernels = [
    { ...common, id: "latency.chase", params: [w_param], index: 0 },
    { ...common, id: "parallelism.chase", params: [w_param, chains], index: 1 },
  ];
  let many = 1;
  let spent = 0;
  const told = () => now() + Math.floor(spent / 0.1) * 0.1;
  const fake = {
    ...module,
    registry: kernels,
    select: (kernel, params) => (many = params.chains ?? 1),
    flops: () => 4096 * many,
    bytes: () => 4096 * 128 * many,
    memory_needed: () => 2 ** 26,
    run: (kernel, base, reps) => {
      spent += (reps * 4096 * (told() - 5000 > ms ? 50 : 100)) / 1e6;
    },
  };
  return { kernels, invented: { module: fake, now: told, pause } };
}

test("one chase and sixteen at once that met two states of memory are timed again, by turns", async () => {
  for (const ms of [300, Infinity]) {
    const { kernels, invented } = two_states(ms);
    const params = [{ w: 2 ** 26 }, { w: 2 ** 26, chains: 16 }];
    const tasks = kernels.map((kernel, i) => ({ kernel, params: params[i], threads: 1 }));
    const { results } = await measure(invented, tasks, "full");
    const [one, several] = results.map(({ median }) => median);
    near(one / several, 16);
    near(one, ms === Infinity ? 100 : 50);
  }
});
