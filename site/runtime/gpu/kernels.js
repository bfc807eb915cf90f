// How to run each kernel of wasm_kernels/webgpu/: its shader, its constants, its buffers in the
// order of their bindings, and the number of groups to dispatch. The counts and the reference are
// in webgpu.wasm, which has the same formulas in C++.

import { own } from "../base/own.js";

/**
 * The version of the GPU method. Increase it when new results are no longer comparable with older
 * ones.
 */
export const gpu_method = 2;

const kibibyte = 1024;
const most_groups = 32768;

/**
 * Parameters with the open ones (0) decided; `largest` is the maximum size of a buffer in bytes.
 */
export function decided(kernel, params, largest) {
  const values = { ...params };
  for (const { name, max } of kernel.params) {
    if (name === "w" && !(values.w > 0)) values.w = Math.min(largest, max);
  }
  return values;
}

/** Parameters that are small enough for a check without timing. */
export function small(kernel, params) {
  const values = { ...params };
  const at_most = (name, most) => {
    if (values[name] > most) values[name] = most;
  };
  for (const { name } of kernel.params) {
    if (name === "w") values.w = Math.min(values.w || 2 ** 20, 2 ** 20);
    if (name === "groups") values.groups = Math.min(values.groups || 2, 2);
  }
  for (const name of ["n", "m", "k"]) if (kernel.id.startsWith("gpu.matmul")) at_most(name, 128);
  at_most("lanes", 4096);
  at_most("bytes", 65536);
  return values;
}

const numbers = (floats, first = 0) => ({ kind: "numbers", floats, first });
const uniform = (...values) => ({ kind: "uniform", data: values });

const usual_trips = 512;
const usual_laps = (s) => (s > 8 ? Math.floor(s / 8) : 1);

/**
 * The parameter that makes a dispatch longer, and its default. Undefined if the kernel has none.
 */
export function length_of({ id }, { s }) {
  if (id === "gpu.width" || id === "gpu.diverge") return { name: "trips", usual: usual_trips };
  if (id === "gpu.stride") return { name: "laps", usual: usual_laps(s) };
  return id === "gpu.sweep" ? { name: "laps", usual: 1 } : null;
}

function read_lanes(w) {
  let lanes = 2 ** 18;
  while (lanes * 256 > w && lanes > 256) lanes /= 2;
  return lanes;
}

/**
 * A kernel with one vector per lane and iteration, over arrays of equal length with a total of w
 * bytes.
 */
function arrays(file, w, count) {
  const floats = Math.floor(w / count / 4096) * 1024;
  const groups = floats / 1024;
  const trips = Math.ceil(groups / most_groups);
  const inputs = Array.from({ length: count - 1 }, (_, i) => numbers(floats, i * floats));
  return {
    file,
    constants: { vectors: floats / 4, trips },
    groups: [Math.ceil(groups / trips)],
    outputs: floats,
    inputs,
  };
}

const usual_chains = 8;
const peak_steps = 4096;

/** The shader without the lines of the chains beyond `chains`. */
function peak(file, { groups, chains }, factors) {
  const kept = chains || usual_chains;
  return {
    ...{ file, entry: "peak", groups: [groups], outputs: groups * 256, inputs: [factors] },
    constants: { trips: peak_steps / kept / 4 },
    edit: (text) => text.replace(/^.*\bx(\d+)\b.*\n/gm, (line, c) => (c < kept ? line : "")),
  };
}

function branch({ trips }) {
  const lanes = 2 ** 18;
  const settings = uniform(1, trips || usual_trips, 0, 0);
  const inputs = [numbers(lanes), { kind: "uploaded", bytes: lanes * 4 }, settings];
  return { file: "branch", groups: [lanes / 256], outputs: lanes, inputs };
}

function stride({ s, w, laps }) {
  const elements = Math.floor(w / 4 / s);
  let lanes = 2 ** 18;
  while (lanes > 256 && lanes * 4 > elements) lanes /= 2;
  const trips = Math.max(4, Math.floor(elements / lanes / 4) * 4);
  return {
    ...{ file: "stride", groups: [lanes / 256], outputs: lanes },
    constants: { s, lanes, trips, laps: laps || usual_laps(s) },
    inputs: [numbers(trips * lanes * s)],
  };
}

/**
 * A matmul whose groups compute `rows` × `columns` of C each, with the x index of lanes along
 * `across`.
 */
function product(file, { n, m: given_m, k: given_k }, [rows, columns], options = {}) {
  const [m, k] = [given_m || n, given_k || n];
  const { kind = "numbers", vectors = false, turned = false, ...rest } = options;
  if (vectors && (n % 4 || k % 4)) throw new Error("its rows have to be whole vectors of four");
  const [down, across] = [Math.ceil(m / rows), Math.ceil(n / columns)];
  const inputs = [
    { kind, floats: m * k, first: 0 },
    { kind, floats: k * n, first: m * k },
  ];
  return {
    file: `matmul_${file}`,
    entry: file,
    constants: { m, n, k },
    groups: turned ? [down, across] : [across, down],
    outputs: m * n,
    inputs,
    ...rest,
  };
}

/** The vec4 matmul with another block per lane; `tile` is rows * 100 + columns. */
function blocked(values, tile) {
  const [rows, columns] = [Math.floor(tile / 100), tile % 100];
  const edit = (text) =>
    text
      .replace("const rows = 4u;", `const rows = ${rows}u;`)
      .replace("const columns = 4u;", `const columns = ${columns}u;`);
  return product("vec4", values, [16 * rows, 16 * columns], { vectors: true, edit });
}

const plans = {
  "gpu.peak.f32": (v) => peak("peak_f32", v, uniform(1, 1, 1, 1)),
  "gpu.peak.f16": (v) => peak("peak_f16", v, uniform(1, 1, 1, 1)),
  "gpu.peak.i8dot": (v) =>
    peak("peak_i8dot", v, { kind: "uniform", data: [0x01ff0203, 0, 0, 0], whole: true }),
  "gpu.read": ({ w }) => {
    const lanes = read_lanes(w);
    const trips = Math.max(4, Math.floor(w / 16 / lanes / 4) * 4);
    return {
      file: "read",
      entry: "read_all", // "read" is a keyword in WGSL
      constants: { lanes, trips },
      groups: [lanes / 256],
      outputs: lanes,
      inputs: [numbers(trips * lanes * 4)],
    };
  },
  "gpu.copy": ({ w }) => arrays("copy", w, 2),
  "gpu.triad": ({ w }) => arrays("triad", w, 3),
  "gpu.sweep": ({ w, laps }) => {
    const pieces = Math.floor(w / 4096);
    const trips = Math.max(16, Math.ceil(pieces / 4096) * 4) * (laps || 1);
    return {
      file: "sweep",
      constants: { pieces, trips },
      groups: [1024],
      outputs: 2 ** 18,
      inputs: [numbers(pieces * kibibyte)],
    };
  },
  "gpu.chase": ({ w }) => {
    const elements = Math.floor(w / 128);
    const inputs = [{ kind: "position" }, { kind: "cycle", elements }];
    return { file: "chase", groups: [1], outputs: 1, inputs };
  },
  "gpu.inflight": ({ lanes, loads, w }) => {
    const floats = w / 4;
    const whole = Math.floor(floats / lanes / 8) * 8;
    const each = Math.min(Math.max(whole, 8), 2 ** 15);
    const step = Math.max(lanes, Math.floor(floats / 2 ** 15) + 32);
    return {
      file: "inflight",
      constants: { loads, trips: each / loads, step: step % floats, floats },
      groups: [lanes / 32],
      outputs: lanes,
      inputs: [numbers(floats), { kind: "uniform", data: [0, 0, 0, 0], whole: true }],
    };
  },
  "gpu.width": branch,
  "gpu.diverge": branch,
  "gpu.stride": stride,
  "gpu.wgmem": ({ s }) => ({
    file: "wgmem",
    constants: { s },
    groups: [1024],
    outputs: 2 ** 18,
    inputs: [numbers(2056)],
  }),
  "gpu.matmul.strided": (v) => product("strided", v, [16, 16], { turned: true }),
  "gpu.matmul.naive": (v) => product("naive", v, [16, 16]),
  "gpu.matmul.tiled": (v) => product("tiled", v, [16, 16]),
  "gpu.matmul.regblock": (v) => product("regblock", v, [64, 64]),
  "gpu.matmul.vec4": (v) => product("vec4", v, [64, 64], { vectors: true }),
  "gpu.matmul.f16": (v) =>
    product("f16", v, [64, 64], { vectors: true, kind: "halves", entry: "f16_product" }),
  "gpu.matmul.tuned": (v) => blocked(v, v.tile || 404),
  "gpu.launch": () => ({ file: "launch", groups: [1], outputs: 1, inputs: [] }),
};

/**
 * The plan of a kernel with decided parameters: {file, entry, constants, groups, outputs, inputs,
 * edit?}. Throws Error with a message for readers if it cannot run with these.
 */
export function plan_of(kernel, values) {
  const plan = own(plans, kernel.id)(values);
  return { entry: plan.file, constants: {}, ...plan };
}

/** The blocks per lane that a race of gpu.matmul.tuned tries. */
export const tuned_tiles = (kernel) =>
  kernel.params.find(({ name }) => name === "tile").choices.filter((tile) => tile > 0);
