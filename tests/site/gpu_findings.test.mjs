// What GPU results are taken to mean, against GPUs whose properties are known.
import assert from "node:assert/strict";
import { test } from "node:test";

import { is_software, largest_buffer, open_gpu } from "../../site/runtime/gpu_adapter.js";
import {
  bytes_in_flight,
  fetch_size,
  gpu_levels,
  gpu_roofs,
  is_plateau,
  warp_width,
} from "../../site/runtime/gpu_roofs.js";
import { memory_of, with_gpu } from "../../site/runtime/gpu_state.js";
import { gpu_sentences, roofline_spec } from "../../site/runtime/gpu_words.js";
import { sample_index } from "../../site/runtime/gpu_transfer.js";

const result = (kernel, params, median, more = {}) => ({
  ...{ kernel, params, threads: 1, device: "gpu", status: "measured", verified: true },
  ...{ unit: "GB/s", flags: [], best: median, median, mad: 0, ...more },
});
const widths = [0, 1, 2, 4, 8, 16, 32, 64, 128, 256];
const branches = (cost) => widths.map((k) => result("gpu.width", { k }, 1000 / cost(k)));

test("the warp's width is where two alternating paths begin to cost what one does", () => {
  for (const width of [4, 8, 16, 32, 64])
    assert.deepEqual(warp_width(branches((k) => (k > 0 && k < width ? 2 : 1))), { value: width });
  assert.match(warp_width(branches(() => 1)).reason, /flattened/);
  const odd = branches((k) => (k === 0 || k === 256 ? 1 : k === 64 ? 2 : k < 64 ? 1.9 : 1.5));
  assert.match(warp_width(odd).reason, /one step/);
  assert.match(warp_width(branches((k) => (k === 0 ? 1 : 2))).reason, /one step/);
  assert.match(warp_width([]).reason, /not measured/);
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
const flights = (rate) => lanes.map((n) => result("gpu.inflight", { lanes: n, loads: 1, w: 0 }, rate(n)));

test("bytes in flight follow Little's law, or there is no finding", () => {
  const law = (n) => Math.min(1000, (4 * n) / 400); // 400 ns, 1000 GB/s
  const { value, latency_ns } = bytes_in_flight(flights(law), 1);
  assert.ok(Math.abs(latency_ns - 400) < 1e-6);
  assert.ok(Math.abs(value - 400_000) < 1);
  const chase = (ns) => result("gpu.chase", { w: 0 }, ns, { unit: "ns" });
  assert.ok(bytes_in_flight([...flights(law), chase(300)], 1).value > 0);
  assert.match(bytes_in_flight([...flights(law), chase(100)], 1).reason, /does not agree/);
  assert.match(bytes_in_flight(flights((n) => 5 + (n % 96)), 1).reason, /linear/);
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

test("a read that is faster than one half its size may still be in a cache", () => {
  const reads = (whole, half) => [
    result("gpu.read", { w: 0 }, whole),
    result("gpu.read", { w: 2 ** 26 }, half),
  ];
  assert.equal(is_plateau(reads(400, 410)), true);
  assert.equal(is_plateau(reads(400, 600)), false);
});

test("levels are the flat parts of the sweep, the last one memory", () => {
  const sweep = Array.from({ length: 13 }, (_, i) => 65536 * 2 ** i).map((w) =>
    result("gpu.sweep", { w }, w <= 4 * 2 ** 20 ? 2000 : 400),
  );
  const levels = gpu_levels(sweep);
  assert.deepEqual(levels.map(({ name }) => name), ["L1", "out"]);
  assert.ok(levels[0].bytes > 4 * 2 ** 20 && levels[0].bytes < 8 * 2 ** 20);
});

const cores = (best) => result("stream.read", { w: 2 ** 25 }, best, { threads: 8, device: "cpu" });
const reading = (best) => result("gpu.read", { w: 0 }, best);

test("memory of its own is inferred from the maker and all cores' bandwidth, else unclear", () => {
  const of = (vendor, results, more = {}) => memory_of({ vendor, ...more }, { results });
  assert.equal(of("apple", []), "shared");
  assert.equal(of("intel", []), "shared");
  assert.equal(of("nvidia", [reading(400), cores(40)]), "own");
  assert.equal(of("nvidia", [reading(80), cores(40)]), "shared");
  assert.equal(of("nvidia", [reading(400)]), "unclear", "all cores were never tried");
  assert.equal(of("intel", [reading(400), cores(40)], { name: "Intel Arc A770" }), "own");
  assert.equal(of("", [reading(400), cores(40)]), "unclear");
});

const gpu_device = { id: "gpu", kind: "gpu", vendor: "nvidia", state: "hardware", timing: "timestamp" };

test("a profile with a GPU says its state in a sentence that fits", () => {
  const profile = (results, device = gpu_device) =>
    with_gpu({ gpu: {}, devices: [device], results, roofs: [], levels: [] });
  const own = profile([reading(400), cores(40)]);
  assert.equal(own.gpu.state, "own");
  assert.match(gpu_sentences(own)[0], /probably has memory of its own: 10 times/);
  assert.match(gpu_sentences(own)[1], /matrix units are invisible/);
  const program = profile([], { ...gpu_device, state: "software" });
  assert.equal(program.gpu.state, "software");
  assert.match(gpu_sentences(program)[0], /program on your CPU/);
  assert.doesNotMatch(gpu_sentences(program).join(" "), /matrix units/);
  const none = with_gpu({ gpu: { state: "none", reason: "no WebGPU" }, results: [] });
  assert.match(gpu_sentences(none)[0], /offers no WebGPU/);
  assert.deepEqual(gpu_sentences({ results: [] }), []);
});

test("the roofline has the GPU beside one core, and its rungs", () => {
  const roof = (device, group, value) => ({ device, class: { ...group, threads: 1 }, value, unit: "" });
  const roofs = [
    roof("gpu", { type: "f32" }, 9000),
    roof("gpu", { level: "out" }, 400),
    roof("cpu", { isa: "fma" }, 58),
    roof("cpu", { level: "out" }, 25),
  ];
  const naive = result("gpu.matmul.naive", { n: 1024 }, 700, { flops: 2e9, bytes: 1e7 });
  const spec = roofline_spec({ roofs, results: [naive] });
  assert.deepEqual(spec.machines.map(({ peak }) => peak), ["9000.000 GFLOP/s", "58.000 GFLOP/s"]);
  assert.equal(spec.points[0].label, "naive");
  assert.equal(roofline_spec({ roofs: roofs.slice(2), results: [] }), null);
});

const adapter = (info, more = {}) => ({
  info,
  features: new Set(),
  limits: { maxBufferSize: 2 ** 30, maxStorageBufferBindingSize: 2 ** 30, maxComputeInvocationsPerWorkgroup: 256 },
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
  assert.equal(largest_buffer({ maxBufferSize: 2 ** 34, maxStorageBufferBindingSize: 2 ** 32 }), 2 ** 29);
  assert.equal(largest_buffer({ maxBufferSize: 2 ** 34, maxStorageBufferBindingSize: 2 ** 32 }, true), 2 ** 27);
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
