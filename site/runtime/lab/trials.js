// The experiments of the lab on /machine/: a button each, its progress, and its result as sentences
// and a table. An experiment that needs several cores reports if the page has only one.

import { make } from "../base/element.js";
import { digits } from "../base/digits.js";
import { heard, language, word } from "../base/language.js";
import { detect } from "../kernels/detect.js";
import { Cancelled } from "../measure/measure.js";
import { plan_of_trial, run_trial } from "../measure/trial.js";
import { assets } from "../page/page.js";
import {
  core_rows,
  core_sentences,
  instruction_rows,
  load_sentences,
  page_rows,
  page_sentences,
} from "./findings.js";

const trials = {
  instructions: {
    name: "Instructions",
    about: "How long one instruction waits for the previous one, and how many run per cycle.",
    show: ({ results }) => [
      table(
        word("Instructions"),
        [word("instruction"), word("cycles, one after the other"), word("per cycle, at most")],
        instruction_rows(results).map(({ title, cycles, per_cycle }) => [
          word(title),
          digits(cycles, 2),
          digits(per_cycle, 2),
        ]),
      ),
    ],
  },
  pages: {
    name: "Pages",
    about: "What it costs to translate the addresses of many pages (TLB).",
    show: ({ results, clock_ghz }) => {
      const rows = page_rows(results);
      return [
        ...said(page_sentences(rows, clock_ghz)),
        table(
          word("Pages"),
          [word("pages"), word("a line each, ns"), word("as many lines side by side, ns")],
          rows.map(({ pages, spread, packed }) => [pages, digits(spread), digits(packed)]),
        ),
      ];
    },
  },
  cores: {
    name: "Core to core",
    about: "How long a line takes from one core to another, and what false sharing costs.",
    show: ({ results }) => {
      const rows = core_rows(results);
      return [
        ...said(core_sentences(rows)),
        table(
          word("Core to core"),
          [word("what"), "ns"],
          [
            ...rows.pairs.map(({ partner, ns }) => [
              word("a line from thread 1 to thread {n}", { n: partner + 1 }),
              digits(ns),
            ]),
            ...rows.counters.map(({ apart, ns }) => [
              word("counting, {n} B apart", { n: apart }),
              digits(ns),
            ]),
          ],
        ),
      ];
    },
  },
  load: {
    name: "Latency under load",
    about: "How long a load waits while other cores read more and more.",
    show: ({ curve }) => [
      ...said(load_sentences(curve)),
      table(
        word("Latency under load"),
        [word("others read, GB/s"), word("a load waits, ns")],
        curve.map(({ gbs, ns }) => [digits(gbs), digits(ns)]),
      ),
    ],
  },
};

const said = (sentences) => sentences.map((textContent) => make("p", { textContent }));

function table(name, heads, rows) {
  const named = heads.map((textContent) => make("th", { scope: "col", textContent }));
  const row_of = ([first, ...rest]) =>
    make(
      "tr",
      {},
      make("th", { scope: "row", textContent: first }),
      ...rest.map((textContent) => make("td", { textContent })),
    );
  const body = make("tbody", {}, ...rows.map(row_of));
  const frame = { className: "table", tabIndex: 0, role: "group", ariaLabel: name };
  const head = make("thead", {}, make("tr", {}, ...named));
  return make("div", frame, make("table", {}, head, body));
}

/**
 * All experiments as an element. Tests pass `run` in place of measure/trial.js, and `found` in
 * place of detect().
 */
export function trials_part(run = run_trial, found = detect()) {
  const parts = Object.entries(trials).map(([id, trial]) => one_trial(id, trial, run, found));
  return make("div", { lang: language }, ...parts);
}

function one_trial(id, { name, about, show }, run, found) {
  const heading = make("h3", { textContent: word(name) });
  const button = make("button", { type: "button" });
  const label = (text) => {
    button.textContent = text;
    button.ariaLabel = `${text}: ${word(name)}`; // tells the four buttons apart
  };
  label(word("Try it"));
  const status = make("p", { className: "lab-status" });
  status.setAttribute("role", "status");
  const answer = make("div", { className: "lab-answer" });
  const { reason } = plan_of_trial(id, found);
  if (reason) {
    button.disabled = true;
    status.textContent = word("Unavailable, because {why}.", { why: heard(reason) });
    if (found.cores > 1 && !found.shared)
      status.textContent += ` ${word("Press “All cores” above to isolate it.")}`;
  }
  const parts = { id, show, run, label, status, answer, stop: null };
  button.addEventListener("click", () => (parts.stop ? parts.stop.abort() : attempt(parts)));
  const words = make("p", { textContent: word(about) });
  return make("section", { className: "lab-trial" }, heading, words, button, status, answer);
}

async function attempt(parts) {
  const { id, show, run, label, status, answer } = parts;
  parts.stop = new AbortController();
  label(word("Cancel"));
  const say = (words, aloud = true) => {
    status.setAttribute("aria-live", aloud ? "polite" : "off");
    status.textContent = words;
  };
  say(word("Warming up"));
  try {
    const on_progress = (fraction, text) =>
      say(`${heard(text)} … ${Math.round(100 * fraction)} %`, false);
    const found = await run(id, { assets, on_progress, signal: parts.stop.signal });
    answer.replaceChildren(...show(found));
    say(word("Done."));
  } catch (error) {
    const why = heard(error.message);
    if (error.message === "canceled") say(word("Canceled. Nothing was saved."));
    else if (error instanceof Cancelled) say(word("Not measured: {why}.", { why }));
    else say(word("Unavailable, because {why}.", { why }));
  } finally {
    parts.stop = null;
    label(word("Try it"));
  }
}
