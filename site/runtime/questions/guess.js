// A roof that the reader drags by its ridge, before their machine is measured: on the drawing, or by the two ranges below
// it. Kept in this browser. While the machine is measured the roof fills, slope first. main.js loads this at
// the first touch.

import { digits } from "../base/digits.js";
import { later_word } from "../base/first_words.js";
import { set_stored, stored } from "../base/storage.js";

const name = "guess.v1";

/** {rate, bandwidth} in operations and bytes a second; null for what is not there or not a guess. */
function recalled() {
  try {
    const guess = JSON.parse(stored(name));
    return guess.rate > 0 && guess.bandwidth > 0 ? guess : null;
  } catch {
    return null;
  }
}

/** "39.8 GFLOP/s": `value` in powers of a thousand. */
function words_of(value, unit) {
  const prefixes = ["", "k", "M", "G", "T", "P"];
  const step = Math.min(prefixes.length - 1, Math.max(0, Math.floor(Math.log10(value) / 3)));
  return `${digits(value / 1000 ** step, 2)} ${prefixes[step]}${unit}`;
}

const units = { rate: "FLOP/s", bandwidth: "B/s" };

/** Where a value lies in the picture, and back; `span` is "low high from to" of a logarithmic axis. */
export function axis_of(span) {
  const [low, high, from, to] = span.split(" ").map(Number);
  const decades = Math.log(high / low);
  return {
    at: (value) => from + ((to - from) * Math.log(value / low)) / decades,
    value: (at) => low * Math.exp((decades * (at - from)) / (to - from)),
    low,
    high,
  };
}

/** The roof of a guess under the picture's edges: where it starts, bends and ends. */
export function roof_of({ rate, bandwidth }, x, y) {
  const foot = Math.max(x.low, y.low / bandwidth);
  return [
    [x.at(foot), y.at(foot * bandwidth)],
    [x.at(rate / bandwidth), y.at(rate)],
    [x.at(x.high), y.at(rate)],
  ];
}

const between = (value, low, high) => Math.min(high, Math.max(low, value));

class Guess {
  constructor(form) {
    this.form = form;
    this.figure = form.closest("figure");
    this.inputs = { rate: form.querySelector('[name="rate"]') };
    this.inputs.bandwidth = form.querySelector('[name="bandwidth"]');
    this.of = recalled() ?? this.asked();
  }

  asked() {
    const value = (input) => 10 ** Number(input.value);
    return { rate: value(this.inputs.rate), bandwidth: value(this.inputs.bandwidth) };
  }

  /** In both layouts of the drawing, which a measurement draws anew. */
  draw() {
    for (const group of this.figure.querySelectorAll(".guess")) {
      const [x, y] = [axis_of(group.dataset.x), axis_of(group.dataset.y)];
      const roof = roof_of(this.of, x, y);
      for (const path of group.querySelectorAll("path"))
        path.setAttribute("d", `M${roof.map((point) => point.map((c) => c.toFixed(1))).join("L")}`);
      // Its name keeps its distance from the roof.
      const fallen = roof[1][1] - group.querySelector("circle").getAttribute("cy");
      for (const words of group.querySelectorAll("text"))
        words.setAttribute("y", Number(words.getAttribute("y")) + fallen);
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
    this.of = guess;
    this.draw();
    try {
      set_stored(name, JSON.stringify(guess));
    } catch {
      // Storage is refused: the guess is this page's only.
    }
  }

  /** The ridge goes where the pointer is, inside the plot. */
  drag_to({ clientX, clientY }, group) {
    const [x, y] = [axis_of(group.dataset.x), axis_of(group.dataset.y)];
    const place = new DOMPoint(clientX, clientY).matrixTransform(group.getScreenCTM().inverse());
    const intensity = between(x.value(place.x), x.low, x.high);
    const rate = between(y.value(place.y), y.low, y.high);
    this.change({ rate, bandwidth: rate / intensity });
  }

  take(event) {
    const group = event.target.closest(".guess");
    if (!group) return;
    event.preventDefault();
    const move = (moved) => this.drag_to(moved, group);
    const end = () => {
      removeEventListener("pointermove", move);
      for (const kind of ["pointerup", "pointercancel"]) removeEventListener(kind, end);
    };
    addEventListener("pointermove", move);
    for (const kind of ["pointerup", "pointercancel"]) addEventListener(kind, end);
  }

  /** What the guess was worth, once the reader's own ridge is on the page. */
  async judge() {
    const { page_data } = await import("../page/page.js"); // not above: the first drag waits for what is imported there
    const { live } = await page_data();
    const { id } = live.find(({ expression }) => expression === "ridge.fma.out") ?? {};
    const found = document.getElementById(id);
    if (found?.dataset.from !== "reader" || recalled() === null) return;
    this.form.querySelector("p").textContent = await later_word(
      "You guessed a ridge of {n} FLOP/B. It is {text}.",
      { n: digits(this.of.rate / this.of.bandwidth, 2), text: found.textContent },
    );
  }

  /** The share of the roof that is drawn in full while the machine is measured: its slope and ceiling. */
  fill(share) {
    for (const path of this.figure.querySelectorAll(".guess-done"))
      path.setAttribute("stroke-dasharray", `${share.toFixed(3)} 1`);
  }
}

/** Brings the guess alive; `event` is the touch that asked for it, if one did. */
export function follow(form, event = null) {
  const guess = new Guess(form);
  guess.draw();
  form.addEventListener("input", () => guess.change(guess.asked()));
  guess.figure.addEventListener("pointerdown", (touch) => guess.take(touch));
  if (event?.type === "pointerdown") guess.take(event);
  document.addEventListener("primer-progress", ({ detail }) => guess.fill(detail));
  document.addEventListener("primer-results", () => {
    guess.draw();
    guess.judge();
  });
  new MutationObserver(() => guess.fill(0)).observe(document.querySelector("primer-bench.hero"), {
    attributeFilter: ["state"],
  });
}
