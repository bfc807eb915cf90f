// The trip of one byte: bytes leave the memory of an H100 and reach a tensor core after the
// latency, in slow motion. A stream shows Little's law: as long as bytes arrive at the full
// bandwidth, latency times bandwidth are in flight. How many of the 512 multipliers then work
// depends on how often each byte is used:
//
//   share of busy multipliers = min(1, FLOPs per byte / ridge)
//
// All constants are facts of the book, from the page's data. With reduced motion, a press shows the
// end of the trip.

import { digits } from "../base/digits.js";
import { button, make } from "../base/element.js";
import { word } from "../base/language.js";
import { with_narrow_spaces } from "../base/spaces.js";
import { style_sheet } from "../base/style_sheet.js";
import { page_data } from "../page/page.js";

const still = matchMedia("(prefers-reduced-motion: reduce)");
const ms_per_ns = 20; // in slow motion
const multipliers = 512; // of one tensor core, as in the figure
const uses = [1, 16, 300]; // FLOPs per byte

const steps = [
  [1e12, "T"],
  [1e9, "G"],
  [1e6, "M"],
  [1e3, "k"],
  [1, ""],
];
/** "1.17 MB"; `unit` is B or B/s. */
function amount(value, unit) {
  const [scale, prefix] = steps.find(([least]) => value >= least) ?? steps.at(-1);
  return with_narrow_spaces(`${digits(value / scale)} ${prefix}${unit}`);
}

/**
 * What is on its way `now` (ns): {in_flight, arriving}, bytes and whether a stream arrives. `sent`
 * has the start and the end (Infinity: it goes on) of each stream, and bytes that were sent alone.
 */
export function state_at(now, { streams, alone }, { latency, rate }) {
  const within = ({ begin, end }) =>
    Math.max(0, Math.min(now, end) - Math.max(now - latency, begin)) * rate;
  const single = alone.filter((at) => now - at < latency).length;
  return {
    in_flight: streams.reduce((sum, stream) => sum + within(stream), single),
    arriving: streams.some(({ begin, end }) => now - latency >= begin && now - latency < end),
  };
}

/** The multipliers of a tensor core that are busy while bytes arrive at the full bandwidth. */
export const busy_at = (intensity, ridge) =>
  Math.round(multipliers * Math.min(1, intensity / ridge));

/** The path from the memory to the tensor core, and what is on it. */
class Path {
  #marks = new Map(); // what was sent → its mark
  element = make("div", { className: "trip-path" });

  constructor() {
    this.element.ariaHidden = "true";
  }

  /** Puts the mark for `sent` between two positions from 0 (memory) to 1. */
  #put(sent, from, to, className) {
    let mark = this.#marks.get(sent);
    if (!mark) {
      mark = make("i", { className });
      this.#marks.set(sent, mark);
      this.element.append(mark);
    }
    mark.hidden = from >= 1;
    mark.style.setProperty("--from", Math.max(0, from));
    mark.style.setProperty("--to", Math.min(1, to));
  }

  show(now, { streams, alone }, { latency }) {
    for (const stream of streams)
      this.#put(
        stream,
        (now - Math.min(now, stream.end)) / latency,
        (now - stream.begin) / latency,
        "trip-stream",
      );
    for (const [i, at] of alone.entries())
      this.#put(i, (now - at) / latency, (now - at) / latency, "trip-byte");
  }
}

class Trip {
  #facts;
  #sent = { streams: [], alone: [] };
  #path = new Path();
  #core = make("div", { className: "trip-core" });
  #numbers = make("p", { className: "trip-numbers" });
  #said = make("output", { className: "trip-said" });
  #stream;
  #intensity = uses[0];
  #begin = performance.now();
  #frame = 0;

  constructor(facts) {
    this.#facts = facts;
    this.#core.ariaHidden = "true";
    this.#core.append(...Array.from({ length: multipliers }, () => make("i")));
    const one = button(word("Send a byte"), () => this.#send_one());
    this.#stream = button(word("Send a stream"), () => this.#turn_stream());
    const options = uses.map((value) => make("option", { value, textContent: String(value) }));
    const list = make("select", {}, ...options);
    list.addEventListener("input", () => {
      this.#intensity = Number(list.value);
      this.#show();
    });
    const use = make("label", {}, `${word("FLOPs per byte")} `, list);
    const places = make(
      "p",
      { className: "trip-places" },
      make("span", { textContent: word("memory (HBM)") }),
      make("span", { textContent: word("tensor core") }),
    );
    const way = make("div", {}, places, this.#path.element, this.#numbers);
    this.element = make(
      "div",
      { className: "trip", role: "group", ariaLabel: word("The trip of one byte") },
      make("div", { className: "trip-bar" }, one, this.#stream, use),
      make("div", { className: "trip-stage" }, way, this.#core),
      this.#said,
    );
    this.#show();
  }

  get #now() {
    return (performance.now() - this.#begin) / ms_per_ns;
  }
  get #is_streaming() {
    return this.#sent.streams.at(-1)?.end === Infinity;
  }

  #send_one() {
    const { latency } = this.#facts;
    const values = { ns: digits(latency), rate: amount(1e9 / latency, "B/s") };
    const text =
      "It arrives after {ns} ns. If the next one always waits for that, they arrive at {rate}.";
    this.#sent.alone.push(this.#now);
    this.#said.textContent = with_narrow_spaces(word(text, values));
    this.#play();
  }

  #turn_stream() {
    const now = this.#now;
    if (this.#is_streaming) this.#sent.streams.at(-1).end = now;
    else this.#sent.streams.push({ begin: now, end: Infinity });
    this.#stream.textContent = word(this.#is_streaming ? "Stop the stream" : "Send a stream");
    const { latency, rate } = this.#facts;
    const values = { size: amount(latency * rate, "B"), rate: amount(rate * 1e9, "B/s") };
    this.#said.textContent = this.#is_streaming
      ? word("Once {size} are in flight, bytes arrive at {rate}.", values)
      : word("What is in flight still arrives.");
    this.#play();
  }

  #play() {
    cancelAnimationFrame(this.#frame);
    if (still.matches) this.#begin -= this.#facts.latency * 1.01 * ms_per_ns;
    const step = () => {
      const goes_on = this.#show();
      if (goes_on && !still.matches) this.#frame = requestAnimationFrame(step);
    };
    step();
  }

  /** Draws the present state. Returns whether it changes. */
  #show() {
    const now = this.#now;
    const { in_flight, arriving } = state_at(now, this.#sent, this.#facts);
    const { latency, rate, ridge } = this.#facts;
    const busy = arriving ? busy_at(this.#intensity, ridge) : 0;
    this.#path.show(now, this.#sent, this.#facts);
    this.#core.style.setProperty("--busy", busy);
    [...this.#core.children].forEach((one, i) => one.toggleAttribute("data-busy", i < busy));
    this.#numbers.textContent = word(
      "In flight: {n} of {all}. Busy: {busy} of {units} multipliers.",
      {
        n: amount(in_flight, "B"),
        all: amount(latency * rate, "B"),
        busy,
        units: multipliers,
      },
    );
    return in_flight > 0 || this.#is_streaming;
  }
}

const load_style = style_sheet(new URL("trip_stage.css", import.meta.url));

/** Puts the stage below the drawing and its tools, in place of the button that loaded it. */
export async function stage_in(figure, start) {
  const [{ facts }] = await Promise.all([page_data(), load_style()]);
  const of = (name) => facts[name].value;
  const rate = of("h100-sxm.bandwidth") / 1e9; // B/ns
  const latency = (of("gh200-gpu.latency.hbm") / of("h100-sxm.clock.max")) * 1e9; // ns
  const ridge = of("h100-sxm.peak.bf16") / of("h100-sxm.bandwidth");
  if (!start.isConnected) return; // pressed twice
  const { element } = new Trip({ rate, latency, ridge });
  figure.querySelector(".plot-tools").after(element);
  start.remove();
  element.querySelector("button").focus();
}
