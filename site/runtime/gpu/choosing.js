// Autotuning: parameters that a task leaves open and that depend on the GPU. These are the number
// of groups that saturate it, the number of chains that keeps its units busy without spilling
// registers, the fastest block of a matmul, and the length of a dispatch for which the gap between
// dispatches does not matter.

import { length_of, tuned_tiles } from "./kernels.js";
import { Work } from "./runner.js";
import { calibrate, time_all } from "./timing.js";
import { median, ranked } from "../base/stats.js";

const plateau_gain = 1.02;
const most_groups = 32768;
const first_groups = 64;
const usual_groups = 1024;
// More chains than eight must win clearly, because they cost registers
const chains_tried = [8, 4, 16];
const rounds = 5;
const dispatch_seconds = 0.0005;

/** The values with which a task is first checked, before the open ones are tuned. */
export function first_values(kernel, values) {
  const is_open = (name) => values[name] === 0 && kernel.params.some((p) => p.name === name);
  return is_open("groups") ? { ...values, groups: usual_groups } : values;
}

const right = ({ error, tolerance }) => error <= tolerance;

/** Tunes the open parameters of `state`, then prepares and checks its work again. */
export async function choose(suite, state) {
  const { kernel, params } = state;
  const values = { ...state.values };
  if (params.chains === 0) values.chains = await fastest_chains(suite, state);
  if (params.groups === 0)
    values.groups = await saturating_groups(suite, { ...state, values }, state);
  if (kernel.id === "gpu.matmul.tuned" && !values.tile) await choose_tile(suite, state, values);
  if (Object.entries(values).some(([name, value]) => state.values[name] !== value))
    await prepare_with(suite, state, values);
}

async function prepare_with({ bench }, state, values) {
  state.values = values;
  state.work = await Work.prepare(bench, state.kernel, values);
  state.check = await state.work.check();
}

/**
 * Whether a dispatch of `state` is so short that the gap to the next one matters, and may be
 * lengthened.
 */
export function is_short({ kernel, params, values, reason, unit }) {
  const length = length_of(kernel, values);
  return !reason && length && params[length.name] === 0 && unit < dispatch_seconds;
}

/** Prepares `state` again with a dispatch that is long enough. */
export async function lengthen(suite, state) {
  const { name, usual } = length_of(state.kernel, state.values);
  const { max } = state.kernel.params.find((param) => param.name === name);
  const times = Math.ceil((1.2 * dispatch_seconds) / state.unit);
  await prepare_with(suite, state, { ...state.values, [name]: Math.min(max, usual * times) });
}

/** The entrants ({value, work}) that can be timed, with `rate` in units per second. */
async function raced(suite, entrants) {
  await calibrate(suite, entrants);
  const ready = entrants.filter(({ reason }) => !reason);
  const expected = ({ unit, count }) => unit * count;
  const passes = Array.from({ length: rounds }, () =>
    ready.map((one) => ({ ...one, expected: expected(one) })),
  ).flat();
  const seconds = await time_all(suite, passes);
  for (const [i, one] of ready.entries()) {
    const mine = seconds.filter((s, at) => at % ready.length === i && s > 0);
    one.rate = one.count / median(mine);
  }
  return ready;
}

/** The number of chains with the highest rate; each chain does the same number of steps. */
async function fastest_chains(suite, { kernel, values }) {
  const entrants = [];
  for (const chains of chains_tried) {
    const work = await Work.prepare(suite.bench, kernel, { ...values, chains });
    entrants.push({ kernel, work, chains });
  }
  const ready = await raced(suite, entrants);
  const [winner] = ranked(ready.map(({ chains, rate }) => ({ chains, value: rate })));
  if (!winner) throw new Error("the GPU timer is not usable here");
  return winner.chains;
}

/** Doubles the number of groups until two doublings in a row gain less than 2 %. */
async function saturating_groups(suite, { kernel, values }, state) {
  let best = { groups: first_groups, rate: 0 };
  let flat = 0;
  for (let groups = first_groups; groups <= most_groups && flat < 2; groups *= 2) {
    const work = await Work.prepare(suite.bench, kernel, { ...values, groups });
    const [one] = await raced(suite, [{ kernel, work }]);
    if (!one) break; // longer dispatches are not allowed
    const rate = groups * one.rate;
    if (rate < best.rate * plateau_gain) ++flat;
    else flat = 0;
    if (rate > best.rate) best = { groups, rate };
  }
  state.no_plateau = flat < 2;
  return best.groups;
}

/** The block of gpu.matmul.tuned that won the race. The first task that needs it runs the race. */
async function choose_tile(suite, state, values) {
  if (suite.choices.length === 0) await race(suite, state);
  const [{ tile, why }] = suite.choices;
  values.tile = tile;
  state.choice = { tile, why };
}

/** Races the blocks on this matmul. Each block must give a correct result. */
async function race(suite, { kernel, values }) {
  const { bench } = suite;
  const entrants = [];
  for (const tile of tuned_tiles(kernel)) {
    try {
      const work = await Work.prepare(bench, kernel, { ...values, tile });
      if (right(await work.check())) entrants.push({ kernel, work, tile });
    } catch {
      // A block that does not fit on this GPU cannot win.
    }
  }
  const ready = await raced(suite, entrants);
  if (ready.length === 0) throw new Error("no block runs on this GPU");
  bench.reference.select(kernel, values);
  const flops = bench.reference.flops(kernel);
  const rates = ranked(ready.map(({ tile, rate }) => ({ tile, value: (flops * rate) / 1e9 })));
  const [{ tile }] = rates;
  const why = why_it_won(rates);
  suite.choices = [{ kernel: kernel.id, device: "gpu", module: "wgsl", tile, why, rates }];
}

/** The reason in words; `rates` are sorted, the winner first. */
export function why_it_won([first, second]) {
  const named = ({ tile }) => `${Math.floor(tile / 100)} × ${tile % 100}`;
  if (!second) return `${named(first)} a lane was the only block that ran`;
  const ratio = (first.value / second.value).toFixed(2);
  return `${named(first)} a lane was ${ratio > 1 ? `${ratio} times ` : ""}as fast as ${named(second)}`;
}
