// What this browser can run, found by asking it and not by reading its name.

/**
 * (func (result v128) v128.const 0, thrice; f32x4.relaxed_madd): valid only where relaxed SIMD is
 * known.
 */
const relaxed_module = module_with([
  ...v128_zero(),
  ...v128_zero(),
  ...v128_zero(),
  0xfd,
  0x85,
  0x02,
]);
const simd_module = module_with(v128_zero());

function v128_zero() {
  return [0xfd, 0x0c, ...new Array(16).fill(0)];
}

/** The smallest module whose one function returns a v128 computed by `code`. */
function module_with(code) {
  const body = [0, ...code, 0x0b];
  return new Uint8Array([
    0,
    0x61,
    0x73,
    0x6d,
    1,
    0,
    0,
    0,
    1,
    5,
    1,
    0x60,
    0,
    1,
    0x7b,
    3,
    2,
    1,
    0,
    10,
    body.length + 2,
    1,
    body.length,
    ...body,
  ]);
}

/** {wasm, simd, relaxed, shared, workers, isolated, cores}. */
export function detect(scope = globalThis) {
  const wasm =
    typeof scope.WebAssembly === "object" && typeof scope.WebAssembly.validate === "function";
  const valid = (bytes) => {
    try {
      return wasm && scope.WebAssembly.validate(bytes);
    } catch {
      return false;
    }
  };
  return {
    wasm,
    simd: valid(simd_module),
    relaxed: valid(relaxed_module),
    isolated: scope.crossOriginIsolated === true,
    shared: typeof scope.SharedArrayBuffer === "function" && scope.crossOriginIsolated === true,
    workers: typeof scope.Worker === "function",
    cores: scope.navigator?.hardwareConcurrency ?? 0,
  };
}

/**
 * The module to load: {module, file}, or {reason} in words. `wanted` ("simd128" | "relaxed")
 * overrides the choice; more than one thread needs shared memory, which needs an isolated page.
 */
export function choose_module(found, { wanted = "", threads = 1 } = {}) {
  if (!found.wasm)
    return {
      reason: "this browser does not run WebAssembly (a security mode may have turned it off)",
    };
  if (!found.simd) return { reason: "this browser's WebAssembly has no SIMD" };
  if (wanted === "relaxed" && !found.relaxed)
    return { reason: "this browser's WebAssembly has no relaxed SIMD" };
  if (threads > 1 && !found.shared)
    return { reason: "several cores need an isolated page, and this one is not" };
  const module = wanted || (found.relaxed ? "relaxed" : "simd128");
  return { module, file: `kernels-${module}${threads > 1 ? "-shared" : ""}.wasm` };
}

/** Browser and engine by name and version, for the profile only: no decision depends on them. */
export function describe_browser(navigator) {
  const text = navigator.userAgent ?? "";
  const version = (name) => new RegExp(`${name}/([\\d.]+)`).exec(text)?.[1];
  const brand = navigator.userAgentData?.brands?.find(({ brand: b }) => !/Not|Chromium/.test(b));
  const os = /Android|iPhone|iPad|Windows|Mac OS X|CrOS|Linux/.exec(text)?.[0] ?? "unknown";
  if (version("Firefox"))
    return { browser: `Firefox ${version("Firefox")}`, engine: "SpiderMonkey", os };
  if (version("Chrome")) {
    const name = brand?.brand ?? (/Edg\//.test(text) ? "Edge" : "Chromium");
    return { browser: `${name} ${version("Chrome")}`, engine: "V8", os };
  }
  if (version("Version"))
    return { browser: `Safari ${version("Version")}`, engine: "JavaScriptCore", os };
  return { browser: text.slice(0, 80) || "unknown", engine: "unknown", os };
}

/**
 * The largest working set to try, in bytes: an eighth of the memory that the browser admits to, or
 * where it keeps that to itself 1 GiB on a computer and 256 MiB on what is touched.
 */
export function set_limit(navigator) {
  const known = navigator.deviceMemory;
  if (known > 0) return Math.min(2 ** 30, known * 2 ** 27);
  return navigator.maxTouchPoints > 1 ? 2 ** 28 : 2 ** 30;
}
