// The size at which the GPU starts to multiply faster than one core: a model of both times from
// measured parts. Pure.
//
//   core     2 n³ / rate of the packed matmul
//   GPU      dispatch + the longer of 2 n³ / rate of the best matmul, and n × (time of the smallest
//            measured matmul / its n), because a small matmul waits for its loop over k
//   copies   an upload of 8 n² bytes and a download of 4 n² bytes, each a line through its two
//            smallest measured sizes; a download includes the wait for the GPU
//
// Left out: cold caches and pipelines, cores that work together, and tiles that fit a size badly.

const sizes = { least: 8, most: 2048 };

const usable = ({ status, verified, flags = [] }) =>
  status === "measured" && verified && !flags.includes("software");

const results_of = (profile, id) =>
  (profile?.results ?? []).filter((one) => one.kernel === id && usable(one));

/** Squares: {n, seconds, rate in FLOP/s}. */
function squares(profile, pattern) {
  return (profile?.results ?? [])
    .filter((one) => pattern.test(one.kernel) && usable(one) && (one.threads ?? 1) === 1)
    .filter(({ params: { m, k, n } }) => n > 0 && (!m || m === n) && (!k || k === n))
    .map(({ params: { n }, median }) => ({
      n,
      rate: median * 1e9,
      seconds: (2 * n ** 3) / (median * 1e9),
    }));
}

/**
 * A line through the two smallest measured sizes, because matmuls near the crossing are that small:
 * {start in s, rate in B/s}.
 */
function transfer(profile, id) {
  const found = results_of(profile, id)
    .map(({ params: { bytes }, median }) => ({ bytes, seconds: bytes / (median * 1e9) }))
    .sort((a, b) => a.bytes - b.bytes)
    .slice(0, 2);
  if (found.length < 2) return null;
  const [a, b] = found;
  const rate = (b.bytes - a.bytes) / (b.seconds - a.seconds);
  return rate > 0 ? { rate, start: Math.max(0, a.seconds - a.bytes / rate) } : null;
}

/**
 * The measured parts of the model: {core, peak, each, dispatch, up, down} in FLOP/s, seconds and
 * lines; null if one was not measured. `of_core`: the profile of the core, by default the same.
 */
export function parts_of(profile, of_core = profile) {
  const core = Math.max(0, ...squares(of_core, /^matmul\.packed$/).map(({ rate }) => rate));
  const products = squares(profile, /^gpu\.matmul\.(naive|tiled|regblock|vec4|tuned)$/);
  const launch = results_of(profile, "gpu.launch").find(
    ({ params }) => params.variant === "dispatch",
  );
  const [up, down] = ["gpu.upload", "gpu.download"].map((id) => transfer(profile, id));
  const dispatch = launch?.median * 1e-9;
  if (!(core > 0) || products.length === 0 || !(dispatch > 0) || !up || !down) return null;
  const peak = Math.max(...products.map(({ rate }) => rate));
  const each = Math.min(...products.map(({ n, seconds }) => seconds / n));
  return { core, peak, each, dispatch, up, down };
}

export const core_seconds = ({ core }, n) => (2 * n ** 3) / core;

/** {dispatch, kernel, copies} in seconds; the sum of the first two is the time without copies. */
export function gpu_seconds({ peak, each, dispatch, up, down }, n) {
  const copies = up.start + (8 * n * n) / up.rate + down.start + (4 * n * n) / down.rate;
  return { dispatch, kernel: Math.max((2 * n ** 3) / peak, each * n), copies };
}

/** The first n from which the GPU stays faster: {n, copies, kernel, dispatch}; null: never. */
export function crossing(parts, with_copies) {
  const time = (n) => {
    const { dispatch, kernel, copies } = gpu_seconds(parts, n);
    return dispatch + kernel + (with_copies ? copies : 0);
  };
  if (time(sizes.most) >= core_seconds(parts, sizes.most)) return null;
  let n = sizes.most;
  while (n > sizes.least && time(n - 1) < core_seconds(parts, n - 1)) --n;
  return { n, ...gpu_seconds(parts, n) };
}

/** The specification of the three curves (figures/kinds/curves.hpp). */
export function crossing_spec({ core, peak, each, dispatch, up, down }) {
  const rate = (value) => `(${(value / 1e9).toPrecision(5)} GFLOP/s)`;
  const bytes = (value) => `(${(value / 1e9).toPrecision(5)} GB/s)`;
  const ns = (value) => `${(value * 1e9).toPrecision(5)} ns`;
  const on_gpu = `${ns(dispatch)} + max(2 FLOP * n^3 / ${rate(peak)}, n * ${ns(each)})`;
  const copies = `${ns(up.start + down.start)} + 8 B * n^2 / ${bytes(up.rate)} + 4 B * n^2 / ${bytes(down.rate)}`;
  const axis = { scale: "log" };
  return {
    kind: "curves",
    title: "A matmul on one core and on the GPU",
    finding: "With copies, the GPU is slower for small matmuls.",
    x: {
      ...axis,
      name: "n",
      title: "rows and columns",
      from: String(sizes.least),
      to: String(sizes.most),
    },
    y: { ...axis, title: "time of a matmul", unit: "µs" },
    curves: [
      { label: "one core", y: `2 FLOP * n^3 / ${rate(core)}`, role: "compute" },
      { label: "GPU with copies", y: `${on_gpu} + ${copies}`, role: "bandwidth" },
      { label: "GPU", y: on_gpu, role: "teal" },
    ],
  };
}
