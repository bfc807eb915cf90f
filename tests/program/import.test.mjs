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
  assert.equal(run("build", "--book", "new", "--modules", "none", "--fonts", "none").status, 0);
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
