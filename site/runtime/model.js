// Drives a model: its controls, step, play and scrubber, over the C++ in models-*.wasm. Everything that
// is moved here is in the page already (docs/models.md); the module is fetched on the first touch.

import { assets, fetch_ok, once, page_data, reference_profile, store } from "./page.js";
import { fill_table, parse_svg } from "./refresh.js";

const modules = new Map();

/** The C++ of one group of models: call({op, …}) → object. */
function module_of(name) {
  if (!modules.has(name))
    modules.set(
      name,
      once(async () => {
        const bytes = await (await fetch_ok(new URL(name, assets))).arrayBuffer();
        const { connect } = await import("./page_module.js");
        return connect(await WebAssembly.compile(bytes));
      }),
    );
  return modules.get(name)();
}

const run_seconds = 12; // a run from the first step to the last
const still = matchMedia("(prefers-reduced-motion: reduce)");

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

/** One model on the page. */
class Driver {
  #figure;
  #controls;
  #call;
  #known;
  #at;
  #length;
  #playing = null;

  constructor(figure, call, known) {
    this.#figure = figure;
    this.#controls = figure.querySelector(".model-controls");
    this.#call = call;
    this.#known = known;
    const scrubber = this.#part("at");
    this.#at = scrubber.valueAsNumber;
    this.#length = Number(scrubber.max);
    this.#controls.addEventListener("input", (event) => this.#on_input(event.target));
    this.#controls.addEventListener("click", (event) => this.#on_click(event.target));
    // The other layout is drawn when the window calls for it.
    matchMedia("(min-width: 45rem)").addEventListener("change", () => this.#draw());
    // Nobody watches a model whose tab is hidden.
    document.addEventListener("visibilitychange", () => document.hidden && this.#stop());
  }

  /** What the reader touched while the module was on its way. */
  catch_up(target, type) {
    if (type === "click") this.#on_click(target);
    else this.#on_input(target);
  }

  /** Settings from a permalink: "order:tiled,cache:256,at:1500". */
  apply(text) {
    const wanted = new Map(text.split(",").map((pair) => pair.split(":", 2)));
    this.#at = wanted.has("at") ? Number(wanted.get("at")) : -1;
    wanted.delete("at");
    const params = Object.fromEntries(wanted);
    for (const field of this.#fields()) {
      const value = wanted.get(field.name);
      if (value === undefined) continue;
      if (!(field instanceof HTMLSelectElement)) params[field.name] = Number(value);
      field.value = "doubling" in field.dataset ? Math.log2(value) : value;
      this.#say_value(field);
    }
    this.#draw(params);
  }

  #fields() {
    return [...this.#controls.querySelectorAll(".model-control input, .model-control select")];
  }

  #value(field) {
    if (field instanceof HTMLSelectElement) return field.value;
    return "doubling" in field.dataset ? 2 ** field.valueAsNumber : field.valueAsNumber;
  }

  #say_value(field) {
    const output = field.closest(".model-control").querySelector("output");
    if (!output) return;
    const { unit } = field.dataset;
    output.textContent = this.#value(field).toLocaleString("en") + (unit ? ` ${unit}` : "");
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

  #on_click(target) {
    const name = target.closest("button")?.name;
    if (name === "play") return this.#playing === null ? this.#play() : this.#stop();
    if (name === "step") this.#go(this.#at >= this.#length ? 0 : this.#at + 1);
    if (name === "again") this.#go(0);
  }

  #go(step) {
    this.#stop();
    this.#at = step;
    this.#draw();
  }

  #play() {
    if (this.#at >= this.#length) this.#at = 0;
    // Who asked for less motion gets the end of the run.
    if (still.matches) return this.#go(this.#length);
    const from = this.#at;
    const begin = performance.now();
    const rate = Math.max(1.5, this.#length / run_seconds);
    const tick = (now) => {
      const at = Math.min(this.#length, from + Math.floor(((now - begin) / 1000) * rate));
      if (at !== this.#at) {
        this.#at = at;
        this.#draw();
      }
      if (at >= this.#length) this.#stop();
      else if (this.#playing !== null) this.#playing = requestAnimationFrame(tick);
    };
    this.#playing = requestAnimationFrame(tick);
    this.#part("play").textContent = "Pause";
    // A screen reader hears the sentence when the run stops, not sixty times a second.
    this.#figure.querySelector(".model-summary").setAttribute("aria-live", "off");
  }

  #stop() {
    if (this.#playing === null) return;
    cancelAnimationFrame(this.#playing);
    this.#playing = null;
    this.#part("play").textContent = "Play";
    this.#figure.querySelector(".model-summary").removeAttribute("aria-live");
  }

  /** The module's answer; null, with the reason on the page, when the settings make no sense. */
  #part(name) {
    return this.#controls.querySelector(`[name=${name}]`);
  }

  #ask(request) {
    try {
      return this.#call({ ...request, ...this.#known });
    } catch (error) {
      this.#figure.querySelector(".model-notices").textContent = error.message;
      return null;
    }
  }

  #draw(params = Object.fromEntries(this.#fields().map((f) => [f.name, this.#value(f)]))) {
    const { id } = this.#figure;
    const shown = [...this.#figure.querySelectorAll(".plot-wide, .plot-narrow")].find(
      (frame) => frame.offsetParent !== null,
    );
    const width = shown?.classList.contains("plot-narrow") ? "narrow" : "wide";
    const frame = this.#ask({
      op: "frame",
      model: this.#figure.dataset.model,
      params,
      step: this.#at,
      options: {
        width,
        theme: "css",
        id_prefix: `${id}-${width}-`,
        lang: document.documentElement.lang,
      },
    });
    if (!frame) return;
    this.#at = frame.step;
    this.#length = frame.length;
    shown?.replaceChildren(parse_svg(frame.svg));
    this.#figure.querySelector(".model-summary").textContent = frame.description;
    this.#figure.querySelector(".model-notices").textContent = frame.notices.join(" ");
    fill_table(this.#figure.querySelector(".plot-data table"), frame.table);
    const at = this.#part("at");
    const where = this.#part("where");
    at.max = frame.length;
    at.value = frame.step;
    where.textContent = `${frame.step.toLocaleString("en")} of ${frame.length.toLocaleString("en")}`;
    const settings = Object.entries(frame.params).map(([name, value]) => `${name}:${value}`);
    const link = new URL(location.href);
    link.search = `?${id}=${[...settings, `at:${frame.step}`].join(",")}`;
    link.hash = id;
    this.#figure.querySelector(".model-link").href = link;
  }
}

const drivers = new WeakMap();

/** The figure's driver, made on the first touch. */
export async function driver_of(figure) {
  if (!drivers.has(figure)) {
    const [call, data, reference] = await Promise.all([
      module_of(figure.dataset.module),
      page_data(),
      reference_profile(),
    ]);
    const machine =
      machine_of(store.load().profile, "your machine") ?? machine_of(reference, "reference machine");
    // Two touches while it loads are one driver.
    if (!drivers.has(figure))
      drivers.set(figure, new Driver(figure, call, { facts: data.facts, machine }));
  }
  return drivers.get(figure);
}
