// GPU measurements, as the page sees them: the kernels of a suite, the request to the worker, and
// the part of a profile that results. measure.js imports this when a request contains a kernel
// named gpu.*.

import { empty_profile } from "../profile/profile.js";

const mebibyte = 2 ** 20;
const powers = (low, high) =>
  Array.from({ length: Math.log2(high / low) + 1 }, (_, i) => low * 2 ** i);
const run = (kernel, params = {}) => ({ kernel, params, threads: 1 });
const widths = [0, 1, 2, 4, 8, 16, 32, 64, 128, 256];

const sweep_sizes = powers(4096, 256 * mebibyte).flatMap((w) =>
  w >= 16384 ? [(w * 3) / 4, w] : w,
);

/** A first look: both roofs, the warp's width, and the ends of the matmul ladder. */
export const quick_suite = [
  run("gpu.peak.f32"),
  run("gpu.read"),
  ...widths.map((k) => run("gpu.width", { k })),
  run("gpu.matmul.naive"),
  run("gpu.matmul.tuned"),
];

/** Everything in the summary of a GPU. */
export const full_suite = [
  ...quick_suite,
  ...["gpu.peak.f16", "gpu.peak.i8dot", "gpu.copy", "gpu.triad", "gpu.chase"].map((id) => run(id)),
  ...sweep_sizes.map((w) => run("gpu.sweep", { w })),
  ...powers(4096, 128 * mebibyte).map((w) => run("gpu.chase", { w })),
  ...[1, 4].flatMap((loads) =>
    powers(32, 2 ** 20).map((lanes) => run("gpu.inflight", { lanes, loads })),
  ),
  ...["uniform", "random", "rare", "group", "eight"].map((variant) =>
    run("gpu.diverge", { variant }),
  ),
  ...[1, 2, 3, 4, 8, 16, 32, 64].map((s) => run("gpu.stride", { s })),
  ...[1, 2, 4, 8, 16, 32, 33].map((s) => run("gpu.wgmem", { s })),
  ...["strided", "tiled", "regblock", "vec4", "f16"].map((rung) => run(`gpu.matmul.${rung}`)),
  ...[255, 256, 257, 320, 321].map((n) => run("gpu.matmul.regblock", { n })),
  ...[1, 4, 16, 64, 256].map((m) => run("gpu.matmul.tuned", { n: 1024, m, k: 1024 })),
  ...["dispatch", "submit", "trip"].map((variant) => run("gpu.launch", { variant })),
  ...["gpu.upload", "gpu.download"].flatMap((id) =>
    [65536, mebibyte, 16 * mebibyte].map((bytes) => run(id, { bytes })),
  ),
];

/**
 * Returns a profile with only the GPU's part. `run(job, options)` runs a job in the GPU's worker.
 */
export async function measure_gpu(request, { assets, run: in_worker, on_progress }) {
  const { runs, only, params, pace = "quick", even_software = false, jitter = false } = request;
  const { pack } = request;
  const root = new URL("kernels/", assets);
  const job = {
    ...{ runs, only, params, pace, even_software, jitter, pack },
    // A laptop with a touch screen is no phone
    touch: globalThis.matchMedia?.("(pointer: coarse)").matches === true,
    module: new URL("webgpu.wasm", root).href,
    shaders: new URL("shaders.json", root).href,
  };
  const suite = await in_worker(job, { on_progress });
  return gpu_profile(suite);
}

/** The input of state.js; without a GPU only the state. */
function gpu_profile({ results, choices, jitter, device, state, reason }) {
  const spread = jitter ? { jitter: { gpu: jitter } } : {};
  const profile = { ...empty_profile(), results, choices, ...spread };
  return device
    ? { ...profile, devices: [device], gpu: {} }
    : { ...profile, gpu: { state, reason } };
}
