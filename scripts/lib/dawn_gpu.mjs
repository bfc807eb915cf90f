// navigator.gpu in Node: Dawn, which Chromium has too, from npm's webgpu. Which GPU it finds is the Vulkan
// loader's affair (scripts/webgpu).

// https://www.w3.org/TR/webgpu/#limits, of those that the book's kernels ask for.
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

// Dawn withholds shader-f16 from NVIDIA's Vulkan driver, with which its own tests of f16 failed (crbug.com/42251215), so that
// Chromium on Linux has none. Here each answer is compared with the reference.
const settings = ["enable-dawn-features=vulkan_enable_f16_on_nvidia"];

/**
 * The adapter as one that offers what WebGPU promises everywhere and no more: its limits, and no feature.
 * Dawn holds the device to that, since it is all that can be asked for.
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
 * A GPU object of WebGPU. Dawn is loaded, and its classes become globals, when an adapter is asked for.
 * With `default_limits` see least_adapter; its WGSL has no extensions either. `load` gives npm's module.
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
