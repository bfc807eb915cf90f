// The documents name exactly the options that primer prints with --help.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

import { command_lines } from "./support/command_lines.mjs";

const primer = process.env.PRIMER ?? "build/release/generator/primer";
const options = command_lines(primer);

const documents = [
  ...readdirSync("docs", { recursive: true }).map((name) => `docs/${name}`),
  "README.md",
  "CONTRIBUTING.md",
]
  .filter((path) => path.endsWith(".md"))
  .map((path) => ({ path, text: readFileSync(path, "utf8") }));

test("every option is in a document", () => {
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

test("an unknown command or option is reported with the nearest name", () => {
  const errors = (...words) => {
    const { status, stderr } = spawnSync(primer, words, { encoding: "utf8" });
    assert.equal(status, 2, words.join(" "));
    return stderr;
  };
  const like = (what, word, name) =>
    `primer: error: unknown ${what} "${word}"\n  did you mean "${name}"?\n`;
  assert.equal(errors("chek"), like("command", "chek", "check"));
  assert.equal(errors("facts", "shwo", "x"), like("command", "shwo", "show"));
  assert.equal(errors("publish", "--fetsh"), like("option", "--fetsh", "--fetch"));
  assert.equal(
    errors("build", "--zzz"),
    'primer: error: unknown option "--zzz"\n  see primer build --help\n',
  );
  assert.equal(
    errors("facts"),
    'primer: error: missing command after "primer facts"\n  expected one of list, search, show, set, diff, import\n',
  );
});

test("a description has at most 60 characters", () => {
  for (const words of options.keys()) {
    const help = spawnSync(primer, [...words.split(" "), "--help"], { encoding: "utf8" }).stdout;
    for (const [line, about] of help.matchAll(/^ {2}\S.*? {2,}(\S.*)$/gm))
      assert.ok(about.length <= 60, `${words}: ${line}`);
  }
});
