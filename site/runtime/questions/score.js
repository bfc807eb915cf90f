// The score of problems: how many of the questions that belong to it the reader has solved.

import { recall } from "./answers.js";
import { word } from "../base/language.js";

/** In a chapter, those below the score up to the next heading. On a problem page, all. */
function* questions_of(score) {
  const all = score.closest(".problem-tools")?.nextElementSibling;
  if (all) yield* all.querySelectorAll(".worked, .quiz, .predict");
  for (
    let next = score.nextElementSibling;
    next && next.localName !== "h2" && !next.matches(".fold");
    next = next.nextElementSibling
  )
    if (next.matches(".worked, .quiz")) yield next;
}

/** Worked questions store only correct answers, quizzes the first choice. Any guess counts. */
export function is_solved(section) {
  const answer = recall(section.id);
  if (answer === null || !section.matches(".quiz")) return answer !== null;
  const chosen = section.querySelectorAll("details.choice")[Number(answer)];
  return chosen?.classList.contains("choice-right") ?? false;
}

export function show_score(score) {
  const questions = [...questions_of(score)];
  const solved = questions.filter(is_solved).length;
  score.textContent = word("Problems solved: {i} of {n}.", { i: solved, n: questions.length });
}
