// Kernel modules alone: the memory and the strings of a module, the canary, jitter, the features
// detected in a browser, and the outcome of each request.
import assert from "node:assert/strict";
import { test } from "node:test";

import { Canary } from "../../../../site/runtime/kernels/canary.js";
import {
  choose_module,
  describe_browser,
  detect,
  module_parts,
  set_limit,
} from "../../../../site/runtime/kernels/detect.js";
import { jitter_of } from "../../../../site/runtime/kernels/jitter.js";
import {
  align,
  compile,
  KernelModule,
  open_modules,
} from "../../../../site/runtime/kernels/kernel_module.js";
import {
  core_baseline,
  core_tasks,
  complete_params,
  roof_tasks,
  select_kernels,
  short_params,
  size_sweep,
  suite_runs,
  task_key,
  task_of,
  with_judge,
} from "../../../../site/runtime/kernels/tasks.js";

/** The exports of a module with one kernel, over a memory that can grow to four pages. */
function played_module({ run_part = 1 } = {}) {
  const memory = new WebAssembly.Memory({ initial: 1, maximum: 4 });
  const words = new TextEncoder().encode('{"id":"k","params":[{"name":"n"},{"name":"m"}]}');
  new Uint8Array(memory.buffer).set(words, 64);
  const calls = [];
  const note =
    (name, value) =>
    (...all) => {
      calls.push([name, ...all]);
      return value;
    };
  const exports = {
    memory,
    calls,
    args: () => 1024,
    kernel_count: () => 1,
    describe: () => 64,
    canary_ops_per_iteration: () => 8,
    heap_base: () => 5000,
    set_threads: note("threads"),
    run_part: note("part", run_part),
    verify: () => 0.25,
    tolerance: () => 0.5,
    canary: note("canary"),
  };
  return exports;
}
const module_of = (exports, limit = 2 ** 31) => new KernelModule(exports, exports.memory, limit);

test("a module: its registry, its parameters, and memory up to a limit", () => {
  const exports = played_module();
  const module = module_of(exports, 3 * 65536);
  assert.deepEqual(module.registry, [
    { id: "k", params: [{ name: "n" }, { name: "m" }], index: 0 },
  ]);
  const [kernel] = module.registry;
  module.select(kernel, { m: 7, n: 3 });
  module.select(kernel, { m: 7, n: 3 }, 4);
  assert.deepEqual([...new Float64Array(exports.memory.buffer, 1024, 2)], [3, 7]);
  assert.deepEqual(exports.calls, [
    ["threads", 1],
    ["threads", 4],
  ]);
  assert.deepEqual(module.verify(kernel, 0), { error: 0.25, tolerance: 0.5 });
  assert.equal(module.heap_base, 8192);
  assert.equal(module.run_part(kernel, 0, 1, 0), true);
  assert.equal(module_of(played_module({ run_part: 0 })).run_part(kernel, 0, 1, 0), false);
  const size = () => exports.memory.buffer.byteLength / 65536;
  assert.deepEqual([module.reserve(65536), size()], [true, 1]);
  assert.deepEqual([module.reserve(65537), size()], [true, 2]);
  assert.deepEqual([module.reserve(3 * 65536 + 1), size()], [false, 2]);
  assert.deepEqual([module.reserve(3 * 65536), size()], [true, 3]);
  const free = module_of(exports);
  assert.deepEqual([free.reserve(5 * 65536), size()], [false, 3], "the browser refuses");
});

test("addresses begin a page, some lines on", () => {
  assert.deepEqual([align(0), align(1), align(4096), align(4097, 3)], [0, 4096, 4096, 8192 + 192]);
});

test("a module that does not come says why", async () => {
  const { fetch } = globalThis;
  const empty = new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]);
  const answered = async (response) => {
    globalThis.fetch = async () => {
      if (!response) throw new TypeError("no network");
      return response;
    };
    return compile("x.wasm").then(
      (module) => module instanceof WebAssembly.Module,
      ({ message }) => message,
    );
  };
  try {
    assert.equal(await answered(new Response(empty)), true);
    assert.match(
      await answered(new Response(empty, { status: 404 })),
      /an update of the book replaced the measuring code/,
    );
    assert.match(await answered(null), /check your network connection/);
  } finally {
    globalThis.fetch = fetch;
  }
});

test("a further module is loaded only for kernels that those before lack", async () => {
  const { fetch } = globalThis;
  const { instantiate } = KernelModule;
  const empty = new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]);
  const registries = [["matmul.packed"], ["matmul.i8"]];
  const opened = async (wanted) => {
    const loaded = [];
    const limits = new Map();
    const known = new Map(); // compiled code to its number
    globalThis.fetch = async (url) => {
      loaded.push(url);
      return new Response(empty);
    };
    KernelModule.instantiate = async (code, { limit } = {}) => {
      if (!known.has(code)) known.set(code, known.size);
      if (limit) limits.set(known.get(code), limit);
      return { registry: registries[known.get(code)] };
    };
    const lacks = (seen) => !seen.flat().includes(wanted);
    const parts = (count) => module_parts(400, count);
    const modules = await open_modules(["first", "further"], lacks, parts);
    return { loaded, limits: [...limits.values()], held: modules.map(({ registry }) => registry) };
  };
  try {
    const usual = { loaded: ["first"], limits: [400], held: [registries[0]] };
    assert.deepEqual(await opened("matmul.packed"), usual);
    const both = { loaded: ["first", "further"], limits: [300, 100], held: registries };
    assert.deepEqual(await opened("matmul.i8"), both);
    assert.deepEqual((await opened("nothing.alike")).loaded, ["first", "further"]);
    assert.deepEqual(module_parts(2 ** 31, 1), { first: 2 ** 31, further: 2 ** 31 });
  } finally {
    globalThis.fetch = fetch;
    KernelModule.instantiate = instantiate;
  }
});

/** A canary on a core whose clock in GHz is `rate()`. */
function canary_on(rate, tick = 0.001) {
  let t = 5;
  const module = {
    canary_ops: 10,
    canary: (iterations) => (t += (iterations * 10) / (rate() * 1e6)),
  };
  const now = () => Math.floor((t += 1e-5) / tick) * tick;
  return new Canary(module, now, tick);
}

test("the canary reads the core's clock and tells when it fell", () => {
  let ghz = 3;
  const canary = canary_on(() => ghz);
  const usual = Array.from({ length: 10 }, () => canary.read().ghz);
  for (const reading of usual) assert.ok(Math.abs(reading - 3) < 0.09, `${reading}`);
  assert.ok(Math.abs(canary.clock_ghz - 3) < 0.09);
  assert.equal(canary.tolerance, 0.03);
  const clock = canary.clock_ghz;
  const steady = (before, after) =>
    canary.steady({ ghz: clock * before, at: 8 }, { ghz: clock * after, at: 9 });
  assert.equal(steady(0.98, 0.98), true);
  assert.equal(steady(0.98, 0.94), false);
  assert.equal(steady(0.97, 0.97), true, "the bound is within");
  assert.equal(canary.throttled, false);
  ghz = 2.5;
  for (let i = 0; i < 5; ++i) canary.read();
  assert.equal(canary.throttled, true, "three of fifteen at the end are slower");
  const short = canary_on(() => 3);
  short.readings = [...new Array(7).fill(3), ...new Array(7).fill(1)];
  assert.equal(short.throttled, false, "too few to tell");
  short.readings.push(1);
  assert.equal(short.throttled, true);
});

test("a coarse clock makes the canary's window longer and, until it has readings, its verdict milder", () => {
  const canary = canary_on(() => 2, 1);
  assert.equal(canary.tolerance, 0.1); // a tick of ten
  const reading = canary.read().ghz;
  assert.ok(Math.abs(reading - 2) < 0.4, `${reading}`);
});

test("jitter: quantiles of equal runs after uncounted ones, or a reason", async () => {
  let runs = 0;
  const rests = [];
  const once = async () => {
    ++runs;
    return runs <= 20 ? 1000 : runs - 20;
  };
  const how = { tick_ms: 0.2, rest: async (share) => rests.push(share), repeats: 100 };
  const found = await jitter_of(once, how);
  assert.equal(runs, 120);
  assert.equal(found.samples, 100);
  assert.ok(
    found.p50 > 49 && found.p50 < 52 && found.p90 > 89 && found.p90 < 92 && found.p99 > 97,
    JSON.stringify(found),
  );
  assert.deepEqual(rests, [0, 50 / 120, 100 / 120]);
  const { reason } = await jitter_of(once, { ...how, tick_ms: 0.21 });
  assert.match(reason, /too coarse/);
  assert.equal(runs, 120, "and nothing is run");
});

const scope = (more = {}) => ({
  WebAssembly,
  Worker: class {},
  SharedArrayBuffer: class {},
  crossOriginIsolated: true,
  navigator: { hardwareConcurrency: 6 },
  ...more,
});

test("what a browser can run is found by asking it", () => {
  const found = detect(scope());
  assert.deepEqual(
    [found.wasm, found.simd, found.isolated, found.shared, found.workers, found.cores],
    [true, true, true, true, true, 6],
  );
  assert.equal(found.x86, process.arch === "x64");
  assert.deepEqual(
    [
      detect(scope({ crossOriginIsolated: false })),
      detect(scope({ SharedArrayBuffer: undefined })),
    ].map((one) => one.shared),
    [false, false],
  );
  const none = detect({});
  assert.deepEqual(none, {
    wasm: false,
    simd: false,
    relaxed: false,
    fused: false,
    x86: false,
    isolated: false,
    shared: false,
    workers: false,
    cores: 0,
  });
  const refusing = {
    validate: () => {
      throw new Error("no");
    },
  };
  assert.deepEqual(
    [detect({ WebAssembly: refusing }).wasm, detect({ WebAssembly: refusing }).simd],
    [true, false],
  );
  assert.equal(detect({ WebAssembly: {} }).wasm, false);
  const only = (wanted) =>
    detect(
      scope({
        WebAssembly: { ...scope().WebAssembly, validate: (bytes) => bytes.length > 60 === wanted },
      }),
    );
  assert.notEqual(only(true).relaxed, only(true).simd, "they are different modules");
});

test("the module follows from what was found", () => {
  const found = { wasm: true, simd: true, relaxed: true, shared: true };
  const file = (more, how) => choose_module({ ...found, ...more }, how).file;
  assert.equal(file(), "kernels-relaxed.wasm");
  assert.equal(file({ relaxed: false }), "kernels-simd128.wasm");
  assert.equal(file({}, { wanted: "simd128" }), "kernels-simd128.wasm");
  assert.equal(file({}, { threads: 2 }), "kernels-relaxed-shared.wasm");
  assert.equal(file({ shared: false }, { threads: 1 }), "kernels-relaxed.wasm");
  assert.deepEqual(choose_module(found).further, ["layers-relaxed.wasm"]);
  assert.deepEqual(choose_module(found, { threads: 2 }).further, []);
  const reason = (more, how) => choose_module({ ...found, ...more }, how).reason;
  assert.match(reason({ wasm: false }), /does not run WebAssembly/);
  assert.match(reason({ simd: false }), /no SIMD/);
  assert.match(reason({ relaxed: false }, { wanted: "relaxed" }), /no relaxed SIMD/);
  assert.match(reason({ shared: false }, { threads: 2 }), /isolated/);
});

test("browsers by name, and the largest set that a device allows", () => {
  const agent = (userAgent, more = {}) =>
    Object.values(describe_browser({ userAgent, ...more })).join("|");
  assert.equal(
    agent("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"),
    "Firefox 140.0|SpiderMonkey|Linux",
  );
  const chrome = "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/126.0.0.0 Safari/537.36";
  assert.equal(agent(chrome), "Chromium 126.0.0.0|V8|Windows");
  assert.equal(agent(`${chrome} Edg/126.0`), "Edge 126.0.0.0|V8|Windows");
  const brands = [{ brand: "Not;A=Brand" }, { brand: "Chromium" }, { brand: "Google Chrome" }];
  assert.equal(agent(chrome, { userAgentData: { brands } }), "Google Chrome 126.0.0.0|V8|Windows");
  assert.equal(
    agent("Mozilla/5.0 (iPhone) Version/17.4 Safari/604.1"),
    "Safari 17.4|JavaScriptCore|iPhone",
  );
  assert.equal(agent(""), "unknown|unknown|unknown");
  assert.equal(agent("Lynx"), "Lynx|unknown|unknown");
  const limits = [
    { deviceMemory: 1 },
    { deviceMemory: 32 },
    {},
    { maxTouchPoints: 1 },
    { maxTouchPoints: 5 },
  ];
  assert.deepEqual(limits.map(set_limit), [2 ** 27, 2 ** 30, 2 ** 30, 2 ** 30, 2 ** 28]);
});

const param = (name, more = {}) => ({ name, unit: "", default: 8, min: 1, max: 4096, ...more });
const w = param("w", { unit: "B", default: 8192, min: 4096, max: 2 ** 28 });
const chains = param("chains", { max: 15 });
const registry = [
  { id: "peak.simd", params: [chains] },
  { id: "peak.fma", variant: "", params: [param("chains", { min: 9 })] },
  { id: "peak.scalar", params: [] },
  { id: "stream.read", params: [w] },
  { id: "latency.chase", params: [w] },
  { id: "parallelism.chase", params: [{ ...w, max: 2 ** 30 }, param("chains", { max: 16 })] },
  { id: "matmul.packed", params: [param("n"), param("tile", { default: 4, choices: [4, 100] })] },
  { id: "matmul.packed", variant: "other", params: [param("n")] },
  { id: "matmul.parallel", params: [param("n")] },
  { id: "allreduce.ring", params: [param("bytes", { max: 2 ** 30 })] },
  { id: "allreduce.tree", params: [param("bytes", { max: 2 ** 30 })] },
];
const ids = (list) =>
  list.map(({ id, variant, kernel }) =>
    kernel ? kernel.id : `${id}${variant ? `:${variant}` : ""}`,
  );

test("kernels by their id, a variant, a family", () => {
  assert.deepEqual(ids(select_kernels(registry, "matmul.packed")), [
    "matmul.packed",
    "matmul.packed:other",
  ]);
  assert.deepEqual(ids(select_kernels(registry, "matmul.packed:other")), ["matmul.packed:other"]);
  assert.deepEqual(ids(select_kernels(registry, "matmul.*")), [
    "matmul.packed",
    "matmul.packed:other",
    "matmul.parallel",
  ]);
  assert.deepEqual(ids(select_kernels(registry, "*")).length, registry.length);
  assert.deepEqual(ids(select_kernels(registry, "matmul")), []);
});

test("parameters have bounds, which belong to them, and choices", () => {
  const kernel = registry[6];
  assert.deepEqual(complete_params(kernel, { n: 4096 }), { n: 4096, tile: 4 });
  assert.deepEqual(complete_params(kernel, { n: 1, tile: 100, other: 3 }), { n: 1, tile: 100 });
  for (const given of [{ n: 0 }, { n: 4097 }, { n: "8" }, { n: NaN }, { tile: 50 }])
    assert.throws(() => complete_params(kernel, given), RangeError, JSON.stringify(given));
  assert.deepEqual(short_params(kernel, { n: 1000, tile: 100 }), { n: 64, tile: 100 });
  assert.deepEqual(short_params(registry[3], { w: 2 ** 20 }), { w: 16384 });
  assert.deepEqual(short_params({ params: [param("n", { min: 100 })] }, { n: 200 }), { n: 100 });
  assert.deepEqual(short_params({ params: [param("n")] }, { n: 5 }), { n: 5 });
});

test("a run becomes a task, and each task has one name", () => {
  assert.equal(task_of(registry, { kernel: "none" }), null);
  const task = task_of(registry, { kernel: "matmul.packed", params: { n: 4, variant: "other" } });
  assert.deepEqual([task.kernel.variant, task.params, task.threads], ["other", { n: 4 }, 1]);
  assert.equal(
    task_of(registry, { kernel: "matmul.packed", variant: "other", threads: 3 }).threads,
    3,
  );
  assert.equal(task_of(registry, { kernel: "matmul.packed", variant: "gone" }), null);
  assert.equal(task_key(task), "matmul.packed{n=4,variant=other}x1");
  assert.equal(task_key({ kernel: "k", params: { b: 1, a: 2 }, threads: 2 }), "k{a=2,b=1}x2");
  assert.equal(task_key({ kernel: "k", params: { a: 2, variant: "v" } }), "k{a=2,variant=v}x1");
  assert.deepEqual(size_sweep(8192, 65536), [8192, 16384, 32768, 65536]);
  assert.deepEqual(size_sweep(16384, 65536, 2), [16384, 23552, 32768, 45056, 65536]);
});

test("the roofs' probes grow with the pace", () => {
  const of = (id, how) =>
    roof_tasks(registry, how)
      .filter(({ kernel }) => kernel.id === id)
      .map(({ params }) => params);
  const chains_of = (id, pace) => of(id, { pace }).map((params) => params.chains);
  assert.deepEqual(chains_of("peak.simd", "quick"), [10, 12, 14]);
  assert.deepEqual(chains_of("peak.fma", "full"), [10, 12, 13, 14, 15, 16]);
  assert.equal(chains_of("peak.simd", "thorough").length, 11);
  const with_registers = (pace, x86) =>
    of("peak.fma", { pace, x86 }).map((params) => params.chains);
  assert.deepEqual(
    with_registers("quick", false),
    [12, 14, 16, 24],
    "as many as with 16 registers",
  );
  assert.deepEqual(with_registers("full", false).slice(-2), [16, 24]);
  assert.deepEqual(with_registers("quick", true), [10, 12, 14, 16]);
  assert.deepEqual(of("peak.scalar", {}), [{}]);
  assert.deepEqual(of("stream.read", { largest: 32768 }), [
    { w: 8192 },
    { w: 16384 },
    { w: 32768 },
  ]);
  assert.deepEqual(of("latency.chase", { largest: 32768 }), []);
  assert.deepEqual(of("latency.chase", { largest: 32768, pace: "full" }).length, 5);
  const reads = of("stream.read", { pace: "full", largest: 2 ** 30 }).map((params) => params.w);
  assert.equal(reads.at(-1), 2 ** 28, "as far as the kernel goes");
  const next = (size) => reads[reads.indexOf(size) + 1];
  assert.ok(next(2 ** 25) < 2 ** 26 && next(2 ** 26) === 2 ** 27, "finely as far as caches reach");
  assert.deepEqual(of("parallelism.chase", { pace: "quick" }), []);
  assert.deepEqual(
    of("parallelism.chase", { pace: "full", largest: 2 ** 20 }),
    [1, 4, 8, 16].map((n) => ({ w: 2 ** 20, chains: n })),
  );
  assert.ok(roof_tasks(registry).every(({ probe, threads }) => probe === true && threads === 1));
  assert.deepEqual(roof_tasks([{ id: "stream.read", params: [] }]), []);
});

test("a full suite is what a profile holds beside the probes; the judge comes last, once", () => {
  const results = [
    { kernel: "peak.simd", params: { chains: 3 }, threads: 1 },
    { kernel: "peak.simd", params: { chains: 3 }, threads: 2 },
    { kernel: "matmul.packed", params: { n: 4 }, threads: 1, median: 3 },
  ];
  assert.deepEqual(suite_runs(registry, { results }), [
    { kernel: "peak.simd", params: { chains: 3 }, threads: 2 },
    { kernel: "matmul.packed", params: { n: 4 }, threads: 1 },
  ]);
  const judged = with_judge(registry, [{ kernel: registry[3], params: {} }]);
  assert.deepEqual(ids(judged), ["stream.read", "peak.simd"]);
  assert.deepEqual(judged[1].params, { chains: 1 });
  assert.equal(with_judge(registry, judged), judged);
  assert.deepEqual(with_judge([], []), []);
});

test("all cores run the kernels that can be compared with one core", () => {
  const of = (threads, reported) => core_tasks(registry, threads, reported);
  const names = (threads, reported) => ids(of(threads, reported)).join(" ");
  const alone = "peak.fma stream.read";
  assert.equal(names(1, 4), `${alone} matmul.parallel`);
  assert.equal(names(5, 4), alone, "more than the browser reports");
  const sums = " allreduce.ring allreduce.tree".repeat(4);
  for (const threads of [2, 4]) assert.equal(names(threads, 6), `${alone} matmul.parallel${sums}`);
  assert.equal(names(6, 6), `${alone} matmul.parallel${sums}`);
  assert.equal(names(5, 6), `${alone} matmul.parallel`);
  assert.ok(of(2, 4).every(({ threads }) => threads === 2));
  const without = registry.filter(({ id }) => id !== "peak.fma");
  assert.equal(ids(core_tasks(without, 1, 1))[0], "peak.simd");
  assert.deepEqual(
    core_baseline(registry).map(({ params, threads }) => [params.n, threads]),
    [[1024, 1]],
  );
  assert.deepEqual(core_baseline([{ id: "matmul.packed", variant: "x", params: [] }]), []);
});
