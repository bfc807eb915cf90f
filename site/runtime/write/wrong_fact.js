// A number of the text that a fact of the book contradicts. The number may be right.

/**
 * Returns {id, said, value, before} of the fact that a diagnostic about a number is about, or null.
 * `text` is the source of the page, and `before` is that source with the fact's value instead of
 * the number.
 */
export function wrong_fact({ rule, line, column, length, suggestion }, text) {
  if (rule !== "wrong-literal" || !suggestion) return null;
  const lines = text.split("\n");
  const characters = [...(lines.at(line - 1) ?? "")];
  const said = characters.slice(column - 1, column - 1 + length).join("");
  const behind = characters.slice(column - 1 + length).join("");
  const [, id] = /^[^\]]*\]\(fact:([\w.-]+)\)/.exec(behind) ?? [];
  if (!id) return null;
  lines[line - 1] = characters.slice(0, column - 1).join("") + suggestion + behind;
  return { id, said, value: suggestion, before: lines.join("\n") };
}
