// Detects results of the browser's baseline compiler instead of its optimizing one. A page cannot
// ask for the tier. But a chain of dependent steps takes the latency of the units, the same few
// cycles on all cores, and code that keeps its values in memory adds a store and a load to each
// step. Throughput is a weaker test: unoptimized code on a core with two units is as fast as the
// best code on a core with half a unit. Pure.

// With one chain, peak.simd does a multiplication and an addition of four lanes per step: 6 cycles
// on a recent core, at most 8 on a small one, and 20 in V8's baseline compiler.
const judge_id = "peak.simd";
const slowest_per_cycle = 8 / 8;
const low_share = 0.7;
// An interpreter slows the canary and the judge alike, so their ratio shows nothing. But no core
// that runs a current browser has so low a clock.
const lowest_ghz = 0.5;
const slow_tier = "slow-tier";

/** The kernel whose result judges a run; undefined if the registry does not have it. */
export function judging_kernel(registry) {
  return registry.find((kernel) => kernel.id === judge_id);
}

export function is_judge({ kernel, params, threads = 1 }) {
  const id = typeof kernel === "string" ? kernel : kernel.id;
  return id === judge_id && params.chains === 1 && threads === 1;
}

/**
 * Whether the code was not optimized, as shown by the judge among `results` or by a clock that is
 * impossible. False without a judge.
 */
export function seems_slow_tier(results, clock_ghz = Infinity) {
  if (clock_ghz < lowest_ghz) return true;
  const judge = results.find((r) => r.status === "measured" && is_judge(r));
  if (!judge) return false;
  const reached = (judge.per_cycle * judge.best) / judge.median;
  return reached < low_share * slowest_per_cycle;
}

/** `results`, all of them flagged if their judge shows that the code was not optimized. */
export const flag_slow_tier = (results, clock_ghz) =>
  seems_slow_tier(results, clock_ghz) ? of_slow_tier(results) : results;

/** `results`, flagged as coming from unoptimized code. */
export const of_slow_tier = (results) =>
  results.map((r) => ({ ...r, flags: [...(r.flags ?? []), slow_tier] }));

export const is_of_slow_tier = ({ flags = [] }) => flags.includes(slow_tier);
