// The score of a chapter's problems: the questions below it, up to the next heading.

import { recall } from "./answers.js";
import { word } from "../base/language.js";

function* questions_below(score) {
  for (
    let next = score.nextElementSibling;
    next && next.localName !== "h2" && !next.matches(".fold");
    next = next.nextElementSibling
  )
    if (next.matches(".worked, .quiz")) yield next;
}

/** Worked questions store only correct answers, quizzes the first choice. */
function is_solved(section) {
  const answer = recall(section.id);
  if (answer === null || section.matches(".worked")) return answer !== null;
  const chosen = section.querySelectorAll("details.choice")[Number(answer)];
  return chosen?.classList.contains("choice-right") ?? false;
}

export function show_score(score) {
  const questions = [...questions_below(score)];
  const solved = questions.filter(is_solved).length;
  score.textContent = word("Problems solved: {i} of {n}.", { i: solved, n: questions.length });
}
