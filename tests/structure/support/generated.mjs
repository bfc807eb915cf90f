// Regions of documents that are generated: text between "<!-- generated: NAME -->" and "<!-- end
// -->". Everything around them is written by hand. UPDATE_GOLDENS=1 writes the regions.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";

/** Compares the region `name` of the document `path` with `text`. */
export function expect_region(path, name, text) {
  const whole = readFileSync(path, "utf8");
  const [before, rest] = whole.split(`<!-- generated: ${name} -->\n`);
  assert.ok(rest !== undefined, `${path} has no region "${name}"`);
  const end = rest.indexOf("<!-- end -->");
  assert.ok(end >= 0, `${path}: the region "${name}" has no end`);
  const now = `\n${text.trim()}\n\n`;
  if (process.env.UPDATE_GOLDENS) {
    const marker = `<!-- generated: ${name} -->\n`;
    writeFileSync(path, before + marker + now + rest.slice(end));
    return;
  }
  assert.equal(rest.slice(0, end), now, `${path}: UPDATE_GOLDENS=1 writes the region "${name}"`);
}

/** Text without code, so that Markdown shows its brackets and asterisks. */
export const plain = (text) => text.replace(/[<[*]/g, "\\$&");

/** A Markdown table. `rows` are lists of cells; "|" in a cell is escaped. */
export function table(head, rows) {
  const line = (cells) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), `|${head.map(() => "---").join("|")}|`, ...rows.map(line)].join("\n");
}
