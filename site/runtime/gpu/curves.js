// Further findings from a GPU's curves. A finding is {value, …} if the curve has the shape that its
// model predicts, and {reason} otherwise. Pure.

import { measured_by, not_measured } from "./roofs.js";

const as_modeled = 0.15;
const is_near = (a, b) => Math.abs(a / b - 1) <= as_modeled;
const rates_by = (results, name) => new Map(results.map((r) => [r.params[name], r.median]));

/**
 * The rate that remains with divergent branches, as a share of the rate of one path, for warps of
 * `width` lanes that run every path taken by at least one lane: {value, expected} if one lane in 64
 * takes another path.
 */
export function divergence(results, width) {
  const rates = rates_by(measured_by(results, "gpu.diverge"), "variant");
  const one = rates.get("uniform");
  if (!(one > 0) || rates.size < 5) return not_measured;
  if (!(width > 0)) return { reason: "the width of its warps is not known" };
  const has_lane = (p) => 1 - (1 - p) ** width; // on a path that a lane takes with probability p
  const paths = {
    random: 2 * has_lane(1 / 2),
    rare: has_lane(1 / 64) + has_lane(63 / 64),
    group: 1,
    eight: 8 * has_lane(1 / 8),
  };
  const share = (variant) => rates.get(variant) / one;
  if (!Object.entries(paths).every(([variant, n]) => is_near(share(variant), 1 / n)))
    return { reason: "paths do not cost what warps that run one after the other would pay" };
  return { value: share("rare"), expected: 1 / paths.rare };
}

/** The slowdown of workgroup memory if neighboring lanes access words 32 apart: {value}. */
export function bank_conflicts(results) {
  const rates = rates_by(measured_by(results, "gpu.wgmem"), "s");
  const [beside, apart, past] = [1, 32, 33].map((s) => rates.get(s));
  if (!(beside > 0 && apart > 0 && past > 0)) return not_measured;
  if (!is_near(past, beside)) return { reason: "words 33 apart are not read as fast as neighbors" };
  return { value: beside / apart };
}

const block = 64; // rows and columns of C per group of gpu.matmul.regblock

/** The work of an n × n matmul in whole blocks, relative to the useful work. */
export const padding = (n) => ((Math.ceil(n / block) * block) / n) ** 2;

/**
 * The step of the time per useful operation just after a whole number of blocks: {value, expected}.
 */
export function staircase(results) {
  const squares = measured_by(results, "gpu.matmul.regblock").filter(
    ({ params: p }) => !p.m && !p.k,
  );
  const rates = rates_by(squares, "n");
  const [below, full, above] = [255, 256, 257].map((n) => rates.get(n));
  if (!(below > 0 && full > 0 && above > 0)) return not_measured;
  if (!is_near(below * padding(255), full))
    return { reason: "products of 255 and 256 differ already" };
  if (full / above < 1.1)
    return { reason: "a row of blocks more costs nothing, as where units stand idle" };
  return { value: full / above, expected: padding(257) / padding(256) };
}

/**
 * The number of rows from which a matmul with 1024 × 1024 weights has nine tenths of its highest
 * rate: {value}.
 */
export function rows_to_fill(results) {
  const curve = measured_by(results, "gpu.matmul.tuned")
    .filter(({ params: { n, k } }) => n === 1024 && (k === 0 || k === n))
    .map(({ params: { n, m }, median }) => ({ rows: m || n, rate: median }))
    .sort((a, b) => a.rows - b.rows);
  if (curve.length < 5) return not_measured;
  if (curve.some(({ rate }, i) => i > 0 && rate < 0.95 * curve[i - 1].rate))
    return { reason: "more rows make it slower again" };
  const most = Math.max(...curve.map(({ rate }) => rate));
  const { rows } = curve.find(({ rate }) => rate >= 0.9 * most);
  if (rows === curve.at(-1).rows) return { reason: `it still grows at ${rows} rows` };
  return { value: rows };
}
