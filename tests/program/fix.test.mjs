// `primer check --fix` fixes every number, even if a file has more wrong ones than it lists.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";

const primer = process.env.PRIMER ?? "build/release/generator/primer";

test("three hundred wrong numbers in one file are fixed", (context) => {
  const book = mkdtempSync(path.join(tmpdir(), "primer-fix-"));
  context.after(() => rmSync(book, { recursive: true }));
  const chapter = path.join(book, "chapters/en/01-first.md");
  mkdirSync(path.dirname(chapter), { recursive: true });
  writeFileSync(
    path.join(book, "chapters/book.yaml"),
    "title: Small\nchapters:\n  - slug: first\n    number: 1\n",
  );
  const text = (number) =>
    `---\ntitle: First\n---\n${`[${number} B](<calc: 3 * 4 B>)\n\n`.repeat(300)}`;
  writeFileSync(chapter, text(13));
  const check = (...options) =>
    spawnSync(
      primer,
      ["check", "--book", book, "--modules", "none", "--fonts", "none", ...options],
      { encoding: "utf8" },
    );
  assert.match(check().stderr, /and 200 more errors in this file \[more-errors\]\n300 errors\n$/);
  const fixed = check("--fix");
  assert.equal(fixed.status, 0, fixed.stderr);
  assert.equal(readFileSync(chapter, "utf8"), text(12));
});
