// A guess next to the measured value on a logarithmic axis, drawn when the guess is locked in:
//
//        Your guess
//     ───────●─────────┼────────────────
//     ÷10       Reference machine     ×10

import { word } from "../base/language.js";
import { make_svg } from "../base/svg.js";

const most_ticks = 6; // on either side; more would merge into a band

const anchor_of = (share) => (share < 25 ? "start" : share > 75 ? "end" : "middle");

/** Draws the strip of one guess at the end of `row`, instead of an earlier one. */
export function draw_strip(row, { ratio, machine, color }) {
  row.querySelector(".guess-strip")?.remove();
  const strip = make_strip({ ratios: [ratio], label: word("Your guess"), machine, color });
  if (strip) row.append(strip);
}

/**
 * A strip of guesses, or null if there are none. `ratios` are guesses divided by their measured
 * values, those that are not positive are left out. `label` is above the first guess, `machine` is
 * the label of the measured value, and `color` its CSS color.
 */
export function make_strip({ ratios, label = "", machine, color }) {
  const offs = ratios.map((ratio) => Math.log10(ratio)).filter(Number.isFinite);
  if (offs.length === 0) return null;
  const reach = Math.max(1.15, 1.1 * Math.max(...offs.map(Math.abs))); // decades to either end
  const share_of = (decades) => 50 + (50 * decades) / reach;
  const at = (decades) => `${share_of(decades).toFixed(1)}%`;
  const strip = make_svg("svg", { class: "guess-strip", height: 52, "aria-hidden": "true" });
  const line = (from, to, y1, y2, stroke, width = 1) =>
    strip.append(make_svg("line", { x1: from, x2: to, y1, y2, stroke, "stroke-width": width }));
  const write = (share, y, text, fill) => {
    const place = { x: `${share.toFixed(1)}%`, y, fill, "text-anchor": anchor_of(share) };
    strip.append(make_svg("text", place, text));
  };
  line("0", "100%", 26, 26, "var(--rule)");
  const ticks = Math.floor(reach);
  if (ticks <= most_ticks)
    for (let i = -ticks; i <= ticks; ++i) line(at(i), at(i), 22, 30, "var(--rule)");
  if (offs.length === 1) line(at(0), at(offs[0]), 26, 26, "var(--ink-soft)", 2);
  line(at(0), at(0), 17, 35, color, 2.5);
  for (const off of offs) {
    const dot = { cx: at(off), cy: 26, r: 5, fill: "var(--paper)", stroke: "var(--ink)" };
    strip.append(make_svg("circle", { ...dot, "stroke-width": 2 }));
  }
  if (label) write(share_of(offs[0]), 13, label, "var(--ink)");
  write(50, 49, machine, color);
  for (const [i, text] of [
    [-1, "÷10"],
    [1, "×10"],
  ])
    if (reach < 2.5) write(share_of(i), 49, text, "var(--ink-soft)");
  return strip;
}
