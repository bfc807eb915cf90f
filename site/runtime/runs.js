// Which result of a profile belongs to which run of a page, and one set of results from several
// runs.

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
