// What the program found wrong, for the editor's underlines and as a list.
import { make } from "../base/element.js";
import { word } from "../base/language.js";

/** A text's columns count characters, a script's count UTF-16. */
function units(line, characters) {
  let at = 0;
  for (const character of line) {
    if (characters-- <= 0) break;
    at += character.length;
  }
  return at;
}

/** What the editor marks of `file`, whose text is `text`: {line, column, length, severity, message, fix}. */
export function marks_of(diagnostics, file, text) {
  const lines = text.split("\n");
  return diagnostics
    .filter((one) => one.file === file)
    .map(({ line, column, length, severity, message, notes, suggestion }) => {
      const source = lines.at(line - 1) ?? "";
      const from = units(source, column - 1);
      return {
        line: Math.max(line, 1),
        column: from + 1,
        length: units(source, column - 1 + length) - from,
        severity,
        message: [message, ...(notes ?? [])].join("\n"),
        fix: suggestion ? [word("Write “{text}”", { text: suggestion }), suggestion] : null,
      };
    });
}

/** What is said of a diagnostic. */
export const words_of = ({ message, suggestion }) =>
  `${message}.${suggestion ? ` ${word("Did you mean “{text}”?", { text: suggestion })}` : ""}`;

/** Items of a list; a press on one of `file` calls `go([line, column])`, and `mend(one)` is what else it offers. */
export function problem_list(diagnostics, file, { go, mend }) {
  return diagnostics.map((one) => {
    const { severity, line, column, rule } = one;
    const where = one.file === file ? `${line}:${column}` : `${one.file}:${line}:${column}`;
    const place = make("button", { type: "button", textContent: where });
    const item = make("li", {}, place, ` ${words_of(one)} `, make("small", { textContent: rule }));
    place.disabled = one.file !== file;
    if (one.file === file) {
      place.addEventListener("click", () => go([line, column]));
      item.append(...mend(one));
    }
    item.dataset.severity = severity;
    return item;
  });
}
