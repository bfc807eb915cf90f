// A quiz: the first opened choice is the reader's answer; then every choice shows its explanation.

import { forget, recall, remember } from "./answers.js";
import { word } from "../base/language.js";

const choices_of = (section) => [...section.querySelectorAll("details.choice")];

function say_result(section, chosen) {
  const right = chosen.classList.contains("choice-right");
  section.dataset.asked = "";
  section.dataset.graded = right ? "right" : "wrong";
  chosen.querySelector("summary").dataset.chosen = word("your choice");
  const again = document.createElement("button");
  Object.assign(again, { type: "button", className: "again", textContent: word("Ask me again") });
  again.addEventListener("click", () => ask_again(section));
  const words = `${word(right ? "Right." : "Not this one. Each choice explains why.")} `;
  section.querySelector(".quiz-result").replaceChildren(words, again);
}

/** The reader opened `chosen`. It is the only attempt, unless there was one before. */
export function attempt(section, chosen) {
  if (section.dataset.graded) return;
  say_result(section, chosen);
  remember(section.id, String(choices_of(section).indexOf(chosen)));
}

/** Shows the attempt of an earlier visit. Explanations stay folded, so that nothing moves. */
export function restore(section) {
  const chosen = choices_of(section)[Number(recall(section.id) ?? -1)];
  if (chosen) say_result(section, chosen);
}

function ask_again(section) {
  forget(section.id);
  delete section.dataset.graded;
  delete section.dataset.asked;
  for (const choice of choices_of(section)) {
    delete choice.querySelector("summary").dataset.chosen;
    choice.open = false;
  }
  section.querySelector(".quiz-result").textContent = word("Your first choice counts.");
  section.querySelector(".choice > summary").focus();
}
