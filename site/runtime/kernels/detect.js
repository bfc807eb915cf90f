// Detects the features of the browser by trying them, not by its name.

/** (func (result v128) three v128.const 0; f32x4.relaxed_madd): valid only with relaxed SIMD. */
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

/**
 * The smallest module. `code` is its only function, exported as "f", and returns a v128 by default.
 */
function module_with(code, { params = [], result = 0x7b } = {}) {
  const section = (id, bytes) => [id, bytes.length, ...bytes];
  const body = [0, ...code, 0x0b];
  return new Uint8Array([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [1, 0x60, params.length, ...params, 1, result]),
    ...section(3, [1, 0]),
    ...section(7, [1, 1, 0x66, 0, 0]),
    ...section(10, [1, body.length, ...body]),
  ]);
}

/**
 * (func (param f32) (result i32)): the bits of param - param. Infinity minus itself is a NaN, whose
 * sign bit is set on x86 and clear on ARM.
 */
const nan_module = module_with([0x20, 0, 0x20, 0, 0x93, 0xbc], { params: [0x7d], result: 0x7f });

/** (func (param f32 f32) (result f32)): the first lane of a * a + b by f32x4.relaxed_madd. */
const madd_module = module_with(
  [0x20, 0, 0xfd, 0x13, 0x20, 0, 0xfd, 0x13, 0x20, 1, 0xfd, 0x13, 0xfd, 0x85, 0x02, 0xfd, 0x1f, 0],
  { params: [0x7d, 0x7d], result: 0x7d },
);

/** The only function of `bytes`; undefined if the browser rejects the module. */
function function_of(bytes, scope) {
  try {
    const { Module, Instance } = scope.WebAssembly;
    return new Instance(new Module(bytes)).exports.f;
  } catch {
    return undefined;
  }
}

/**
 * Whether a relaxed multiply-add rounds once. With two roundings, the product would lose the 2^-24.
 */
const is_fused = (madd) => madd?.(1 + 2 ** -12, -(1 + 2 ** -11)) === 2 ** -24;

/**
 * The features of the browser: {wasm, simd, relaxed, fused, x86, shared, workers, isolated, cores}.
 * `cores` is the number that the browser reports (0: unknown); the rest are booleans.
 */
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
    fused: is_fused(function_of(madd_module, scope)),
    x86: function_of(nan_module, scope)?.(Infinity) < 0,
    isolated: scope.crossOriginIsolated === true,
    shared: typeof scope.SharedArrayBuffer === "function" && scope.crossOriginIsolated === true,
    workers: typeof scope.Worker === "function",
    cores: scope.navigator?.hardwareConcurrency ?? 0,
  };
}

/**
 * The module to load: {module, file, further}, or {reason} in words. `wanted` ("simd128" |
 * "relaxed") overrides the choice. More than one thread needs shared memory, which needs an
 * isolated page. Kernels that are missing in the first file are looked up in the files `further`.
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
    return {
      reason: "several cores need a cross-origin isolated page",
    };
  const module = wanted || (found.relaxed ? "relaxed" : "simd128");
  return {
    module,
    file: `kernels-${module}${threads > 1 ? "-shared" : ""}.wasm`,
    further: threads > 1 ? [] : [`layers-${module}.wasm`],
  };
}

/** Browser and engine by name and version. Only for the profile; no decision depends on them. */
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
 * The largest working set to try, in bytes: an eighth of the memory that the browser reports. If it
 * reports none, 1 GiB on computers and 256 MiB on touch devices.
 */
export function set_limit(navigator) {
  const known = navigator.deviceMemory;
  if (known > 0) return Math.min(2 ** 30, known * 2 ** 27);
  return navigator.maxTouchPoints > 1 ? 2 ** 28 : 2 ** 30;
}

const little_gib = 4; // of memory as reported by the browser

/**
 * Whether this is a handheld device. If the browser does not report its pointer, touch decides. It
 * also decides on an iPad, which calls itself a Mac and has a fine pointer with a trackpad, because
 * no Mac has a touch screen.
 */
function is_handheld(scope) {
  const { maxTouchPoints = 0, platform = "" } = scope.navigator ?? {};
  const is_coarse = scope.matchMedia?.("(pointer: coarse)")?.matches;
  const is_touched = maxTouchPoints > 1;
  return is_touched && platform.startsWith("Mac") ? true : (is_coarse ?? is_touched);
}

/**
 * Whether the first TLB may have fewer than 64 entries, as on phones and boards: 10 on a
 * Cortex-A53, 16 on an A55. Those of an x86 have 64, and Apple's pages are four times as large.
 */
export const may_have_small_tlb = ({ platform = "" }, x86) =>
  x86 === false && !/^(Mac|iP)/.test(platform);

const few_threads = 8;

/**
 * Whether this may be a small computer: the browser does not report its memory, the processor has
 * few threads and is not an x86, and it is not a Mac.
 */
function is_perhaps_small({ navigator }, x86) {
  const { deviceMemory: tells, platform = "", hardwareConcurrency: threads } = navigator ?? {};
  const is_few = !(threads > few_threads);
  return !(tells > 0) && x86 === false && is_few && !platform.startsWith("Mac");
}

/**
 * The bytes that all memories of a measurement may use together. Phones and small computers kill a
 * tab that uses more; elsewhere, the allocation fails. `x86`: whether the processor is an x86;
 * undefined if unknown.
 */
export function memory_budget(scope, x86) {
  const is_small = scope.navigator?.deviceMemory <= little_gib || is_perhaps_small(scope, x86);
  return is_small || is_handheld(scope) ? 384 * 2 ** 20 : 2 ** 31;
}

/**
 * {first, further}: the bytes for the memory of the first module, and for each of `count` further
 * modules.
 */
export function module_parts(budget, count) {
  if (count === 0 || budget >= 2 ** 31) return { first: budget, further: budget };
  const further = budget / 4 / count;
  return { first: budget - count * further, further };
}

/**
 * {own, shared}: the bytes for the memory of one core and for the memory of several cores, if both
 * are needed.
 */
export function budget_parts(budget, { cores, threaded }) {
  if (budget >= 2 ** 31) return { own: budget, shared: budget };
  const third = budget / 3;
  if (cores) return { own: third, shared: 2 * third };
  return threaded ? { own: 2 * third, shared: third } : { own: budget, shared: 0 };
}
