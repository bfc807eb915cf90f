// Which result of a profile belongs to which run of a page; one set of results from several runs,
// and how far these lie apart.

import { mad, median } from "../base/stats.js";

/**
 * True when kernel, variant, threads and every parameter agree; what either leaves out has the
 * registry's default.
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
 * Of each measurement, the one whose median is the middle of all runs of it; `lists` are results in
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
 * How repeatable a measurement is: of each result of `lists` (results in equal order, one list a
 * run) {kernel, params, threads, value, mad, ratio}. `mad` is the median absolute deviation of the
 * published values over the runs as a share of their median; `ratio` = {to, mad} is the same for
 * what a page divides: the value over that of the first result with its unit, both of one run.
 * Results that were not measured in every run are left out.
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
