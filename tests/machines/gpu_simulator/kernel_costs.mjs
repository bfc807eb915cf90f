// The cost of one dispatch of a shader, derived from the shader's text, its constants and its
// buffers. The simulated GPU knows nothing else about the book's kernels.
import {
  bank_conflict,
  chase_ns,
  fetched_for_float,
  occupied,
  operations_per_ns,
  paths_paid,
  read_ns,
} from "./closed_forms.mjs";

const shortest_ns = 500; // of a dispatch with nothing to do

/** A number that is in the text or set by an override. */
function amount(code, constants, name) {
  const written = new RegExp(`\\b${name} = (\\d+)u?;`).exec(code);
  return constants[name] ?? (written ? Number(written[1]) : undefined);
}

/** How often the loop over i runs: a number in the text, or an override. */
function loop_bound(code, constants) {
  const [, bound] = /\bi < (\d+|[a-z_]+)u?;/.exec(code);
  return constants[bound] ?? Number(bound);
}

/** Chains of dependent steps. A step is eight operations of any type. */
function peak({ code, constants, groups, label }) {
  const type = { peak_f32: "f32", peak_f16: "f16", peak_i8dot: "i8" }[label];
  const step = type === "i8" ? /dot4I8Packed\(x/g : /fma\(x/g;
  const chains = new Set(code.match(/\bx\[?\d+\]?(?= \+?= (?:fma|u32)\()/g)).size;
  const values = { f32: 4, f16: 2, i8: 1 }[type];
  const lanes = groups[0] * 256;
  const steps = code.match(step).length * loop_bound(code, constants);
  return ({ gpu, speed }) =>
    (lanes * steps * 8) / operations_per_ns(gpu, { type, lanes, live: chains * values + 4, speed });
}

/** Independent loads of a lane, as far as the text shows: the number of its sums. */
const independent = (code) => Math.max(1, new Set(code.match(/\bsum\d*(?= \+=)/g)).size);

function reading({ code, constants, groups }) {
  const lanes = groups[0] * 256;
  const bytes = 16 * lanes * constants.trips;
  const in_flight = 16 * lanes * independent(code);
  return ({ gpu, speed }) => read_ns(gpu, { bytes, w: bytes, apart: true, in_flight, speed });
}

function moving(arrays) {
  return ({ constants, groups }) => {
    const bytes = constants.vectors * 16 * arrays;
    const in_flight = 16 * groups[0] * 256 * (arrays - 1);
    return ({ gpu, speed }) =>
      read_ns(gpu, { bytes, w: bytes, apart: true, in_flight, speed }) / gpu.memory.copy_over_read;
  };
}

function sweep({ code, constants, groups }) {
  const lanes = groups[0] * 256;
  const bytes = 4096 * groups[0] * constants.trips;
  return ({ gpu, speed }) =>
    read_ns(gpu, {
      ...{ bytes, w: constants.pieces * 4096, apart: false, speed },
      in_flight: 16 * lanes * independent(code),
    });
}

function stride({ code, constants, groups }) {
  const { s, trips, laps = 1 } = constants;
  const lanes = groups[0] * 256;
  const loads = lanes * trips * laps;
  return ({ gpu, speed }) => {
    const fetched = fetched_for_float(gpu, s);
    const spread = Math.max(1, Math.min(laps, (4 * s) / fetched)); // laps that read other bytes
    return read_ns(gpu, {
      ...{ bytes: loads * fetched, apart: true, speed },
      w: (loads / laps) * fetched * spread,
      in_flight: fetched * lanes * independent(code),
    });
  };
}

function inflight({ constants, groups, buffers }) {
  const { loads, trips } = constants;
  const lanes = groups[0] * 32;
  return ({ gpu, speed }) => {
    const each = lanes < 32 ? gpu.memory.fetch_bytes : 4;
    const bytes = lanes * loads * trips * each;
    const w = Math.max(bytes, buffers[1].size);
    return read_ns(gpu, { bytes, w, apart: true, in_flight: 4 * lanes * loads, speed });
  };
}

/** One load after the other in one lane. The data is warm after the first cycle. */
function chase({ code, buffers, constants }) {
  const cycle = buffers[2];
  const steps = amount(code, constants, "steps") ?? Number(/step < (\d+)u/.exec(code)[1]);
  return ({ gpu, speed, warmth }) => {
    const bytes = steps * 128;
    const { cold, all } = warmth(cycle, bytes);
    const warm = chase_ns(gpu, cycle.size, speed);
    const far = chase_ns(gpu, Infinity, speed);
    return steps * (warm + ((far - warm) * cold) / all);
  };
}

function branch({ data, buffers }) {
  const trips = data(buffers[3])[1];
  const path = data(buffers[2]);
  const lanes = path.length;
  let paid;
  return ({ gpu, speed }) => {
    paid ??= paths_paid(gpu, (lane) => path[lane], Math.min(lanes, 65536));
    const rate = operations_per_ns(gpu, { type: "f32", lanes, live: 8, speed });
    return (paid * lanes * trips * 2) / rate;
  };
}

function wgmem({ constants, groups, code }) {
  const lanes = groups[0] * 256;
  const trips = constants.trips ?? Number(/trip < (\d+)u/.exec(code)[1]);
  return ({ gpu, speed }) => {
    const { units, fp32_lanes_per_unit: width, nominal_clock_ghz: ghz } = gpu.compute;
    const per_ns = units * width * Math.min(1, 32 / width) * 4 * ghz * speed * occupied(gpu, lanes);
    return (lanes * trips * 8 * 4 * bank_conflict(gpu, constants.s)) / per_ns;
  };
}

// The share of the roof that each rung of the ladder reaches on a GPU that it suits.
const shares = { strided: 0.01, naive: 0.06, tiled: 0.15, regblock: 0.35, vec4: 0.45, f16: 0.4 };

function product({ code, constants: { m, n, k }, groups, label }) {
  const rung = label.slice("matmul_".length);
  const [rows, columns] = ["rows", "columns"].map((name) => amount(code, {}, name) ?? 1);
  const live = Math.max(
    rung === "vec4" || rung === "regblock" ? 36 : 12,
    rows * columns * 1.25 + 4,
  );
  const block = { strided: [16, 16], naive: [16, 16], tiled: [16, 16] }[rung] ?? [
    16 * (rung === "vec4" ? rows : 4),
    16 * (rung === "vec4" ? columns : 4),
  ];
  const padded = Math.ceil(m / block[0]) * block[0] * Math.ceil(n / block[1]) * block[1];
  const lanes = groups[0] * groups[1] * 256;
  const larger = rung === "vec4" ? Math.min(1.4, Math.sqrt((rows * columns) / 16)) : 1;
  return ({ gpu, speed }) => {
    const wanted = { type: rung === "f16" ? "f16" : "f32", lanes: 4 * lanes, live, speed };
    const rate = operations_per_ns(gpu, wanted) * shares[rung] * larger;
    const bytes = 4 * (m * k + k * n + m * n);
    const memory = read_ns(gpu, { bytes, w: bytes, apart: true, in_flight: 2 ** 26, speed });
    return Math.max((2 * padded * k) / rate, memory);
  };
}

const filling =
  ({ buffers }) =>
  ({ gpu }) =>
    buffers[0].size / gpu.memory.read_gbs;
const by_label = {
  ...{ peak_f32: peak, peak_f16: peak, peak_i8dot: peak },
  ...{ read: reading, copy: moving(2), triad: moving(3), sweep, stride, inflight, chase, branch },
  ...{ wgmem, fill: filling, gather: () => () => 2000, launch: () => () => 0 },
};

/**
 * The cost of a dispatch: (machine) => nanoseconds, where the machine is {gpu, speed, warmth}: its
 * file, its clock relative to the maximum, and the part of a buffer that its caches may still hold.
 * `has_memory`: the next one may cost something else; `fills`: a buffer that is in the caches
 * afterwards, if they have room.
 */
export function cost_of(dispatch) {
  const { label } = dispatch;
  const kind = label.startsWith("matmul_") ? product : by_label[label];
  if (!kind) throw new Error(`the simulated GPU does not know ${label}.wgsl: add it to by_label`);
  const cost = kind(dispatch);
  const bounded = (machine) => Math.max(shortest_ns, cost(machine));
  return Object.assign(bounded, {
    ...{ has_memory: label === "chase", fills: label === "read" ? dispatch.buffers[1] : null },
  });
}
