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

/** The smallest module; its one function, exported as "f", is `code` and returns a v128 unless said. */
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
 * (func (param f32) (result i32)): the bits of param - param. Infinity less itself is a NaN, whose
 * sign is set on x86 and clear on ARM.
 */
const nan_module = module_with([0x20, 0, 0x20, 0, 0x93, 0xbc], { params: [0x7d], result: 0x7f });

/** (func (param f32 f32) (result f32)): a * a + b by f32x4.relaxed_madd, its first lane. */
const madd_module = module_with(
  [0x20, 0, 0xfd, 0x13, 0x20, 0, 0xfd, 0x13, 0x20, 1, 0xfd, 0x13, 0xfd, 0x85, 0x02, 0xfd, 0x1f, 0],
  { params: [0x7d, 0x7d], result: 0x7d },
);

/** The one function of `bytes`; undefined where the browser refuses the module. */
function function_of(bytes, scope) {
  try {
    const { Module, Instance } = scope.WebAssembly;
    return new Instance(new Module(bytes)).exports.f;
  } catch {
    return undefined;
  }
}

/** Does a relaxed multiply-add round once? Twice, the product would lose the 2^-24. */
const is_fused = (madd) => madd?.(1 + 2 ** -12, -(1 + 2 ** -11)) === 2 ** -24;

/** {wasm, simd, relaxed, fused, x86, shared, workers, isolated, cores}. */
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
 * The module to load: {module, file, further}, or {reason} in words. `wanted` ("simd128" | "relaxed")
 * overrides the choice; more than one thread needs shared memory, which needs an isolated page. `further`
 * are the files in which kernels are looked for that the first one lacks.
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
  return {
    module,
    file: `kernels-${module}${threads > 1 ? "-shared" : ""}.wasm`,
    further: threads > 1 ? [] : [`layers-${module}.wasm`],
  };
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

const little_gib = 4; // of memory that a browser admits to

/** Is this what is held in a hand? Where a browser does not say what points at things, what can be touched. */
function is_handheld(scope) {
  const is_coarse = scope.matchMedia?.("(pointer: coarse)")?.matches;
  return is_coarse ?? scope.navigator?.maxTouchPoints > 1;
}

const few_threads = 8;

/** Does a browser that keeps its memory to itself run on a processor such as phones and small computers have, and no Mac? */
function is_perhaps_small({ navigator }, x86) {
  const { deviceMemory: tells, platform = "", hardwareConcurrency: threads } = navigator ?? {};
  const is_few = !(threads > few_threads);
  return !(tells > 0) && x86 === false && is_few && !platform.startsWith("Mac");
}

/**
 * What all memories of a measurement may take together, in bytes. Phones and small computers end a tab
 * that takes more, without a word; elsewhere the browser says no in time. `x86` says whether the processor is one,
 * where that is known.
 */
export function memory_budget(scope, x86) {
  const is_small = scope.navigator?.deviceMemory <= little_gib || is_perhaps_small(scope, x86);
  return is_small || is_handheld(scope) ? 384 * 2 ** 20 : 2 ** 31;
}

/** {first, further}: what of the budget the first module's memory may have, and each of `count` further ones'. */
export function module_parts(budget, count) {
  if (count === 0 || budget >= 2 ** 31) return { first: budget, further: budget };
  const further = budget / 4 / count;
  return { first: budget - count * further, further };
}

/** {own, shared}: the budget's parts for one core's memory and for that of several, where both are needed. */
export function budget_parts(budget, { cores, threaded }) {
  if (budget >= 2 ** 31) return { own: budget, shared: budget };
  const third = budget / 3;
  if (cores) return { own: third, shared: 2 * third };
  return threaded ? { own: 2 * third, shared: third } : { own: budget, shared: 0 };
}
