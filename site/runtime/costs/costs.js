// The bill of /your-model/: sends the model and the settings to costs.wasm
// (figures/page/costs_call.hpp) and writes its answer into the elements that the build made.

import { make } from "../base/element.js";
import { heard, word } from "../base/language.js";
import { own } from "../base/own.js";
import { between_thousands } from "../base/spaces.js";
import { machine_of } from "../models/model.js";
import { ask, module_of, page_data, reference_profile, store } from "../page/page.js";
import { show_svg } from "../page/refresh.js";
import {
  apply_fragment,
  first_settings,
  fragment_of,
  has_settings,
  settings_of,
} from "./settings.js";
import { largest_file } from "./wake.js";

/** "{n} billion¦n=8.03" in the language of the page. */
export function sentence(text) {
  const [english, ...pairs] = text.split("¦");
  const values = pairs.map((pair) => {
    const at = pair.indexOf("=");
    return [pair.slice(0, at), pair.slice(at + 1)];
  });
  return between_thousands(word(english, Object.fromEntries(values)));
}

/** The GPU of a profile: [name, FLOP/s, B/s, memory, count]; null if it was not measured. */
export function gpu_of(profile) {
  const roof = (kind, name) =>
    (profile?.roofs ?? []).find(({ device, class: c }) => device === "gpu" && c?.[kind] === name)
      ?.value;
  const [peak, bandwidth] = [roof("type", "f32"), roof("level", "out")];
  return peak > 0 && bandwidth > 0 ? [peak * 1e9, bandwidth * 1e9, 0, 1] : null;
}

/**
 * The machines after the chip: the reader's processor and GPU, or the reference machine. The last
 * member is the machine's name in the figure, which is translated there.
 */
async function other_machines() {
  const { profile } = store.load();
  const own = machine_of(profile, "");
  const core = own ?? machine_of(await reference_profile().catch(() => null), "");
  const gpu = gpu_of(profile);
  return [
    core && [
      word(own ? "Your processor, one core" : "The reference machine, one core"),
      ...[core.peak, core.bandwidth, 0, 1, own ? "your machine" : "reference machine"],
    ],
    gpu && [word("Your GPU, in 32 bits"), ...gpu, "your GPU"],
  ].filter(Boolean);
}

const source_line = (id, sources) => {
  if (!id) return make("p", { textContent: word("Source: the configuration.") });
  const link = make("a", { href: `#ref-${id}`, textContent: own(sources, id) ?? "" });
  return make("p", {}, `${word("Source:")} [`, link, "]");
};

function line_of([, label, value, share, source, kind], steps, sources) {
  const details = make(
    "details",
    {},
    make("summary", { textContent: sentence(label) }),
    ...steps.flatMap(([, formula, filled]) => [
      make("p", { textContent: word(formula) }),
      make("p", { className: "costs-filled", textContent: between_thousands(filled) }),
    ]),
    source_line(source, sources),
  );
  const cell = make("td");
  if (Number(share) > 0) {
    const bar = make("meter", { value: Number(share) });
    bar.ariaHidden = "true";
    cell.append(bar);
  }
  cell.append(sentence(value));
  return make(
    "tr",
    { className: kind === "sum" ? "costs-sum" : "" },
    make("td", {}, details),
    cell,
  );
}

/** One table per section. */
function parts_of(rows, sources) {
  const parts = [];
  for (let i = 0; i < rows.length; i++) {
    if (rows[i][0] === "section") {
      const caption = make("caption", { textContent: sentence(rows[i][1]) });
      parts.push(make("table", { className: "costs-part" }, caption, make("tbody")));
    } else if (rows[i][0] === "line") {
      const steps = [];
      while (rows[i + 1 + steps.length]?.[0] === "step") steps.push(rows[i + 1 + steps.length]);
      parts.at(-1).tBodies[0].append(line_of(rows[i], steps, sources));
    }
  }
  return parts;
}

/** Fills the table of a frame; hides it if there are no rows. */
function fill_grid(frame, rows) {
  frame.hidden = !rows;
  if (!rows) return;
  const [columns, ...lines] = rows;
  const table = frame.querySelector("table");
  table.tHead.rows[0].replaceChildren(
    ...columns.map((text) => make("th", { scope: "col", textContent: word(text) })),
  );
  table.tBodies[0].replaceChildren(
    ...lines.map(([name, ...cells]) =>
      make(
        "tr",
        {},
        make("th", { scope: "row", textContent: sentence(name) }),
        ...cells.map((cell) => make("td", { textContent: sentence(cell) })),
      ),
    ),
  );
}

/** Redraws the roofline from its specification, which the module answered as text. */
async function draw_roofline(figure, text) {
  const spec = JSON.parse(text);
  for (const width of ["wide", "narrow"]) {
    const frame = figure.querySelector(`.plot-${width}`);
    const lang = frame.querySelector("svg").getAttribute("lang");
    const options = { width, theme: "css", lang };
    const { svg } = await ask({ op: "render", spec, options, reader: null });
    if (figure.dataset.spec !== text) return; // a setting has changed meanwhile
    show_svg(frame, svg);
  }
}

/** The bill of one page. */
class Bill {
  #place;
  #form;
  #call;
  #data;
  #machines;
  #first;
  #is_due = false;

  constructor(place, call, data, machines) {
    this.#place = place;
    this.#form = place.querySelector(".costs-form");
    [this.#call, this.#data, this.#machines] = [call, data, machines];
    this.#first = first_settings(this.#form);
    this.#form.addEventListener("input", (event) => this.#changed(event.target.name));
    this.#accept_files();
    addEventListener("hashchange", () => this.#follow());
    addEventListener("primer-results", async () => {
      this.#machines = await other_machines();
      this.#write();
    });
  }

  #follow() {
    if (!has_settings()) return;
    apply_fragment(this.#form, location.hash);
    this.#write();
  }

  /** Applies what happened while this was loading. */
  begin() {
    if (has_settings()) this.#follow();
    else this.#changed(this.#form.elements.config.value ? "config" : "model");
  }

  #changed(name) {
    const { model, config } = this.#form.elements;
    if (name === "config") model.value = "own";
    const own = this.#place.querySelector(".costs-own");
    if (name === "model" && model.value === "own") {
      own.open = true;
      config.focus();
    }
    if (this.#is_due) return;
    this.#is_due = true;
    requestAnimationFrame(() => {
      this.#is_due = false;
      this.#write();
      const link = fragment_of(this.#form, this.#first);
      if (link || has_settings())
        history.replaceState(history.state, "", link || location.pathname + location.search);
    });
  }

  #accept_files() {
    const own = this.#place.querySelector(".costs-own");
    this.#form.addEventListener("dragover", (event) => {
      event.preventDefault();
      own.open = true;
      own.classList.add("dropping");
    });
    this.#form.addEventListener("dragleave", () => own.classList.remove("dropping"));
    this.#form.addEventListener("drop", async (event) => {
      event.preventDefault();
      own.classList.remove("dropping");
      const [file] = event.dataTransfer.files;
      if (!file) return;
      if (file.size > largest_file) return this.#complain(word("The text is longer than 1 MB"));
      this.#form.elements.config.value = await file.text();
      this.#changed("config");
    });
  }

  #complain(text) {
    this.#place.querySelector(".costs-problem").textContent = text;
    if (text) this.#place.querySelector(".costs-own").open = true;
  }

  #request() {
    const { model, chip, count, ...settings } = settings_of(this.#form);
    const { presets, chips } = this.#data;
    const config = model === "own" ? this.#form.elements.config.value : presets[model];
    const numbers = Object.entries(settings).map(([name, value]) => [name, Number(value)]);
    return {
      config,
      settings: Object.fromEntries(numbers),
      machines: [[...chips[chip], Number(count)], ...this.#machines],
      chips: Object.values(chips).map((one) => [...one, 0]),
    };
  }

  #write() {
    let answer;
    const request = this.#request();
    if (!request.config.trim()) return this.#complain("");
    try {
      answer = this.#call(request);
    } catch (error) {
      return this.#complain(error.message);
    }
    this.#complain(
      answer.problem ? `${sentence(answer.problem)}${where_of(request.config, answer)}` : "",
    );
    this.#place.classList.toggle("costs-old", Boolean(answer.problem));
    if (answer.problem) return;
    const find = (name) => this.#place.querySelector(name);
    const open = this.#open_lines();
    find(".costs-summary").textContent = sentence(answer.summary);
    find(".costs-notes").replaceChildren(
      ...answer.notes.map((note) => make("p", { textContent: sentence(note) })),
    );
    for (const part of this.#place.querySelectorAll(".costs-part")) part.remove();
    find(".costs-notes").after(...parts_of(answer.rows, this.#data.sources));
    for (const details of this.#place.querySelectorAll(".costs-part details"))
      details.open = open.has(key_of(details));
    this.#draw(find(".costs-roofline"), answer.roofline);
    fill_grid(find(".costs-floors"), answer.floors);
    fill_grid(find(".costs-batches"), answer.batches);
    fill_grid(find(".costs-fits"), answer.fits);
  }

  #draw(figure, text) {
    figure.dataset.spec = text;
    figure.removeAttribute("title");
    draw_roofline(figure, text).catch(({ message }) => {
      if (figure.dataset.spec !== text) return;
      figure.title = word("Unavailable, because {why}.", { why: heard(message) });
    });
  }

  #open_lines() {
    const open = this.#place.querySelectorAll(".costs-part details[open]");
    return new Set([...open].map(key_of));
  }
}

/** A line that was open stays open when its numbers change. */
const key_of = (details) =>
  details.querySelector("summary").textContent.replace(/[\d,.\u202F]+/g, "#");

/** The place of a mistake in JSON, as far as the browser says it. */
function where_of(config, { problem }) {
  if (!problem.startsWith("This is not JSON")) return "";
  try {
    JSON.parse(config);
  } catch ({ message }) {
    const [, line, column] = /line (\d+) column (\d+)/.exec(message) ?? [];
    if (line) return ` (${word("line {line}, column {column}", { line, column })})`;
  }
  return "";
}

/** Connects the page to the module and writes the first bill. */
export async function start_bill(place) {
  const [call, { costs }, machines] = await Promise.all([
    module_of(place.dataset.module),
    page_data(),
    other_machines(),
  ]);
  new Bill(place, call, costs, machines).begin();
  place.dataset.ready = "";
}
