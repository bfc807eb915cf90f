// The lengths of documents: explanations, table cells, and all guides together.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { execFileSync } from "node:child_process";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { test } from "node:test";

const root = resolve(fileURLToPath(import.meta.url), "../../..");
const listed = execFileSync("git", ["ls-files", "*.md"], { cwd: root, encoding: "utf8" });
const documents = listed
  .trim()
  .split("\n")
  .filter((path) => /^docs\/.+\/|\/README\.md$/.test(path) && path !== "site/new_book/README.md")
  .map((path) => ({ path, text: readFileSync(resolve(root, path), "utf8") }));

const words = (text) => text.split(/\s+/).filter((word) => /\w/.test(word)).length;
const is_reference = ({ path }) => path.startsWith("docs/reference/");
const is_generated = ({ path }) => path === "docs/reference/figure-specs.md";

/** The text without program output and generated text: code blocks and generated regions. */
const written = (text) =>
  text.replace(/<!-- generated: .*? -->.*?<!-- end -->/gs, "").replace(/^(`{3,}).*?^\1$/gms, "");

test("a table cell has at most 12 words", () => {
  const long = documents
    .filter((one) => !is_generated(one))
    .flatMap(({ path, text }) =>
      (written(text).match(/^\|.*\|$/gm) ?? [])
        .flatMap((row) => row.split(/(?<!\\)\|/))
        .filter((cell) => words(cell) > 12)
        .map((cell) => `${path}: ${cell.trim()}`),
    );
  assert.deepEqual(long, []);
});

test("an explanation has at most 1,200 words, and all guides at most 25,000", () => {
  const long = documents
    .filter(({ path, text }) => path.startsWith("docs/explanation/") && words(text) > 1200)
    .map(({ path, text }) => `${path}: ${words(text)}`);
  assert.deepEqual(long, []);
  const guides = documents.filter((one) => !is_reference(one));
  const count = guides.reduce((sum, { text }) => sum + words(text), 0);
  assert.ok(count <= 25_000, `${count} words`);
});

test("a source file that the documents name exists", () => {
  const files = execFileSync("git", ["ls-files"], { cwd: root, encoding: "utf8" }).split("\n");
  const names = new Set(files.flatMap((path) => [path, path.split("/").at(-1)]));
  const missing = documents
    .filter(({ path }) => path === "docs/reference/changing.md")
    .flatMap(({ text }) => text.match(/`[\w/.-]+\.(?:cpp|hpp|m?js|css|json|bash)`/g))
    .map((quoted) => quoted.slice(1, -1))
    .filter((name) => !names.has(name) && !files.some((path) => path.endsWith(`/${name}`)));
  assert.deepEqual(missing, []);
});
