// The program's diagnostics as underlines in the editor and as a list.
import { make } from "../base/element.js";
import { word } from "../base/language.js";

/** Converts a number of characters to UTF-16 units: diagnostics count code points. */
function units(line, characters) {
  let at = 0;
  for (const character of line) {
    if (characters-- <= 0) break;
    at += character.length;
  }
  return at;
}

/**
 * Returns the editor's marks for `file`, whose text is `text`: [{line, column, length, severity,
 * message, fix}], in UTF-16 units.
 */
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

/** Returns a diagnostic as one sentence, with the suggestion if it has one. */
export const words_of = ({ message, suggestion }) =>
  `${message}.${suggestion ? ` ${word("Did you mean “{text}”?", { text: suggestion })}` : ""}`;

/**
 * Returns the items of the list. A press on one in `file` calls `go([line, column])`, and
 * `mend(one)` returns what else to offer there, such as a button. `root` is the URL of the site,
 * whose page rules/ explains each rule. The first item of a rule has a link to it, so that Tab does
 * not stop at each item.
 */
export function problem_list(diagnostics, file, { go, mend, root }) {
  const linked = new Set();
  const rule_name = (rule) => {
    if (linked.has(rule)) return rule;
    linked.add(rule);
    const href = new URL(`rules/#${rule}`, root).href;
    return make("a", { href, target: "_blank", rel: "noopener", textContent: rule });
  };
  return diagnostics.map((one) => {
    const { severity, line, column, rule } = one;
    const where = one.file === file ? `${line}:${column}` : `${one.file}:${line}:${column}`;
    const place = make("button", { type: "button", textContent: where });
    const item = make("li", {}, place, ` ${words_of(one)} `, make("small", {}, rule_name(rule)));
    place.disabled = one.file !== file;
    if (one.file === file) {
      place.addEventListener("click", () => go([line, column]));
      item.append(...mend(one));
    }
    item.dataset.severity = severity;
    return item;
  });
}
