// Where results stand on the logarithmic strip beside them: rows with one unit share a scale, which reaches from half
// the least to twice the greatest (generator/render/blocks/bench_block.cpp draws the reference's tick on it).

const svg = "http://www.w3.org/2000/svg";

/** Moves ticks and dots of a panel; `values` are the reader's by row, undefined for what is not measured. */
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
  const dot = document.createElementNS(svg, "circle");
  dot.setAttribute("cy", "8");
  dot.setAttribute("r", "5");
  strip.append(dot);
  return dot;
}
