// Output about a stranger's book controls neither a terminal nor GitHub's log.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

const primer = process.env.PRIMER ?? "build/release/generator/primer";
const evil = "a\n::error file=zz::forged\u001b[2J\u009b";

/** The output of `primer check` for a book whose text and one of whose file names are commands. */
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

/** A separate small book with primer in it. */
function with_book(use) {
  const place = mkdtempSync(join(tmpdir(), "primer-terminal-"));
  const book = join(place, "book");
  cpSync("tests/fixtures/book", book, { recursive: true });
  const options = (stdio) => ({
    env: { PATH: process.env.PATH, HOME: place },
    encoding: "utf8",
    stdio,
  });
  try {
    use({
      book,
      place,
      run: (words, stdio = "pipe") => spawnSync(primer, words, options(stdio)),
      shell: (script, words) =>
        spawnSync("bash", ["-c", script, primer, primer, ...words], options("pipe")),
    });
  } finally {
    rmSync(place, { recursive: true });
  }
}
const none = "--modules none --fonts none --minified none".split(" ");

test("command-line arguments start no line and control no terminal", () => {
  with_book(({ book, place, run }) => {
    const name = "a\n::error::x\u001b[31m\u009b";
    const in_book = ["--book", book];
    writeFileSync(join(place, name), "{}");
    mkdirSync(join(place, `${name}.src`));
    writeFileSync(join(place, `${name}.src`, "SUMMARY.md"), "- [One](one.md)\n");
    const all = [
      ["check", ...in_book, ...none, name],
      ["check", ...in_book, ...none, `--${name}`],
      ["check", "--book", name, ...none],
      ["check", ...in_book, ...none, "--format", name],
      ["build", ...in_book, ...none, "--out", join(place, `${name}.out`)],
      ["build", ...in_book, ...none, "--out", join(place, name)],
      ["build", ...in_book, "--modules", name, "--base-url", name],
      ["index", ...in_book, "--out", name],
      ["index", ...in_book, "--search", join(place, name)],
      ["pack", ...in_book, ...none, join(place, name)],
      ["pack", ...in_book, ...none, join(place, `${name}.pack`)],
      ["publish", ...in_book, "-", join(place, name)],
      [
        "publish",
        ...in_book,
        "https://a.example/",
        join(place, "out"),
        "--kept",
        join(place, name),
      ],
      ["preview", name],
      ["new", "chapter", name, ...in_book],
      ["new", "book", join(place, `${name}.book`)],
      ["import", join(place, `${name}.src`), join(place, `${name}.imported`)],
      ["import", name, join(place, name)],
      ["profile", "validate", join(place, name)],
      ["profile", "compare", name, name],
      ["references", "import", name, ...in_book],
      ["translate", "stamp", name, ...in_book],
      ["facts", "show", name, ...in_book],
      ["facts", "search", name, ...in_book],
      ["completion", name],
      [name],
    ];
    for (const words of all) {
      const { stdout, stderr } = run(words);
      assert.notEqual(stdout + stderr, "", words.join(" "));
      assert.doesNotMatch(stdout + stderr, /^::|[\u001b\u009b]/m, words.join(" "));
    }
  });
});

test("if the output cannot be written, the exit status is 1", () => {
  with_book(({ book, run, shell }) => {
    const commands = [
      ["check", "--book", book, ...none],
      ["check", "--book", book, ...none, "--counts"],
      ["check", "--book", book, ...none, "--format", "json"],
      ["build", "--book", book, ...none],
      ["facts", "list", "--book", book, "--format", "json"],
      ["translate", "status", "--book", book],
      ["manual"],
      ["completion", "bash"],
      ["--help"],
      ["--version"],
    ];
    for (const words of commands) {
      assert.equal(run(words).status, 0, words.join(" "));
      const full = run(words, ["ignore", openSync("/dev/full", "w"), "pipe"]);
      assert.equal(full.status, 1, words.join(" "));
      assert.match(full.stderr, /standard output was not written(: No space left on device)?\n$/);
      const closed = shell('exec "$@" >&-', words);
      assert.equal(closed.status, 1, words.join(" "));
      assert.match(closed.stderr, /standard output was not written(: Bad file descriptor)?\n$/);
    }
    // Messages that nobody receives.
    const unheard = shell('exec "$@" 2>&-', ["check", "--book", book, "gone.md"]);
    assert.equal(unheard.status, 1);
    // No file gets the number of a closed stream and then its output.
    assert.equal(shell('exec "$@" <&- >&- 2>&-', ["build", "--book", book, ...none]).status, 1);
    assert.ok(existsSync(join(book, "build/site/index.html")));
    assert.match(run(["build", "--book", book, ...none]).stdout, /: \d+ files, 0 changed\n$/);
  });
});

test("a file that cannot be read is named with the reason", () => {
  with_book(({ book, shell }) => {
    const { status, stderr } = shell('ulimit -n 5; exec "$@"', [
      ...["check", "--book", book, ...none, "--threads", "1", "--no-sandbox"],
    ]);
    assert.equal(status, 1);
    assert.match(stderr, /the file cannot be read: Too many open files/);
  });
});
