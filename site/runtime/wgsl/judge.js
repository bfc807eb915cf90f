// What a result means: its share of the GPU's roof, its rung among the programs of the book, and
// which exercises it solves. Pure.

/**
 * The exercises: the id of the heading, the program to start from, a program that solves it, and
 * the share of the FP32 roof to reach. The recorded H100 reaches 1.5 %, 8.4 %, 12.6 % and 28.6 %
 * with the four programs.
 */
export const exercises = [
  { id: "let-neighbors-load-neighbors", start: "strided", solution: "naive", share: 0.05 },
  { id: "load-each-number-once-per-group", start: "naive", solution: "tiled", share: 0.1 },
  { id: "a-block-of-your-own", start: "tiled", solution: "regblock", share: 0.25 },
];

const value_of = (profile, kind, name) =>
  (profile?.roofs ?? []).find(({ device, class: c }) => device === "gpu" && c?.[kind] === name)
    ?.value;

/** {peak, bandwidth} of a profile's GPU in FLOP/s and B/s; null: not measured. */
export function gpu_roof(profile) {
  const [peak, bandwidth] = [value_of(profile, "type", "f32"), value_of(profile, "level", "out")];
  return peak > 0 && bandwidth > 0 ? { peak: peak * 1e9, bandwidth: bandwidth * 1e9 } : null;
}

/** The highest rate that the roof allows for this many FLOPs and bytes. */
export const allowed = ({ peak, bandwidth }, { flops, bytes }) =>
  Math.min(peak, (bandwidth * flops) / bytes);

/** The ladder in increasing order: [{label, rate, is_own}]; labels are English. */
export function rungs_of(profile, result) {
  const rungs = [];
  for (const { kernel, params, status, verified, median } of profile?.results ?? []) {
    const [, rung] = /^gpu\.matmul\.(strided|naive|tiled|regblock|vec4|tuned)$/.exec(kernel) ?? [];
    const is_square = params?.n === result.n && !params.m && !params.k;
    if (rung && is_square && status === "measured" && verified)
      rungs.push({ label: rung, rate: median * 1e9, is_own: false });
  }
  rungs.push({ label: "your program", rate: result.rate, is_own: true });
  return rungs.sort((a, b) => a.rate - b.rate);
}

/** Ids of the exercises that a correct program with this result solves. */
export function solved_by(result, roof) {
  if (!roof) return [];
  return exercises.filter(({ share }) => result.rate >= share * roof.peak).map(({ id }) => id);
}

/** The specification of the roofline with the result as a point (figures/kinds/roofline.hpp). */
export function roofline_spec({ flops, bytes, rate, n }) {
  const measured = ["naive", "tuned"].map((name) => ({
    label: `${name} matmul`,
    kernel: `gpu.matmul.${name}`,
    params: { n },
  }));
  const own = {
    label: "your program",
    intensity: `${(flops / bytes).toPrecision(6)} FLOP/B`,
    rate: `${rate.toPrecision(6)} FLOP/s`,
  };
  return {
    kind: "roofline",
    title: "Your program under the roof of your GPU",
    profile: { gpu: true },
    shares: "roof",
    points: [own, ...measured],
  };
}
