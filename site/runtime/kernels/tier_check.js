// Was the code that ran what the processor can do, or what the browser's quick compiler made of it?
// A page cannot ask. But one chain of dependent steps takes the latency of the units, the same few
// cycles on all cores, and code that keeps its values in memory adds a way there and back to each
// step. Throughput tells less: what unoptimised code reaches with two units, a core with one half
// of a unit reaches with the best code. Pure.

// peak.simd with one chain does a multiplication and an addition of four lanes each step: 6 cycles
// on a recent core, at most 8 on a small one, and 20 in V8's first compiler.
const judge_id = "peak.simd";
const slowest_per_cycle = 8 / 8;
const low_share = 0.7;
const slow_tier = "slow-tier";

/** The probe that judges a run, as a task needs it; undefined where the module has none. */
export function judging_kernel(registry) {
  return registry.find((kernel) => kernel.id === judge_id);
}

export function is_judge({ kernel, params, threads = 1 }) {
  const id = typeof kernel === "string" ? kernel : kernel.id;
  return id === judge_id && params.chains === 1 && threads === 1;
}

/** The judge's verdict on a whole run: every result is flagged when its code was not optimised. */
export function flag_slow_tier(results) {
  const judge = results.find((r) => r.status === "measured" && is_judge(r));
  if (!judge) return results;
  const reached = (judge.per_cycle * judge.best) / judge.median;
  if (!(reached < low_share * slowest_per_cycle)) return results;
  return of_slow_tier(results);
}

/** `results` of code that was not optimised, flagged. */
export const of_slow_tier = (results) =>
  results.map((r) => ({ ...r, flags: [...(r.flags ?? []), slow_tier] }));

export const is_of_slow_tier = ({ flags = [] }) => flags.includes(slow_tier);
