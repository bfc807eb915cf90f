// Draws the rooflines of a whole class in one plot: FLOP/s against FLOPs per byte, both
// logarithmic, with a dot at each ridge. Phones and tablets are dashed. A roofline figure of the
// generator has at most twelve machines with a label each; this one has hundreds without labels,
// the median machine bold, and names the machine whose row in the table the reader points at.

import { digits } from "../base/digits.js";
import { word } from "../base/language.js";
import { make_svg } from "../base/svg.js";
import { axis_of, path_of, roof_of } from "../questions/plot.js";
import { is_handheld, middle_of, ridge_of } from "./class_machine.js";

const edges = { left: 46, right: 12, top: 24, bottom: 42 };
const least_intensity = 1 / 16; // FLOP/B

/** The axes of a drawing of `width` by `height` px: {x, y}. */
function axes_of(machines, width, height) {
  const high = Math.max(32, 4 * Math.max(...machines.map(ridge_of)));
  const lowest = least_intensity * Math.min(...machines.map(({ memory }) => memory));
  const highest = 1.6 * Math.max(...machines.map(({ compute }) => compute));
  const span = (...numbers) => axis_of(numbers.join(" "));
  return {
    x: span(least_intensity, high, edges.left, width - edges.right),
    y: span(lowest, highest, height - edges.bottom, edges.top),
  };
}

/** The powers of `base` on an axis. */
function ticks_of({ low, high }, base) {
  const first = Math.ceil(Math.log(low) / Math.log(base) - 1e-9);
  const count = Math.floor(Math.log(high) / Math.log(base) + 1e-9) - first + 1;
  return Array.from({ length: count }, (_, i) => base ** (first + i));
}

const text = (x, y, words, members = {}) =>
  make_svg("text", { x: x.toFixed(1), y: y.toFixed(1), ...members }, words);

/** "1/16", "4": FLOPs per byte are written as fractions below one. */
const intensity_words = (value) => (value < 1 ? `1/${Math.round(1 / value)}` : digits(value, 1));

function frame(x, y, width, height) {
  const base = height - edges.bottom;
  const line = (x1, y1, x2, y2) => make_svg("line", { x1, y1, x2, y2, class: "class-grid" });
  return [
    ...ticks_of(x, 4).flatMap((value) => [
      line(x.at(value), edges.top, x.at(value), base),
      text(x.at(value), base + 16, intensity_words(value), { "text-anchor": "middle" }),
    ]),
    ...ticks_of(y, 10).flatMap((value) => [
      line(edges.left, y.at(value), width - edges.right, y.at(value)),
      text(edges.left - 6, y.at(value) + 4, String(value >= 1 ? value : digits(value, 1)), {
        "text-anchor": "end",
      }),
    ]),
    text(2, 12, "GFLOP/s"),
    text(width - edges.right, height - 6, word("FLOPs per byte"), { "text-anchor": "end" }),
  ];
}

/** The path and the dot of a machine's roof. */
function roof(machine, x, y, names) {
  const points = roof_of({ rate: machine.compute, bandwidth: machine.memory }, x, y);
  const [, [cx, cy]] = points;
  return make_svg(
    "g",
    { class: is_handheld(machine) ? `${names} class-handheld` : names },
    make_svg("path", { d: path_of(points) }),
    make_svg("circle", { cx: cx.toFixed(1), cy: cy.toFixed(1), r: 3 }),
  );
}

/**
 * {svg, point_at}: the drawing of one or more machines, `width` px wide, with `label` as its name
 * for screen readers. point_at(i, name) shows which roof is that of machine i; i = -1 shows none.
 */
export function draw_class(machines, width, label) {
  const height = Math.round(Math.max(280, 0.6 * width));
  const { x, y } = axes_of(machines, width, height);
  const roofs = machines.map((machine) => roof(machine, x, y, "class-roof"));
  const bold = machines.length > 2 ? [roof(middle_of(machines), x, y, "class-middle")] : [];
  const said = text(edges.left + 8, edges.top + 14, "", { class: "class-said" });
  const size = { viewBox: `0 0 ${width} ${height}`, width, height };
  const svg = make_svg(
    "svg",
    { ...size, role: "img", "aria-label": label, class: "class-plot" },
    ...frame(x, y, width, height),
    ...roofs,
    ...bold,
    said,
  );
  const point_at = (at, name = "") => {
    for (const [i, one] of roofs.entries()) one.classList.toggle("class-shown", i === at);
    if (at >= 0) said.before(roofs[at]); // above the others
    said.textContent = name;
  };
  return { svg, point_at };
}
