// Measures kernels on a GPU: check, then warm-up, what was left open, batches long enough for the GPU's
// coarse clock, rounds in turn with a canary between samples, and one result each in the profile's form.
// docs/measuring.md says why.

import { choose, first_values, is_short, lengthen } from "./choosing.js";
import { decided, gpu_method as method, small } from "./kernels.js";
import { Work } from "./runner.js";
import { by_gpu, calibrate, clock_error, time_all, time_nothing } from "./timing.js";
import { untimeable, warm_up } from "./timing.js";
import { Transfer } from "./transfer.js";
import { measure_tick } from "../kernels/clock.js";
import { jitter_of, work_ms } from "../kernels/jitter.js";
import { own } from "../base/own.js";
import { median, quantile } from "../base/stats.js";
import { summarise } from "../profile/summary.js";

const first_warm_up = 0.4;
const canary_seconds = 0.005;
const canary_ticks = 20; // of the page's clock
const drift = 0.05;
const neighbours = 12; // readings of the clock on each side that a sample is held against
const most_discarded = 0.2;
const few_lost = 2; // zeros that chance gives a good timer, of a hundred tasks one now and then
const samples_wanted = 15;
const fewest_samples = 5;

const program =
  "your GPU is a program on your CPU (software adapter); its answer was checked and is right";

const why_missing = {
  "shader-f16": "this browser or GPU does not offer shader-f16",
};

/**
 * Measures `tasks` ({kernel, params}) on `bench`; on a software adapter it only checks the answers
 * on small problems, unless `even_software`. Resolves to {results, choices, jitter, sustained}: jitter
 * where it is asked for, and the share of the first clock that was left at the end. A task that cannot
 * run is "unavailable" with a reason; it rejects only when the device is gone.
 */
export async function measure_gpu(
  bench,
  tasks,
  { even_software = false, jitter, total_ms, report },
) {
  const only_check = bench.gpu.software && !even_software;
  const suite = {
    ...{ bench, report, only_check, total_ms },
    ...{ began: bench.now(), canaries: [], choices: [] },
  };
  const states = tasks.map((task) => ({ ...task, samples: [], lost: 0 }));
  for (const [i, state] of states.entries()) {
    report((0.3 * i) / states.length, `Checking ${state.kernel.title}`);
    await attempt(suite, state, () => prepared(suite, state));
  }
  if (!only_check) {
    await measure_states(suite, states);
    if (jitter) suite.jitter = await measure_jitter(suite);
  }
  const results = states.map((state) => result_of(suite, state));
  return { results, choices: suite.choices, jitter: suite.jitter, sustained: sustained(suite) };
}

/** What goes wrong is the task's reason, unless the device is gone. */
async function attempt({ bench }, state, work) {
  try {
    await work();
  } catch (error) {
    if (bench.gone) throw new Error(bench.gone);
    state.reason = error.message;
  }
}

const is_right = ({ reason, check }) => !reason && check.error <= check.tolerance;

async function measure_states(suite, states) {
  const { bench, report } = suite;
  suite.tick = measure_tick(bench.now) / 1e3;
  suite.look_seconds = await time_nothing(bench);
  for (const state of states)
    if (is_right(state)) state.reason = untimeable(suite, state) || undefined;
  await start_canary(suite);
  const ready = states.filter(is_right);
  for (const [i, state] of ready.entries()) {
    report(0.3 + (0.1 * i) / ready.length, `Warming up ${state.kernel.title}`);
    await attempt(suite, state, () => choose(suite, state));
  }
  const chosen = ready.filter(is_right);
  await calibrate(suite, chosen);
  const short = chosen.filter(is_short);
  for (const state of short) await attempt(suite, state, () => lengthen(suite, state));
  await calibrate(suite, short);
  await sample_rounds(suite, chosen.filter(is_right));
}

const is_transfer = ({ id }) => id === "gpu.upload" || id === "gpu.download";

/** Buffers, pipeline and check of one task. */
async function prepared({ bench, only_check }, state) {
  const { kernel, params } = state;
  const missing = missing_feature(bench.gpu, kernel);
  if (missing) throw new Error(missing);
  const full = decided(kernel, params, bench.gpu.largest);
  state.values = only_check ? small(kernel, full) : first_values(kernel, full);
  const make = is_transfer(kernel) ? Transfer : Work;
  state.work = await make.prepare(bench, kernel, state.values);
  state.check = await state.work.check();
}

function missing_feature({ features }, { id, requires }) {
  if (requires && !features.includes(requires))
    return own(why_missing, requires) ?? `it needs ${requires}`;
  const dot = "packed_4x8_integer_dot_product";
  return id.endsWith("i8dot") && !features.includes(dot)
    ? "this browser's WGSL has no 8-bit dot product"
    : "";
}

/** A fixed number of multiply-adds, about 5 ms: the GPU's clock between samples. Warm after it. */
async function start_canary(suite) {
  const { bench, tick } = suite;
  const kernel = bench.reference.registry.find(({ id }) => id === "gpu.peak.f32");
  const work = await Work.prepare(bench, kernel, { groups: 256, chains: 4 });
  const canary = { kernel, work };
  if (untimeable(suite, canary)) return;
  await calibrate(suite, [canary]);
  if (!(canary.unit > 0)) return;
  suite.canary = canary;
  await warm_up(suite, first_warm_up);
  delete canary.reason;
  await calibrate(suite, [canary]);
  const wanted = bench.by_gpu ? canary_seconds : Math.max(canary_seconds, canary_ticks * tick);
  canary.count = Math.max(1, Math.round(wanted / canary.unit));
  canary.expected = canary.count * canary.unit;
  suite.drift = bench.by_gpu ? drift : Math.max(drift, (2 * tick) / canary.expected);
}

/** Equal runs of the canary's work, each from asking for it to knowing that it is done. */
async function measure_jitter(suite) {
  const { bench, canary, report } = suite;
  const reason = untimeable(suite, { kernel: { variant: "trip" } });
  if (reason || !canary) return { reason: reason || "the GPU timer is not usable here" };
  const count = Math.max(1, Math.round(work_ms / 1e3 / canary.unit));
  const once = async () => 1e3 * (await canary.work.wall(count));
  const rest = async () => report(1, "Repeating one run");
  // A program's shortest run is far longer than 2 ms, and its tail tells nothing of a GPU.
  const repeats = bench.gpu.software ? 20 : undefined;
  return jitter_of(once, { tick_ms: 1e3 * suite.tick, rest, repeats });
}

/** Seconds of the canary by the page's clock, without the wait that every submission costs. */
async function read_canary({ canary, look_seconds }) {
  return (await canary.work.wall(canary.count)) - look_seconds;
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
  for (let round = 0; open.length > 0; ++round) {
    report(0.5 + 0.5 * Math.min(1, round / samples_wanted), `Measuring, round ${round + 1}`);
    const own_clock = open.filter((state) => by_gpu(suite, state));
    if (own_clock.length > 0) await sample_by_gpu(suite, own_clock);
    for (const state of open) if (!by_gpu(suite, state)) await sample_outside(suite, state);
    if (bench.gone) throw new Error(bench.gone);
    const late = bench.now() - began > total_ms;
    open = open.filter((state) => !is_done(state, late));
  }
}

/** One sample of each state, a reading of the clock before and after each. */
async function sample_by_gpu(suite, states) {
  const { canary } = suite;
  const passes = [{ ...canary }];
  for (const state of states) {
    const { kernel, work, count, unit } = state;
    // What lies between has displaced the cycle of a chase, which one lane would take long to bring back.
    if (work.toucher) passes.push({ kernel, work: work.toucher, count: 1, is_untimed: true });
    passes.push({ state, kernel, work, count, expected: count * unit }, { ...canary });
  }
  const seconds = await time_all(suite, passes);
  let pending = null;
  for (const [i, { state, is_untimed }] of passes.entries()) {
    if (is_untimed) continue;
    if (state) {
      pending = { state, seconds: seconds[i], before: suite.canaries.length - 1 };
      continue;
    }
    suite.canaries.push(seconds[i] > 0 ? canary.count / seconds[i] : 0);
    if (pending) keep(suite, pending);
    pending = null;
  }
}

async function sample_outside(suite, state) {
  const { canary, bench } = suite;
  const is_watched = !bench.by_gpu && canary;
  const watch = async () => {
    if (!is_watched) return;
    const seconds = await read_canary(suite);
    suite.canaries.push(seconds > 0 ? canary.count / seconds : 0);
  };
  await watch();
  const before = suite.canaries.length - 1;
  if (state.work.toucher) await state.work.toucher.wall(1);
  const [seconds] = await time_all(suite, [state]);
  await watch();
  keep(suite, { state, seconds, before: is_watched ? before : -1 });
}

/** Keeps a sample beside the places of its two readings of the clock, -1 where it has none. */
function keep(suite, { state, seconds, before }) {
  if (!(seconds > 0)) return void ++state.lost;
  state.samples.push({
    ...{ seconds: seconds / state.count, clock_error: clock_error(suite, state, seconds) },
    ...{ before, after: before < 0 ? -1 : before + 1 },
  });
}

/**
 * Was the clock as fast beside a sample as around it? A GPU that grows warm is slower at the end of a
 * run than at its beginning, which `sustained` says; no sample is worse for that.
 */
function is_steady({ canaries, drift: most }, before, after) {
  if (before < 0) return true;
  const around = canaries.slice(Math.max(0, before - neighbours), after + neighbours + 1);
  const plateau = quantile(
    around.filter((rate) => rate > 0),
    0.75,
  );
  return [before, after].every((i) => canaries[i] === 0 || canaries[i] > plateau * (1 - most));
}

/** The clock at the end over the clock at the beginning; undefined without enough readings. */
function sustained({ canaries }) {
  const seen = canaries.filter((rate) => rate > 0);
  const fifth = Math.floor(seen.length / 5);
  if (fifth < 5) return undefined;
  return median(seen.slice(-fifth)) / median(seen.slice(0, fifth));
}

function result_of(suite, state) {
  const { bench, only_check } = suite;
  const discarded = state.lost / Math.max(1, state.lost + state.samples.length);
  if (!state.reason && state.lost > few_lost && discarded > most_discarded)
    state.reason = "the GPU timer is not usable here";
  const right = state.check?.error <= state.check?.tolerance;
  if (!state.reason && only_check && right) state.reason = program;
  const steady = (before, after) => is_steady(suite, before, after);
  const canary = { steady, throttled: false, clock_ghz: 1 };
  const { per_cycle, ...result } = summarise(state, bench.reference, { canary });
  const flags = [...result.flags];
  if (bench.gpu.software) flags.push("software");
  if (state.no_plateau) flags.push("no-plateau");
  const decisions = state.values ? { decided: differing(state) } : {};
  const checked = only_check && right ? { verified: true } : {};
  return { ...result, ...decisions, ...checked, device: "gpu", module: "wgsl", method, flags };
}

/** What a run was given where its parameters left something open. */
const differing = ({ params, values }) =>
  Object.fromEntries(Object.entries(values).filter(([name, value]) => params[name] !== value));
