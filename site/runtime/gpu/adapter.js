// Opens the reader's GPU through WebGPU: whether there is one, whether it is a software GPU, which
// limits it grants, and how it can be timed. WebGPU does not tell whether a GPU has its own memory
// or shares the processor's; state.js infers that.

import { gpu_method } from "./kernels.js";
import { detect } from "../kernels/detect.js";

const mebibyte = 2 ** 20;

/** A GPU that cannot be measured: `state` is "none" or "refused", `message` is for readers. */
export class NoGpu extends Error {
  constructor(state, reason) {
    super(reason);
    this.state = state;
  }
}

const program_names = /swiftshader|basic render|llvmpipe|lavapipe|softpipe/i;

/** Whether this adapter is a software GPU. */
export function is_software(adapter) {
  const info = adapter.info ?? {};
  // Chrome 136 moved the flag from the adapter to adapter.info.
  if (info.isFallbackAdapter || adapter.isFallbackAdapter) return true;
  return [info.architecture, info.description, info.device].some((name) =>
    program_names.test(name ?? ""),
  );
}

const limit_names = [
  "maxBufferSize",
  "maxStorageBufferBindingSize",
  "maxComputeWorkgroupStorageSize",
  "maxComputeInvocationsPerWorkgroup",
  "maxComputeWorkgroupSizeX",
  "maxComputeWorkgroupsPerDimension",
];
const features_used = ["timestamp-query", "shader-f16"];

/**
 * Opens the GPU behind `gpu` (navigator.gpu): {adapter, device, software, timing, features, limits,
 * largest, lost}. `largest` is the maximum size of a buffer in bytes; `lost` resolves when the
 * device is lost. Throws NoGpu.
 */
export async function open_gpu(gpu, { touch = false } = {}) {
  if (!gpu) throw new NoGpu("none", "this browser offers no WebGPU");
  let adapter = null;
  try {
    adapter = await gpu.requestAdapter({ powerPreference: "high-performance" });
  } catch (error) {
    throw new NoGpu("refused", `the browser gave no GPU (${error.message})`);
  }
  if (!adapter) throw new NoGpu("refused", "the browser gave no GPU");
  const features = features_used.filter((name) => adapter.features.has(name));
  const limits = Object.fromEntries(limit_names.map((name) => [name, adapter.limits[name]]));
  if (!(limits.maxComputeInvocationsPerWorkgroup >= 256)) {
    const most = limits.maxComputeInvocationsPerWorkgroup;
    throw new NoGpu(
      "refused",
      `this GPU's groups have at most ${most} lanes, and the kernels' 256`,
    );
  }
  let device;
  try {
    device = await adapter.requestDevice({ requiredFeatures: features, requiredLimits: limits });
  } catch (error) {
    throw new NoGpu("refused", `the GPU could not be opened (${error.message})`);
  }
  return {
    adapter,
    device,
    software: is_software(adapter),
    timing: features.includes("timestamp-query") ? "timestamp" : "slope",
    features: [...features, ...(gpu.wgslLanguageFeatures ?? [])],
    limits,
    largest: largest_buffer(limits, touch),
    lost: device.lost.then(({ message }) => message || "the device was lost"),
  };
}

/** A quarter of the GPU's limit, but at most 512 MiB, and at most 128 MiB on touch devices. */
export function largest_buffer({ maxBufferSize, maxStorageBufferBindingSize }, touch = false) {
  const most = (touch ? 128 : 512) * mebibyte;
  const allowed = Math.min(maxBufferSize / 4, maxStorageBufferBindingSize, most);
  return Math.max(2 ** Math.floor(Math.log2(allowed)), 32 * mebibyte);
}

const is_version = (text) => /\d+\.\d+\.\d+/.test(text);
const is_number = (text) => /^(0x)?[\da-f]+$/i.test(text);

/**
 * The name of the GPU, without a driver version (which some descriptions are) or a device number.
 */
export function name_of_gpu({ vendor = "", architecture = "", device = "", description = "" }) {
  if (description && !is_version(description)) return description;
  if (device && !is_number(device)) return device;
  return [vendor, architecture].filter(Boolean).join(" ");
}

/** The entry of this device in a profile. */
export function describe_gpu({ adapter, software, timing, features, limits, largest }) {
  const info = adapter.info ?? {};
  const { vendor = "", architecture = "", device = "" } = info;
  const { subgroupMinSize: least, subgroupMaxSize: most } = info;
  return {
    id: "gpu",
    kind: "gpu",
    name: name_of_gpu(info),
    vendor,
    architecture,
    model: device,
    state: software ? "software" : "hardware",
    memory: "unclear", // state.js decides once both parts are measured
    method: gpu_method,
    beside: detect().x86 ? "x86" : "",
    ...(least > 0 ? { subgroups: { least, most } } : {}),
    timing,
    features,
    limits: { ...limits, largest },
  };
}
