// A prediction: the reader's guess, kept in this browser and shown beside what was measured.

import { forget, recall, remember } from "./answers.js";
import { heard, word } from "../base/language.js";
import { ask, page_data } from "../page/page.js";

const form_of = (section) => section.querySelector(".predict-form");
const result_of = (section) => section.querySelector(".predict-result");

async function question_of(section) {
  const question = (await page_data()).predictions.find(({ id }) => id === section.id);
  if (!question) throw new Error("the page's data does not list this question: reload the page");
  return question;
}

const capitalised = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** How far the guess was off; a tenth is near enough. */
function how_far({ ratio, factor }) {
  if (ratio > 1 / 1.1 && ratio < 1.1) return word("You were right within 10 %.");
  const guessed = ratio > 1 ? "You guessed {factor} too high." : "You guessed {factor} too low.";
  return word(guessed, { factor });
}

const machine_of = (from) => word(from === "reader" ? "Your machine" : "Reference machine");

async function words_for(section, guess) {
  const { measured, unit } = await question_of(section);
  const choices = section.querySelectorAll(".choices > li > label");
  if (choices.length > 0) {
    const choice = choices[Number(guess)];
    if (!choice) throw new Error("the stored guess is none of the choices");
    const said = word("Your guess: {guess}.", { guess: choice.textContent.trim() });
    if (measured === undefined) return said;
    const answer = await ask({ op: "evaluate", expression: measured, unit });
    return `${said} ${machine_of(answer.from)}: ${answer.text}.`;
  }
  const answer = await ask({ op: "compare", measured, unit, input: guess });
  const found = `${machine_of(answer.from)}: ${answer.measured}`;
  return `${word("Your guess: {guess}.", answer)} ${found}. ${how_far(answer)}`;
}

/** Shows the stored guess, if there is one, beside the newest measurement. */
export async function show_guess(section) {
  const guess = recall(section.id);
  if (guess === null) return;
  const again = document.createElement("button");
  Object.assign(again, { type: "button", className: "again", textContent: word("Guess again") });
  again.addEventListener("click", () => guess_again(section));
  const words = await words_for(section, guess).catch(
    (error) => `${capitalised(heard(error.message))}.`,
  );
  if (recall(section.id) !== guess) return; // taken back meanwhile
  section.dataset.guessed = "";
  for (const control of form_of(section).elements) control.disabled = true;
  result_of(section).replaceChildren(words, " ", again); // the one button that works now
}

/** The form was sent: a guess that can be read is locked in. */
export async function lock_in(section) {
  const form = form_of(section);
  const guess = new FormData(form).get("guess")?.trim() ?? "";
  const result = result_of(section);
  if (guess === "") {
    result.textContent = word("Choose or type a guess first.");
    return;
  }
  try {
    await words_for(section, guess);
  } catch (error) {
    result.textContent = `${capitalised(heard(error.message))}.`;
    return;
  }
  remember(section.id, guess);
  await show_guess(section);
}

function guess_again(section) {
  forget(section.id);
  delete section.dataset.guessed;
  const form = form_of(section);
  for (const control of form.elements) control.disabled = false;
  form.reset();
  result_of(section).textContent = "";
  section.querySelector("details.answer").open = false;
  form.elements[0].focus();
}

document.addEventListener("primer-results", () => {
  for (const section of document.querySelectorAll("section.predict[data-guessed]"))
    show_guess(section);
});
