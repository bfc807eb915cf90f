// The options that primer prints with --help are those that the documents name.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

import { command_lines } from "./support/command_lines.mjs";

const primer = process.env.PRIMER ?? "build/release/generator/primer";
const options = command_lines(primer);

const documents = [
  ...readdirSync("docs").map((name) => `docs/${name}`),
  "README.md",
  "CONTRIBUTING.md",
]
  .filter((path) => path.endsWith(".md"))
  .map((path) => ({ path, text: readFileSync(path, "utf8") }));

test("every option stands in a document", () => {
  const all = new Set([...options.values()].flatMap((some) => [...some]));
  all.delete("--help");
  assert.ok(all.size >= 15);
  const is_named = (option) =>
    documents.some(({ text }) => new RegExp(`${option}(?![\\w-])`).test(text));
  assert.deepEqual(
    [...all].filter((option) => !is_named(option)),
    [],
  );
});

test("no document names an option that its command has not", () => {
  let count = 0;
  for (const { path, text } of documents) {
    for (const [whole, words] of text.matchAll(
      /\bprimer ((?:build|check|serve|new|profile|facts|translate|preview|import|index|publish|manual|completion|references|lsp)\b[^`\n]*)/g,
    )) {
      const command = [...options.keys()].find((name) => words.startsWith(name));
      for (const [option] of words.split(/ {3,}/)[0].matchAll(/(?<![\w-])--[a-z][\w-]*/g)) {
        ++count;
        assert.ok(options.get(command)?.has(option), `${path}: ${whole}`);
      }
    }
  }
  assert.ok(count >= 5, `only ${count} were found`);
});

test("what the server alone needs is not loaded by other commands", (t) => {
  const { status, stderr } = spawnSync(primer, ["--help"], {
    env: { ...process.env, LD_DEBUG: "libs" },
    encoding: "utf8",
  });
  assert.equal(status, 0);
  if (!/find library=/.test(stderr))
    return t.skip("this system's loader does not say what it loads");
  assert.match(stderr, /find library=libz/);
  assert.doesNotMatch(stderr, /microhttpd|gnutls/);
});
