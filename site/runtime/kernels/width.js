// How much a core does in a cycle, beside its clock: two kinds of core may have clocks that are alike, or that cross as one
// of them grows hot, but hardly as many units. Pure.

const probe_id = "peak.simd";
const chains = 12; // that fill the units of most cores and fit the registers of all

/** The probe as a task needs it, {kernel, given}; undefined where `registry` has none. */
export function width_task(registry) {
  const kernel = registry.find(({ id }) => id === probe_id);
  return kernel && { kernel, given: { chains } };
}

/** What the core of `results` did in a cycle, by the same probe; 0 where it was not measured. */
export function width_of(results) {
  const is_it = ({ kernel, params, threads = 1 }) =>
    kernel === probe_id && params.chains === chains && threads === 1;
  return results.find((result) => is_it(result) && result.status === "measured")?.per_cycle ?? 0;
}
