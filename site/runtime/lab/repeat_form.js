// "Repeat one kernel" on /machine/: runs a kernel with chosen parameters until the reader stops it.
// Shows its rate, its work per cycle and the clock as they arrive, and offers them as a file.

import { make } from "../base/element.js";
import { digits } from "../base/digits.js";
import { heard, language, word } from "../base/language.js";
import { Cancelled } from "../measure/measure.js";
import { repeat } from "../measure/repeat.js";
import { download } from "../page/download.js";
import { assets, registry, store } from "../page/page.js";
import { csv_of } from "../profile/csv.js";
import { draw_series } from "./series_line.js";
import { per_cycle, series_file, series_rows, series_sentences, summary_of } from "./series.js";

const usual = "peak.fma";
const redraw_ms = 250;
const said_every_s = 30; // for screen readers

/** The form as an element; tests pass `asked` in place of measure/repeat.js. */
export async function repeat_form(asked = repeat) {
  const kernels = (await registry()).filter(({ id, team }) => !id.startsWith("gpu.") && !team);
  const select = make("select", { name: "kernel" }, ...kernels.map(option_of));
  const usual_at = kernels.findIndex(({ id }) => id === usual);
  select.value = String(Math.max(0, usual_at));
  const params = make("div", { className: "lab-params" });
  const button = make("button", { type: "submit", textContent: word("Repeat it") });
  const form = make(
    "form",
    { className: "lab-form", noValidate: true },
    make("label", {}, word("Kernel"), " ", select),
    params,
    button,
  );
  const status = make("p", { className: "lab-status" });
  status.setAttribute("role", "status");
  const live = make("div", { className: "lab-live" });
  const end = make("div", { className: "lab-answer" });
  const parts = { kernels, select, params, button, status, live, end, asked };
  const show_params = () => fill_params(params, kernels[select.value]);
  select.addEventListener("change", show_params);
  show_params();
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (parts.stop) parts.stop.abort();
    else run(parts);
  });
  return make("div", { lang: language }, form, status, live, end);
}

const option_of = ({ id, variant, title }, i) =>
  make("option", {
    value: String(i),
    textContent: `${[id, variant].filter(Boolean).join(" ")}: ${word(title)}`,
  });

/** A labeled control for one parameter of the registry. */
function param_control({ name, unit, doc, default: value, min, max, choices = null }) {
  const option = (c) => make("option", { value: c, textContent: c });
  const control = choices
    ? make("select", { name }, ...choices.map(option))
    : make("input", { name, type: "number", min, max, step: "any" });
  control.value = value;
  control.title = doc;
  return make("label", {}, unit ? `${name} (${unit})` : name, " ", control);
}

const fill_params = (place, { params }) => place.replaceChildren(...params.map(param_control));

const given = (place) =>
  Object.fromEntries([...place.querySelectorAll("[name]")].map((c) => [c.name, Number(c.value)]));

async function run(parts) {
  const { kernels, select, params, button, status, live, end, asked } = parts;
  const kernel = kernels[select.value];
  const readings = [];
  const created = new Date().toISOString();
  const say = (words) => (status.textContent = words);
  parts.stop = new AbortController();
  button.textContent = word("Stop");
  end.replaceChildren();
  live.replaceChildren();
  say(word("Warming up"));
  try {
    const how = {
      assets,
      stop: parts.stop.signal,
      on_reading: show_on(live, kernel, readings, say),
    };
    const choices = store.load().profile?.choices;
    const wanted = {
      kernel: kernel.id,
      variant: kernel.variant ?? "",
      params: given(params),
      choices,
    };
    const done = await asked(wanted, how);
    draw(live, kernel, readings);
    end.replaceChildren(...ending({ ...wanted, ...series_of(done), created, readings }));
    say(
      word(
        document.hidden
          ? "Ended, because the page was hidden."
          : "Stopped; the result was checked.",
      ),
    );
  } catch (error) {
    const why = heard(error.message);
    if (error instanceof Cancelled) say(word("Not measured: {why}.", { why }));
    else say(word("Unavailable, because {why}.", { why }));
  } finally {
    parts.stop = null;
    button.textContent = word("Repeat it");
  }
}

const series_of = ({ params, unit, module, browser, engine, os, tick_ms }) => ({
  ...{ params, unit },
  about: { module, browser, engine, os, timer_us: tick_ms * 1e3 },
});

/** Collects readings, draws a few times per second, and announces the state every half minute. */
function show_on(live, kernel, readings, say) {
  let drawn = -Infinity;
  let said = 0;
  return (reading) => {
    readings.push(reading);
    if (performance.now() - drawn < redraw_ms) return;
    drawn = performance.now();
    draw(live, kernel, readings);
    if (readings.length > 1 && reading.at < said + said_every_s) return;
    said = reading.at;
    say(word("Repeating: {value} now.", { value: `${digits(reading.value)} ${kernel.unit}` }));
  };
}

function draw(live, { unit, title }, readings) {
  if (readings.length === 0) return;
  const { burst, sustained, seconds } = summary_of(readings, unit);
  const now = readings.at(-1);
  const rows = [
    [word("Now"), { ...now, per_cycle: per_cycle(now, unit) }],
    [word("Burst"), burst],
    [word("Sustained"), sustained],
  ];
  const cycle = unit === "ns" ? word("cycles") : word("per cycle");
  const heads = ["", unit, cycle, "GHz"].map((textContent) =>
    make(textContent ? "th" : "td", { ...(textContent && { scope: "col" }), textContent }),
  );
  const body = rows.map(([name, part]) =>
    make(
      "tr",
      {},
      make("th", { scope: "row", textContent: name }),
      ...["value", "per_cycle", "ghz"].map((key) =>
        make("td", { textContent: part ? digits(part[key]) : "–" }),
      ),
    ),
  );
  const table = make(
    "table",
    {},
    make("thead", {}, make("tr", {}, ...heads)),
    make("tbody", {}, ...body),
  );
  const words = word("{title} over {n} s", { title: word(title), n: Math.round(seconds) });
  live.replaceChildren(
    draw_series(readings, words, unit),
    make("div", { className: "table" }, table),
  );
}

function ending(series) {
  const { kernel, unit, readings } = series;
  const sentences = series_sentences(summary_of(readings, unit), unit);
  const name = `repeat-${kernel.replaceAll(".", "-")}`;
  const save = (textContent, text_of, type, ending) => {
    const button = make("button", { type: "button", textContent });
    button.addEventListener("click", () => download(text_of(), type, `${name}.${ending}`));
    return button;
  };
  const json = () => `${JSON.stringify(series_file(series), null, 1)}\n`;
  return [
    ...sentences.map((textContent) => make("p", { textContent })),
    make(
      "p",
      { className: "machine-tools" },
      save(word("Save as CSV"), () => csv_of(series_rows(series)), "text/csv", "csv"),
      save(word("Save as JSON"), json, "application/json", "json"),
    ),
  ];
}
