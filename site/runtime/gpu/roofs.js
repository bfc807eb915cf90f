// Roofs of the GPU and findings from its curves. A finding is {value, …} if the curve has the shape
// that its model predicts, and {reason} otherwise. Pure.

import { digits } from "../base/digits.js";
import { median } from "../base/stats.js";

export const not_measured = { reason: "it was not measured" };

const lift_limit = 1.02;
const flags_that_bar = new Set(["software", "drift"]);
const usable = (r) =>
  r.status === "measured" && r.verified && !r.flags.some((flag) => flags_that_bar.has(flag));
/** A kernel's usable results: measured, verified, steady, and not of a software GPU. */
export const measured_by = (results, id) => results.filter((r) => r.kernel === id && usable(r));
const name_of = ({ kernel, params }) =>
  `${kernel}{${Object.entries(params)
    .map(([k, v]) => `${k}=${v}`)
    .join(",")}}`;

/**
 * The fastest probe of a roof, or the kernel that beats it: {winner, lifted}; null without a probe.
 */
function highest(probes, rivals) {
  const [probe] = [...probes].sort((a, b) => b.best - a.best);
  if (!probe) return null;
  const top = rivals.reduce((a, b) => (b.best > a.best ? b : a), probe);
  const is_lifted = top.best > probe.best * lift_limit;
  return { winner: is_lifted ? top : probe, ...(is_lifted ? { lifted: true } : {}) };
}

/** Roofs of the GPU: compute by type, memory at its largest size. A software GPU has none. */
export function gpu_roofs(results) {
  const roof = (group, found) => {
    if (!found) return [];
    const { winner, ...lifted } = found;
    const { unit, best: value } = winner;
    return [
      {
        device: "gpu",
        class: { ...group, threads: 1 },
        unit,
        value,
        from: name_of(winner),
        ...lifted,
      },
    ];
  };
  const arithmetic = (type, id) => {
    const probes = measured_by(results, id);
    const is_rival = (r) => usable(r) && r.roof_class === type && r.unit === probes[0]?.unit;
    return roof({ type }, highest(probes, results.filter(is_rival)));
  };
  const largest = (id) =>
    measured_by(results, id)
      .filter(({ params }) => params.w === 0)
      .slice(-1);
  return [
    ...arithmetic("f32", "gpu.peak.f32"),
    ...arithmetic("f16", "gpu.peak.f16"),
    ...arithmetic("i8", "gpu.peak.i8dot"),
    ...roof(
      { level: "out" },
      highest(largest("gpu.read"), [...largest("gpu.copy"), ...largest("gpu.triad")]),
    ),
  ];
}

/**
 * Whether the largest read is as fast as one of half its size, within 5 %. Otherwise a part of it
 * may be cached.
 */
export function is_plateau(results) {
  const reads = measured_by(results, "gpu.read");
  const whole = reads.find(({ params }) => params.w === 0);
  const half = reads.find(({ params }) => params.w > 0 && 2 * params.w === whole?.decided?.w);
  if (!whole || !half) return true;
  return Math.abs(whole.best / half.best - 1) <= 0.05;
}

/**
 * The warp width: the first k from which two alternating paths cost the same as one. A GPU with
 * several widths may run other shaders with another width.
 */
export function shader_width(results, { subgroups } = {}) {
  const rates = new Map(measured_by(results, "gpu.width").map((r) => [r.params.k, r.median]));
  const one = rates.get(0);
  const widths = [...rates.keys()].filter((k) => k > 0).sort((a, b) => a - b);
  if (!one || widths.length < 4) return not_measured;
  const ratio = (k) => one / rates.get(k);
  if (!(ratio(widths[0]) > 1.7)) return { reason: "two paths cost no more than one" };
  const rises = widths.some((k, i) => i > 0 && ratio(k) > 1.05 * ratio(widths[i - 1]));
  const value = widths.find((k) => ratio(k) < 1.25);
  if (rises || !value) return { reason: "the cost does not fall in one step" };
  const [least, most] = [subgroups?.least, subgroups?.most];
  if (value < least || value > most)
    return { reason: `the step lies at ${value} lanes, and the browser says ${least} to ${most}` };
  return { value, ...(least === most && least > 0 ? { always: true } : {}) };
}

/**
 * The bytes G of a memory transaction: B(s) = B(1) · 4 / min(4 s, G), up to 4 s = 2 G, if the curve
 * has been flat for an octave there. Larger strides may be slower for other reasons: at 256 bytes
 * an H100 is slower by a quarter.
 */
export function fetch_size(results) {
  const curve = measured_by(results, "gpu.stride").map((r) => ({ s: r.params.s, rate: r.median }));
  const first = curve.find(({ s }) => s === 1)?.rate;
  if (!first || curve.length < 5) return not_measured;
  const fits = [32, 64, 128].map((size) => {
    const off = ({ s, rate }) => Math.abs(rate / ((first * 4) / Math.min(4 * s, size)) - 1);
    const near = curve.filter(({ s }) => 4 * s <= 2 * size);
    const is_faster = curve.some(
      ({ s, rate }) => 4 * s > 2 * size && rate > (1.15 * first * 4) / size,
    );
    return { value: size, residual: is_faster ? 1 : Math.max(...near.map(off)) };
  });
  const best = fits.reduce((a, b) => (b.residual < a.residual ? b : a));
  return best.residual < 0.15 ? best : { reason: "no fetch size fits the curve within 15 %" };
}

/**
 * Little's law: {value (bytes in flight at the full read rate), latency_ns (of one load per lane,
 * with few lanes)}. With `loads` loads per lane the rate may be lower: an H100 has too few lanes to
 * read at its full rate with one load each.
 */
export function bytes_in_flight(results, loads) {
  const curve = measured_by(results, "gpu.inflight")
    .filter(({ params }) => params.loads === loads)
    .map((r) => ({ lanes: r.params.lanes, rate: r.median }))
    .sort((a, b) => a.lanes - b.lanes);
  if (curve.length < 6) return not_measured;
  const few = curve.filter(({ lanes }) => lanes <= 8 * curve[0].lanes);
  if (!(squared_correlation(few) > 0.98)) return { reason: "its first octaves are not linear" };
  const latency_ns = median(few.map(({ lanes, rate }) => (4 * loads * lanes) / rate));
  const reads = measured_by(results, "gpu.read").filter(({ params }) => params.w === 0);
  const most = Math.max(...curve.map(({ rate }) => rate), ...reads.map(({ median: rate }) => rate));
  const chase = measured_by(results, "gpu.chase").find(({ params }) => params.w === 0)?.median;
  const apart = chase > 0 ? latency_ns / chase : 1;
  if (apart < 0.7 || apart > 3) return { reason: "its latency does not agree with the chase's" };
  return { value: most * latency_ns, latency_ns };
}

function squared_correlation(points) {
  const mean = (values) => values.reduce((a, b) => a + b, 0) / values.length;
  const [x, y] = [points.map((p) => p.lanes), points.map((p) => p.rate)];
  const [mx, my] = [mean(x), mean(y)];
  const sum = (f) => points.reduce((total, _, i) => total + f(i), 0);
  const xy = sum((i) => (x[i] - mx) * (y[i] - my));
  const xx = sum((i) => (x[i] - mx) ** 2);
  const yy = sum((i) => (y[i] - my) ** 2);
  return (xy * xy) / (xx * yy);
}

const flat = 0.93; // of the previous rate; a larger drop leaves a cache level
const apart = 1.15;

/**
 * The flat parts of a curve that falls in steps, [{last, value}]: at least two points each, or the
 * end.
 */
function flat_parts(rates) {
  const parts = [];
  let first = 0;
  for (let i = 1; i <= rates.length; ++i) {
    if (i < rates.length && rates[i] > flat * rates[i - 1]) continue;
    const value = median(rates.slice(first, i));
    const before = parts.at(-1);
    const is_end = i === rates.length;
    if (before && before.value < apart * value) before.last = i - 1;
    else if (i - first > 1 || is_end) parts.push({ last: i - 1, value });
    first = i;
  }
  return parts;
}

const later = 1.3; // ratio of latencies that indicates the next level

/**
 * Whether the latency is higher beyond a set of `bytes` than within it. True if no chase can tell.
 */
function is_further_out(chases, bytes) {
  const inside = chases.filter(({ w }) => w <= bytes).at(-1);
  const outside = chases.find(({ w }) => w >= 4 * bytes);
  return !inside || !outside || outside.ns > later * inside.ns;
}

/**
 * The caches of the GPU from the sweep, and memory as its last level. A cache ends where the rate
 * falls and the latency rises. The rate alone also falls elsewhere, because units share what they
 * fetch: on an H100, in five steps between its two caches' sizes. Levels are named by capacity
 * instead of a number, because vendors count differently and not every level is visible.
 */
export function gpu_levels(results) {
  const reads = measured_by(results, "gpu.sweep").sort((a, b) => a.params.w - b.params.w);
  if (reads.length < 6) return [];
  const chases = measured_by(results, "gpu.chase")
    .map(({ params, decided, median: ns }) => ({ w: params.w || decided?.w, ns }))
    .sort((a, b) => a.w - b.w);
  const sizes = reads.map(({ params }) => params.w);
  const parts = flat_parts(reads.map(({ median: rate }) => rate));
  const caches = parts.slice(0, -1).filter(({ last }) => is_further_out(chases, sizes[last]));
  return [
    ...caches.map(({ last, value }) => {
      const bytes = Math.sqrt(sizes[last] * sizes[last + 1]);
      return {
        ...{ device: "gpu", name: `a cache of about ${size_words(bytes)}`, read_gbs: value },
        ...{ bytes, bytes_error: (sizes[last + 1] - sizes[last]) / 2 },
      };
    }),
    ...parts.slice(-1).map(({ value }) => ({ device: "gpu", name: "out", read_gbs: value })),
  ];
}

function size_words(bytes) {
  const unit = bytes < 2 ** 20 ? ["KiB", 2 ** 10] : ["MiB", 2 ** 20];
  return `${digits(bytes / unit[1], 2)} ${unit[0]}`;
}
