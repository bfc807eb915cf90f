// Measures kernels on a GPU: check, then warm-up, batches long enough for the GPU's coarse clock,
// rounds in turn with a canary between samples, and one result each in the profile's form.
// docs/measuring.md says why.

import { decided, small, tuned_tiles } from "./kernels.js";
import { Work } from "./runner.js";
import { Transfer } from "./transfer.js";
import { measure_tick } from "../kernels/clock.js";
import { jitter_of, work_ms } from "../kernels/jitter.js";
import { own } from "../base/own.js";
import { median, quantile, ranked } from "../base/stats.js";
import { summarise } from "../profile/summary.js";

const batch_seconds = 0.012; // more than 100 ticks of the GPU's clock of 100 µs
const slope_seconds = 0.02;
const longest_dispatch = 0.05;
const longest_submit = 0.2; // Windows takes a GPU away that is silent for two seconds
const first_warm_up = 0.4;
const warm_up = 0.1; // once the clocks are up
const canary_seconds = 0.005;
const drift = 0.05;
const most_discarded = 0.2;
const samples_wanted = 15;
const fewest_samples = 5;
const plateau_gain = 1.02;
const most_groups = 32768;

const program =
  "your GPU is a program on your CPU (software adapter); its answer was checked and is right";

const why_missing = {
  "shader-f16": "this browser or GPU does not offer shader-f16",
};

/**
 * Measures `tasks` ({kernel, params}) on `bench`; on a software adapter it only checks the answers
 * on small problems, unless `even_software`. Resolves to {results, choices, jitter}, the last where it
 * is asked for. A task that cannot run is "unavailable" with a reason; it rejects only when the device
 * is gone.
 */
export async function measure_gpu(
  bench,
  tasks,
  { even_software = false, jitter, total_ms, report },
) {
  const only_check = bench.gpu.software && !even_software;
  const suite = {
    bench,
    report,
    only_check,
    total_ms,
    began: bench.now(),
    canaries: [],
    choices: [],
  };
  const states = tasks.map((task) => ({ ...task, samples: [], lost: 0 }));
  for (const [i, state] of states.entries()) {
    report((0.4 * i) / states.length, `Checking ${state.kernel.title}`);
    await prepared(suite, state);
  }
  const ready = states.filter(
    (state) => !state.reason && state.check.error <= state.check.tolerance,
  );
  if (!only_check) {
    await start_canary(suite);
    for (const state of ready) await calibrated(suite, state);
    await sample_rounds(
      suite,
      ready.filter((state) => !state.reason),
    );
    if (jitter) suite.jitter = await measure_jitter(suite);
  }
  const results = states.map((state) => result_of(suite, state));
  return { results, choices: suite.choices, jitter: suite.jitter };
}

const is_transfer = ({ id }) => id === "gpu.upload" || id === "gpu.download";

/** Buffers, pipeline and check of one task; what goes wrong is the task's reason. */
async function prepared(suite, state) {
  const { bench, only_check } = suite;
  const { kernel, params } = state;
  try {
    const missing = missing_feature(bench.gpu, kernel);
    if (missing) throw new Error(missing);
    const full = decided(kernel, params, bench.gpu.largest);
    state.values = only_check ? small(kernel, full) : full;
    if (kernel.params.some(({ name }) => name === "groups") && !(state.values.groups > 0))
      state.values.groups = await saturating_groups(suite, state);
    if (kernel.id === "gpu.matmul.tuned" && !state.values.tile && !only_check)
      await choose(suite, state);
    const make = is_transfer(kernel) ? Transfer : Work;
    state.work = await make.prepare(bench, kernel, state.values);
    state.check = await state.work.check();
  } catch (error) {
    if (bench.gone) throw new Error(bench.gone);
    state.reason = error.message;
  }
}

function missing_feature({ features }, { id, requires }) {
  if (requires && !features.includes(requires))
    return own(why_missing, requires) ?? `it needs ${requires}`;
  const dot = "packed_4x8_integer_dot_product";
  return id.endsWith("i8dot") && !features.includes(dot)
    ? "this browser's WGSL has no 8-bit dot product"
    : "";
}

/** Twice as many groups again and again, until two doublings in a row gain less than 2 %. */
async function saturating_groups(suite, state) {
  let best = { groups: 64, rate: 0 };
  let flat = 0;
  for (let groups = 64; groups <= most_groups && flat < 2; groups *= 2) {
    const work = await Work.prepare(suite.bench, state.kernel, { ...state.values, groups });
    const { unit } = await calibrate(suite, work, state);
    const rate = groups / unit;
    if (rate < best.rate * plateau_gain) ++flat;
    else flat = 0;
    if (rate > best.rate) best = { groups, rate };
    if (unit > longest_dispatch / 2) break;
  }
  state.no_plateau = flat < 2;
  return best.groups;
}

/** The block of gpu.matmul.tuned that won the race, which the first to need one runs. */
async function choose(suite, state) {
  if (suite.choices.length === 0) await race(suite, state);
  const [{ tile, why }] = suite.choices;
  state.values.tile = tile;
  state.choice = { tile, why };
}

/** Which block is fastest on this product; all of them have to be right. */
async function race(suite, state) {
  const { bench } = suite;
  bench.reference.select(state.kernel, state.values);
  const flops = bench.reference.flops(state.kernel);
  const entrants = [];
  for (const tile of tuned_tiles(state.kernel)) {
    try {
      const work = await Work.prepare(suite.bench, state.kernel, { ...state.values, tile });
      const { error, tolerance } = await work.check();
      if (!(error <= tolerance)) continue;
      const { unit, count } = await calibrate(suite, work, state);
      const units = [unit];
      for (let i = 0; i < 4; ++i) units.push((await work.time(count)) / count);
      entrants.push({ tile, value: flops / median(units.filter((seconds) => seconds > 0)) / 1e9 });
    } catch {
      // A block that this GPU has no room for cannot win.
    }
  }
  if (entrants.length === 0) throw new Error("no block runs on this GPU");
  const rates = ranked(entrants);
  const { tile } = rates[0];
  suite.choices = [
    { kernel: state.kernel.id, device: "gpu", module: "wgsl", tile, why: why_it_won(rates), rates },
  ];
}

/** The reason in words; `rates` with the winner first. */
export function why_it_won([first, second]) {
  const named = ({ tile }) => `${Math.floor(tile / 100)} × ${tile % 100}`;
  if (!second) return `${named(first)} a lane was the only block that ran`;
  const ratio = (first.value / second.value).toFixed(2);
  return `${named(first)} a lane was ${ratio > 1 ? `${ratio} times ` : ""}as fast as ${named(second)}`;
}

/** How a task is timed: dispatches, passes, whole trips, or transfers. */
function timer_of({ kernel, work }) {
  if (kernel.variant === "submit") return (count) => work.time_submits(count);
  if (kernel.variant === "trip")
    return async (count) => {
      let seconds = 0;
      for (let i = 0; i < count; ++i) seconds += await work.wall(1);
      return seconds;
    };
  return (count) => work.time(count);
}

/** How many units a batch takes and how long one lasts: {count, unit}. */
async function calibrate({ bench }, work, state) {
  const time = timer_of({ kernel: state.kernel, work });
  const by_gpu = bench.gpu.timing === "timestamp";
  const wanted = by_gpu ? batch_seconds : slope_seconds;
  await time(1);
  await time(1); // the first two are never looked at
  let count = 1;
  let seconds = 0;
  for (let tries = 0; tries < 24; ++tries) {
    seconds = await time(count);
    if (seconds >= 0.8 * wanted) break;
    const growth = seconds > 0 ? Math.min(8, (1.2 * wanted) / seconds) : 4;
    const most = seconds > 0 ? longest_submit / (seconds / count) : Infinity;
    const next = Math.min(Math.ceil(count * growth), Math.max(1, Math.floor(most)));
    if (next <= count && seconds > 0) break;
    count = Math.max(next, count + 1);
  }
  if (!(seconds > 0)) throw new Error("the GPU timer is not usable here");
  return { count, unit: seconds / count };
}

async function calibrated(suite, state) {
  const { bench, report } = suite;
  report(0.4, `Warming up ${state.kernel.title}`);
  try {
    Object.assign(state, await calibrate(suite, state.work, state));
    if (state.unit > longest_dispatch && !bench.gpu.software)
      throw new Error(
        `one run takes ${Math.round(state.unit * 1e3)} ms, too long for this GPU's owner`,
      );
    const time = timer_of(state);
    const enough = suite.is_warm ? warm_up : first_warm_up;
    for (let spent = 0; spent < enough;) spent += Math.max(await time(state.count), 0.002);
    suite.is_warm = true;
  } catch (error) {
    if (bench.gone) throw new Error(bench.gone);
    state.reason = error.message;
  }
}

/** A fixed number of multiply-adds, about 5 ms: the GPU's clock between samples. */
async function start_canary(suite) {
  const { bench } = suite;
  const kernel = bench.reference.registry.find(({ id }) => id === "gpu.peak.f32");
  const work = await Work.prepare(bench, kernel, { groups: 256 });
  const { unit } = await calibrate(suite, work, { kernel });
  suite.canary = { work, unit, count: Math.max(1, Math.round(canary_seconds / unit)) };
}

/** Equal runs of the canary's work, each from asking for it to knowing that it is done. */
async function measure_jitter({ bench, canary: { work, unit }, report }) {
  const count = Math.max(1, Math.round(work_ms / 1e3 / unit));
  const once = async () => 1e3 * (await work.wall(count));
  const rest = async () => report(1, "Repeating one run");
  // A program's shortest run is far longer than 2 ms, and its tail tells nothing of a GPU.
  const repeats = bench.gpu.software ? 20 : undefined;
  return jitter_of(once, { tick_ms: measure_tick(bench.now), rest, repeats });
}

async function read_canary(suite) {
  const { work, count } = suite.canary;
  const seconds = await work.time(count);
  const rate = seconds > 0 ? count / seconds : 0;
  suite.canaries.push(rate);
  return rate;
}

const is_done = (state, late) => {
  const n = state.samples.length;
  return (
    n >= samples_wanted || (late && n >= fewest_samples) || n + state.lost > 2 * samples_wanted
  );
};

/** Round-robin, so that a GPU that grows warm and slow does so for all of them. */
async function sample_rounds(suite, states) {
  const { bench, report, total_ms, began } = suite;
  let open = states;
  let before = await read_canary(suite);
  for (let round = 0; open.length > 0; ++round) {
    report(0.5 + 0.5 * Math.min(1, round / samples_wanted), `Measuring, round ${round + 1}`);
    for (const state of open) {
      const seconds = await timer_of(state)(state.count);
      const after = await read_canary(suite);
      if (bench.gone) throw new Error(bench.gone);
      if (seconds > 0) state.samples.push({ seconds: seconds / state.count, before, after });
      else ++state.lost;
      before = after;
    }
    const late = bench.now() - began > total_ms;
    open = open.filter((state) => !is_done(state, late));
  }
}

function result_of(suite, state) {
  const { bench, only_check, canaries } = suite;
  const discarded = state.lost / Math.max(1, state.lost + state.samples.length);
  if (!state.reason && discarded > most_discarded)
    state.reason = "the GPU timer is not usable here";
  const right = state.check?.error <= state.check?.tolerance;
  if (!state.reason && only_check && right) state.reason = program;
  const plateau = quantile(
    canaries.filter((rate) => rate > 0),
    0.9,
  );
  const steady = (...rates) => rates.every((rate) => rate > plateau * (1 - drift));
  const tick = bench.gpu.timing === "timestamp" ? 1e-4 : 2e-4;
  const clock_error = state.unit > 0 ? tick / (state.unit * state.count) : 0;
  const samples = state.samples.map((sample) => ({ ...sample, clock_error }));
  const canary = { steady, throttled: false, clock_ghz: 1 };
  const { per_cycle, ...result } = summarise({ ...state, samples }, bench.reference, { canary });
  const flags = [...result.flags];
  if (bench.gpu.software) flags.push("software");
  if (state.no_plateau) flags.push("no-plateau");
  const decisions = state.values ? { decided: differing(state) } : {};
  const checked = only_check && right ? { verified: true } : {};
  return { ...result, ...decisions, ...checked, device: "gpu", module: "wgsl", flags };
}

/** What a run was given where its parameters left something open. */
const differing = ({ params, values }) =>
  Object.fromEntries(Object.entries(values).filter(([name, value]) => params[name] !== value));
