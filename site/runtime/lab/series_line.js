// Draws the value of each reading over time, starting at zero, with the largest value as a label.

import { digits } from "../base/digits.js";
import { make } from "../base/element.js";
import { word } from "../base/language.js";
import { make_svg } from "../base/svg.js";

const [width, height, most] = [600, 120, 600]; // number of points that a screen can show

/** Every k-th point of many, including the last. */
export function thinned(readings, count = most) {
  const step = Math.ceil(readings.length / count);
  return readings.filter((_, i) => (readings.length - 1 - i) % step === 0);
}

/** The drawing in a figure named `label`; values are in `unit`. */
export function draw_series(readings, label, unit) {
  const points = thinned(readings);
  const top = Math.max(...points.map(({ value }) => value));
  const end = Math.max(points.at(-1).at, 1);
  const place = ({ at, value }) =>
    `${((at / end) * width).toFixed(1)},${(height * (1 - value / (top || 1))).toFixed(1)}`;
  const frame = {
    ...{ viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none" },
    ...{ role: "img", "aria-label": label, class: "lab-line" },
  };
  const thin = { fill: "none", "vector-effect": "non-scaling-stroke" };
  const axis = { x1: 0, x2: width, class: "lab-axis", ...thin };
  const line = { points: points.map(place).join(" "), stroke: "currentColor", "stroke-width": 2 };
  const picture = make_svg(
    "svg",
    frame,
    make_svg("line", { ...axis, y1: height, y2: height }),
    make_svg("line", { ...axis, y1: 0, y2: 0 }),
    make_svg("polyline", { ...line, ...thin }),
  );
  const textContent = word("From 0 to {value}, over {n} s", {
    value: `${digits(top)} ${unit}`,
    n: Math.round(points.at(-1).at),
  });
  return make("figure", { className: "lab-series" }, picture, make("figcaption", { textContent }));
}
