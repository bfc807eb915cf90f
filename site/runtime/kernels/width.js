// The work per cycle of a core, in addition to its clock. Two kinds of cores may have similar
// clocks, or clocks that cross when one heats up, but hardly the same number of units. Pure.

const probe_id = "peak.simd";
const chains = 12; // saturates most cores' units and fits into every core's registers

/** The probe as a task, {kernel, given}; undefined if `registry` does not have it. */
export function width_task(registry) {
  const kernel = registry.find(({ id }) => id === probe_id);
  return kernel && { kernel, given: { chains } };
}

/** The work per cycle of the core in `results`, by the same probe; 0 if it was not measured. */
export function width_of(results) {
  const is_it = ({ kernel, params, threads = 1 }) =>
    kernel === probe_id && params.chains === chains && threads === 1;
  return results.find((result) => is_it(result) && result.status === "measured")?.per_cycle ?? 0;
}
