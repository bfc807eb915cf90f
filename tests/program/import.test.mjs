// `primer import`: the new book builds, and a listed file that was not taken fails the command.
// `primer check --strict`: warnings fail the command.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const primer = resolve(process.env.PRIMER ?? join(root, "build/release/generator/primer"));
const scratch = mkdtempSync(join(tmpdir(), "primer-import-"));
after(() => rmSync(scratch, { recursive: true, force: true }));

function run(...words) {
  return spawnSync(primer, words, { cwd: scratch, encoding: "utf8" });
}

function write(directory, files) {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(scratch, directory, path)), { recursive: true });
    writeFileSync(join(scratch, directory, path), text);
  }
}

const old = {
  "book.toml": '[book]\ntitle = "Old"\n',
  "src/SUMMARY.md": "# Summary\n\n- [One](one.md)\n",
  "src/one.md": "# One\n\nA formula $x^2$, a [dead link](gone.md) and <b>bold</b> words.\n",
};

test("a book is imported, checks without errors, and --strict fails because of its warning", () => {
  write("old", old);
  const { status, stdout, stderr } = run("import", "old", "new");
  assert.equal(status, 0, stderr);
  assert.match(stdout, /^1 chapter; IMPORTED\.md lists 2 changes and 0 passages/);
  assert.match(
    readFileSync(join(scratch, "new/chapters/en/one.md"), "utf8"),
    /A formula \$x\^2\$, a \[dead link\]\(gone\.md\) and \*\*bold\*\* words\.\n$/,
  );
  const check = ["check", "--book", "new"];
  assert.equal(run(...check).status, 0);
  assert.equal(run(...check, "--strict").status, 1);
  assert.equal(run(...check, "--strict", "--counts").status, 1);
  const build = ["build", "--book", "new", "--modules", "none", "--fonts", "none"];
  assert.equal(run(...build).status, 0);
  assert.equal(run(...build, "--strict").status, 1);
});

test("a listed file that is not there is named, and the status is 1", () => {
  const list = { "src/SUMMARY.md": "# Summary\n\n- [One](one.md)\n- [Two](two.md)\n" };
  write("short", { ...old, ...list });
  const { status, stderr } = run("import", "short", "new-short");
  assert.equal(status, 1);
  assert.match(stderr, /1 listed file could not be imported; IMPORTED\.md names each/);
  assert.match(
    readFileSync(join(scratch, "new-short/IMPORTED.md"), "utf8"),
    /\| src\/SUMMARY\.md:4 \| `` two\.md: the file is missing or too large `` \|/,
  );
});

const has_pandoc = spawnSync("pandoc", ["--version"]).status === 0;
const chapter = (book, name) =>
  readFileSync(join(scratch, book, `chapters/en/${name}.md`), "utf8").replace(
    /^---[^]*?\n---\n\n/,
    "",
  );

test("without Pandoc, a book that needs it is refused with the name of the package", () => {
  write("quarto", { "_quarto.yml": "book:\n  chapters: [index.qmd]\n", "index.qmd": "# One\n" });
  const words = ["import", "quarto", "new-quarto"];
  const { status, stderr } = spawnSync(primer, words, {
    cwd: scratch,
    encoding: "utf8",
    env: { PATH: scratch },
  });
  assert.notEqual(status, 0);
  assert.match(stderr, /index\.qmd.*Pandoc/);
  assert.match(stderr, /apt-get install pandoc/);
});

test("LaTeX: macros, figures, references and formulas", { skip: !has_pandoc }, () => {
  write("latex", {
    "main.tex":
      "\\documentclass{book}\n\\newcommand{\\vect}[1]{\\mathbf{#1}}\n\\begin{document}\n" +
      "\\include{ch/one}\n\\include{ch/two}\n\\end{document}\n",
    "ch/one.tex":
      "\\chapter{One}\n\nFigure~\\ref{fig:a}, \\eqref{eq:x} and Section~\\ref{sec:there}: $\\vect{x}$.\n" +
      "\\begin{figure}\\includegraphics{img/a}\\caption{A cap}\\label{fig:a}\\end{figure}\n" +
      "\\begin{equation}\\label{eq:x}\na = b\n\\end{equation}\n",
    "ch/two.tex": "\\chapter{Two}\n\n\\section{There}\\label{sec:there}\n\nWords.\n",
    "img/a.svg": '<svg xmlns="http://www.w3.org/2000/svg"/>',
  });
  const { status, stdout, stderr } = run("import", "latex", "new-latex");
  assert.equal(status, 0, stderr);
  assert.match(stdout, /^2 chapters; .* 0 passages/);
  assert.equal(
    chapter("new-latex", "one"),
    "[Figure](#fig-a), [Equation](#eq-x) and Section\u00a0[There](two.md#there): $\\mathbf{x}$.\n\n" +
      "Figure fig-a: A cap\n\n![A cap](../images/img/a.svg)\n\n```math eq-x\na = b\n```\n",
  );
});

test("Sphinx: admonitions, roles and included files", { skip: !has_pandoc }, () => {
  write("sphinx", {
    "conf.py": "project = 'S'\n",
    "index.rst": "Start\n=====\n\n.. toctree::\n\n   one\n",
    "one.rst":
      "One\n===\n\n.. note:: Hello *there*.\n\nSee :ref:`Start <index>` and :math:`x^2`.\n\n" +
      ".. literalinclude:: x.py\n",
    "x.py": "x = 1\n",
  });
  const { status, stderr } = run("import", "sphinx", "new-sphinx");
  assert.equal(status, 0, stderr);
  assert.match(
    chapter("new-sphinx", "one"),
    /^> \[!NOTE\]\n> Hello \*there\*\.\n\nSee \[Start\]\(.*\) and \$x\^2\$\.\n\n```python\nx = 1\n```\n$/,
  );
});

test("Word: text, a table and an image", { skip: !has_pandoc }, () => {
  const png =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
  mkdirSync(join(scratch, "word"), { recursive: true });
  writeFileSync(join(scratch, "a.png"), Buffer.from(png, "base64"));
  const input = "# One\n\nA **bold** word.\n\n![Alt](a.png)\n\n| a | b |\n|---|---|\n| 1 | 2 |\n";
  const made = spawnSync("pandoc", ["-f", "markdown", "-o", "word/one.docx"], {
    cwd: scratch,
    input,
  });
  assert.equal(made.status, 0);
  const { status, stdout, stderr } = run("import", "word", "new-word");
  assert.equal(status, 0, stderr);
  assert.match(stdout, / 0 passages/);
  assert.match(
    chapter("new-word", "one"),
    /A \*\*bold\*\* word\.[^]*\.\.\/images\/one-rid\d+\.png[^]*\| 1 \| 2 \|/,
  );
});
