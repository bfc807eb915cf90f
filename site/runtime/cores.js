// How many cores a page can really use: what several of them deliver together, against what the
// browser says there are. Pure.

/** The numbers of threads to try, up to twice what the browser reports: it may report too few. */
export function thread_counts(reported, most = 64) {
  const known = Math.max(1, Math.min(reported, most / 2));
  const counts = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32].filter((n) => n < known);
  return [...new Set([...counts, known, 2 * known])];
}

const enough = 0.95; // of the highest sum: further threads add nothing worth a worker
const clamped_gain = 1.25;

/**
 * `curve` is [{threads, value}] of rates that all threads reach together, in rising order.
 * {usable, flags, why}: the fewest threads that reach the plateau; "clamped" when threads beyond
 * the reported number still add speed. Null for an empty curve.
 */
export function judge_cores(reported, curve) {
  if (curve.length === 0) return null;
  const top = Math.max(...curve.map(({ value }) => value));
  const usable = curve.find(({ value }) => value >= enough * top).threads;
  const rate_at = (threads) => curve.findLast((point) => point.threads <= threads)?.value;
  const is_clamped = usable > reported && top > clamped_gain * rate_at(reported);
  if (is_clamped) {
    const why =
      `this browser reports ${reported} cores, but ${usable} threads were faster still: ` +
      "it reports fewer than there are";
    return { usable, flags: ["clamped"], why };
  }
  const within = Math.min(usable, reported);
  const why =
    within < reported
      ? `beyond ${within} of the ${reported} threads that this browser reports nothing got ` +
        "faster: they share cores, power or a limit of the system"
      : "";
  return { usable: within, flags: [], why };
}

/** The curve behind that judgement: the best rate of `isa`'s probe for each number of threads. */
export function core_curve(results, isa) {
  const best = new Map();
  for (const { kernel, status, threads, best: value } of results) {
    if (status !== "measured" || kernel !== `peak.${isa}`) continue;
    best.set(threads, Math.max(value, best.get(threads) ?? 0));
  }
  const points = [...best].map(([threads, value]) => ({ threads, value }));
  return points.sort((a, b) => a.threads - b.threads);
}
