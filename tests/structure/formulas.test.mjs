// Formulas of the book: a subscript of several letters is a word and must be upright.
// Reads the book.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

/** "_{ring}" and "_{d_ff}": adjacent letters that would be set as a product, in italics. */
const slanted = /_\{[^{}\\]*[A-Za-z]{2,}[^{}]*\}/g;

test("subscripts of several letters are in \\text", () => {
  assert.deepEqual("T_{ring} T_{\\text{ring}} d_{ff} x_{ij,k} x_i".match(slanted), [
    "_{ring}",
    "_{ff}",
    "_{ij,k}",
  ]);
  const wrong = readdirSync("chapters", { recursive: true })
    .filter((name) => name.endsWith(".md"))
    .flatMap((name) =>
      (readFileSync(`chapters/${name}`, "utf8").match(slanted) ?? []).map(
        (part) => `${name}: ${part}`,
      ),
    );
  assert.deepEqual(wrong, []);
});
