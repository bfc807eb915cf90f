// A number that the text should have and that the book's facts do not allow. The author reports the
// fact, because its new value needs a source.
import { button } from "../base/element.js";
import { heard, word } from "../base/language.js";
import { report_of } from "./repository.js";

/**
 * Returns {id, said, value} of the fact that a diagnostic about a number is about, or null. `text`
 * is the source of the page.
 */
export function wrong_fact({ rule, line, column, length, suggestion }, text) {
  if (rule !== "wrong-literal" || !suggestion) return null;
  const characters = [...(text.split("\n").at(line - 1) ?? "")];
  const said = characters.slice(column - 1, column - 1 + length).join("");
  const behind = characters.slice(column - 1 + length).join("");
  const [, id] = /^[^\]]*\]\(fact:([\w.-]+)\)/.exec(behind) ?? [];
  return id ? { id, said, value: suggestion } : null;
}

/** Returns a button that opens a report about such a fact, or nothing. */
export function report_button(problem, text) {
  const fact = wrong_fact(problem, text);
  if (!fact) return [];
  const report = button(word("The fact is wrong …"), () => {
    const says = `${fact.id}: ${fact.value}`;
    const command = `primer facts set ${fact.id} "${fact.said}" --source …`;
    try {
      open(report_of(command, { says }).address, "_blank", "noopener");
    } catch ({ message }) {
      report.after(` ${word("Unavailable, because {why}.", { why: heard(message) })}`);
      report.disabled = true;
    }
  });
  report.setAttribute("aria-label", `${report.textContent} ${fact.id}`);
  return [" ", report];
}
