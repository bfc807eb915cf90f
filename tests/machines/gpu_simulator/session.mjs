// "Measure the GPU" on a machine file, like on the page but in virtual time: the page's suite,
// sampler and runner over a fake navigator.gpu, then its state and sentences.
import { readdirSync, readFileSync } from "node:fs";

import { measure_gpu, full_suite } from "../../../site/runtime/gpu/measure.js";
import { gpu_sentences } from "../../../site/runtime/gpu/sentences.js";
import { with_gpu } from "../../../site/runtime/gpu/state.js";
import { measure_suite } from "../../../site/runtime/gpu/suite.js";
import { KernelModule } from "../../../site/runtime/kernels/kernel_module.js";
import { VirtualClock } from "./clock.mjs";
import { fake_navigator_gpu, page_globals } from "./fake_gpu.mjs";

const here = (path) => new URL(path, import.meta.url);
const folder = here("../gpus/");
const shader_folder = here("../../../wasm_kernels/webgpu/");
const modules = process.env.KERNEL_MODULES ?? here("../../../build/wasm/wasm_kernels/").pathname;
const most_memory = 4 * 2 ** 20; // bytes of a reference result worth preparing

Object.assign(globalThis, page_globals);

/** All GPU machine files, by name. */
export const gpus = Object.fromEntries(
  readdirSync(folder).map((name) => {
    const gpu = JSON.parse(readFileSync(new URL(name, folder), "utf8"));
    return [gpu.id, gpu];
  }),
);

const shaders = Object.fromEntries(
  readdirSync(shader_folder)
    .filter((name) => name.endsWith(".wgsl"))
    .map((name) => [name.slice(0, -5), readFileSync(new URL(name, shader_folder), "utf8")]),
);
const module_bytes = readFileSync(`${modules}/webgpu.wasm`);

/**
 * webgpu.wasm: its counts are real; its checks pass, because the simulated GPU computes nothing.
 */
async function passing_reference() {
  const real = await KernelModule.instantiate(await WebAssembly.compile(module_bytes));
  const is_small = (kernel) => real.memory_needed(kernel) <= most_memory;
  let fits = true;
  return {
    registry: real.registry,
    heap_base: real.heap_base,
    select: (...given) => real.select(...given),
    flops: (kernel) => real.flops(kernel),
    bytes: (kernel) => real.bytes(kernel),
    memory_needed: (kernel) => real.memory_needed(kernel),
    reserve: (bytes) => bytes > most_memory || real.reserve(bytes),
    prepare(kernel, base) {
      fits = is_small(kernel);
      if (fits) real.prepare(kernel, base);
    },
    floats: (_, count) => new Float32Array(count),
    words: (base, count) =>
      fits ? real.words(base, count) : { byteLength: 4 * count, slice() {} },
    verify: () => ({ error: 0, tolerance: 0 }),
  };
}

/** The processor data that the page has for the machine of this GPU. */
function processor({ host }) {
  const read = (threads, best) => ({
    ...{ kernel: "stream.read", params: { w: 2 ** 28 }, threads, device: "cpu", unit: "GB/s" },
    ...{ status: "measured", verified: true, flags: [], best, median: best, mad: 0 },
  });
  const roof = {
    ...{ device: "cpu", class: { level: "out", threads: 1 }, unit: "GB/s" },
    value: host.cpu_one_core_read_gbs,
  };
  return {
    results: [read(1, host.cpu_one_core_read_gbs), read(8, host.cpu_all_cores_read_gbs)],
    roofs: [roof],
  };
}

/**
 * {profile, sentences, clock}: what a page shows after "Measure the GPU" on the machine file `gpu`.
 * `how`: {tick_ms, is_firefox, without_timestamps, runs, cores: false for no results of all cores}.
 */
export async function simulated(gpu, { tick_ms = 0.1, runs = full_suite, ...how } = {}) {
  const clock = new VirtualClock({ tick_ms });
  const reference = await passing_reference();
  const page = {
    gpu: fake_navigator_gpu(gpu, clock, how),
    ...{ shaders: async () => shaders, now: clock.now, report() {} },
  };
  globalThis.matchMedia = () => ({ matches: gpu.class === "phone" });
  const fresh = await measure_gpu(
    { runs, pace: "full", jitter: true },
    { assets: "http://book/_/1/", run: (job) => measure_suite(job, reference, page) },
  );
  const cpu = processor(gpu);
  const known = how.cores === false ? { ...cpu, results: cpu.results.slice(0, 1) } : cpu;
  const profile = with_gpu({
    ...fresh,
    os: gpu.os,
    // The result of detect() on that machine; this test may run on another processor.
    devices: fresh.devices.map((device) => ({
      ...device,
      beside: gpu.host.isa === "x86-64" ? "x86" : "",
    })),
    results: [...known.results, ...fresh.results],
    roofs: known.roofs,
  });
  return { profile, sentences: gpu_sentences(profile), clock };
}
