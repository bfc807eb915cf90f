// The questions of /test/ as fields without feedback, and afterwards with it. The page's text has
// them as ordinary questions, whose answers are folded; the answers stay hidden during the test.

import { label_of, make } from "../base/element.js";
import { heard, word } from "../base/language.js";
import { with_narrow_spaces } from "../base/spaces.js";
import { ask, page_data } from "../page/page.js";
import { form_of, form_text } from "./test_forms.js";
import { exact } from "./test_score.js";

const choices_of = (section) => [...section.querySelectorAll("details.choice")];
const is_quiz = (section) => section.matches(".quiz");

/** How sure a reader is, from 0 to 2. */
export const sure_words = () => [word("a guess"), word("I think so"), word("sure")];

/** Shows the numbers of a form in all questions and explanations. Resolves to the form's facts. */
export async function show_form(number) {
  const { facts: own_facts, live } = await page_data();
  const { facts, texts } = await form_of(number, own_facts, ask);
  for (const one of live) {
    const { expression, unit } = one;
    const evaluate = () => ask({ op: "evaluate", expression, unit, digits: 3, facts });
    const text = number === 0 ? one.literal : (form_text(texts, one) ?? (await evaluate()).text);
    const element = document.getElementById(one.id);
    if (element) element.textContent = with_narrow_spaces(text);
  }
  return facts;
}

function radios(name, legend, contents, chosen, choose) {
  const items = contents.map((content, i) => {
    const input = make("input", { type: "radio", name, value: String(i), checked: i === chosen });
    input.addEventListener("change", () => choose(i));
    return make("label", {}, input, make("span", {}, ...[content].flat()));
  });
  return make("fieldset", {}, make("legend", { textContent: legend }), ...items);
}

/** The field for the answer to a question, with the answer so far. */
function field_of(section, said, tell) {
  const label = label_of(section);
  if (is_quiz(section)) {
    const contents = choices_of(section).map((choice) => [
      ...choice.querySelector("summary").cloneNode(true).childNodes,
    ]);
    const legend = word("Your answer, {question}", { question: label });
    const group = radios(`${section.id}-said`, legend, contents, Number(said ?? -1), (i) =>
      tell({ said: String(i) }),
    );
    group.className = "test-choices";
    return [group];
  }
  const input = make("input", {
    value: said ?? "",
    className: "worked-input",
    autocomplete: "off",
    spellcheck: false,
    ariaLabel: word("Your answer, {question}", { question: label }),
  });
  input.setAttribute("aria-describedby", `${section.id}.ask`);
  input.addEventListener("input", () => {
    input.removeAttribute("aria-invalid");
    tell({ said: input.value.slice(0, 200) });
  });
  const { unit } = section.dataset;
  return [input, ...(unit ? [make("span", { className: "unit", textContent: unit })] : [])];
}

/** The element of a question that holds its field, and hides what would give the answer away. */
function row_of(section, is_open) {
  const hidden = is_quiz(section)
    ? section.querySelectorAll(".choices, .quiz-result")
    : section.querySelectorAll(".answer, .worked-machine");
  for (const element of hidden) element.hidden = is_open;
  const row = section.querySelector(".answer-row") ?? make("div", { className: "answer-row" });
  if (!row.isConnected) section.querySelector(".choices").after(row);
  row.replaceChildren();
  return row;
}

/** Turns a question into fields; `tell({said} or {sure})` is called on each change. */
export function ask_question(section, { said, sure } = {}, tell) {
  delete section.dataset.graded;
  const legend = word("How sure are you? {question}", { question: label_of(section) });
  const confidence = radios(`${section.id}-sure`, legend, sure_words(), sure ?? -1, (i) =>
    tell({ sure: i }),
  );
  confidence.className = "test-sure";
  row_of(section, true).append(...field_of(section, said, tell), confidence);
}

const question_of = async (section) => {
  const { chips, id, ...question } = (await page_data()).worked.find(
    (one) => one.id === section.id,
  );
  return question;
};

/**
 * Judges an answer: {right}, or {problem} if the input cannot be read. An empty answer is wrong.
 */
export async function judge(section, said, facts) {
  if (said === undefined || said.trim() === "") return { right: false };
  if (is_quiz(section))
    return { right: choices_of(section)[Number(said)]?.matches(".choice-right") ?? false };
  try {
    const request = { op: "grade", ...(await question_of(section)), facts };
    const { correct } = await ask({ ...request, input: said });
    return { right: correct && (await ask({ ...request, input: exact(said) })).correct };
  } catch ({ message }) {
    return { problem: heard(message) };
  }
}

/** Marks the field of an input that could not be read. */
export function complain(section) {
  const input = section.querySelector(".worked-input");
  input?.setAttribute("aria-invalid", "true");
  input?.focus();
}

/** Shows an answer, whether it was right, and the explanation with the form's numbers. */
export async function review_question(section, { said, sure, right }, facts) {
  const row = row_of(section, false);
  section.dataset.graded = right ? "right" : "wrong";
  section.dataset.asked = ""; // questions/quiz.js would count an opened choice as an answer
  const shown = is_quiz(section)
    ? (choices_of(section)[Number(said ?? -1)]?.querySelector("summary").textContent ?? "–")
    : said || "–";
  const judged = right ? word("Right.") : word("Wrong.");
  const how = sure === undefined ? "" : ` (${sure_words()[sure]})`;
  const text = `${judged} ${word("Your answer: {answer}", { answer: shown })}${how}`;
  row.append(make("output", { textContent: text }));
  if (is_quiz(section)) {
    for (const choice of choices_of(section)) choice.open = true;
    section.querySelector(".quiz-result").hidden = true;
    return;
  }
  const question = await question_of(section);
  const input = `1 ${question.unit}`.trim();
  const { expected } = await ask({ op: "grade", ...question, input, facts });
  section.querySelector(".answer strong").textContent = with_narrow_spaces(expected);
  section.querySelector(".answer").open = true;
}
