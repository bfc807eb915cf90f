// Drives a model: its controls, step, play and scrubber, over the C++ in models-*.wasm. Everything that
// is moved here is in the page already (docs/models.md); the module is fetched on the first touch.

import { heard, language, word } from "../base/language.js";
import { between_thousands, with_narrow_spaces } from "../base/spaces.js";
import { plain } from "../profile/machine_name.js";
import { module_of, page_data, reference_profile, store } from "../page/page.js";
import { drawing_words, localized, said, told } from "../page/drawing_words.js";
import { fill_table, show_svg } from "../page/refresh.js";

const run_seconds = 12; // a run from the first step to the last
const long_run = 100; // steps; a longer run starts slowly, so that its first steps can be followed
const quiet = 800; // ms without a change before a screen reader is told
const heard_in = 1000; // ms until it has taken the words, which then are in the summary alone
const still = matchMedia("(prefers-reduced-motion: reduce)");
const wide = matchMedia("(min-width: 45rem)"); // asked of the window: a picture's own size would be laid out first

/** What a model may know of the machine: the roofs of one core, the reader's or the reference's. */
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

/** As the build writes numbers: thousands apart from 10,000 on. */
const grouped = (value) =>
  value < 10000 ? String(value) : with_narrow_spaces(value.toLocaleString("en"));

/** Words that are there already are not laid out again. */
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
    // A folded table is filled when it opens.
    figure.querySelector(".plot-data")?.addEventListener("toggle", () => this.#fill_table());
    // The other layout is drawn when the window calls for it.
    wide.addEventListener("change", () => this.#draw());
    // Nobody watches a model whose tab is hidden.
    document.addEventListener("visibilitychange", () => document.hidden && this.#stop());
  }

  /** What the reader touched while the module was on its way. */
  catch_up(event) {
    if (event.type === "pointermove") this.#grab(event);
    else if (event.target.closest(".model-link")) this.#share(event);
    else if (event.type === "click") this.#on_click(event);
    else this.#on_input(event.target);
  }

  /**
   * Dragging on the drawing moves the main setting: its whole range is as wide as the drawing. One
   * picture a frame, whatever the pointer says meanwhile.
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
   * Settings from a permalink: "order:tiled,cache:256,at:1500". A number out of range is clamped by
   * the model; what is not a setting or no value of one is left out. Both are said.
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
      else odd.push(word("The link's “{pair}” is not a setting.", { pair: plain(pair, 40) }));
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
      this.#at = -1; // another run: its own first picture
    }
    this.#draw();
  }

  #on_click(event) {
    const name = event.target.closest("button")?.name;
    if (name === "play") return this.#playing === null ? this.#play() : this.#stop();
    if (name === "step") this.#go(this.#at >= this.#length ? 0 : this.#at + 1);
    if (name === "again") this.#go(0);
  }

  /** The link goes into the address bar and, where that is allowed, onto the clipboard. */
  async #share(event) {
    event.preventDefault();
    const link = event.target.closest(".model-link");
    history.replaceState(history.state, "", link.href);
    const words = link.textContent;
    try {
      await navigator.clipboard.writeText(link.href);
      link.textContent = word("Link copied");
    } catch {
      link.textContent = word("Link is in the address bar");
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
    // Who asked for less motion gets the end of the run.
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

  /** A screen reader hears the words once things stand still, not sixty times a second. */
  #tell(words) {
    clearTimeout(this.#told);
    if (this.#playing !== null) return;
    const place = this.#figure.querySelector(".model-told");
    this.#told = setTimeout(() => {
      place.textContent = words ?? this.#figure.querySelector(".model-summary").textContent;
      this.#told = setTimeout(() => (place.textContent = ""), heard_in);
    }, quiet);
  }

  /** The module's answer; null, with the reason on the page, when the settings make no sense. */
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
    const link = new URL(location.href);
    link.search = `?${id}=${[...settings, `at:${frame.step}`].join(",")}`;
    link.hash = id;
    this.#figure.querySelector(".model-link").href = link;
    this.#tell();
  }

  #say(frame, odd) {
    const summary = this.#figure.querySelector(".model-summary");
    const changed = frame.notices.map((notice) => `${told(this.#words, notice) ?? heard(notice)}.`);
    const notices = [...odd, ...changed].join(" ");
    say_in(summary.querySelector(".model-notices"), notices && `${notices} `);
    const sentences = told(this.#words, frame.description);
    const words = sentences === undefined ? frame.description : with_narrow_spaces(sentences);
    const seen = summary.querySelector(".model-words");
    if (this.#words) seen.lang = sentences === undefined ? "en" : language;
    say_in(seen, words);
    // Room once taken is kept, so that what stands below moves at most once. Notices lie over the words.
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

/** The figure's driver, made on the first touch. */
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
    // Two touches while it loads are one driver.
    if (!drivers.has(figure))
      drivers.set(figure, new Driver(figure, call, { facts: data.facts, machine }, words));
  }
  return drivers.get(figure);
}
