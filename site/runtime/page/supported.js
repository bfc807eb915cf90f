// Checks that a verdict chooses the same case over the whole interval of each of its numbers. It
// moves one number at a time to either end of its interval and evaluates the verdict again.

import { interval_of } from "../profile/interval.js";
import { same_run } from "../profile/runs.js";

const scaled = (result, factor) => ({
  ...result,
  best: result.best * factor,
  median: result.median * factor,
});

/**
 * Copies of `profile`, each with one number that the verdict {runs, roofs} names moved to an end of
 * its interval.
 */
function* ends_of({ runs, roofs: names_roofs }, profile, registry) {
  const { results = [], roofs = [] } = profile;
  const is_named = (result) =>
    result.status === "measured" &&
    result.median > 0 &&
    runs.some((run) => same_run(result, run, registry));
  for (const one of results.filter(is_named)) {
    const { low, high } = interval_of(one);
    for (const end of [low, high].filter((value) => value > 0)) {
      const moved = scaled(one, end / one.median);
      yield { ...profile, results: results.map((r) => (r === one ? moved : r)) };
    }
  }
  if (!names_roofs) return;
  for (const one of roofs.filter(
    ({ device, low, high }) => device !== "gpu" && low > 0 && high > 0,
  ))
    for (const value of [one.low, one.high])
      yield { ...profile, roofs: roofs.map((r) => (r === one ? { ...r, value } : r)) };
}

/**
 * Whether `verdict` chooses the case with this index everywhere in the intervals of `profile`.
 * `case_for(profile)` resolves to the index for a profile. `registry` has the kernels' defaults.
 */
export async function is_supported(verdict, index, { profile, registry, case_for }) {
  for (const moved of ends_of(verdict, profile, registry))
    if ((await case_for(moved)) !== index) return false;
  return true;
}
