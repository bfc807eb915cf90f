// Fields, buttons and choices of a chapter's questions. The modules that grade them are imported
// with the first answer, or if there are answers from an earlier visit.
import { label_of, make, named_button } from "../base/element.js";
import { part_of_page, word } from "../base/first_words.js";
import { complain_in, on_demand } from "../base/on_demand.js";
import { stored } from "../base/storage.js";

const has_answers = stored("answers.v1") !== null;

/**
 * A form that loads `module` and calls `use(its exports)` when it is submitted, and reports
 * immediately that it is working.
 */
function form(className, output, load, use, ...children) {
  const element = make("form", { className, noValidate: true }, ...children);
  element.addEventListener("submit", (event) => {
    event.preventDefault();
    if (output.textContent === "") output.textContent = "…";
    on_demand(load, use, complain_in(output));
  });
  return element;
}

/** The field for an answer, with the unit of a number without a unit, and the status text. */
function answer_field(section, words, kind) {
  const id = `${section.id}-input`;
  const output = make("output", { className: `${kind}-result`, id: `${section.id}.result` });
  output.setAttribute("for", id);
  const input = make("input", {
    id,
    name: "guess",
    className: `${kind}-input`,
    autocomplete: "off",
    spellcheck: false,
    ariaLabel: `${words}, ${label_of(section)}`,
  });
  input.setAttribute("aria-describedby", `${section.id}.ask ${output.id}`);
  const { unit } = section.dataset;
  return {
    input,
    output,
    unit: unit ? [make("span", { className: "unit", textContent: unit })] : [],
  };
}

export function add_answer_inputs(within) {
  for (const section of within.querySelectorAll("section.worked")) {
    const { input, output, unit } = answer_field(section, word("Your answer"), "worked");
    const load = () => part_of_page(() => import("./worked.js"));
    const machines = section.querySelector(".worked-machine");
    if (machines) {
      machines.hidden = false;
      machines.addEventListener("change", () =>
        on_demand(load, ({ choose_machine }) => choose_machine(section), complain_in(output)),
      );
    }
    const check = named_button(word("Check"), section, { type: "submit" });
    const parts = [input, ...unit, check, ...(machines ? [machines] : []), output];
    section
      .querySelector(".answer-row")
      ?.append(form("worked-form", output, load, ({ grade }) => grade(section), ...parts));
    if (has_answers) load().then(({ restore }) => restore(section));
  }
}

const predicting = () => part_of_page(() => import("./predict.js"));

/** Adjacent guesses share one button that locks them in. A choice locks itself in. */
export function add_guess_inputs(within) {
  for (const group of within.querySelectorAll(".guesses")) {
    const sections = [...group.querySelectorAll("section.predict")];
    const typed = sections.filter((section) => !section.querySelector(".choices"));
    for (const section of sections) if (!typed.includes(section)) add_choices(section);
    if (typed.length > 0) add_guess_form(group, typed);
    if (!has_answers) continue;
    predicting().then(({ show_guess }) => {
      for (const section of sections) show_guess(section);
    });
  }
}

function add_guess_form(group, sections) {
  const fields = sections.map((section) => answer_field(section, word("Your guess"), "predict"));
  const lock = named_button(word("Lock in"), sections[0], { type: "submit", className: "lock" });
  const guess = form(
    "predict-form",
    fields[0].output,
    predicting,
    ({ lock_in }) => lock_in(group),
    lock,
  );
  guess.id = `${sections[0].id}.form`;
  sections.forEach((section, i) => {
    const { input, output, unit } = fields[i];
    input.setAttribute("form", guess.id);
    const row = section.querySelector(".answer-row");
    row.append(input, ...unit, output, ...(sections.length === 1 ? [guess] : []));
  });
  if (sections.length > 1) group.querySelector(".lock-row").append(guess);
}

function add_choices(section) {
  const output = make("output", {
    className: "predict-result",
    textContent: word("Choosing an answer locks it in."),
  });
  section.querySelector(".answer-row").append(output);
  section.querySelectorAll(".choices > li").forEach((item, i) => {
    const button = make("button", { type: "button", className: "pick" }, ...item.childNodes);
    button.setAttribute("aria-pressed", "false");
    for (const inner of button.querySelectorAll("[tabindex]"))
      for (const name of ["tabindex", "role"]) inner.removeAttribute(name);
    button.addEventListener("click", () =>
      on_demand(predicting, ({ choose }) => choose(section, i), complain_in(output)),
    );
    item.append(button);
  });
}

/** Updates the score of a chapter's problems after each answer. */
export function keep_score() {
  const score = document.querySelector(".score");
  if (!score) return;
  const show = () =>
    part_of_page(() => import("./score.js"))
      .then(({ show_score }) => show_score(score))
      .catch(() => {});
  document.addEventListener("primer-answers", show);
  if (has_answers) show();
}

/** The first choice that the reader opens is the attempt. */
export function watch_quizzes(within) {
  for (const section of within.querySelectorAll("section.quiz")) {
    section.addEventListener(
      "toggle",
      ({ target }) => {
        if (!target.open || "asked" in section.dataset) return;
        // Before anything is loaded, because later movement would surprise the reader.
        section.dataset.asked = "";
        for (const choice of section.querySelectorAll("details.choice")) choice.open = true;
        on_demand(
          () => part_of_page(() => import("./quiz.js")),
          ({ attempt }) => attempt(section, target),
          complain_in(section.querySelector(".quiz-result")),
        );
      },
      true,
    );
    if (has_answers)
      part_of_page(() => import("./quiz.js")).then(({ restore }) => restore(section));
  }
}

/**
 * Activates the draggable roof on the first touch, or if there is a guess or a result from an
 * earlier visit.
 */
export function wake_guess() {
  const form = document.querySelector(".guess-form");
  if (!form) return;
  form.hidden = false;
  const wake = (event) =>
    import("./guess.js").then(({ follow }) => follow(form, event)).catch(() => {});
  const kinds = ["pointerdown", "focusin"];
  const touched = (event) => {
    const { target } = event;
    if (!target.closest?.(".guess, .guess-form, primer-bench.hero")) return;
    for (const kind of kinds) removeEventListener(kind, touched);
    wake(event);
  };
  for (const kind of kinds) addEventListener(kind, touched);
  if (["guess.v1", "profile.v1"].some((name) => stored(name) !== null)) wake();
}
