// Matches results with the runs of a page, combines results of several runs, and measures how much
// they differ.

import { mad, median } from "../base/stats.js";

/**
 * True if kernel, variant, threads and all parameters agree. Missing parameters have the registry's
 * defaults.
 */
export function same_run(result, run, registry) {
  const { variant = run.variant ?? "", ...params } = run.params ?? {};
  if (result.kernel !== run.kernel || (result.threads ?? 1) !== (run.threads ?? 1)) return false;
  if ((result.params.variant ?? "") !== variant) return false;
  const kernel = registry.find((k) => k.id === run.kernel && (k.variant ?? "") === variant);
  const defaults = Object.fromEntries(
    (kernel?.params ?? []).map((param) => [param.name, param.default]),
  );
  return Object.entries({ ...defaults, ...params }).every(
    ([name, value]) => (result.params[name] ?? defaults[name]) === value,
  );
}

/**
 * For each measurement, the result with the median of all runs' medians; `lists` are results in
 * equal order.
 */
export function middle_runs(lists) {
  return lists[0].map((_, i) => {
    const measured = lists.map((results) => results[i]).filter((r) => r.status === "measured");
    if (measured.length === 0) return lists[0][i];
    measured.sort((a, b) => a.median - b.median);
    return measured[Math.floor(measured.length / 2)];
  });
}

/**
 * The repeatability of each result in `lists` (one list per run, in equal order): {kernel, params,
 * threads, value, mad, ratio}. `mad` is the median absolute deviation of the values over the runs,
 * as a share of their median. `ratio` = {to, mad} is the same for the value divided by that of the
 * first result with its unit, both from one run. Results that are missing in some run are left out.
 */
export function spread_of(lists) {
  const values = lists[0]
    .map((result, i) => ({ result, runs: lists.map((results) => results[i]) }))
    .filter(({ runs }) => runs.every(({ status }) => status === "measured"))
    .map(({ result, runs }) => ({ result, medians: runs.map((run) => run.median) }));
  const share = (list) => mad(list) / median(list);
  return values.map(({ result: { kernel, params, threads, unit }, medians }) => {
    const first = values.find((other) => other.result.unit === unit);
    const ratios = medians.map((value, run) => value / first.medians[run]);
    return {
      ...{ kernel, params, threads, unit },
      value: median(medians),
      mad: share(medians),
      ratio: { to: first.result.kernel, mad: share(ratios) },
    };
  });
}
