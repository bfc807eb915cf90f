// The tools of a problem page: all questions or one at a time, whose numbers they use, and whether
// the printed sheet has answers. The questions work as in the chapter; without this script they are
// a list that prints without answers.

import { button, make } from "../base/element.js";
import { part_of_page, word } from "../base/first_words.js";
import { stored } from "../base/storage.js";

const scoring = () => part_of_page(() => import("./score.js"));

const checkbox = (words, act) => {
  const box = make("input", { type: "checkbox" });
  box.addEventListener("change", () => act(box.checked));
  return make("label", {}, box, words);
};

/** The position of the question in the address; -1 if it names none. */
const named_in = (questions) => questions.findIndex((one) => one.matches(":target"));

/** Buttons that go from question to question. head.js presses them for the keys n and p. */
function pager(problems, questions) {
  const place = make("output");
  let at = Math.max(0, named_in(questions));
  let is_single = false;
  const draw = () => {
    questions.forEach((one, i) => {
      (one.closest(".guesses") ?? one).hidden = is_single && i !== at;
    });
    for (const group of problems.children)
      group.hidden = is_single && !group.contains(questions[at]);
    place.textContent = word("{i} of {n}", { i: at + 1, n: questions.length });
  };
  const go = (to) => {
    at = Math.min(Math.max(to, 0), questions.length - 1);
    draw();
    questions[at].tabIndex = -1; // the keys n and p work here; the Tab key leads to the answer
    questions[at].focus();
  };
  problems.addEventListener("focusin", ({ target }) => {
    const found = questions.findIndex((one) => one.contains(target));
    if (found < 0) return;
    at = found;
    draw();
  });
  addEventListener("hashchange", () => {
    if (named_in(questions) >= 0) go(named_in(questions));
  });
  const single = checkbox(word("One at a time"), (checked) => {
    is_single = checked;
    draw();
  });
  const previous = button(word("Previous"), () => go(at - 1));
  const next = button(word("Next"), () => go(at + 1));
  previous.className = "problem-previous";
  next.className = "problem-next";
  draw();
  if (stored("answers.v1") !== null && named_in(questions) < 0)
    scoring()
      .then(({ is_solved }) => {
        const first = questions.findIndex((one) => !is_solved(one));
        at = Math.max(0, first);
        draw();
      })
      .catch(() => {}); // offline: the first question
  return [single, make("span", {}, previous, place, next)];
}

/**
 * Whose numbers: the choice in the badge at the top of the page, and with it the list of every
 * question that can be asked about the reader's machine. Solved questions stay as they were.
 */
function numbers(questions) {
  const option = (value, textContent) => make("option", { value, textContent });
  const list = make(
    "select",
    {},
    option("reference", word("the reference machine’s")),
    option("reader", word("my machine’s")),
  );
  const ask_with = async (value) => {
    const { is_solved } = await scoring();
    for (const question of questions) {
      const machine = question.querySelector(".worked-machine");
      if (!machine || is_solved(question) || machine.value === value) continue;
      if (![...machine.options].some((one) => one.value === value)) continue;
      machine.value = value;
      machine.dispatchEvent(new Event("change"));
    }
  };
  const follow = () => {
    const has_own = stored("profile.v1") !== null;
    list.lastChild.disabled = !has_own;
    const value = has_own && stored("numbers") !== "reference" ? "reader" : "reference";
    const asked = list.dataset.asked ?? "reference";
    list.value = list.dataset.asked = value;
    if (value !== asked) ask_with(value === "reader" ? value : "").catch(() => {});
  };
  list.addEventListener("change", async () => {
    const { value } = list; // results that arrive in the meantime would set the list back
    const { choose } = await part_of_page(() => import("../page/machine_chip.js"));
    choose(value);
    follow();
  });
  document.addEventListener("primer-results", follow);
  follow();
  return make("label", {}, word("Show numbers that are"), list);
}

function paper(problems) {
  const with_answers = checkbox(word("with answers"), (checked) =>
    problems.toggleAttribute("data-answers", checked),
  );
  return make(
    "span",
    {},
    button(word("Print"), () => print()),
    with_answers,
  );
}

export function show(problems) {
  const questions = [...problems.querySelectorAll(".predict, .quiz, .worked")];
  const bar = make("div", { className: "problem-bar" });
  bar.append(...pager(problems, questions), numbers(questions), paper(problems));
  problems.previousElementSibling.append(bar);
}
