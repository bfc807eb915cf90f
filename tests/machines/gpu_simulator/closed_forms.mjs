// The time that a GPU of tests/machines/gpus/ needs for a piece of work: one small function per
// law. Pure. `gpu` is a machine file, sizes are bytes, and times nanoseconds unless a name says
// otherwise.

const kib = 1024;
const usable_share = 0.95; // of a cache, before sets of it begin to collide

/** The value of a curve [[x, y], …] at x: linear between its points, constant outside. */
export function on_curve(curve, x) {
  const after = curve.findIndex(([at]) => at >= x);
  if (after < 0) return curve.at(-1)[1];
  if (after === 0) return curve[0][1];
  const [[x0, y0], [x1, y1]] = [curve[after - 1], curve[after]];
  return y0 + ((y1 - y0) * (x - x0)) / (x1 - x0);
}

/**
 * The clock in GHz after `warm_ms` of work without a noticeable pause and `load_s` of work in
 * total. It rises linearly from idle, and heat limits it.
 */
export function clock_ghz({ clock }, { warm_ms, load_s }) {
  const full = on_curve(clock.curve_under_load, load_s);
  const risen = Math.min(1, warm_ms / clock.ramp_ms_to_full);
  return clock.idle_ghz + (full - clock.idle_ghz) * risen;
}

/** The capacity of a cache in bytes: of all its instances if each reads a separate part. */
export const capacity = ({ kib: size, instances }, { apart }) =>
  size * kib * (apart ? instances : 1);

/** The share of a set of w bytes that is found in each cache, from the inside out. */
export function hit_shares({ caches }, w, { apart, power }) {
  let within = 0;
  return caches.map((cache) => {
    within = Math.max(
      within,
      Math.min(1, (usable_share * capacity(cache, { apart })) / w) ** power,
    );
    return within;
  });
}

/**
 * The mean over the levels, weighted by `shares`, of `inside(cache)` for caches and `outside` for
 * memory.
 */
function mean_over({ caches }, shares, inside, outside) {
  let sum = 0;
  let within = 0;
  for (const [i, share] of shares.entries()) {
    sum += (share - within) * inside(caches[i]);
    within = share;
  }
  return sum + (1 - within) * outside;
}

/**
 * Nanoseconds to read `bytes` of a set of w bytes, at a clock that is `speed` of the maximum.
 */
export function read_ns(gpu, { bytes, w, apart, in_flight, speed }) {
  const shares = hit_shares(gpu, w, { apart, power: 3 });
  const { read_gbs, kib_in_flight_to_fill: fill } = gpu.memory;
  const filled = Math.min(1, in_flight / (fill * kib));
  const each = mean_over(
    gpu,
    shares,
    (cache) => 1 / (cache.read_gbs_all * speed * Math.min(1, in_flight / in_flight_of(cache))),
    1 / (read_gbs * filled),
  );
  return bytes * each;
}

/** Bytes in flight that a cache at full speed needs: Little's law. */
const in_flight_of = ({ read_gbs_all, latency_ns }) => read_gbs_all * latency_ns;

/** Nanoseconds that one lane waits for one load from w bytes, with all levels warm. */
export function chase_ns(gpu, w, speed) {
  const shares = hit_shares(gpu, w, { apart: false, power: 2 });
  const far = gpu.memory.single_lane_latency_ns ?? gpu.memory.latency_ns;
  return mean_over(gpu, shares, ({ latency_ns }) => latency_ns / speed, far);
}

/** The part of the units that `lanes` occupy. Four lanes per lane of a unit hide its latency. */
export const occupied = ({ compute: { units, fp32_lanes_per_unit: each } }, lanes) =>
  Math.min(1, lanes / (units * each * 4));

/** How many times slower a kernel gets with `live` 32-bit values per lane. */
export const spill_factor = ({ compute: { registers_per_lane: has } }, live) =>
  live > has.spill_above ? has.spill_slowdown : 1;

/**
 * Operations per nanosecond on numbers of `type` by `lanes` lanes with `live` values each, at a
 * clock that is `speed` of the maximum.
 */
export function operations_per_ns(gpu, { type, lanes, live, speed }) {
  const { fp32_tflops_sustained: tflops, f16_ratio, int8_dot } = gpu.compute;
  const ratio = { f32: 1, f16: f16_ratio, i8: int8_dot.ops_over_fp32_flops }[type];
  return (tflops * 1e3 * ratio * speed * occupied(gpu, lanes)) / spill_factor(gpu, live);
}

/** Bytes that memory delivers per float used, if the floats are s apart. */
export const fetched_for_float = ({ memory: { fetch_bytes } }, s) => Math.min(4 * s, fetch_bytes);

/**
 * The number of paths that a group of lanes that run together executes, given `path_of(lane)`.
 */
export function paths_paid({ subgroups: { compiled } }, path_of, lanes) {
  let paid = 0;
  for (let begin = 0; begin < lanes; begin += compiled) {
    const taken = new Set();
    for (let lane = begin; lane < begin + compiled; ++lane) taken.add(path_of(lane));
    paid += taken.size;
  }
  return paid / (lanes / compiled);
}

/** Lanes whose words are in the same bank of workgroup memory, which has 32 banks. */
export function bank_conflict({ subgroups: { compiled } }, s) {
  const per_bank = new Map();
  for (let lane = 0; lane < Math.min(32, compiled); ++lane)
    per_bank.set((lane * s) % 32, (per_bank.get((lane * s) % 32) ?? 0) + 1);
  return Math.max(...per_bank.values());
}
