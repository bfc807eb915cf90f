// Searches a gallery's machines, and ranks one among all. Pure.

/** The percentage of machines below `value`, from the 101 percentiles of all machines. */
export function share_below(value, percentiles) {
  const above = percentiles.findIndex((each) => each >= value);
  return above < 0 ? 100 : above;
}

/** {arithmetic, memory} of one core in base units; missing if not measured. */
export function core_of({ roofs = [] }) {
  const single = roofs.filter((roof) => roof.device !== "gpu" && (roof.class.threads ?? 1) === 1);
  const of = (name) =>
    single.find(({ class: its }) => its.isa === name || its.level === name)?.value ?? 0;
  return { arithmetic: 1e9 * Math.max(of("fma"), of("simd")), memory: 1e9 * of("out") };
}

/**
 * The machines that contain all words of a query, in their order: of [file, name, browser, day, …].
 */
export function found_in(machines, query) {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return machines.filter((machine) => {
    const text = machine.slice(0, 4).join(" ").toLowerCase();
    return words.every((each) => text.includes(each));
  });
}
