// The walls of /to-scale/: rescales them for the reader's core, so that one px is what this core
// computes or reads, and switches between linear and logarithmic axes. The build drew them for the
// reference machine (figures/kinds/wall.cpp). For another core, one factor scales each column.
//
//   depth on the page = linear · d + (1 − linear) · 110 px · log10(d)      with linear from 0 to 1

import { digits } from "../base/digits.js";
import { between_thousands, with_narrow_spaces } from "../base/spaces.js";
import { corner_of } from "../profile/machine_summary.js";
import { core_of } from "../profile/standing.js";
import { reference_profile, shown_profile } from "./page.js";

const tick_every = 1000;
const depth_of = (element) => Number(/\s(-?[\d.]+)\)/.exec(element.getAttribute("transform"))[1]);
const move = (element, y) =>
  element.setAttribute(
    "transform",
    element.getAttribute("transform").replace(/\s-?[\d.]+\)/, ` ${y.toFixed(1)})`),
  );

const first_depths = new WeakMap();
/** The depth at which the build drew a mark, or its label within it. */
function first_depth(element) {
  if (!first_depths.has(element)) first_depths.set(element, depth_of(element));
  return first_depths.get(element);
}

const decade = 110; // px
const line = 20; // px per line of words

/**
 * Where to draw a mark that is `depth` px deep on the linear axis. `linear` goes from 0, the
 * logarithmic axis, to 1.
 */
const placed = (depth, linear) =>
  linear * depth + (1 - linear) * decade * Math.log10(Math.max(1, depth));

/** Puts the labels where the build drew them. */
function restore_labels(marks) {
  for (const { words, first } of marks) {
    move(words, first);
    words.removeAttribute("visibility");
  }
}

/** On a linear axis, labels that would overlap move down. */
function spread_labels(marks) {
  let free = 0;
  for (const { words, depth } of marks) {
    const below = Math.max(0, free - depth);
    move(words, below);
    words.removeAttribute("visibility");
    free = depth + below + line * words.childElementCount;
  }
}

/** On a logarithmic axis, the chips are close together, so only the labels that fit are shown. */
function thin_words(marks) {
  let end = Infinity;
  for (const { words, depth } of marks.toReversed()) {
    const has_room = depth + line * words.childElementCount <= end;
    move(words, 0);
    words.setAttribute("visibility", has_room ? "visible" : "hidden");
    if (has_room) end = depth;
  }
}

function move_marks(column, factor, linear) {
  const marks = [...column.querySelectorAll(".wall-mark")].map((mark, i) => {
    const depth = placed(first_depth(mark) * (i === 0 ? 1 : factor), linear);
    move(mark, depth);
    const words = mark.querySelector(".wall-words");
    return { words, depth, first: first_depth(words) };
  });
  if (linear === 1 && factor === 1) restore_labels(marks);
  else if (linear === 1) spread_labels(marks);
  else thin_words(marks);
}

/** A tick every 1,000 px, up to the end of the wall. */
function set_ticks(column, height) {
  const ticks = [...column.querySelectorAll(".wall-tick")];
  if (ticks.length === 0) return;
  const count = Math.max(1, Math.ceil(height / tick_every) - 1);
  for (const spare of ticks.slice(count)) spare.remove();
  for (let i = ticks.length + 1; i <= count; ++i) {
    const tick = ticks.at(-1).cloneNode(true);
    move(tick, i * tick_every);
    tick.querySelector("text").textContent = grouped(i * tick_every);
    column.querySelector(".wall-mark").before(tick);
  }
}

const grouped = (value) => between_thousands(Number(value.toPrecision(3)).toLocaleString("en"));

/** The drawing gets its final height at once, so the text below moves only once. */
function draw(svg, { factors, linear, to }) {
  const columns = [...svg.querySelectorAll(":scope > g")];
  const heights = columns.map((column, i) => {
    const whole = first_depth([...column.querySelectorAll(".wall-mark")].at(-1));
    const height = placed(whole * factors[i], linear);
    column.querySelector(".wall-bar").setAttribute("transform", `scale(1 ${height / whole})`);
    move_marks(column, factors[i], linear);
    if (linear === 1) set_ticks(column, height);
    for (const tick of column.querySelectorAll(".wall-tick"))
      tick.setAttribute("visibility", linear === 1 ? "visible" : "hidden");
    return placed(whole * factors[i], to);
  });
  const margins = 80; // above and below the walls (wall.cpp)
  const [left, top, width] = svg.getAttribute("viewBox").split(" ");
  const height = Math.ceil(Math.max(...heights) + margins);
  svg.setAttribute("height", height);
  svg.setAttribute("viewBox", [left, top, width, height].join(" "));
}

const name_of = (row) => row.cells[0].textContent;
/** Rows of the figure's table by column: [[core, chip, …], …]. */
function rows_of(figure) {
  const rows = [...figure.querySelectorAll(".plot-data tbody tr")];
  return [...new Set(rows.map(name_of))].map((name) => rows.filter((row) => name_of(row) === name));
}

const first_heights = new WeakMap();
/** The rate of the core in the drawing and in the table, and the heights in the table. */
function say_numbers(figure, factors, rates) {
  rows_of(figure).forEach(([core, ...chips], i) => {
    core.cells[2].textContent = with_narrow_spaces(rates[i]);
    for (const { cells } of chips) {
      const [, , , cell] = cells;
      if (!first_heights.has(cell))
        first_heights.set(cell, Number(cell.textContent.replace(/[^\d.]/g, "")));
      cell.textContent = grouped(first_heights.get(cell) * factors[i]);
    }
  });
  for (const svg of figure.querySelectorAll(".figure-svg"))
    svg.querySelector(".wall-words").lastElementChild.textContent = rates[0];
}

const states = new WeakMap();
function state_of(figure) {
  if (!states.has(figure)) states.set(figure, { factors: [1, 1], linear: 1, to: 1, turns: 0 });
  return states.get(figure);
}
function draw_all(figure) {
  for (const svg of figure.querySelectorAll(".figure-svg")) draw(svg, state_of(figure));
}

/** Draws the figure for the core whose numbers the page shows. */
export async function scale_walls(figure) {
  const profile = await reference_profile();
  const reference = corner_of(profile);
  const { ceiling, slope, is_readers } = core_of(shown_profile(), profile);
  const factors = [reference.ceiling / ceiling, reference.slope / slope];
  state_of(figure).factors = factors;
  draw_all(figure);
  say_numbers(figure, factors, [`${digits(ceiling / 1000)} TFLOP/s`, `${digits(slope)} GB/s`]);
  figure.dataset.from = is_readers ? "reader" : "reference";
}

const still = matchMedia("(prefers-reduced-motion: reduce)");
const morph_ms = 1800;

/** Animates to linear (1) or logarithmic (0) axes; with reduced motion, switches at once. */
export function turn_axes(figure, to) {
  const state = state_of(figure);
  const from = state.linear;
  const begin = performance.now();
  state.to = to;
  const turn = ++state.turns;
  const step = (now) => {
    if (state.turns !== turn) return; // pressed again
    const share = still.matches ? 1 : Math.min(1, Math.max(0, now - begin) / morph_ms);
    // Eased with a cube, because the linear walls are thousands of px tall.
    const [a, b] = [Math.cbrt(from), Math.cbrt(to)];
    state.linear = share === 1 ? to : (a + (b - a) * share) ** 3;
    draw_all(figure);
    if (share < 1) requestAnimationFrame(step);
  };
  step(begin);
}
