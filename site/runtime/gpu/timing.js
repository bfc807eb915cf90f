// Times GPU work: by the GPU's clock, many passes per submission, or by the page's clock, one after
// another. notes/2026-11-measuring.md gives the reasons.

import { Transfer } from "./transfer.js";
import { median } from "../base/stats.js";

const batch_seconds = 0.012; // more than 100 ticks of a GPU clock of 100 µs
const slope_seconds = 0.02;
const ticks_wanted = 50; // ticks of the page's clock
const longest_dispatch = 0.05;
const longest_submit = 0.2; // Windows resets a GPU that does not respond for two seconds
const unknown_seconds = 0.02; // assumed for a pass that was never timed
const most_passes = 60;
const slow_look = 0.005;
const lead_seconds = 0.04;

/**
 * Seconds from an empty submission to the notice of its completion: the fixed cost of every wait.
 */
export async function time_nothing({ device, now }) {
  const times = [];
  for (let i = 0; i < 5; ++i) {
    const begin = now();
    device.queue.submit([]);
    await device.queue.onSubmittedWorkDone();
    times.push((now() - begin) / 1e3);
  }
  return median(times);
}

/** Whether the page's clock must time this, because it measures the way to the GPU and back. */
const is_of_page = ({ kernel, work }) =>
  work instanceof Transfer || /^(submit|trip)$/.test(kernel.variant);

/** Whether it is timed by timestamps, so that it can share a submission with others. */
export const by_gpu = ({ bench }, state) => bench.by_gpu && !is_of_page(state);

/** Why this browser cannot time `state`, or "": it polls the GPU too rarely. */
export function untimeable({ bench, look_seconds }, state) {
  if (look_seconds < slow_look || by_gpu({ bench }, state)) return "";
  const ms = Math.round(1e3 * look_seconds);
  return `this browser looks only every ${ms} ms whether the GPU is done, so its clock sees nothing shorter`;
}

/** Seconds of `count` units of work by the page's clock. */
async function time_outside({ kernel, work }, count) {
  if (kernel.variant === "submit") return work.time_submits(count);
  if (kernel.variant !== "trip") return work.time(count);
  let seconds = 0;
  for (let i = 0; i < count; ++i) seconds += await work.wall(1);
  return seconds;
}

/** An untimed pass of the canary that raises the clocks again. */
const lead = ({ canary }) =>
  canary?.unit > 0
    ? [{ ...canary, count: Math.ceil(lead_seconds / canary.unit), is_untimed: true }]
    : [];

/** Splits passes into submissions of limited duration; `expected` is in seconds per pass. */
function submissions(suite, passes) {
  const lists = [];
  let seconds = Infinity;
  for (const pass of passes) {
    const expected = pass.expected ?? unknown_seconds;
    const is_full = lists.at(-1)?.length >= most_passes;
    if (is_full || seconds + expected > longest_submit) {
      lists.push(lists.length === 0 ? lead(suite) : []);
      seconds = 0;
    }
    seconds += expected;
    lists.at(-1).push(pass);
  }
  return lists;
}

/**
 * Seconds of each of `passes` ({kernel, work, count, expected}), in their order. With the GPU's
 * clock, the next submission runs while the last one is read, so that the GPU does not idle in
 * between.
 */
export async function time_all(suite, passes) {
  if (!passes.every((pass) => by_gpu(suite, pass))) {
    const seconds = [];
    for (const pass of passes) seconds.push(await time_outside(pass, pass.count));
    return seconds;
  }
  const found = new Map();
  const read = async (list, answer) => {
    for (const [i, seconds] of (await answer).entries()) found.set(list[i], seconds);
  };
  let before = null;
  for (const list of submissions(suite, passes)) {
    const answer = suite.bench.time_passes(list);
    if (before) await read(...before);
    before = [list, answer];
  }
  if (before) await read(...before);
  return passes.map((pass) => found.get(pass));
}

/** The desired duration of a batch of `state`, in seconds. */
const wanted_of = (suite, state) =>
  by_gpu(suite, state) ? batch_seconds : Math.max(slope_seconds, ticks_wanted * suite.tick);

/** The share of a batch that the clock may have added or lost. */
export const clock_error = ({ bench, tick }, state, seconds) =>
  (by_gpu({ bench }, state) ? bench.tick : 2 * tick) / seconds;

/** Records the duration of a batch. True: the next one need not be longer. */
function is_long_enough(suite, item) {
  const { seconds, count } = item;
  const wanted = wanted_of(suite, item);
  if (seconds >= 0.8 * wanted) return true;
  const is_sure = seconds > 4 * (by_gpu(suite, item) ? suite.bench.tick : suite.tick);
  const growth = seconds > 0 ? Math.min(is_sure ? 64 : 8, (1.2 * wanted) / seconds) : 4;
  const most = seconds > 0 ? Math.max(1, Math.floor((longest_submit * count) / seconds)) : Infinity;
  const next = Math.min(Math.ceil(count * growth), most);
  if (next <= count && seconds > 0) return true;
  item.count = Math.max(next, count + 1);
  return false;
}

/**
 * Finds for each of `items` ({kernel, work}) the number of units in a batch and the duration of one
 * unit: `count`, and `unit` in seconds, or `reason`. Call it after warm_up().
 */
export async function calibrate(suite, items) {
  const once = (item) => ({ ...item, count: 1, expected: undefined });
  const timed = items.filter((item) => !item.reason);
  for (const item of timed) item.count = 1;
  // A warm-up whose times are ignored
  await time_all(suite, timed.filter((item) => by_gpu(suite, item)).map(once));
  let open = timed;
  for (let tries = 0; tries < 24 && open.length > 0; ++tries) {
    for (const kind of [true, false]) {
      const some = open.filter((item) => by_gpu(suite, item) === kind);
      const passes = some.map((item) => ({ ...item, expected: item.seconds > 0 ? 0.015 : 0.02 }));
      const seconds = await time_all(suite, passes);
      for (const [i, item] of some.entries()) item.seconds = seconds[i];
    }
    open = open.filter((item) => {
      const { count, seconds } = item;
      if (seconds > 0) item.unit = seconds / count;
      return !is_long_enough(suite, item);
    });
  }
  for (const item of timed) judge(suite, item);
}

function judge({ bench }, item) {
  if (!(item.unit > 0)) item.reason = "the GPU timer is not usable here";
  else if (item.unit > longest_dispatch && !bench.gpu.software)
    item.reason = `one run takes ${Math.round(item.unit * 1e3)} ms, too long for this GPU's owner`;
}

/** Runs the canary until the clocks are up. */
export async function warm_up(suite, seconds) {
  const { unit } = suite.canary;
  const count = Math.max(1, Math.round(0.02 / unit));
  const passes = Math.ceil(seconds / (count * unit));
  await time_all(
    suite,
    Array.from({ length: passes }, () => ({ ...suite.canary, count, expected: count * unit })),
  );
}
