// The work per cycle of a core, in addition to its clock. Two kinds of cores may have similar
// clocks, or clocks that cross when one heats up, but hardly the same number of units. Pure.

const fused_id = "peak.fma";
const unit_flops = 8; // of a 128-bit unit per cycle: four multiply-adds
const read_above = 1.06; // times the true FLOPs per cycle, if the clock is read too low
const most_units = 3; // with more, the chains of the probes may not keep all of them busy
const fewest_counts = 3; // of chains; one count alone may not keep the units busy
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

/**
 * The share of the core's vector units that another program used, for example on the core's other
 * hardware thread, where neither its clock nor lost time shows it. Cores have a whole number of
 * units, or half a unit, so a fused peak in between was shared. `probes` are results of the probes
 * behind the roofs, of an engine that fuses. 0 if nothing is known.
 */
export function shared_units(probes) {
  const fused = probes.filter((one) => one.kernel === fused_id && one.per_cycle > 0);
  if (fused.length < fewest_counts) return 0;
  const units = Math.max(...fused.map((one) => one.per_cycle)) / unit_flops;
  const least = units / read_above;
  const whole = least <= 0.5 ? 0.5 : Math.ceil(least);
  return whole > most_units ? 0 : Math.max(0, 1 - units / whole);
}
