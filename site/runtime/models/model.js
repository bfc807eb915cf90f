// Drives a model: its controls, step, play and scrubber, with the C++ in models-*.wasm. All
// controls are in the page's HTML already (docs/reference/models.md); the module is loaded on the
// first touch.

import { heard, language, word } from "../base/language.js";
import { between_thousands, with_narrow_spaces } from "../base/spaces.js";
import { plain } from "../profile/machine_name.js";
import { module_of, page_data, reference_profile, store } from "../page/page.js";
import { drawing_words, localized, said, told } from "../page/drawing_words.js";
import { fill_table, show_svg } from "../page/refresh.js";

const run_seconds = 12; // duration of a whole run
// In steps; longer runs start slowly, so that readers can follow the first steps
const long_run = 100;
const quiet = 800; // ms without a change before screen readers are notified
const heard_in = 1000; // ms until a screen reader has read the live region, which is then emptied
const still = matchMedia("(prefers-reduced-motion: reduce)");
// Of the window, because asking for a figure's size forces a layout
const wide = matchMedia("(min-width: 45rem)");

/**
 * The machine that a model may use: the roofs of one core, the reader's or the reference machine's.
 */
export function machine_of(profile, label) {
  const roofs = (profile?.roofs ?? []).filter(({ class: { threads = 1 } = {} }) => threads === 1);
  const isas = ["fma", "simd", "scalar"];
  const peaks = roofs.filter((roof) => isas.includes(roof.class?.isa)).map(({ value }) => value);
  const levels = profile?.levels ?? [];
  const outermost = ["out", levels.at(-1)?.name];
  const slope = roofs.find((roof) => outermost.includes(roof.class?.level))?.value;
  if (!peaks.length || !slope) return null;
  const bytes = (name) => levels.find((level) => level.name === name)?.bytes ?? 0;
  return {
    label,
    peak: Math.max(...peaks) * 1e9,
    bandwidth: slope * 1e9,
    l1: bytes("L1"),
    l2: bytes("L2"),
  };
}

/** Groups thousands at 10,000 and above, as the build does. */
const grouped = (value) =>
  value < 10000 ? String(value) : with_narrow_spaces(value.toLocaleString("en"));

/** Sets the text only if it differs, to avoid a layout. */
function say_in(element, words) {
  if (element.textContent !== words) element.textContent = words;
}

/** One model on the page. */
class Driver {
  #figure;
  #controls;
  #call;
  #known;
  #words;
  #at;
  #length;
  #table;
  #playing = null;
  #has_played = false;
  #told = 0;

  constructor(figure, call, known, words) {
    this.#figure = figure;
    this.#controls = figure.querySelector(".model-controls");
    this.#call = call;
    this.#known = { ...known, words: words?.labels };
    this.#words = words;
    const scrubber = this.#part("at");
    this.#at = scrubber?.valueAsNumber ?? 0;
    this.#length = Number(scrubber?.max ?? 0);
    this.#controls.addEventListener("input", (event) => this.#on_input(event.target));
    this.#controls.addEventListener("click", (event) => this.#on_click(event));
    const link = figure.querySelector(".model-link");
    link.addEventListener("click", (event) => this.#share(event));
    figure.addEventListener("pointerdown", (event) => this.#grab(event));
    // The table is filled when its fold opens.
    figure.querySelector(".plot-data")?.addEventListener("toggle", () => this.#fill_table());
    // Draws the other layout when the window's width requires it.
    wide.addEventListener("change", () => this.#draw());
    // Stops when the tab is hidden.
    document.addEventListener("visibilitychange", () => document.hidden && this.#stop());
  }

  /** Applies an event that arrived while the module was loading. */
  catch_up(event) {
    if (event.type === "pointermove") this.#grab(event);
    else if (event.target.closest(".model-link")) this.#share(event);
    else if (event.type === "click") this.#on_click(event);
    else this.#on_input(event.target);
  }

  /**
   * Dragging on the drawing changes the main setting; the width of the drawing is its whole range.
   * Draws at most once per frame.
   */
  #grab({ target, pointerId, clientX, button }) {
    const frame = target.closest(".plot-wide, .plot-narrow");
    const field = frame && this.#part(this.#figure.dataset.drag);
    if (!field || field.disabled || button > 0) return;
    const [low, high, start] = [Number(field.min), Number(field.max), field.valueAsNumber];
    const whole = frame.clientWidth;
    let [x, asked] = [clientX, 0];
    const follow = () => {
      asked = 0;
      const value = Math.round(start + ((x - clientX) / whole) * (high - low));
      const held = Math.min(high, Math.max(low, value));
      if (held === field.valueAsNumber) return;
      field.value = held;
      this.#on_input(field);
    };
    const move = (event) => {
      if (event.pointerId !== pointerId) return;
      if (!event.buttons) return drop(event);
      x = event.clientX;
      asked ||= requestAnimationFrame(follow);
    };
    const ends = ["pointerup", "pointercancel"];
    const drop = (event) => {
      if (event.pointerId !== pointerId) return;
      document.removeEventListener("pointermove", move);
      for (const end of ends) document.removeEventListener(end, drop);
    };
    document.addEventListener("pointermove", move);
    for (const end of ends) document.addEventListener(end, drop);
  }

  /**
   * Applies settings from a permalink: "order:tiled,cache:256,at:1500". The model clamps numbers
   * out of range; unknown settings and values are ignored. Both are reported.
   */
  apply(text) {
    const params = this.#settings();
    const odd = [];
    this.#at = -1;
    for (const pair of text.split(",", 64)) {
      const [name, value = ""] = pair.split(":", 2);
      const field = this.#fields().find((one) => one.name === name);
      const number = /^-?\d{1,15}$/.test(value) ? Number(value) : null;
      if (name === "at" && number !== null) this.#at = Math.max(0, number);
      else if (field?.options && [...field.options].some((one) => one.value === value))
        params[name] = value;
      else if (field && !field.options && number !== null) params[name] = number;
      else odd.push(word("The link has an unknown setting: “{pair}”.", { pair: plain(pair, 40) }));
    }
    this.#draw(params, odd.slice(0, 3));
  }

  #fields() {
    return [...this.#controls.querySelectorAll(".model-control input, .model-control select")];
  }

  #settings() {
    return Object.fromEntries(this.#fields().map((field) => [field.name, this.#value(field)]));
  }

  #part(name) {
    return this.#controls.querySelector(`[name=${name}]`);
  }

  #value(field) {
    if (field.options) return field.value;
    return "doubling" in field.dataset ? 2 ** field.valueAsNumber : field.valueAsNumber;
  }

  #say_value(field) {
    const output = field.closest(".model-control").querySelector("output");
    if (!output) return;
    const { unit } = field.dataset;
    const text = grouped(this.#value(field)) + (unit ? ` ${unit}` : "");
    say_in(output, text);
    field.setAttribute("aria-valuetext", text);
  }

  #on_input(target) {
    this.#stop();
    if (target.name === "at") {
      this.#at = target.valueAsNumber;
    } else {
      this.#say_value(target);
      this.#at = -1; // another run: show its first frame
    }
    this.#draw();
  }

  #on_click(event) {
    const name = event.target.closest("button")?.name;
    if (name === "play") return this.#playing === null ? this.#play() : this.#stop();
    if (name === "step") this.#go(this.#at >= this.#length ? 0 : this.#at + 1);
    if (name === "again") this.#go(0);
  }

  /** Puts the link into the address bar and, if allowed, on the clipboard. */
  async #share(event) {
    event.preventDefault();
    const link = event.target.closest(".model-link");
    // In an embed, it leads to the model on its page.
    if (link.pathname !== location.pathname) return open(link.href, "_blank", "noopener");
    history.replaceState(history.state, "", link.href);
    const words = link.textContent;
    try {
      await navigator.clipboard.writeText(link.href);
      link.textContent = word("Link copied");
    } catch {
      link.textContent = word("The link is in the address bar");
    }
    this.#tell(link.textContent);
    if (words === word("Link"))
      setTimeout(() => {
        link.textContent = words;
      }, 2000);
  }

  #go(step) {
    this.#stop();
    this.#at = step;
    this.#draw();
  }

  #play() {
    this.#has_played = true;
    if (this.#at >= this.#length) this.#at = 0;
    // With reduced motion, show the end of the run.
    if (still.matches) return this.#go(this.#length);
    const length = this.#length;
    const power = length > long_run ? 2 : 1;
    const seconds = power === 2 ? run_seconds : Math.min(run_seconds, length / 1.5);
    const begin = performance.now() - (this.#at / length) ** (1 / power) * seconds * 1000;
    const tick = (now) => {
      const share = Math.min(1, (now - begin) / 1000 / seconds);
      const at = Math.max(this.#at, Math.floor(length * share ** power));
      if (at !== this.#at) {
        this.#at = at;
        this.#draw();
      }
      if (at >= length) this.#stop();
      else if (this.#playing !== null) this.#playing = requestAnimationFrame(tick);
    };
    this.#playing = requestAnimationFrame(tick);
    this.#part("play").textContent = word("Pause");
  }

  #stop() {
    if (this.#playing === null) return;
    cancelAnimationFrame(this.#playing);
    this.#playing = null;
    this.#name_play();
    this.#tell();
  }

  #name_play() {
    const play = this.#part("play");
    if (play && this.#playing === null)
      say_in(play, word(this.#has_played && this.#at >= this.#length ? "Replay" : "Play"));
  }

  /** Notifies screen readers once nothing changes, not sixty times per second. */
  #tell(words) {
    clearTimeout(this.#told);
    if (this.#playing !== null) return;
    const place = this.#figure.querySelector(".model-told");
    this.#told = setTimeout(() => {
      place.textContent = words ?? this.#figure.querySelector(".model-summary").textContent;
      this.#told = setTimeout(() => (place.textContent = ""), heard_in);
    }, quiet);
  }

  /** The module's answer; null, with the reason on the page, if the settings are invalid. */
  #ask(request) {
    try {
      return this.#call({ ...request, ...this.#known });
    } catch (error) {
      this.#figure.querySelector(".model-notices").textContent = error.message;
      this.#tell(error.message);
      return null;
    }
  }

  #draw(params = this.#settings(), odd = []) {
    const { id } = this.#figure;
    const [place, width] = wide.matches ? ["wide", "column"] : ["narrow", "narrow"];
    const frame = this.#ask({
      op: "frame",
      model: this.#figure.dataset.model,
      params,
      step: this.#at,
      options: {
        width,
        theme: "css",
        lang: this.#figure.querySelector("svg").getAttribute("lang"),
      },
    });
    if (!frame) return;
    this.#at = frame.step;
    this.#length = frame.length;
    show_svg(this.#figure.querySelector(`.plot-${place}`), localized(this.#words, frame));
    this.#say(frame, odd);
    this.#show_settings(frame);
    this.#table = frame.table;
    this.#fill_table();
    const settings = Object.entries(frame.params).map(([name, value]) => `${name}:${value}`);
    const share = this.#figure.querySelector(".model-link");
    const link = new URL(share.href);
    link.search = `?${id}=${[...settings, `at:${frame.step}`].join(",")}`;
    link.hash = id;
    share.href = link;
    this.#tell();
  }

  #say(frame, odd) {
    const summary = this.#figure.querySelector(".model-summary");
    const changed = frame.notices.map((notice) => `${told(this.#words, notice) ?? heard(notice)}.`);
    const notices = [...odd, ...changed].join(" ");
    say_in(summary.querySelector(".model-notices"), notices && `${notices} `);
    const sentences = told(this.#words, frame.description);
    // As the build writes it, so that the first step changes no line.
    const words = with_narrow_spaces(sentences ?? frame.description).replaceAll("'", "’");
    const seen = summary.querySelector(".model-words");
    if (this.#words) seen.lang = sentences === undefined ? "en" : language;
    say_in(seen, words);
    // The room for the text never shrinks, so what is below moves at most once. Notices overlap the
    // text.
    if (words.length > summary.dataset.longest.length) summary.dataset.longest = words;
  }

  #show_settings({ params, unused, step, length, where }) {
    for (const field of this.#fields()) {
      const value = params[field.name];
      field.value = "doubling" in field.dataset ? Math.log2(value) : value;
      field.disabled = unused.includes(field.name);
      this.#say_value(field);
    }
    const at = this.#part("at");
    if (!at) return;
    const words = between_thousands(said(this.#words, where));
    at.max = length;
    at.value = step;
    at.setAttribute("aria-valuetext", words);
    say_in(this.#part("where"), words);
    this.#name_play();
  }

  #fill_table() {
    const fold = this.#figure.querySelector(".plot-data");
    if (fold?.open && this.#table)
      fill_table(fold.querySelector("table"), this.#table, this.#words);
  }
}

const drivers = new WeakMap();

/** The driver of the figure, created on first use. */
export async function driver_of(figure) {
  if (!drivers.has(figure)) {
    const [call, data, reference, words] = await Promise.all([
      module_of(figure.dataset.module),
      page_data(),
      reference_profile(),
      drawing_words(),
    ]);
    const machine =
      machine_of(store.load().profile, "your machine") ??
      machine_of(reference, "reference machine");
    // Two touches while it loads share one driver.
    if (!drivers.has(figure))
      drivers.set(figure, new Driver(figure, call, { facts: data.facts, machine }, words));
  }
  return drivers.get(figure);
}
