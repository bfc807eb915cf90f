// The samples of a running measurement, as dots that drop into the home page's figure as they
// arrive, and the roof that they imply: the slope first, then the ceiling.
//
// A sample of arithmetic has a rate but no intensity, because the probe moves no bytes, and a
// sample of memory has a bandwidth but no FLOPs. So a dot may be at any intensity. Dots are
// spread over the part of the roof that they determine: arithmetic on the right, and memory on the
// left, at the height of its bandwidth times the intensity. Reads of smaller sets come from caches,
// whose slopes the figure does not show, so only the largest set counts.

import { make_svg } from "../base/svg.js";
import { axis_of, path_of, roof_of } from "./plot.js";

const most_dots = 400;
const golden = 0.618; // consecutive multiples spread evenly over an interval
const parts = {
  memory: { color: "var(--bandwidth)", low: 0.3, high: 1.5 }, // FLOP/B
  arithmetic: { color: "var(--compute)", low: 16, high: 1500 },
};
const drop = [
  { transform: "translateY(-60px)", opacity: 0 },
  { transform: "none", opacity: 1 },
];

/** The intensity at which sample number `i` of its kind is drawn. */
const place_of = ({ low, high }, i) => low * (high / low) ** ((i * golden) % 1);

export class Cloud {
  constructor(figure) {
    this.figure = figure;
    this.samples = [];
  }

  /** Adds samples {of, rate, set} in FLOP/s or B/s. */
  add(samples) {
    const before = this.largest_set;
    const fresh = samples.filter(({ rate }) => rate > 0).slice(0, most_dots - this.samples.length);
    this.samples.push(...fresh);
    if (before > 0 && this.largest_set > before) this.draw();
    else this.draw(this.samples.length - fresh.length);
  }

  get largest_set() {
    return Math.max(0, ...this.samples.map(({ set = 0 }) => set));
  }

  /** The best rates so far: {rate, bandwidth}; 0 if there is no sample of its kind. */
  get best() {
    const of = (kind) =>
      Math.max(0, ...this.samples.filter((one) => this.counts(one, kind)).map(({ rate }) => rate));
    return { rate: of("arithmetic"), bandwidth: of("memory") };
  }

  counts({ of, set = 0 }, kind) {
    return of === kind && (kind === "arithmetic" || set === this.largest_set);
  }

  clear() {
    this.samples = [];
    this.remove();
  }

  /** Draws the samples of a run that gave no roof: only the dots. */
  end() {
    this.draw();
    for (const path of this.figure.querySelectorAll(".samples path")) path.remove();
  }

  remove() {
    for (const group of this.figure.querySelectorAll(".samples")) group.remove();
  }

  /**
   * Draws the samples from index `first` in both layouts. With 0, it redraws every sample, which a
   * redrawn figure needs.
   */
  draw(first = 0) {
    if (first === 0) this.remove();
    for (const guess of this.figure.querySelectorAll(".guess")) {
      const axes = { x: axis_of(guess.dataset.x), y: axis_of(guess.dataset.y) };
      let group = guess.parentElement.querySelector(".samples");
      if (!group) {
        group = make_svg("g", { class: "samples" });
        group.append(
          make_svg("path", { fill: "none", stroke: "var(--reader)", "stroke-width": 3 }),
        );
        guess.after(group);
      }
      group.querySelector("path")?.setAttribute("d", this.roof(axes));
      this.samples.slice(first).forEach((sample, i) => {
        const dot = this.dot(sample, first + i, axes);
        if (dot) group.append(dot);
        if (dot && !matchMedia("(prefers-reduced-motion: reduce)").matches)
          dot.animate(drop, { duration: 350, easing: "ease-in" });
      });
    }
  }

  dot(sample, i, { x, y }) {
    if (!this.counts(sample, sample.of)) return null;
    const { color, low, high } = parts[sample.of];
    const intensity = Math.min(x.high, Math.max(x.low, place_of({ low, high }, i)));
    const rate = sample.of === "memory" ? sample.rate * intensity : sample.rate;
    if (!(rate > y.low && rate < y.high)) return null;
    const at = { cx: x.at(intensity).toFixed(1), cy: y.at(rate).toFixed(1) };
    return make_svg("circle", { ...at, r: 2.5, fill: color, "fill-opacity": 0.6 });
  }

  /** The path of the roof so far: a slope, a ceiling, or both. */
  roof({ x, y }) {
    const { rate, bandwidth } = this.best;
    if (rate > 0 && bandwidth > 0) return path_of(roof_of({ rate, bandwidth }, x, y));
    if (bandwidth > 0) {
      const ends = [Math.max(x.low, y.low / bandwidth), parts.memory.high];
      return path_of(ends.map((intensity) => [x.at(intensity), y.at(intensity * bandwidth)]));
    }
    if (rate > 0)
      return path_of([parts.arithmetic.low, x.high].map((one) => [x.at(one), y.at(rate)]));
    return "";
  }
}
