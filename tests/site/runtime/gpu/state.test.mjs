// The conclusions from GPU results, for GPUs with known properties.
import assert from "node:assert/strict";
import { test } from "node:test";

import {
  bank_conflicts,
  divergence,
  padding,
  rows_to_fill,
  staircase,
} from "../../../../site/runtime/gpu/curves.js";
import { is_software, largest_buffer, open_gpu } from "../../../../site/runtime/gpu/adapter.js";
import {
  bytes_in_flight,
  fetch_size,
  gpu_levels,
  gpu_roofs,
  is_plateau,
  shader_width,
} from "../../../../site/runtime/gpu/roofs.js";
import { memory_of, with_gpu } from "../../../../site/runtime/gpu/state.js";
import { gpu_sentences, roofline_spec } from "../../../../site/runtime/gpu/sentences.js";
import { sample_index } from "../../../../site/runtime/gpu/transfer.js";
import { jitter_of } from "../../../../site/runtime/kernels/jitter.js";
import { merge_profiles } from "../../../../site/runtime/profile/profile.js";

const result = (kernel, params, median, more = {}) => ({
  ...{ kernel, params, threads: 1, device: "gpu", status: "measured", verified: true },
  ...{ unit: "GB/s", flags: [], best: median, median, mad: 0, ...more },
});
const widths = [0, 1, 2, 4, 8, 16, 32, 64, 128, 256];
const branches = (cost) => widths.map((k) => result("gpu.width", { k }, 1000 / cost(k)));

test("the shader's width is where two alternating paths begin to cost what one does", () => {
  for (const width of [4, 8, 16, 32, 64])
    assert.deepEqual(shader_width(branches((k) => (k > 0 && k < width ? 2 : 1))), { value: width });
  assert.match(shader_width(branches(() => 1)).reason, /no more than one/);
  const odd = branches((k) => (k === 0 || k === 256 ? 1 : k === 64 ? 2 : k < 64 ? 1.9 : 1.5));
  assert.match(shader_width(odd).reason, /one step/);
  assert.match(shader_width(branches((k) => (k === 0 ? 1 : 2))).reason, /one step/);
  assert.match(shader_width([]).reason, /not measured/);
});

test("a width is the GPU's only where it has no other, and none that the browser excludes", () => {
  const sixteen = branches((k) => (k > 0 && k < 16 ? 2 : 1));
  const of = (least, most) => shader_width(sixteen, { subgroups: { least, most } });
  assert.deepEqual(of(16, 16), { value: 16, always: true });
  assert.deepEqual(of(8, 32), { value: 16 });
  assert.match(of(32, 64).reason, /16 lanes, and the browser says 32 to 64/);
});

const strides = [1, 2, 3, 4, 8, 16, 32, 64];
const strided = (rate) => strides.map((s) => result("gpu.stride", { s, w: 0 }, rate(s)));

test("the fetch size is the one whose curve fits", () => {
  for (const size of [32, 64, 128]) {
    const found = fetch_size(strided((s) => (200 * 4) / Math.min(4 * s, size)));
    assert.equal(found.value, size);
  }
  assert.match(fetch_size(strided((s) => 200 / s ** 0.5)).reason, /no fetch size/);
});

const lanes = Array.from({ length: 16 }, (_, i) => 32 * 2 ** i);
const flights = (rate) =>
  lanes.map((n) => result("gpu.inflight", { lanes: n, loads: 1, w: 0 }, rate(n)));

test("bytes in flight follow Little's law, or there is no finding", () => {
  const law = (n) => Math.min(1000, (4 * n) / 400); // 400 ns, 1000 GB/s
  const { value, latency_ns } = bytes_in_flight(flights(law), 1);
  assert.ok(Math.abs(latency_ns - 400) < 1e-6);
  assert.ok(Math.abs(value - 400_000) < 1);
  const chase = (ns) => result("gpu.chase", { w: 0 }, ns, { unit: "ns" });
  assert.ok(bytes_in_flight([...flights(law), chase(300)], 1).value > 0);
  assert.match(bytes_in_flight([...flights(law), chase(100)], 1).reason, /does not agree/);
  assert.match(
    bytes_in_flight(
      flights((n) => 5 + (n % 96)),
      1,
    ).reason,
    /linear/,
  );
});

test("roofs come from probes, are lifted by what beats them, and never from a program", () => {
  const peak = result("gpu.peak.f32", { groups: 0 }, 9000, { unit: "GFLOP/s", roof_class: "f32" });
  const tuned = (value) =>
    result("gpu.matmul.tuned", { n: 1024 }, value, { unit: "GFLOP/s", roof_class: "f32" });
  const read = result("gpu.read", { w: 0 }, 400, { roof_class: "memory" });
  const value_of = (results, type) => gpu_roofs(results).find((r) => r.class.type === type)?.value;
  assert.equal(value_of([peak, tuned(8000)], "f32"), 9000);
  assert.equal(value_of([peak, tuned(9100)], "f32"), 9000);
  assert.equal(value_of([peak, tuned(9500)], "f32"), 9500);
  assert.match(gpu_roofs([peak, tuned(9500)])[0].from, /matmul\.tuned/);
  assert.equal(gpu_roofs([read])[0].class.level, "out");
  const program = [peak, read].map((r) => ({ ...r, flags: ["software"] }));
  assert.deepEqual(gpu_roofs(program), []);
});

test("a kernel that moves more bytes than the read lifts the memory roof, only at the same size", () => {
  const read = result("gpu.read", { w: 0 }, 400);
  const memory = (...others) => gpu_roofs([read, ...others])[0];
  assert.equal(memory(result("gpu.copy", { w: 0 }, 405)).value, 400);
  const lifted = memory(result("gpu.triad", { w: 0 }, 440));
  assert.deepEqual([lifted.value, lifted.lifted], [440, true]);
  assert.match(lifted.from, /triad/);
  assert.equal(memory(result("gpu.copy", { w: 2 ** 20 }, 2000)).value, 400, "in a cache");
});

// For warps of 32 lanes.
const shares = { uniform: 1, random: 0.5, rare: 0.716, group: 1, eight: 0.127 };
const diverging = (edit = {}) =>
  Object.entries({ ...shares, ...edit }).map(([variant, share]) =>
    result("gpu.diverge", { variant }, 1000 * share),
  );

test("branches cost what whole warps pay, or there is no finding", () => {
  const { value, expected } = divergence(diverging(), 32);
  assert.ok(Math.abs(value - 0.716) < 1e-9 && Math.abs(expected - 0.716) < 1e-3);
  assert.match(divergence(diverging(), 64).reason, /warps/, "64 lanes meet the rare path oftener");
  assert.match(divergence(diverging({ eight: 0.4 }), 32).reason, /warps/);
  assert.match(divergence(diverging(), undefined).reason, /width/);
  assert.match(divergence(diverging().slice(1), 32).reason, /not measured/);
});

test("words 32 apart meet in a bank only where words 33 apart do not", () => {
  const banks = (s32, s33) =>
    bank_conflicts(
      [
        [1, 8000],
        [32, s32],
        [33, s33],
      ].map(([s, rate]) => result("gpu.wgmem", { s }, rate)),
    );
  assert.equal(banks(250, 7900).value, 32);
  assert.equal(banks(8000, 8000).value, 1);
  assert.match(banks(250, 4000).reason, /33 apart/);
  assert.match(bank_conflicts([]).reason, /not measured/);
});

test("a product of 257 pays for whole blocks, where the GPU notices", () => {
  assert.deepEqual(
    [255, 256, 257, 320, 321].map((n) => padding(n).toFixed(3)),
    ["1.008", "1.000", "1.550", "1.000", "1.431"],
  );
  const stairs = (rate) =>
    staircase(
      [255, 256, 257, 320].map((n) => result("gpu.matmul.regblock", { n, m: 0, k: 0 }, rate(n))),
    );
  const { value, expected } = stairs((n) => 1000 / padding(n));
  assert.ok(Math.abs(value - expected) < 1e-9 && Math.abs(value - 1.55) < 1e-3);
  assert.match(stairs(() => 1000).reason, /costs nothing/);
  assert.match(stairs((n) => (n === 255 ? 500 : 1000 / padding(n))).reason, /differ already/);
  assert.match(staircase([]).reason, /not measured/);
});

test("rows that fill a product are the first near its highest rate", () => {
  const products = (rate) =>
    [1, 4, 16, 64, 256].map((m) => [{ n: 1024, m, k: 1024, tile: 0 }, rate(m)]);
  const curve = (rate) =>
    [...products(rate), [{ n: 1024, m: 0, k: 0, tile: 0 }, rate(1024)]].map(([params, median]) =>
      result("gpu.matmul.tuned", params, median),
    );
  assert.deepEqual(rows_to_fill(curve((m) => Math.min(m, 64))), { value: 64 });
  assert.deepEqual(rows_to_fill(curve((m) => Math.min(m, 60))), { value: 64 });
  assert.deepEqual(rows_to_fill(curve(() => 10)), { value: 1 });
  assert.match(rows_to_fill(curve((m) => (m === 256 ? 10 : m))).reason, /slower again/);
  assert.match(rows_to_fill(curve((m) => m).slice(2)).reason, /not measured/);
});

test("jitter is the tail of equal runs, and a coarse clock sees none", async () => {
  let run = 0;
  const rest = async () => {};
  const once = () => (run++ % 20 === 19 ? 5 : 2); // one in twenty is late
  const spread = await jitter_of(once, { tick_ms: 0.1, rest });
  assert.deepEqual(spread, { p50: 2, p90: 2, p99: 5, samples: 300 });
  assert.ok(run > 300, "the first runs are not looked at");
  const coarse = await jitter_of(() => assert.fail("was run"), { tick_ms: 1, rest });
  assert.match(coarse.reason, /too coarse/);
  const merged = merge_profiles(
    { results: [], roofs: [], jitter: { cpu: { p50: 2 } } },
    { results: [], roofs: [], levels: [], jitter: { gpu: spread } },
  );
  assert.deepEqual(merged.jitter, { cpu: { p50: 2 }, gpu: spread });
});

test("a read that is slower than one half its size may still be in a cache", () => {
  const reads = (whole, half, w = 2 ** 28) => [
    result("gpu.read", { w: 0 }, whole, { decided: { w: 2 ** 29 } }),
    result("gpu.read", { w }, half, { decided: {} }),
  ];
  assert.equal(is_plateau(reads(400, 410)), true);
  assert.equal(is_plateau(reads(400, 600)), false);
  assert.equal(
    is_plateau(reads(930, 5100, 2 ** 26)),
    true,
    "64 MiB in a cache says nothing of 512",
  );
});

test("levels are the flat parts of the sweep, the last one memory, named by what they hold", () => {
  const sizes = Array.from({ length: 13 }, (_, i) => 65536 * 2 ** i);
  const sweep = (rate) => sizes.map((w) => result("gpu.sweep", { w }, rate(w)));
  const names = (rate) => gpu_levels(sweep(rate)).map(({ name }) => name);
  const mebibyte = 2 ** 20;
  const step = (w) => (w <= 4 * mebibyte ? 2000 : 400);
  assert.deepEqual(names(step), ["a cache of about 5.7 MiB", "out"]);
  const [inner] = gpu_levels(sweep(step));
  assert.ok(inner.bytes > 4 * mebibyte && inner.bytes < 8 * mebibyte);
  const slow_fall = (w) => (w <= mebibyte ? 2000 : Math.max(400, 2000 / (w / mebibyte) ** 0.6));
  assert.deepEqual(names(slow_fall), ["a cache of about 1.4 MiB", "out"], "no level in between");
  const three = (w) => [9000, 3000, 900][(w > mebibyte) + (w > 16 * mebibyte)];
  assert.equal(names(three).length, 3);
  assert.deepEqual(
    names(() => 400),
    ["out"],
  );
});

const cores = (best, w = 2 ** 25) =>
  result("stream.read", { w }, best, { threads: 8, device: "cpu" });
const reading = (best) => result("gpu.read", { w: 0 }, best);

test("memory of its own is what maker, processor and all cores' bandwidth leave, else unclear", () => {
  const of = (vendor, results, more = {}) => memory_of({ vendor, ...more }, { results });
  assert.equal(of("apple", []), "shared");
  assert.equal(of("intel", [], { architecture: "gen-12lp" }), "shared");
  assert.equal(of("intel", [], { architecture: "xe-2lpg" }), "shared");
  const name = "Intel(R) Arc(TM) 140V GPU (16GB)";
  assert.equal(
    of("intel", [], { architecture: "xe-2lpg", name }),
    "shared",
    "called as the cards are",
  );
  assert.equal(
    of("intel", [], { name: "Intel(R) Graphics" }),
    "unclear",
    "an architecture that has no name yet",
  );
  for (const architecture of ["gen-12hp", "xe-2hpg"])
    assert.equal(of("intel", [reading(400), cores(62)], { architecture }), "own", architecture);
  assert.equal(of("nvidia", [reading(128), cores(75)], { beside: "x86" }), "own", "a GTX 1650");
  assert.equal(of("nvidia", [reading(128), cores(75)]), "unclear", "beside ARM it may share");
  assert.equal(of("nvidia", [reading(400), cores(40)]), "own");
  assert.equal(of("amd", [reading(870), cores(68)]), "own");
  assert.equal(of("amd", [reading(88), cores(26)]), "unclear", "a Steam Deck's cores are slow");
  assert.equal(of("amd", [reading(400)]), "unclear", "all cores were never tried");
  assert.equal(of("", [reading(400), cores(40)]), "unclear");
});

test("sets that all cores may hold in their caches say nothing of memory", () => {
  const levels = [{ device: "cpu", name: "L3", bytes: 96 * 2 ** 20 }];
  const of = (...several) =>
    memory_of({ vendor: "amd" }, { levels, results: [reading(480), ...several] });
  assert.equal(of(cores(210, 2 ** 24), cores(65, 2 ** 26)), "own", "16 MiB each lie in 96 MiB");
  assert.equal(of(cores(210, 2 ** 24)), "unclear");
});

const gpu_device = {
  id: "gpu",
  kind: "gpu",
  vendor: "nvidia",
  state: "hardware",
  timing: "timestamp",
  architecture: "ampere",
  method: 2,
};

test("a profile with a GPU says its state in a sentence that fits", () => {
  const profile = (results, device = gpu_device) =>
    with_gpu({ gpu: {}, devices: [device], results, roofs: [], levels: [] });
  const reads = { ...reading(400), method: 2 };
  const own = profile([reads, cores(40)]);
  assert.equal(own.gpu.state, "own");
  assert.match(gpu_sentences(own)[0], /probably has its own memory: 10 times/);
  assert.match(gpu_sentences(own)[1], /matrix units .* are invisible/);
  const measured = gpu_sentences(own).filter((words) => !/^FP16: unavailable/.test(words));
  for (const words of measured) assert.match(words, /the GPU “nvidia ampere”/i);
  const on_windows = gpu_sentences({ ...own, os: "Windows" });
  assert.match(on_windows[1], /your browser chose.*may not be the fastest/);
  const program = profile([], { ...gpu_device, state: "software" });
  assert.equal(program.gpu.state, "software");
  assert.match(gpu_sentences(program)[0], /program on your CPU/);
  assert.doesNotMatch(gpu_sentences(program).join(" "), /matrix units/);
  const none = with_gpu({ gpu: { state: "none", reason: "no WebGPU" }, results: [] });
  assert.match(gpu_sentences(none)[0], /does not support WebGPU/);
  assert.deepEqual(gpu_sentences({ results: [] }), []);
});

test("what an earlier edition measured of a GPU is refused in words, and gives way", () => {
  const { method, ...earlier } = gpu_device;
  assert.equal(method, 2);
  const old = { gpu: { state: "shared" }, devices: [earlier], results: [reading(90)], roofs: [] };
  const words = gpu_sentences(old);
  assert.equal(words.length, 1);
  assert.match(words[0], /“nvidia ampere” were measured by an earlier edition .* Measure it again/);
  assert.equal(roofline_spec({ ...old, devices: [earlier] }), null);
  const again = with_gpu({
    ...{ gpu: {}, devices: [gpu_device], roofs: [], levels: [] },
    results: [reading(90), { ...reading(400), method }, cores(40)],
  });
  assert.deepEqual(
    again.results.map(({ best }) => best),
    [400, 40],
  );
});

test("unexpected results are explained where they occur, and nowhere else", () => {
  const roof = (device, group, value, more = {}) => ({
    device,
    class: { ...group, threads: 1 },
    value,
    ...more,
  });
  const words = ({ half, bandwidth, tuned, lifted = {}, state = "unclear", ...more }) =>
    gpu_sentences({
      gpu: { state },
      devices: [{ ...gpu_device, state: state === "software" ? "software" : "hardware" }],
      roofs: [
        roof("gpu", { type: "f32" }, 9000, { from: "gpu.matmul.vec4{n=1024}", ...lifted }),
        roof("gpu", { type: "f16" }, half),
        roof("gpu", { level: "out" }, bandwidth),
        roof("cpu", { level: "out" }, 25),
      ],
      results: [result("gpu.matmul.tuned", { n: 1024 }, tuned)],
      ...more,
    }).join(" ");
  const odd = /reads slower|the speed of FP32|do not suit|lifted/;
  const usual = { half: 18000, bandwidth: 400, tuned: 5000 };
  assert.doesNotMatch(words(usual), odd);
  assert.match(words({ ...usual, half: 9100 }), /FP16 at the speed of FP32/);
  assert.match(words({ ...usual, half: 2700 }), /FP16 at 0\.30 of the speed of FP32/);
  assert.match(words({ ...usual, bandwidth: 20 }), /reads slower than one core/);
  assert.match(words({ ...usual, tuned: 1800 }), /the best reaches 20 % of its roof/);
  assert.match(
    words({ ...usual, lifted: { lifted: true } }),
    /gpu\.matmul\.vec4\{n=1024\} was faster/,
  );
  const evenly = {
    jitter: { gpu: { p50: 2, p99: 3, samples: 300 }, cpu: { p50: 2, p99: 2.2, samples: 300 } },
  };
  assert.match(
    words({ ...usual, ...evenly }),
    /takes 1\.50? times the median or more, and 1\.10? times/,
  );
  const nonsense = { jitter: { gpu: { p50: "2", p99: null } } };
  assert.doesNotMatch(words({ ...usual, ...nonsense }), /equal runs/);
  const program = { half: 9100, bandwidth: 20, tuned: 1800, state: "software", ...evenly };
  assert.doesNotMatch(words(program), /reads slower|speed of FP32|do not suit|equal runs/);
});

test("the roofline has the GPU next to one core, and its rungs", () => {
  const roof = (device, group, value) => ({
    device,
    class: { ...group, threads: 1 },
    value,
    unit: "",
  });
  const roofs = [
    roof("gpu", { type: "f32" }, 9000),
    roof("gpu", { level: "out" }, 400),
    roof("cpu", { isa: "fma" }, 58),
    roof("cpu", { level: "out" }, 25),
  ];
  const naive = result("gpu.matmul.naive", { n: 1024 }, 700, { flops: 2e9, bytes: 1e7 });
  // The square matmul represents its rung, whatever else was measured for it.
  const small = result("gpu.matmul.naive", { n: 256 }, 90, { flops: 3e7, bytes: 8e5 });
  const spec = roofline_spec({ roofs, results: [small, naive] });
  assert.equal(spec.points[0].rate, "700.000 GFLOP/s");
  assert.deepEqual(
    spec.machines.map(({ peak }) => peak),
    ["9000.000 GFLOP/s", "58.000 GFLOP/s"],
  );
  assert.equal(spec.points[0].label, "naive");
  assert.equal(roofline_spec({ roofs: roofs.slice(2), results: [] }), null);
});

const adapter = (info, more = {}) => ({
  info,
  features: new Set(),
  limits: {
    maxBufferSize: 2 ** 30,
    maxStorageBufferBindingSize: 2 ** 30,
    maxComputeInvocationsPerWorkgroup: 256,
  },
  requestDevice: async () => ({ lost: new Promise(() => {}) }),
  ...more,
});

test("adapters: none, refused, programs, and what they grant", async () => {
  await assert.rejects(open_gpu(undefined), { state: "none" });
  await assert.rejects(open_gpu({ requestAdapter: async () => null }), { state: "refused" });
  const refuses = adapter({}, { requestDevice: () => Promise.reject(new Error("busy")) });
  await assert.rejects(open_gpu({ requestAdapter: async () => refuses }), /busy/);
  assert.equal(is_software(adapter({ isFallbackAdapter: true })), true);
  assert.equal(is_software(adapter({}, { isFallbackAdapter: true })), true);
  assert.equal(is_software(adapter({ architecture: "swiftshader" })), true);
  assert.equal(is_software(adapter({ description: "Microsoft Basic Render Driver" })), true);
  assert.equal(is_software(adapter({ vendor: "nvidia", architecture: "ampere" })), false);
  const gpu = await open_gpu({ requestAdapter: async () => adapter({ vendor: "amd" }) });
  assert.equal(gpu.timing, "slope");
  assert.equal(gpu.largest, 2 ** 28);
  assert.equal(
    largest_buffer({ maxBufferSize: 2 ** 34, maxStorageBufferBindingSize: 2 ** 32 }),
    2 ** 29,
  );
  assert.equal(
    largest_buffer({ maxBufferSize: 2 ** 34, maxStorageBufferBindingSize: 2 ** 32 }, true),
    2 ** 27,
  );
});

test("samples of large outputs are webgpu.hpp's", () => {
  assert.equal(sample_index(5, 100), 5);
  assert.equal(sample_index(1, 2 ** 20), 2 ** 20 - 1);
  const scramble = (k) => {
    let x = BigInt.asUintN(32, BigInt(k) * 747796405n + 2891336453n);
    x = BigInt.asUintN(32, ((x >> ((x >> 28n) + 4n)) ^ x) * 277803737n);
    return (x >> 22n) ^ x;
  };
  for (const k of [2, 3, 77, 4095])
    assert.equal(sample_index(k, 2 ** 26), Number(scramble(k) % 2n ** 26n));
});
