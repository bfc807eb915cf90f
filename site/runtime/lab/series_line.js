// A line over time: the value of each reading, from zero, with its largest written beside it.

import { digits } from "../base/digits.js";

const space = "http://www.w3.org/2000/svg";
const [width, height, most] = [600, 120, 600]; // points that a screen can show

function svg(tag, attributes, ...children) {
  const element = document.createElementNS(space, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/** Every k-th point of many, the last among them. */
export function thinned(readings, count = most) {
  const step = Math.ceil(readings.length / count);
  return readings.filter((_, i) => (readings.length - 1 - i) % step === 0);
}

/** The picture, called `label`. */
export function draw_series(readings, label) {
  const points = thinned(readings);
  const top = Math.max(...points.map(({ value }) => value));
  const end = Math.max(points.at(-1).at, 1);
  const place = ({ at, value }) =>
    `${((at / end) * width).toFixed(1)},${(height * (1 - (0.9 * value) / (top || 1))).toFixed(1)}`;
  const frame = {
    viewBox: `0 0 ${width} ${height}`,
    role: "img",
    "aria-label": label,
    class: "lab-line",
  };
  const line = { points: points.map(place).join(" "), fill: "none", stroke: "currentColor" };
  const most_at = height * 0.1;
  return svg(
    "svg",
    frame,
    svg("line", { x1: 0, x2: width, y1: height, y2: height, class: "lab-axis" }),
    svg("line", { x1: 0, x2: width, y1: most_at, y2: most_at, class: "lab-axis" }),
    svg("polyline", { ...line, "stroke-width": 2, "vector-effect": "non-scaling-stroke" }),
    svg("text", { x: 4, y: most_at - 3 }, digits(top)),
  );
}
