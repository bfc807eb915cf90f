// Places results on the logarithmic strip next to them. Rows with the same unit share a scale, from
// half the smallest to twice the largest value (generator/core/render/blocks/measured_blocks.cpp
// draws the reference's tick).

import { make_svg } from "../base/svg.js";

/**
 * Moves the ticks and dots of a panel. `values` are the reader's, one per row; undefined if not
 * measured.
 */
export function place_strips(panel, values) {
  const rows = [...panel.querySelectorAll("tr[data-run]")].map((row) => ({
    strip: row.querySelector(".strip"),
    unit: row.dataset.unit,
    reference: Number(row.dataset.reference ?? NaN),
    yours: values.at(Number(row.dataset.run)) ?? NaN,
  }));
  for (const { strip, unit, reference, yours } of rows) {
    if (!strip) continue;
    const known = rows
      .filter((row) => row.unit === unit)
      .flatMap((row) => [row.reference, row.yours])
      .filter((value) => value > 0);
    const low = Math.log(Math.min(...known) / 2);
    const high = Math.log(Math.max(...known) * 2);
    const place = (value) => `${((100 * (Math.log(value) - low)) / (high - low)).toFixed(1)}%`;
    const tick = strip.querySelector(".tick");
    if (tick && reference > 0)
      for (const end of ["x1", "x2"]) tick.setAttribute(end, place(reference));
    const dot = strip.querySelector("circle");
    if (yours > 0) (dot ?? new_dot(strip)).setAttribute("cx", place(yours));
    else dot?.remove();
  }
}

function new_dot(strip) {
  const dot = make_svg("circle", { cy: 8, r: 5 });
  strip.append(dot);
  return dot;
}
