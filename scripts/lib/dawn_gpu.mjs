// navigator.gpu in Node: Dawn, Chromium's WebGPU, from the npm package webgpu. The Vulkan loader
// decides which GPU it finds (scripts/webgpu).

// https://www.w3.org/TR/webgpu/#limits: the default limits that the book's kernels request.
const promised = {
  maxBufferSize: 256 * 2 ** 20,
  maxStorageBufferBindingSize: 128 * 2 ** 20,
  maxComputeWorkgroupStorageSize: 16384,
  maxComputeInvocationsPerWorkgroup: 256,
  maxComputeWorkgroupSizeX: 256,
  maxComputeWorkgroupSizeY: 256,
  maxComputeWorkgroupSizeZ: 64,
  maxComputeWorkgroupsPerDimension: 65535,
};

// Dawn withholds shader-f16 from NVIDIA's Vulkan driver, because Dawn's own f16 tests failed with
// it (crbug.com/42251215), so Chromium on Linux does not have it. Here, each result is compared
// with the reference.
const settings = ["enable-dawn-features=vulkan_enable_f16_on_nvidia"];

/**
 * An adapter that offers only what WebGPU guarantees everywhere: its default limits, and no
 * features. Dawn then restricts the device to these, because nothing else can be requested.
 */
function least_adapter(adapter) {
  return {
    info: adapter.info,
    isFallbackAdapter: adapter.isFallbackAdapter,
    features: new Set(),
    limits: promised,
    requestDevice: (wanted) => adapter.requestDevice(wanted),
  };
}

/**
 * A WebGPU GPU object. Dawn is loaded, and its classes become globals, when an adapter is
 * requested. `default_limits`: see least_adapter(); WGSL then has no extensions, either. `load`
 * imports the npm package.
 */
export function dawn_gpu({ default_limits = false } = {}, load = () => import("webgpu")) {
  let gpu = null;
  return {
    async requestAdapter(options) {
      if (!gpu) {
        const { create, globals } = await load();
        Object.assign(globalThis, globals);
        gpu = create(settings);
      }
      const adapter = await gpu.requestAdapter(options);
      return adapter && default_limits ? least_adapter(adapter) : adapter;
    },
    get wgslLanguageFeatures() {
      return default_limits ? new Set() : (gpu?.wgslLanguageFeatures ?? new Set());
    },
  };
}
