// A guess next to the measured value on a logarithmic axis, drawn when the guess is locked in:
//
//        Your guess
//     ───────●─────────┼────────────────
//     ÷10       Reference machine     ×10

import { word } from "../base/language.js";
import { make_svg } from "../base/svg.js";

const most_ticks = 6; // on either side; more would merge into a band

const anchor_of = (share) => (share < 25 ? "start" : share > 75 ? "end" : "middle");

/**
 * Draws the strip at the end of `row`, instead of an earlier one. `ratio` is the guess divided by
 * the measured value; without a positive one, there is no strip. `machine` is the label of the
 * measured machine, and `color` its CSS color.
 */
export function draw_strip(row, { ratio, machine, color }) {
  row.querySelector(".guess-strip")?.remove();
  const off = Math.log10(ratio);
  if (!Number.isFinite(off)) return;
  const reach = Math.max(1.15, 1.1 * Math.abs(off)); // factors of ten from the middle to the ends
  const share_of = (decades) => 50 + (50 * decades) / reach;
  const at = (decades) => `${share_of(decades).toFixed(1)}%`;
  const strip = make_svg("svg", { class: "guess-strip", height: 52, "aria-hidden": "true" });
  const line = (from, to, y1, y2, stroke, width = 1) =>
    strip.append(make_svg("line", { x1: from, x2: to, y1, y2, stroke, "stroke-width": width }));
  const label = (share, y, text, fill) => {
    const place = { x: `${share.toFixed(1)}%`, y, fill, "text-anchor": anchor_of(share) };
    strip.append(make_svg("text", place, text));
  };
  line("0", "100%", 26, 26, "var(--rule)");
  const ticks = Math.floor(reach);
  if (ticks <= most_ticks)
    for (let i = -ticks; i <= ticks; ++i) line(at(i), at(i), 22, 30, "var(--rule)");
  line(at(0), at(off), 26, 26, "var(--ink-soft)", 2);
  line(at(0), at(0), 17, 35, color, 2.5);
  const dot = { cx: at(off), cy: 26, r: 5, fill: "var(--paper)", stroke: "var(--ink)" };
  strip.append(make_svg("circle", { ...dot, "stroke-width": 2 }));
  label(share_of(off), 13, word("Your guess"), "var(--ink)");
  label(50, 49, machine, color);
  for (const [i, text] of [
    [-1, "÷10"],
    [1, "×10"],
  ])
    if (reach < 2.5) label(share_of(i), 49, text, "var(--ink-soft)");
  row.append(strip);
}
