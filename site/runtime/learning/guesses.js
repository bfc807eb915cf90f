// The page /guesses/: the reader's guesses next to the measured values, in a sentence, a drawing
// and a table; three old questions to answer again; and the buttons to share, save and clear.
//
// A record here is {key, tries, ask, guess, truth, unit, from, kind}: a question with its tries and
// the numbers of the first try. The guess of a roof on the home page counts as two records.

import { button, make } from "../base/element.js";
import { digits } from "../base/digits.js";
import { heard, language, word } from "../base/language.js";
import { forget, key_of, set_stored, stored } from "../base/storage.js";
import { offer_card } from "../machine/share.js";
import { store } from "../page/page.js";
import { corner_of } from "../profile/machine_summary.js";
import * as answers from "../questions/answers.js";
import { stored_guess } from "../questions/guess.js";
import { make_strip } from "../questions/guess_strip.js";
import * as guesses from "../questions/guesses.js";
import { compare, how_far, machine_of } from "../questions/predict.js";
import { bias_of, grouped, kind_of, kinds, ratio_of, to_ask_again } from "./calibration.js";
import { draw_guesses, legend_of } from "./guess_plot.js";
import { guess_card } from "./guess_card.js";
import { data_row } from "./own_data.js";

const roof_entry = "guess.v1";
const times = (value) => digits(value, 2);
const amount = ({ unit }, value) => `${digits(value, 3)} ${unit}`.trim();

/** The chapter of a question: {title, href}. Without an entry in the contents, its address. */
function chapter_of(key) {
  const [path] = key.split("#");
  const root = new URL(document.querySelector(".page-head .book")?.href ?? "./", document.baseURI);
  const url = new URL(path, root).href;
  const link = [...document.querySelectorAll(".contents-list a")].find(({ href }) => href === url);
  return { title: link?.textContent.trim() ?? (path || word("Home")), href: url };
}

/** The roof that the reader guessed on the home page, next to the measured one. */
function roof_records() {
  const guess = stored_guess();
  const { profile } = store.load();
  if (!guess || !profile) return [];
  const { ceiling, slope } = corner_of(profile);
  const roof = (kind, ask, said, truth, unit) => {
    const attempt = { ask, guess: said / 1e9, truth, unit, from: "reader" };
    return { key: "#fig-home-roofs", kind, tries: [attempt], is_roof: true, ...attempt };
  };
  return [
    ...(slope > 0
      ? [roof("memory", word("Your core's bandwidth"), guess.bandwidth, slope, "GB/s")]
      : []),
    ...(ceiling > 0
      ? [roof("compute", word("Your core's FLOP/s"), guess.rate, ceiling, "GFLOP/s")]
      : []),
  ];
}

/** All guesses of numbers, and all choices, which have no number to compare. */
function read_records() {
  const records = [];
  const choices = [];
  for (const [key, tries] of guesses.all_guesses()) {
    const [first] = tries;
    if (first.measured) records.push({ key, tries, kind: kind_of(first.measured), ...first });
    else choices.push({ key, ...first });
  }
  return { records: [...roof_records(), ...records], choices };
}

/** Compares guesses with the reader's own results, where these did not exist at the time. */
async function renew_truths() {
  if (!store.load().profile) return;
  for (const [key, tries] of guesses.all_guesses()) {
    const last = tries.at(-1);
    if (!last.measured || last.from === "reader") continue;
    // Without a result, the reference machine's number stays.
    const found = await compare(last.measured, last.unit, last.said).catch(() => null);
    const attempt = found?.attempt;
    if (attempt?.from === "reader") guesses.record_guess(key, attempt, { is_new: false });
  }
}

/** "within 2.0×", "6.0× too high": how far off several guesses are. */
function bias_words(records) {
  const { side, factor } = bias_of(records.map(ratio_of));
  const n = times(factor);
  if (side === "high") return word("{n}× too high", { n });
  return side === "low" ? word("{n}× too low", { n }) : word("within {n}×", { n });
}

const by_kind = (records) => {
  const groups = grouped(records, ({ kind }) => kind);
  return kinds.filter((kind) => groups.has(kind)).map((kind) => [kind, groups.get(kind)]);
};

/** "6.0× too high for memory", for each kind. */
const kind_phrases = (records) =>
  by_kind(records).map(([kind, group]) =>
    word("{error} for {kind}", { error: bias_words(group), kind: word(kind) }),
  );

function summary_of(records) {
  const n = records.length;
  const list = new Intl.ListFormat(language).format(kind_phrases(records));
  return n === 1
    ? word("In one guess you were {list}.", { list })
    : word("In {n} guesses you were {list}.", { n, list });
}

/** The drawing, again whenever its width changes. */
function plot_of(records) {
  const place = make("div", { className: "guess-plot" });
  const shown = records.map((record) => ({
    ...record,
    title: `${record.ask}: ${amount(record, record.guess)}, ${amount(record, record.truth)}`,
  }));
  const name = word("Guesses against measured values. {text}", { text: summary_of(records) });
  const draw = () => {
    const width = Math.min(640, Math.round(place.clientWidth));
    if (width < 100 || place.dataset.width === String(width)) return;
    place.dataset.width = width;
    const height = Math.round(0.72 * width);
    place.replaceChildren(draw_guesses(shown, { width, height, name }));
  };
  new ResizeObserver(draw).observe(place);
  const legend = make("p", { className: "guess-legend" });
  for (const { kind, mark } of legend_of(records)) legend.append(mark, ` ${word(kind)} `);
  const note = make("small", {
    textContent: word("Each in its own unit. Inside the band, a guess is within a factor of two."),
  });
  return [place, legend, note];
}

/** One strip per group: by kind, or by chapter. */
function strips_of(title, groups) {
  const list = make("ul", { className: "guess-groups" });
  for (const [name, records] of groups) {
    const words = `${name}: ${bias_words(records)} (${records.length})`;
    const strip = make_strip({
      ratios: records.map(ratio_of),
      machine: word("measured value"),
      color: "var(--ink)",
    });
    list.append(make("li", {}, make("p", { textContent: words }), strip));
  }
  return [make("h3", { textContent: title }), list];
}

const date_of = ({ when }) => when?.slice(0, 10) ?? "–";

function table_of(records) {
  const head = [
    word("question"),
    word("guessed"),
    word("measured value"),
    word("off by"),
    word("date"),
  ].map((textContent) => make("th", { scope: "col", textContent }));
  const body = make("tbody");
  for (const record of records) {
    const { href } = chapter_of(record.key);
    const link = make("a", {
      href: `${href}#${record.key.split("#")[1]}`,
      textContent: record.ask,
    });
    const off = ratio_of(record);
    const later = record.tries.slice(1).map((attempt) => factor_words(ratio_of(attempt)));
    const cells = [
      amount(record, record.guess),
      `${amount(record, record.truth)} (${machine_of(record.from)})`,
      [factor_words(off), ...later].join(" → "),
      date_of(record),
    ];
    body.append(
      make(
        "tr",
        {},
        make("th", { scope: "row" }, link),
        ...cells.map((textContent) => make("td", { textContent })),
      ),
    );
  }
  const table = make("table", {}, make("thead", {}, make("tr", {}, ...head)), body);
  const frame = make(
    "div",
    { className: "table", tabIndex: 0, ariaLabel: word("All guesses") },
    table,
  );
  frame.setAttribute("role", "region");
  return frame;
}

const factor_words = (ratio) =>
  ratio >= 1
    ? word("{n}× too high", { n: times(ratio) })
    : word("{n}× too low", { n: times(1 / ratio) });

/** "2 of 3 right for memory", for each kind of the choices that have a right answer. */
function score_of(choices) {
  const judged = choices.filter(({ is_right }) => is_right !== undefined);
  if (judged.length === 0) return [];
  const phrases = by_kind(judged).map(([kind, group]) =>
    word("{right} of {n} right for {kind}", {
      right: group.filter(({ is_right }) => is_right).length,
      n: group.length,
      kind: word(kind),
    }),
  );
  const list = new Intl.ListFormat(language).format(phrases);
  return [
    make("p", { className: "choice-summary", textContent: word("Choices: {list}.", { list }) }),
  ];
}

const judgement_of = ({ is_right }) =>
  is_right === undefined ? "" : ` (${word(is_right ? "right choice" : "wrong choice")})`;

/** Choices have no number, so they are listed and counted, but not drawn. */
function choices_of(choices) {
  if (choices.length === 0) return [];
  const summary = make("summary", {
    textContent: word("Your choices, which have no number ({n})", { n: choices.length }),
  });
  const items = choices.map((record) => {
    const { key, ask, choice } = record;
    const { href } = chapter_of(key);
    const link = make("a", { href: `${href}#${key.split("#")[1]}`, textContent: ask ?? key });
    return make("li", {}, link, ` ${choice}${judgement_of(record)}`);
  });
  const list = make("ul", {}, ...items);
  return [...score_of(choices), make("details", { className: "guess-choices" }, summary, list)];
}

/** A form that asks an old question again. */
function ask_again(record, changed) {
  const output = make("output");
  const input = make("input", {
    autocomplete: "off",
    spellcheck: false,
    className: "predict-input",
  });
  const label = make("label", {}, record.ask, " ", input, ` ${record.unit}`);
  const lock = make("button", { type: "submit", textContent: word("Lock in") });
  const form = make(
    "form",
    { className: "guess-again", noValidate: true },
    label,
    " ",
    lock,
    output,
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const said = input.value.trim();
    if (said === "") return void (output.textContent = word("Type a guess first."));
    try {
      const { answer, attempt } = await compare(record.measured, record.unit, said);
      const ask = record.ask ?? "";
      guesses.record_guess(record.key, { ask, ...attempt }, { is_new: true });
      const then = factor_words(ratio_of(record.tries.at(-1)));
      output.textContent = `${machine_of(answer.from)}: ${answer.measured}. ${how_far(answer)} ${word("Last time: {text}.", { text: then })}`;
      input.disabled = true;
      lock.remove();
      changed();
    } catch ({ message }) {
      output.textContent = `${heard(message)}.`;
    }
  });
  return form;
}

function again_section(records, changed) {
  const old = records.filter(
    ({ tries, is_roof }) => !is_roof && guesses.is_old(tries.at(-1), Date.now()),
  );
  if (old.length === 0) return [];
  return [
    make("h3", { textContent: word("Guess again") }),
    make("p", {
      textContent: word(
        "You answered these questions more than a week ago, and they were farthest off.",
      ),
    }),
    ...to_ask_again(old).map((record) => ask_again(record, changed)),
  ];
}

const export_of = ({ records, choices }) => ({
  schema: "guesses/1",
  book: new URL(document.documentElement.dataset.root ?? "./", document.baseURI).href,
  exported: new Date().toISOString(),
  guesses: records.flatMap(({ key, kind, tries }) =>
    tries.map(({ ask, guess, truth, unit, from, when }) => ({
      question: key,
      chapter: chapter_of(key).title,
      kind,
      ask,
      guess,
      truth,
      unit,
      log10_error: Math.log10(guess / truth),
      from,
      when: when ?? null,
    })),
  ),
  choices: choices.map(({ key, ask, choice, is_right, when }) => ({
    question: key,
    ask,
    choice,
    is_right: is_right ?? null,
    when: when ?? null,
  })),
});

/** Removes the guesses and the answers in the chapters that belong to them. */
function clear() {
  const cleared = guesses.clear_guesses();
  const taken = answers.take_out(Object.keys(cleared));
  const roof = stored(roof_entry);
  forget(roof_entry);
  return { guesses: cleared, answers: taken, roof };
}

function put_back(cleared) {
  guesses.put_back(cleared.guesses);
  answers.put_back(cleared.answers);
  if (typeof cleared.roof === "string" && stored(roof_entry) === null)
    set_stored(roof_entry, cleared.roof);
}

function buttons_of(found, changed) {
  const { records, choices } = found;
  const card = button(word("A card to share"), () => {
    const lines = [word("My guesses in this book"), ...kind_phrases(records)];
    offer_card(() => guess_card(records, lines)).catch(() => {});
  });
  return data_row({
    name: "guesses.cleared",
    is_empty: records.length + choices.length === 0,
    save: () => ({ file: "my-guesses.json", value: export_of(found) }),
    clear,
    put_back,
    changed,
    more: records.length > 0 ? [card] : [],
  });
}

/** Everything that depends on the stored guesses. */
function content_of(none, changed) {
  const found = read_records();
  const { records, choices } = found;
  const shown =
    records.length === 0
      ? [none]
      : [
          make("p", { className: "guess-summary", textContent: summary_of(records) }),
          ...plot_of(records),
          ...strips_of(
            word("By kind"),
            by_kind(records).map(([kind, one]) => [word(kind), one]),
          ),
          ...strips_of(
            word("By chapter"),
            grouped(records, ({ key }) => chapter_of(key).title),
          ),
          make("h3", { textContent: word("All guesses") }),
          table_of(records),
        ];
  return [...shown, ...choices_of(choices), buttons_of(found, changed)];
}

/** Shows the guesses in the place of `none`, the sentence for a page without guesses. */
export async function show(none) {
  const place = make("div", { className: "guesses-shown" });
  const again = make("div", { className: "guesses-again" });
  const heading = make("h2", { id: "your-guesses", textContent: word("Guessed and measured") });
  const section = make("section", { className: "guesses-page" }, heading, place, again);
  await renew_truths();
  const refresh = () => place.replaceChildren(...content_of(none, changed));
  const changed = () => {
    refresh();
    // A question that was answered stays with its answer until the page is opened again.
    if (again.querySelector("output:not(:empty)") === null)
      again.replaceChildren(...again_section(read_records().records, refresh));
  };
  none.after(section);
  none.remove();
  changed();
  document.addEventListener("primer-results", refresh);
  const shown = ["guesses.v1", "guess.v1", "profile.v1"].map(key_of);
  addEventListener("storage", ({ key }) => {
    if (key === null || shown.includes(key)) refresh(); // another tab
  });
}
