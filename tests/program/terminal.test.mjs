// What the program prints of a stranger's book controls neither a terminal nor GitHub's log.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

const primer = process.env.PRIMER ?? "build/release/generator/primer";
const evil = "a\n::error file=zz::forged\u001b[2J\u009b";

/** What `primer check` says of a book whose text and one of whose files' names are commands. */
function checked(environment, ...options) {
  const book = mkdtempSync(join(tmpdir(), "primer-terminal-"));
  try {
    mkdirSync(join(book, "chapters/en"), { recursive: true });
    writeFileSync(join(book, "chapters/book.yaml"), "title: S\nchapters:\n  - slug: one\n");
    writeFileSync(
      join(book, "chapters/en/one.md"),
      "---\ntitle: One\n---\n::error file=zz::forged [x](no.md)\n",
    );
    writeFileSync(join(book, `chapters/en/${evil}.md`), "");
    const env = { ...process.env, ...environment };
    const command = ["check", "--book", book, "--modules", "none", "--fonts", "none", ...options];
    const { stdout, stderr, status } = spawnSync(primer, command, { env, encoding: "utf8" });
    assert.equal(status, 1);
    return { stdout, stderr };
  } finally {
    rmSync(book, { recursive: true });
  }
}

test("in a workflow's log no line of a book is a command", () => {
  const { stderr } = checked({ GITHUB_ACTIONS: "true" });
  const lines = stderr.trimEnd().split("\n");
  const [, word] = /^::stop-commands::(primer(?:-\d+){4})$/.exec(lines[0]);
  assert.equal(lines.at(-1), `::${word}::`);
  assert.ok(lines.some((line) => line.trim().startsWith("::error file=zz::forged [x]")));
  assert.notEqual(
    checked({ GITHUB_ACTIONS: "true" }).stderr.split("\n")[0],
    lines[0],
    "the word can be known",
  );
  assert.doesNotMatch(checked({ GITHUB_ACTIONS: "" }).stderr, /stop-commands/);
});

test("names of files are shown and do nothing, in every format", () => {
  for (const format of ["text", "github", "json"]) {
    const { stdout, stderr } = checked({ GITHUB_ACTIONS: "" }, "--format", format);
    const said = stdout + stderr;
    assert.doesNotMatch(said, /[\u001b\u009b]/);
    assert.doesNotMatch(said, /^::error file=zz/m);
    if (format !== "json")
      assert.match(said, /a<U\+000A>::error file=zz::forged<U\+001B>\[2J<U\+009B>/);
  }
});
