// A guessed roof, before the reader's machine is measured. The reader drags its ridge point, in the
// drawing or with the two sliders below it, and the guess is stored in this browser. During the
// measurement the samples drop into the figure (samples.js).
//
// Once the page shows the reader's own ridge, the guess is over: it stays as it was, or disappears
// if the reader never made one. The start position of the roof is not a guess, and a roof that is
// moved after the answer is not one either. inputs.js loads this file on the first touch.

import { digits } from "../base/digits.js";
import { later_word, part_of_page } from "../base/first_words.js";
import { set_stored, stored } from "../base/storage.js";
import { make_svg } from "../base/svg.js";
import { axis_of, path_of, roof_of } from "./plot.js";

const name = "guess.v1";

/** {rate, bandwidth} in operations and bytes per second; null if there is no valid guess. */
export function stored_guess() {
  try {
    const guess = JSON.parse(stored(name));
    return guess.rate > 0 && guess.bandwidth > 0 ? guess : null;
  } catch {
    return null;
  }
}

/** "39.8 GFLOP/s": `value` with an SI prefix. */
function words_of(value, unit) {
  const prefixes = ["", "k", "M", "G", "T", "P"];
  const step = Math.min(prefixes.length - 1, Math.max(0, Math.floor(Math.log10(value) / 3)));
  return `${digits(value / 1000 ** step, 2)} ${prefixes[step]}${unit}`;
}

const units = { rate: "FLOP/s", bandwidth: "B/s" };

const between = (value, low, high) => Math.min(high, Math.max(low, value));

class Guess {
  constructor(form) {
    this.form = form;
    this.figure = form.closest("figure");
    this.bench = document.querySelector("primer-bench.hero");
    this.inputs = { rate: form.querySelector('[name="rate"]') };
    this.inputs.bandwidth = form.querySelector('[name="bandwidth"]');
    this.of = stored_guess() ?? this.asked();
    this.is_made = stored_guess() !== null;
    this.is_over = false;
  }

  /** Whether the reader can see the answer, or the samples that approach it. */
  get is_fixed() {
    return this.is_over || this.bench?.getAttribute("state") === "running";
  }

  asked() {
    const value = (input) => 10 ** Number(input.value);
    return { rate: value(this.inputs.rate), bandwidth: value(this.inputs.bandwidth) };
  }

  /** Draws the guess in both layouts; again after a measurement, which redraws the figure. */
  draw() {
    for (const group of this.figure.querySelectorAll(".guess")) {
      const [x, y] = [axis_of(group.dataset.x), axis_of(group.dataset.y)];
      const roof = roof_of(this.of, x, y);
      group.style.display = this.is_over && !this.is_made ? "none" : "";
      group.querySelector(".guess-roof").setAttribute("d", path_of(roof));
      // Keep the distance between the name and the roof.
      const fallen = roof[1][1] - group.querySelector("circle").getAttribute("cy");
      for (const words of group.querySelectorAll("text")) {
        words.setAttribute("y", Number(words.getAttribute("y")) + fallen);
        words.setAttribute("visibility", this.is_made ? "visible" : "hidden"); // hide until guessed
      }
      for (const ring of group.querySelectorAll("circle")) {
        ring.setAttribute("cx", roof[1][0]);
        ring.setAttribute("cy", roof[1][1]);
      }
    }
    for (const [key, input] of Object.entries(this.inputs)) {
      input.value = Math.log10(this.of[key]);
      const words = words_of(this.of[key], units[key]);
      input.setAttribute("aria-valuetext", words);
      input.parentElement.querySelector("b").textContent = words;
    }
  }

  change(guess) {
    if (this.is_fixed) {
      this.draw();
      return;
    }
    this.of = guess;
    this.is_made = true;
    this.draw();
    try {
      set_stored(name, JSON.stringify(guess));
    } catch {
      // Storage is denied, so the guess lasts only for this page.
    }
  }

  /** Moves the ridge point to the pointer, within the plot. */
  drag_to({ clientX, clientY }, group) {
    const [x, y] = [axis_of(group.dataset.x), axis_of(group.dataset.y)];
    const place = new DOMPoint(clientX, clientY).matrixTransform(group.getScreenCTM().inverse());
    const intensity = between(x.value(place.x), x.low, x.high);
    const rate = between(y.value(place.y), y.low, y.high);
    this.change({ rate, bandwidth: rate / intensity });
  }

  take(event) {
    const group = event.target.closest(".guess");
    if (!group || this.is_fixed) return;
    event.preventDefault();
    const move = (moved) => this.drag_to(moved, group);
    const end = () => {
      removeEventListener("pointermove", move);
      for (const kind of ["pointerup", "pointercancel"]) removeEventListener(kind, end);
    };
    addEventListener("pointermove", move);
    for (const kind of ["pointerup", "pointercancel"]) addEventListener(kind, end);
  }

  /**
   * Draws a band where one core's roof may be if the machine was too busy for a single number,
   * until the machine is measured again.
   */
  async draw_band() {
    const { state, arithmetic, memory } = await standing();
    for (const band of this.figure.querySelectorAll(".busy-band")) band.remove();
    if (state !== "range" || !arithmetic || !memory) return;
    for (const group of this.figure.querySelectorAll(".guess")) {
      const [x, y] = [axis_of(group.dataset.x), axis_of(group.dataset.y)];
      const roof = (end) =>
        roof_of({ rate: 1e9 * arithmetic[end], bandwidth: 1e9 * memory[end] }, x, y);
      const points = [...roof("low"), ...roof("high").reverse()];
      const band = make_svg("path", {
        class: "busy-band",
        d: `${path_of(points)}Z`,
        fill: "var(--reader)",
        "fill-opacity": 0.25,
        stroke: "none",
      });
      group.prepend(band);
    }
  }

  /** Ends the guess and compares it with the reader's ridge point, once that is on the page. */
  async settle() {
    // Not imported above, because the first drag waits for imports.
    const [{ page_data }, { keep_first, restore }] = await Promise.all([
      import("../page/page.js"),
      import("../page/at_first.js"),
    ]);
    const { live } = await page_data();
    const { id } = live.find(({ expression }) => expression === "ridge.fma.out") ?? {};
    const found = document.getElementById(id);
    this.is_over = found?.dataset.from === "reader";
    this.draw();
    this.form.hidden = this.is_over && !this.is_made;
    for (const input of Object.values(this.inputs)) input.disabled = this.is_over;
    const prompt = this.form.querySelector("p");
    const text = this.is_over && this.is_made ? await this.judgment(found) : "";
    restore(prompt);
    if (!text || !this.is_over) return; // the reader may have chosen the reference meanwhile
    keep_first(prompt);
    prompt.textContent = text;
  }

  /** The guess next to the ridge that the page shows. */
  judgment(found) {
    return later_word("You guessed a ridge of {n} FLOP/B. It is {text}.", {
      n: digits(this.of.rate / this.of.bandwidth, 2),
      text: found.textContent,
    });
  }
}

/** The state of the result that the page shows. */
async function standing() {
  const [{ shown_profile }, { standing_of }] = await Promise.all([
    import("../page/page.js"),
    part_of_page(() => import("../profile/standing.js")),
  ]);
  return standing_of(shown_profile());
}

/**
 * Shows the samples of the home page's measurement in the figure. After a run on a busy machine,
 * they stay, because there is no roof to replace them.
 */
async function follow_samples(figure, bench) {
  const { Cloud } = await import("./samples.js");
  const cloud = new Cloud(figure);
  bench.addEventListener("primer-samples", ({ detail }) => cloud.add(detail));
  const ended = async () => {
    const { state } = await standing();
    if (bench.getAttribute("state") === "running") return;
    if (state === "range") cloud.end();
    else cloud.clear();
  };
  new MutationObserver(() => {
    if (bench.getAttribute("state") === "running") cloud.clear();
    else ended();
  }).observe(bench, { attributeFilter: ["state"] });
  document.addEventListener("primer-results", ended); // the figure was redrawn
}

/** Activates the guess. `event` is the touch that triggered it, if any. */
export function follow(form, event = null) {
  const guess = new Guess(form);
  guess.draw();
  form.addEventListener("input", () => guess.change(guess.asked()));
  guess.figure.addEventListener("pointerdown", (touch) => guess.take(touch));
  if (event?.type === "pointerdown") guess.take(event);
  const show_results = () => {
    guess.settle();
    guess.draw_band();
  };
  document.addEventListener("primer-results", show_results);
  if (guess.bench) follow_samples(guess.figure, guess.bench);
  if (stored("profile.v1") !== null) show_results(); // the event may have fired already
}
