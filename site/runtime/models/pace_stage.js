// Writes a paragraph as fast as a decode step allows, on an A100 and on one core: the reader's, or
// the reference machine's until they have measured.
//
//   seconds per step = max((weights + batch · context · cache per token) / bandwidth,
//                          batch · 2 · weights / peak)
//
// All constants are facts of the book, from the page's data. The text is split as Llama 3's
// pre-tokenizer splits it. The tokenizer splits rare words further, so the paragraph has at least
// this many tokens. With reduced motion, only the numbers are shown.

import { digits } from "../base/digits.js";
import { make } from "../base/element.js";
import { word } from "../base/language.js";
import { with_narrow_spaces } from "../base/spaces.js";
import { style_sheet } from "../base/style_sheet.js";
import { page_data, reference_profile, shown_profile } from "../page/page.js";
import { core_of } from "../profile/standing.js";

const still = matchMedia("(prefers-reduced-motion: reduce)");
const piece = /[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+|\s+/gu;

export const pieces_of = (text) => text.match(piece) ?? [];

/**
 * Seconds per step and its limit. `model` has weights, cache (bytes per token) and all (weights in
 * memory); `machine` has bandwidth, peak and, if known, memory.
 */
export function step_of(model, machine, { bits, batch, context }) {
  const cache = batch * context * model.cache;
  const bytes = (model.weights * bits) / 8 + cache;
  const memory = bytes / machine.bandwidth;
  const compute = (batch * 2 * model.weights) / machine.peak;
  return {
    seconds: Math.max(memory, compute),
    is_memory_bound: memory >= compute,
    fits: !((model.all * bits) / 8 + cache > machine.memory),
  };
}

/** The text of a paragraph, without tooltips. */
function text_of(paragraph) {
  const copy = paragraph.cloneNode(true);
  for (const tip of copy.querySelectorAll(".tip")) tip.remove();
  return copy.textContent.replace(/\s+/g, " ").trim();
}

const rounded = (value) => {
  if (value < 1000) return digits(value, value < 10 ? 2 : 3);
  const text = String(Number(value.toPrecision(3)));
  return value < 10_000 ? text : Number(text).toLocaleString("en");
};
const in_words = (english, values) => with_narrow_spaces(word(english, values));

const rate_words = (seconds) =>
  seconds > 10
    ? in_words("{n} s per token", { n: rounded(seconds) })
    : in_words("{n} tokens/s", { n: rounded(1 / seconds) });

const bandwidth_words = (rate) =>
  with_narrow_spaces(rate < 1e12 ? `${digits(rate / 1e9, 2)} GB/s` : `${digits(rate / 1e12)} TB/s`);

/** "136 tokens/s, memory-bound, 0.9 s for the paragraph": one machine at these settings. */
function words_of(machine, step, { batch }, count) {
  if (!step.fits) return word("does not fit in its memory");
  const rate = rate_words(step.seconds);
  const all = in_words("{n} tokens/s in total", { n: rounded(batch / step.seconds) });
  const limit = word(step.is_memory_bound ? "memory-bound" : "compute-bound");
  const time = in_words("{n} s for the paragraph", { n: rounded(count * step.seconds) });
  return [rate, ...(batch > 1 ? [all] : []), limit, time].join(", ");
}

/** A labeled list of choices, each [value, text]. */
function knob(name, label, choices) {
  const options = choices.map(([value, textContent]) => make("option", { value, textContent }));
  const list = make("select", { name }, ...options);
  return make("label", { className: "model-control" }, make("span", { textContent: label }), list);
}

const knobs = () => [
  knob(
    "bits",
    word("Bits per weight"),
    [16, 8, 4].map((n) => [n, String(n)]),
  ),
  knob(
    "batch",
    word("Batch"),
    [1, 8, 64].map((n) => [n, String(n)]),
  ),
  knob("context", word("Context"), [
    [0, word("short")],
    [8192, with_narrow_spaces("8,192")],
    [131_072, with_narrow_spaces("131,072")],
  ]),
];

/** One machine: its numbers, the paragraph and one bar per sequence of the batch. */
class Lane {
  #title = make("b");
  #numbers = make("span");
  #written = make("span");
  #rest = make("span", { className: "pace-rest" });
  #batch = make("div", { className: "pace-batch" });
  #pieces;
  #shown = -1;

  constructor(pieces) {
    this.#pieces = pieces;
    const text = make("p", { className: "pace-text" }, this.#written, this.#rest);
    text.ariaHidden = "true"; // the page's first paragraph again
    this.element = make(
      "div",
      { className: "pace-lane" },
      make("p", { className: "pace-numbers" }, this.#title, " ", this.#numbers),
      text,
      this.#batch,
    );
  }

  set({ machine, step, settings }) {
    this.step = step;
    const { title, bandwidth, is_readers = false } = machine;
    this.#title.textContent = `${title}, ${bandwidth_words(bandwidth)}`;
    this.#numbers.textContent = words_of(machine, step, settings, this.#pieces.length);
    this.element.dataset.from = is_readers ? "reader" : "reference";
    const { batch } = settings;
    this.#batch.replaceChildren(...Array.from({ length: batch > 1 ? batch : 0 }, () => make("i")));
    this.words = `${this.#title.textContent}: ${this.#numbers.textContent}.`;
    this.show(0);
  }

  /** Shows what is written after this many seconds. Returns whether there is more to write. */
  show(seconds) {
    const { length } = this.#pieces;
    const { fits, seconds: per_step } = this.step;
    const count = fits ? Math.min(length, Math.floor(seconds / per_step)) : 0;
    if (count !== this.#shown) {
      this.#shown = count;
      this.#written.textContent = this.#pieces.slice(0, count).join("");
      this.#rest.textContent = this.#pieces.slice(count).join("");
      this.#batch.style.setProperty("--written", count / length);
    }
    return fits && count < length;
  }
}

class Stage {
  #lanes;
  #known;
  #start;
  #running = 0;
  #told = make("p", { className: "visually-hidden", role: "status" });
  #knobs = make("div", { className: "model-controls" }, ...knobs());

  constructor(text, known, start) {
    this.#known = known;
    this.#start = start;
    const pieces = pieces_of(text);
    this.#lanes = [new Lane(pieces), new Lane(pieces)];
    const note = word(
      "The paragraph is split into {n} tokens: words, groups of three digits and punctuation marks. A tokenizer splits rare words further.",
      { n: pieces.length },
    );
    const small = make("p", { className: "pace-note", textContent: note });
    const lanes = this.#lanes.map(({ element }) => element);
    this.element = make("div", { className: "pace" }, this.#knobs, ...lanes, small, this.#told);
    this.element.role = "group";
    this.element.ariaLabel = word("The first paragraph at these speeds");
    this.#knobs.addEventListener("input", () => this.restart());
    document.addEventListener("primer-results", () => this.#apply());
    if (still.matches) start.hidden = true;
    else start.addEventListener("click", () => (this.#running ? this.#stop() : this.restart()));
  }

  #settings() {
    const fields = [...this.#knobs.querySelectorAll("select")];
    return Object.fromEntries(fields.map(({ name, value }) => [name, Number(value)]));
  }

  #apply() {
    const { model, gpu, core } = this.#known;
    const settings = this.#settings();
    [gpu, core()].forEach((machine, i) =>
      this.#lanes[i].set({ machine, step: step_of(model, machine, settings), settings }),
    );
    this.#told.textContent = this.#lanes.map(({ words }) => words).join(" ");
  }

  restart() {
    this.#stop();
    this.#apply();
    if (still.matches) return;
    this.#start.textContent = word("Stop");
    const begin = performance.now();
    const tick = (now) => {
      const more = this.#lanes.map((lane) => lane.show((now - begin) / 1000)).some(Boolean);
      if (more) this.#running = requestAnimationFrame(tick);
      else this.#stop();
    };
    this.#running = requestAnimationFrame(tick);
  }

  #stop() {
    cancelAnimationFrame(this.#running);
    this.#running = 0;
    this.#start.textContent = word("Write it again");
  }
}

/** The facts that the formula needs, in bytes and operations, and the machines. */
async function read_facts() {
  const [{ facts }, reference] = await Promise.all([page_data(), reference_profile()]);
  const fact = (name) => facts[name].value;
  const model = {
    weights: fact("llama-3.1-8b.parameters-read"),
    all: fact("llama-3.1-8b.parameters"),
    cache: fact("llama-3.1-8b.kv-per-token"),
  };
  const gpu = {
    title: word("One A100"),
    bandwidth: fact("a100-sxm-80.bandwidth"),
    peak: fact("a100-sxm-80.peak.bf16"),
    memory: fact("a100-sxm-80.memory"),
  };
  const core = () => {
    const { ceiling, slope, is_readers } = core_of(shown_profile(), reference);
    const title = word(
      is_readers ? "One core of your machine" : "One core of the reference machine",
    );
    return { title, is_readers, bandwidth: slope * 1e9, peak: ceiling * 1e9 };
  };
  return { model, gpu, core };
}

const load_style = style_sheet(new URL("pace_stage.css", import.meta.url));

/** Puts the stage below the bar and starts it. The button then stops and restarts it. */
export async function stage_at(bar, start) {
  const first = document.querySelector("main > p:not([class])");
  const [known] = await Promise.all([read_facts(), load_style()]);
  if (bar.nextElementSibling.matches(".pace")) return; // the stage listens to the button
  const stage = new Stage(text_of(first), known, start);
  bar.after(stage.element);
  stage.restart();
  if (still.matches) stage.element.querySelector("select").focus();
}
