// The race of six matmuls on one core, in two parts:
//
//   1. drawn: the programs take turns. A turn computes a band of rows of C, and the program that
//      has used the least time so far is next. So after t ms per program, all of them have
//      computed as much as they would have in t ms alone, except for what a turn costs: other
//      programs empty the caches, and packed packs B again for each band.
//   2. timed: each program computes the whole matmul alone, without interruption.
//
// The places are those of the timed runs. A band is a kernel with m rows, whose first array is A
// (wasm_kernels/matmul/problem.cpp), so the rows of A for each band are copied there. There is no
// DOM here: `now` is a clock in milliseconds and `pause(ms)` a promise.

import { time_batch } from "../kernels/clock.js";
import { align } from "../kernels/kernel_module.js";
import { complete_params, kernel_of } from "../kernels/tasks.js";

export const programs = [
  { kernel: "matmul.naive" },
  { kernel: "matmul.reordered" },
  { kernel: "matmul.vector" },
  { kernel: "matmul.tiled", variant: "cache" },
  { kernel: "matmul.tiled" },
  { kernel: "matmul.packed" },
];

export const sizes = { least: 64, usual: 1000, most: 1200 };

const turn_ms = 8;
const fewest_bands = 8; // packed packs B once per band
const step = 4; // the height of a tile
const first_rows = 8; // of a band that only warms up
const warm_passes = 3; // until the engine has compiled its best code
const timed_ms = 400; // a program is timed up to three times within this
const most_timed = 3;

const refused = "it needs more memory than this page gets";

/** One program: its kernel, its memory, and how far it has come. */
class Lane {
  ms = 0; // in its turns so far
  done = 0; // rows of C

  constructor(module, run, { n, tile }) {
    const kernel = kernel_of(module.registry, run);
    if (!kernel) throw new Error("this kernel is missing from the module for this browser");
    const own = kernel.params.some(({ name }) => name === "tile") && tile ? { tile } : {};
    Object.assign(this, { module, kernel, n, params: { n, ...own } });
  }

  /** Bytes for a band of `rows`. */
  bytes(rows) {
    this.#select(rows);
    return this.module.memory_needed(this.kernel);
  }

  #select(rows) {
    const { module, kernel, params } = this;
    module.select(kernel, complete_params(kernel, { ...params, m: rows }));
  }

  /** Sets the height of a band, and fills the matrices at `base`. */
  prepare(base, rows) {
    Object.assign(this, { base, rows });
    this.#select(rows);
    this.module.prepare(this.kernel, base);
  }

  /** Computes once. Returns the milliseconds that it took. */
  run(now) {
    this.#select(this.rows);
    return time_batch(now, (reps) => this.module.run(this.kernel, this.base, reps), 1).ms;
  }

  /** Computes the next band of C with the rows of `a`. The last band ends with the last row. */
  take_turn(a, now) {
    const { n, rows } = this;
    const first = Math.min(this.done, n - rows);
    this.module.floats(this.base, rows * n).set(a.subarray(first * n, (first + rows) * n));
    this.ms += this.run(now);
    this.done = first + rows;
  }

  /** Throws Error with a message for readers if the last result is wrong. */
  check() {
    this.#select(this.rows);
    const { error, tolerance } = this.module.verify(this.kernel, this.base);
    if (!(error <= tolerance)) throw new Error("its result was wrong");
  }
}

const round_up = (count, by) => Math.ceil(count / by) * by;

/** Rows of a band that takes about `turn_ms`, if `first_rows` took `ms`. */
function rows_of_a_turn(n, ms) {
  const most = round_up(n / fewest_bands, step);
  const wanted = ms > 0 ? (first_rows * turn_ms) / ms : most;
  return Math.min(n, most, Math.max(step, round_up(wanted, step)));
}

/** The same values as in the kernels' own matrices: products and sums of them are exact. */
function matrix(n) {
  const values = new Float32Array(n * n);
  let state = 12345;
  for (let i = 0; i < values.length; ++i) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    values[i] = (state >>> 29) - 3.5;
  }
  return values;
}

/** Warms up, and decides how many rows of C each lane computes per turn. */
async function set_bands(lanes, base, { n, now, pause }) {
  let times = [];
  for (let pass = 0; pass < warm_passes; ++pass) {
    times = lanes.map((lane) => {
      lane.prepare(base, first_rows);
      lane.run(now);
      return lane.run(now);
    });
    await pause(20);
  }
  let next = base;
  for (const [i, lane] of lanes.entries()) {
    const rows = rows_of_a_turn(n, times[i]);
    const at = next;
    next = align(next + lane.bytes(rows), 1);
    if (!lane.module.reserve(next)) throw new Error(refused);
    lane.prepare(at, rows);
  }
}

function draw(lanes, { n, now, tell }) {
  const a = matrix(n);
  for (let open = lanes; open.length > 0; open = open.filter(({ done }) => done < n)) {
    const next = open.reduce((least, lane) => (lane.ms < least.ms ? lane : least));
    next.take_turn(a, now);
    tell({ lane: lanes.indexOf(next), done: next.done });
  }
}

/** The shortest time of up to three runs of the whole matmul, in milliseconds. */
async function time_alone(lane, { now, pause }) {
  let least = Infinity;
  let spent = 0;
  for (let i = 0; i < most_timed && spent < timed_ms; ++i) {
    const ms = lane.run(now);
    spent += ms;
    least = Math.min(least, ms);
    await pause(0);
  }
  return least;
}

/**
 * Runs both parts for n × n matrices. Calls `tell` with {lane, done} after each turn, where `done`
 * counts rows, and with {lane, alone_ms} after each timed run. `tile`: the fastest tile of this
 * machine, if known. Throws Error with a message for readers if there is not enough memory or a
 * result is wrong.
 */
export async function race({ module, n, tile, ...how }) {
  const lanes = programs.map((run) => new Lane(module, run, { n, tile }));
  const base = module.heap_base;
  const largest = Math.max(...lanes.map((lane) => lane.bytes(n)));
  if (!module.reserve(base + largest)) throw new Error(refused);
  await set_bands(lanes, base, { n, ...how });
  draw(lanes, { n, ...how });
  for (const lane of lanes) lane.check();
  for (const [i, lane] of lanes.entries()) {
    lane.prepare(base, n);
    how.tell({ lane: i, alone_ms: await time_alone(lane, how) });
    lane.check();
  }
}
