// Predictions: the reader's guesses, stored in this browser and shown next to the measured values.

import { forget, name_of, recall, remember } from "./answers.js";
import { draw_strip } from "./guess_strip.js";
import { record_guess } from "./guesses.js";
import { unveil } from "./veil.js";
import { heard, word } from "../base/language.js";
import { ask, page_data } from "../page/page.js";

const result_of = (section) => section.querySelector(".predict-result");
const input_of = (section) => section.querySelector(".predict-input");
const group_of = (section) => section.closest(".guesses");
const picks_of = (section) => [...section.querySelectorAll(".choices .pick")];
const typed_in = (group) => [...group.querySelectorAll("section.predict")].filter(input_of);

async function question_of(section) {
  const question = (await page_data()).predictions.find(({ id }) => id === section.id);
  if (!question) throw new Error("this page has no data for this question: reload the page");
  return question;
}

const capitalised = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** How far off the guess was. Within a tenth counts as correct. */
export function how_far({ ratio, factor }) {
  if (ratio > 1 / 1.1 && ratio < 1.1) return word("You were right within 10 %.");
  const guessed = ratio > 1 ? "You guessed {factor} too high." : "You guessed {factor} too low.";
  return word(guessed, { factor });
}

export const machine_of = (from) => word(from === "reader" ? "Your machine" : "Reference machine");

/** The guess and the measured value as numbers in `unit`, and whose the measurement is. */
export async function compare(measured, unit, input) {
  const answer = await ask({ op: "compare", measured, unit, input });
  const [truth, scale] = await Promise.all([
    ask({ op: "evaluate", expression: measured, unit }).then(({ value }) => value),
    // "1 ×" is no expression, and neither is a 1 without a unit.
    ask({ op: "evaluate", expression: `1 ${unit}`, unit }).then(
      ({ value }) => value,
      () => 1,
    ),
  ]);
  const numbers = { guess: (answer.ratio * truth) / scale, truth: truth / scale };
  return { answer, attempt: { said: input, measured, unit, from: answer.from, ...numbers } };
}

/**
 * What to say about a guess (for a number, also its ratio to the measured value), and the guess as
 * the record stores it.
 */
async function reply_to(section, guess) {
  const { measured, unit, right, kind } = await question_of(section);
  const picks = picks_of(section);
  if (picks.length > 0) {
    const choice = picks[Number(guess)];
    if (!choice) throw new Error("the saved guess is not one of the choices");
    const text = text_of(choice);
    const is_right = right === undefined ? undefined : picks[right] === choice;
    const said = [
      word("Your guess: {guess}.", { guess: text }),
      is_right && word("Right."),
      is_right === false && word("The right answer: {answer}.", { answer: text_of(picks[right]) }),
    ]
      .filter(Boolean)
      .join(" ");
    const attempt = { said: guess, choice: text.slice(0, 300) };
    if (is_right !== undefined) Object.assign(attempt, { is_right, kind });
    if (measured === undefined) return { words: said, attempt };
    const answer = await ask({ op: "evaluate", expression: measured, unit });
    return { words: `${said} ${machine_of(answer.from)}: ${answer.text}.`, attempt };
  }
  const { answer, attempt } = await compare(measured, unit, guess);
  const found = `${machine_of(answer.from)}: ${answer.measured}`;
  const words = `${word("Your guess: {guess}.", answer)} ${found}. ${how_far(answer)}`;
  return { words, ratio: answer.ratio, from: answer.from, attempt };
}

/** The text of an element without its tooltips, on one line. */
function text_of(element) {
  const copy = element.cloneNode(true);
  for (const tip of copy.querySelectorAll(".tip")) tip.remove();
  return copy.textContent.replace(/\s+/g, " ").trim();
}

/** Records the guess with the text of its question. */
function record(section, { attempt }, is_new) {
  if (!attempt) return; // it could not be compared
  const ask = text_of(section.querySelector(".ask")).slice(0, 400);
  record_guess(name_of(section.id), { ask, ...attempt }, { is_new });
}

const reply_or_why = (section, guess) =>
  reply_to(section, guess).catch((error) => ({ words: `${capitalised(heard(error.message))}.` }));

const strip_of = ({ ratio, from }) => ({
  ratio,
  machine: machine_of(from),
  color: from === "reader" ? "var(--reader)" : "var(--ink)",
});

/**
 * Shows the stored guess, if any, next to the latest measurement. The strip is drawn only in reply
 * to the reader, because it moves the text below.
 */
export async function show_guess(section, { is_reply = false, is_new = false } = {}) {
  const guess = recall(section.id);
  if (guess === null) return;
  const reply = await reply_or_why(section, guess);
  if (recall(section.id) !== guess) return; // it was withdrawn in the meantime
  record(section, reply, is_new);
  section.dataset.guessed = "";
  unveil(section.id);
  const input = input_of(section);
  if (!input) return show_choice(section, Number(guess), reply.words);
  mark(input, false);
  input.disabled = true;
  result_of(section).textContent = reply.words;
  if (is_reply && reply.ratio) draw_strip(section.querySelector(".answer-row"), strip_of(reply));
  name_button(group_of(section));
}

function show_choice(section, chosen, words) {
  picks_of(section).forEach((pick, i) => {
    pick.setAttribute("aria-pressed", String(i === chosen));
    pick.setAttribute("aria-disabled", "true");
  });
  const again = document.createElement("button");
  Object.assign(again, { type: "button", className: "again", textContent: word("Guess again") });
  again.addEventListener("click", () => choose_again(section));
  result_of(section).replaceChildren(words, " ", again);
}

const mark = (input, is_wrong) =>
  is_wrong ? input.setAttribute("aria-invalid", "true") : input.removeAttribute("aria-invalid");

const all_guessed = (group) => typed_in(group).every(({ dataset }) => "guessed" in dataset);

/**
 * The group's button locks guesses in; once all are locked in, it starts again. The focus stays on
 * it.
 */
function name_button(group) {
  const button = group.querySelector(".lock");
  button.textContent = word(all_guessed(group) ? "Guess again" : "Lock in");
}

/**
 * Handles the submitted form: locks in each valid guess or, if all are locked in, withdraws them.
 */
export async function lock_in(group) {
  if (all_guessed(group)) return guess_again(group);
  const had_focus = group.contains(document.activeElement);
  const open = typed_in(group).filter(({ dataset }) => !("guessed" in dataset));
  await Promise.all(open.map(lock_one));
  const wrong = group.querySelector('[aria-invalid="true"]');
  if (had_focus) (wrong ?? group.querySelector(".lock")).focus();
}

async function lock_one(section) {
  const input = input_of(section);
  const guess = input.value.trim();
  const complain = (words) => {
    result_of(section).textContent = words;
    mark(input, true);
  };
  if (guess === "") return complain(word("Type a guess first."));
  try {
    await reply_to(section, guess);
  } catch (error) {
    return complain(`${capitalised(heard(error.message))}.`);
  }
  remember(section.id, guess);
  return show_guess(section, { is_reply: true, is_new: true });
}

/** A choice is the guess. The first one counts until it is withdrawn. */
export async function choose(section, index) {
  if ("guessed" in section.dataset) return;
  remember(section.id, String(index));
  await show_guess(section, { is_new: true });
}

function open_again(section) {
  forget(section.id);
  delete section.dataset.guessed;
  section.querySelector(".guess-strip")?.remove();
  section.querySelector("details.answer").open = false;
}

function guess_again(group) {
  for (const section of typed_in(group)) {
    open_again(section);
    Object.assign(input_of(section), { disabled: false, value: "" });
    result_of(section).textContent = "";
  }
  name_button(group);
  input_of(group).focus();
}

function choose_again(section) {
  open_again(section);
  for (const pick of picks_of(section)) {
    pick.setAttribute("aria-pressed", "false");
    pick.removeAttribute("aria-disabled");
  }
  result_of(section).textContent = word("Choosing an answer locks it in.");
  picks_of(section)[0].focus();
}

document.addEventListener("primer-results", () => {
  for (const section of document.querySelectorAll("section.predict[data-guessed]"))
    show_guess(section, { is_reply: section.querySelector(".guess-strip") !== null });
});
