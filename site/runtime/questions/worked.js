// Worked questions: page.wasm grades the answers and handles units and tolerances, with the numbers
// of the book, of another chip, or of the reader's machine.

import { forget, recall, remember } from "./answers.js";
import { make } from "../base/element.js";
import { heard, word } from "../base/language.js";
import { ask, page_data, store } from "../page/page.js";

const result_of = (section) => section.querySelector(".worked-result");
const capitalised = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** The question's data with the numbers that the reader chose. */
async function question_of(section) {
  const question = (await page_data()).worked.find(({ id }) => id === section.id);
  if (!question) throw new Error("this page has no data for this question: reload the page");
  const { id, chips = [], yours, ...book } = question;
  const chosen = section.querySelector(".worked-machine")?.value ?? "";
  if (chosen === "") return book;
  if (chosen === "reader") {
    if (!store.load().profile)
      throw new Error("your machine has not been measured yet: run a measurement first");
    return { ...book, answer: yours, given: {}, machine: "reader" };
  }
  const chip = chips.find((one) => one.id === chosen);
  return { ...book, given: chip.given, answer: chip.answer };
}

const input_of = (section) => section.querySelector(".worked-input");
/** With the book's own numbers: only such an answer counts. */
const is_book = (section) => (section.querySelector(".worked-machine")?.value ?? "") === "";

function complain(section, words) {
  delete section.dataset.graded;
  result_of(section).textContent = words;
  input_of(section).setAttribute("aria-invalid", "true");
}

export async function grade(section) {
  const output = result_of(section);
  const input = input_of(section).value.trim();
  if (input === "") {
    complain(section, word("Type a number with its unit first."));
    return;
  }
  let question = null;
  try {
    question = await question_of(section);
    const { correct, expected } = await ask({ op: "grade", ...question, input });
    input_of(section).removeAttribute("aria-invalid");
    section.dataset.graded = correct ? "right" : "wrong";
    output.textContent = correct
      ? word("Right: {answer}.", { answer: expected })
      : word("Not yet: try again, or open the answer.");
    if (!is_book(section)) return;
    if (correct) remember(section.id, input);
    else forget(section.id);
  } catch (error) {
    const why = `${capitalised(heard(error.message))}.`;
    complain(section, question ? why_not(section, input, why) : why);
  }
}

/** Explains what is wrong with an input, and shows the format of a valid one. */
function why_not(section, input, words) {
  const unit = section.dataset.unit ?? "";
  const is_endless = /^[-+]?[\d.,]+e/i.test(input) && !Number.isFinite(parseFloat(input));
  const why = is_endless ? word("That number is too large.") : words;
  const example = `12.5 ${unit}`.trim();
  return `${why} ${word("An answer looks like this: {example}.", { example })}`;
}

/** Shows the correct answer of an earlier visit. */
export function restore(section) {
  const answer = recall(section.id);
  if (answer === null) return;
  input_of(section).value = answer;
  section.dataset.graded = "right";
  result_of(section).textContent = word("Right, on an earlier visit.");
}

const plain_answer = (section) => section.querySelector(".answer-elsewhere")?.remove();

/**
 * The solution uses the book's numbers; its first line gives the result with the chosen numbers.
 */
async function begin_answer(section, question) {
  const fold = section.querySelector(".answer");
  if (!fold || is_book(section)) return;
  const input = `1 ${section.dataset.unit ?? ""}`.trim();
  const { expected } = await ask({ op: "grade", ...question, input });
  const text = word(
    "With these numbers the answer is {answer}. The explanation below uses the " +
      "question’s numbers.",
    {
      answer: expected,
    },
  );
  plain_answer(section); // a choice may have been made meanwhile
  fold
    .querySelector("summary")
    .after(make("p", { className: "answer-elsewhere", textContent: text }));
}

/** Shows the chosen numbers: "P = 197 TFLOP/s, B = 0.819 TB/s". */
export async function choose_machine(section) {
  const output = result_of(section);
  delete section.dataset.graded;
  plain_answer(section);
  try {
    const question = await question_of(section);
    const { given, machine } = question;
    await begin_answer(section, question);
    if (machine === "reader") {
      output.textContent = word("Computed with your machine's results.");
      return;
    }
    const { facts } = await page_data();
    const numbers = await Promise.all(
      Object.entries(given)
        .filter(([, expression]) => Object.hasOwn(facts, expression))
        .map(async ([name, expression]) => {
          const unit = facts[expression].unit;
          return `${name} = ${(await ask({ op: "evaluate", expression, unit })).text}`;
        }),
    );
    output.textContent =
      numbers.length > 0 ? word("With {numbers}.", { numbers: numbers.join(", ") }) : "";
  } catch (error) {
    output.textContent = `${capitalised(heard(error.message))}.`;
  }
}
