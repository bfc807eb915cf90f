// The order of the strings of figures, which scripts/lint checks and scripts/lint --fix restores.
// Reads the book.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { order_faults, sorted_strings } from "../../scripts/lib/lint_strings.mjs";

const path = "site/locales/es.json";
const text = readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");

test("the strings of the book are in order, and sorting them changes nothing", () => {
  assert.deepEqual(order_faults(path, text), []);
  assert.equal(sorted_strings(text), text);
});

test("a string at the end of its section is reported with its line and its place, and sorted", () => {
  const file = JSON.parse(text);
  for (const section of ["said by drawings", "said beside drawings"]) {
    const moved = structuredClone(file);
    const [[first], [second]] = Object.entries(file[section]);
    delete moved[section][first];
    moved[section][first] = file[section][first];
    const wrong = `${JSON.stringify(moved, null, 2)}\n`;
    const [fault, ...more] = order_faults(path, wrong);
    assert.deepEqual(more, []);
    const [, line] = /^site\/locales\/es\.json:(\d+): /.exec(fault);
    assert.ok(wrong.split("\n")[line - 1].includes(JSON.stringify(first)), fault);
    assert.ok(fault.includes(`expected it before ${JSON.stringify(second)}`), fault);
    assert.equal(sorted_strings(wrong), text);
  }
});
