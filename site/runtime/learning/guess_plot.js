// Draws guesses against measured values on logarithmic axes. On the diagonal, both are equal;
// inside the band, the guess is within a factor of two. Each kind has a color and a shape.
//
//   guess ^        . / .      too high
//         |    .  /.'/
//         |   ./ ' /  .       too low
//         +--------------> measured

import { word } from "../base/language.js";
import { make_svg } from "../base/svg.js";
import { kinds } from "./calibration.js";

const margin = { left: 52, right: 14, top: 14, bottom: 42 };
/** The colors of the page. A card has its own, because an image has no style sheet. */
const page_colors = {
  ink: "var(--ink)",
  soft: "var(--ink-soft)",
  rule: "var(--rule)",
  paper: "var(--paper)",
  band: "var(--paper-raised)",
  memory: "var(--bandwidth)",
  compute: "var(--compute)",
  latency: "var(--teal)",
  scale: "var(--ochre)",
};

// Paths around the origin.
const shapes = {
  memory: "M-5 -5h10v10h-10z",
  compute: "M-6 5h12l-6 -11z",
  latency: "M-6 0l6 -6l6 6l-6 6z",
  scale: "M-5 0a5 5 0 1 0 10 0a5 5 0 1 0 -10 0z",
};

/** The mark of a kind at a position of a drawing. */
export const mark_of = (kind, x, y, colors = page_colors) =>
  make_svg("path", {
    d: shapes[kind],
    transform: `translate(${x} ${y})`,
    fill: colors[kind],
    stroke: colors.paper,
    "stroke-width": 1,
  });

/** "0.01", "1", "1000", "10⁶": a power of ten. */
function power_text(exponent) {
  if (exponent >= -3 && exponent <= 4) return String(Number(`1e${exponent}`));
  return `10${String(exponent).replace(/[-\d]/g, (sign) => "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"["-0123456789".indexOf(sign)])}`;
}

/** The powers of ten around all numbers, at most six steps apart. */
function axis_range(records) {
  const logs = records.flatMap(({ guess, truth }) => [Math.log10(guess), Math.log10(truth)]);
  const low = Math.floor(Math.min(...logs) - 0.1);
  const high = Math.max(low + 2, Math.ceil(Math.max(...logs) + 0.1));
  return { low, high, step: Math.ceil((high - low) / 6) };
}

/** Returns the drawing of records with `guess`, `truth` and `kind`. */
export function draw_guesses(records, { width, height, colors = page_colors, name }) {
  const { low, high, step } = axis_range(records);
  const [right, bottom] = [width - margin.right, height - margin.bottom];
  const share = (value) => (Math.log10(value) - low) / (high - low);
  const x_of = (value) => margin.left + share(value) * (right - margin.left);
  const y_of = (value) => bottom - share(value) * (bottom - margin.top);
  const svg = make_svg("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "img" });
  svg.setAttribute("aria-label", name);
  const path = (d, attributes) => svg.append(make_svg("path", { d, fill: "none", ...attributes }));
  const write = (x, y, text, more = {}) =>
    svg.append(make_svg("text", { x, y, fill: colors.soft, "font-size": 13, ...more }, text));

  const [first, last] = [10 ** low, 10 ** high];
  const corner = (x, y) => `${x_of(x).toFixed(1)} ${y_of(y).toFixed(1)}`;
  const band = [
    corner(first, first),
    corner(first, 2 * first),
    corner(last / 2, last),
    corner(last, last),
    corner(last, last / 2),
    corner(2 * first, first),
  ];
  path(`M${band.join("L")}Z`, { fill: colors.band });
  for (let power = low; power <= high; power += step) {
    const at = 10 ** power;
    path(`M${x_of(at)} ${bottom}V${margin.top}`, { stroke: colors.rule });
    path(`M${margin.left} ${y_of(at)}H${right}`, { stroke: colors.rule });
    write(x_of(at), bottom + 17, power_text(power), { "text-anchor": "middle" });
    write(margin.left - 6, y_of(at) + 4, power_text(power), { "text-anchor": "end" });
  }
  path(`M${corner(first, first)}L${corner(last, last)}`, { stroke: colors.soft });
  write(right, height - 6, word("measured →"), { "text-anchor": "end" });
  write(margin.left + 6, margin.top + 14, word("↑ guessed"));
  for (const { guess, truth, kind, title } of records) {
    const mark = mark_of(kind, x_of(truth), y_of(guess), colors);
    if (title) mark.append(make_svg("title", {}, title));
    svg.append(mark);
  }
  return svg;
}

/** The kinds that the records have, each with its mark. */
export function legend_of(records) {
  const present = kinds.filter((kind) => records.some((record) => record.kind === kind));
  return present.map((kind) => {
    const mark = make_svg("svg", { width: 16, height: 16, "aria-hidden": "true" });
    mark.append(mark_of(kind, 8, 8));
    return { kind, mark };
  });
}
