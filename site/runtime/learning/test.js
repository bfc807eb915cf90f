// The page /test/: twelve questions before chapter 0 and after chapters 1, 5 and 7, each time with
// other numbers. Nothing leaves the page unless the reader saves a file.
//
//   idle --Start--> open: fields, no feedback --Finish--> idle, with the result
//                     |                                     |
//                     +--Stop--> idle                       +--Show the answers--> review
//
// The first test gives no feedback, because it would teach the answers of the later ones.

import { button, label_of, make } from "../base/element.js";
import { word } from "../base/language.js";
import { ask_question, complain, judge, review_question, show_form } from "./test_fields.js";
import { data_row } from "./own_data.js";
import * as record from "./test_record.js";
import { gains, items, score_of } from "./test_score.js";

const occasion_words = () => ({
  before: word("before chapter 0"),
  "after-1": word("after chapter 1"),
  "after-5": word("after chapter 5"),
  "after-7": word("after chapter 7"),
});

const topic_words = () => ({
  counting: word("counting FLOPs and bytes"),
  sides: word("memory-bound or compute-bound"),
  sharing: word("sharing weights in a batch"),
  launching: word("starting kernels"),
  judging: word("judging a measurement"),
  buying: word("buying hardware"),
});

const section_of = (id) => document.getElementById(id);
const answered = (answers) => items.filter((id) => answers[id]?.said?.trim()).length;
const percent = (share) => (share === null ? "–" : `${Math.round(100 * share)} %`);

class Test {
  constructor(heading, panel) {
    this.panel = panel;
    this.panel.setAttribute("aria-label", word("The test"));
    this.status = make("p", { className: "test-status" });
    this.status.setAttribute("role", "status");
    this.foot = make("section", { className: "test-foot" }, this.status);
    this.questions = [heading];
    for (let next = heading.nextElementSibling; next; next = next.nextElementSibling)
      this.questions.push(next);
    heading.closest("main").append(this.foot);
    this.heading = heading;
    heading.tabIndex = -1;
    this.is_asking = false; // not showing results
    this.is_unsaved = false;
  }

  show_questions(is_shown) {
    for (const element of [...this.questions, this.foot]) element.hidden = !is_shown;
  }

  /** Says that the browser stores nothing, once. */
  note_saved(is_saved) {
    this.is_unsaved ||= !is_saved;
  }

  say(text) {
    const unsaved = this.is_unsaved
      ? ` ${word("This browser stores nothing, so your answers last until you leave the page.")}`
      : "";
    this.status.textContent = text + unsaved;
  }

  /** Between two tests: the results so far, and which test is next. */
  show_idle(message = "") {
    const { results } = record.test_record();
    this.is_asking = false;
    this.show_questions(false);
    const status = make("p", { textContent: message });
    status.setAttribute("role", "status");
    this.panel.replaceChildren(
      status,
      ...results_of(results, (occasion) => this.review(occasion)),
      this.start_form(results),
      this.data_row(results),
    );
  }

  start_form(results) {
    const labels = occasion_words();
    const left = record.occasions.filter((occasion) => !results[occasion]);
    if (left.length === 0)
      return make("p", { textContent: word("You have taken all four tests.") });
    const fields = left.map((occasion, i) => {
      const input = make("input", { type: "radio", name: "occasion", value: occasion });
      input.checked = i === 0;
      return make("label", {}, input, labels[occasion]);
    });
    const legend = make("legend", { textContent: word("When are you taking the test?") });
    const start = make("button", { type: "submit", textContent: word("Start the test") });
    const group = make("fieldset", { className: "test-occasions" }, legend, ...fields);
    const form = make("form", {}, group, start);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.note_saved(record.begin(new FormData(form).get("occasion")));
      this.open(true);
    });
    return form;
  }

  data_row(results) {
    return data_row({
      name: "test.cleared",
      is_empty: Object.keys(results).length === 0,
      save: () => ({ file: "my-test.json", value: export_of(results) }),
      clear: record.clear_test,
      put_back: record.put_back,
      changed: () => this.show_idle(),
    });
  }

  /** The open test: fields without feedback. */
  async open(is_new = false) {
    const { open } = record.test_record();
    if (!open) return this.show_idle();
    this.is_asking = true;
    this.facts = await show_form(open.form);
    for (const id of items) {
      ask_question(section_of(id), open.answers[id], (part) => {
        this.note_saved(record.answer(id, part));
        this.count();
      });
    }
    const title = word("The test {occasion}", { occasion: occasion_words()[open.occasion] });
    this.panel.replaceChildren(make("p", { textContent: `${title}.` }));
    const finish = button(word("Finish"), () => this.finish());
    const stop = button(word("Stop without a result"), () => {
      record.abandon();
      this.show_idle();
    });
    this.foot.replaceChildren(this.status, make("p", { className: "own-data" }, finish, stop));
    this.show_questions(true);
    this.count();
    if (is_new) this.heading.focus();
    return undefined;
  }

  count() {
    const { open } = record.test_record();
    if (!open) return this.show_idle(word("The test was finished in another tab."));
    const n = answered(open.answers);
    this.say(
      word("Answered: {n} of {all}. An empty answer counts as wrong.", { n, all: items.length }),
    );
    return undefined;
  }

  async finish() {
    const { open } = record.test_record();
    if (!open) return this.count();
    const judged = {};
    for (const id of items) {
      const { right, problem } = await judge(section_of(id), open.answers[id]?.said, this.facts);
      if (problem) {
        complain(section_of(id));
        return this.say(`${label_of(section_of(id))}: ${problem}.`);
      }
      judged[id] = { ...open.answers[id], right };
    }
    this.note_saved(record.finish(judged));
    const done =
      open.occasion === "before"
        ? word(
            "Your answers are stored. They stay hidden, because the questions return after chapter 1.",
          )
        : word("Your answers are stored.");
    this.show_idle(done);
    this.panel.scrollIntoView({ block: "nearest" });
    return undefined;
  }

  /** The questions of a result with its answers and explanations. */
  async review(occasion) {
    const result = record.test_record().results[occasion];
    if (!result) return;
    record.note_shown(occasion);
    this.is_asking = false;
    const facts = await show_form(result.form);
    const answers = new Map(Object.entries(result.answers));
    for (const id of items) await review_question(section_of(id), answers.get(id) ?? {}, facts);
    const close = button(word("Hide the answers"), () => this.show_idle());
    this.foot.replaceChildren(this.status, make("p", { className: "own-data" }, close));
    this.say(word("Answers of the test {occasion}.", { occasion: occasion_words()[occasion] }));
    this.show_questions(true);
    this.heading.focus();
  }
}

/** A table of results, the gain per topic, and wrong answers that the reader was sure of. */
function results_of(results, review) {
  const labels = occasion_words();
  const done = record.occasions.filter((occasion) => results[occasion]);
  if (done.length === 0) return [];
  const after = done.filter((occasion) => occasion !== "before");
  const list = make("ul", { className: "test-results" });
  for (const occasion of done) {
    const { answers, at } = results[occasion];
    const { right, understood } = score_of(answers);
    const item = make(
      "li",
      {},
      make("b", { textContent: labels[occasion] }),
      ` (${at.slice(0, 10)}): `,
    );
    // Before the first test after a chapter, the number of right answers would be feedback.
    if (after.length === 0) item.append(word("taken"));
    else item.append(word("{n} of {all} right", { n: right, all: items.length }));
    if (occasion !== "before") {
      item.append(`, ${understood ? word("understood") : word("not yet understood")}. `);
      item.append(button(word("Show the answers"), () => review(occasion)));
    }
    list.append(item);
  }
  const heading = make("h2", { textContent: word("Your results") });
  return [heading, list, ...(after.length > 0 ? latest_of(results, after.at(-1)) : [])];
}

function latest_of(results, occasion) {
  const labels = topic_words();
  const latest = score_of(results[occasion].answers);
  const before = results.before ? score_of(results.before.answers) : null;
  const gain = before ? gains(before, latest) : null;
  const head = [word("topic"), word("right"), ...(gain ? [word("gain")] : [])];
  const rows = Object.entries(latest.shares).map(([topic, share]) => {
    const cells = [percent(share), ...(gain ? [percent(gain[topic])] : [])];
    return make(
      "tr",
      {},
      make("th", { scope: "row", textContent: labels[topic] }),
      ...cells.map((textContent) => make("td", { textContent })),
    );
  });
  const titles = head.map((textContent) => make("th", { scope: "col", textContent }));
  const table = make(
    "table",
    {},
    make("caption", {
      textContent: word("The latest test, {occasion}", { occasion: occasion_words()[occasion] }),
    }),
    make("thead", {}, make("tr", {}, ...titles)),
    make("tbody", {}, ...rows),
  );
  const wrong = latest.sure_but_wrong.map((id) => label_of(section_of(id))).join(", ");
  const notes = [
    gain && word("The gain is the part of what was missing before chapter 0 that you know now."),
    wrong && word("You were sure, but wrong: {list}.", { list: wrong }),
    word(
      "Look at the answers only if you do not want to take the test again: a later test would measure your memory.",
    ),
  ].filter(Boolean);
  return [table, ...notes.map((textContent) => make("p", { textContent }))];
}

/** The results as a file: every answer, and the scores. */
const export_of = (results) => ({
  schema: "test/1",
  exported: new Date().toISOString(),
  results: Object.fromEntries(
    Object.entries(results).map(([occasion, result]) => [
      occasion,
      { ...result, score: score_of(result.answers) },
    ]),
  ),
});

/** Fills `panel`; `heading` is the one above the questions. */
export async function show(heading, panel) {
  const test = new Test(heading, panel);
  const refresh = () => (record.test_record().open ? test.open() : test.show_idle());
  await refresh();
  document.documentElement.dataset.asking = ""; // the style sheet hid the questions until now
  addEventListener("storage", () => {
    if (test.is_asking && !record.test_record().open) test.count();
  });
}
