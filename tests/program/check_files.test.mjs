// `primer check FILE`: all errors in the file and in what it uses, and an error if it was not
// checked completely.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { after, beforeEach, test } from "node:test";
import { fileURLToPath } from "node:url";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const primer = resolve(process.env.PRIMER ?? join(root, "build/release/generator/primer"));
const scratch = mkdtempSync(join(tmpdir(), "primer-check-files-"));
after(() => rmSync(scratch, { recursive: true, force: true }));

const [first, second] = ["chapters/en/01-first.md", "chapters/en/02-second.md"];
const spec = "figures/specs/round.json";
let book;
let count = 0;
beforeEach(() => {
  book = join(scratch, String(++count));
  cpSync(join(root, "tests/fixtures/book"), book, { recursive: true });
  cpSync(join(root, "chapters/facts"), join(book, "chapters/facts"), { recursive: true });
  save(spec, "1 TB/s");
  append(first, "```figure\nid: fig-round\nspec: round\ncaption: Round.\nalt: A roof.\n```\n");
});

function save(path, bandwidth) {
  mkdirSync(dirname(join(book, path)), { recursive: true });
  const machine = { label: "M", peak: "100 TFLOP/s", bandwidth };
  const text = JSON.stringify({ kind: "roofline", title: "Round", machines: [machine] });
  writeFileSync(join(book, path), text);
}
const append = (path, text) => appendFileSync(join(book, path), `\n${text}`);

function check(...words) {
  const all = ["check", "--assets", join(root, "site"), "--modules", "none", "--fonts", "none"];
  const { status, stdout, stderr } = spawnSync(primer, [...all, "--minified", "none", ...words], {
    cwd: book,
    env: { PATH: process.env.PATH, HOME: scratch },
    encoding: "utf8",
  });
  return { status, out: stdout, errors: stderr };
}

test("a file without a mistake in a book without one is checked", () => {
  for (const files of [[first], [first, second], [spec], ["chapters/facts/chips.json"], []]) {
    const { status, out, errors } = check(...files);
    assert.deepEqual([status, errors], [0, ""], files.join());
    assert.match(out, /^checked \d+ pages against \d+ facts: no errors\n$/);
  }
});

test("errors in a spec that the file uses are reported, only for that file", () => {
  save(spec, "h100-sxm.bandwidht");
  const wrong = /^figures\/specs\/round\.json:1:\d+: error: .*h100-sxm\.bandwidht/m;
  for (const file of [first, spec]) {
    const { status, out, errors } = check(file);
    assert.deepEqual([status, out], [1, ""]);
    assert.match(errors, wrong);
    assert.match(errors, /\n1 error\n$/);
  }
  const { status, out, errors } = check(second);
  assert.deepEqual([status, out], [1, ""]);
  assert.doesNotMatch(errors, wrong);
  assert.equal(
    errors,
    "primer: error: addresses, images and other checks of the whole site were skipped, " +
      "because of 1 error in other files; run primer check to see them\n",
  );
});

test("mistakes of other chapters are counted, not listed, in every form", () => {
  append(second, "[lost](gone.md), [lost](lost.md)");
  append(first, "[lost](nowhere.md)");
  const others = /because of 2 errors in other files; run primer check to see them\n$/;
  const { status, errors } = check(first);
  assert.equal(status, 1);
  assert.match(errors, /^chapters\/en\/01-first\.md:.*dead-link/);
  assert.doesNotMatch(errors, /02-second/);
  assert.match(errors, others);
  const json = check("--format", "json", first);
  assert.equal(JSON.parse(json.out).length, 1);
  assert.match(json.errors, others);
  const counts = check("--counts", first);
  assert.deepEqual([counts.status, counts.out], [1, "dead-link: 1 error\nin all: 1 error\n"]);
  assert.match(counts.errors, others);
});

test("where the book does not load, why is listed, and that the file was not checked", () => {
  append(first, "[lost](nowhere.md)");
  writeFileSync(join(book, "chapters/facts/chips.json"), "{");
  for (const file of [first, second, spec]) {
    const { status, out, errors } = check(file);
    assert.deepEqual([status, out], [1, ""]);
    assert.match(errors, /^chapters\/facts\/chips\.json:1:1: error: /m);
    assert.match(errors, new RegExp(`"${file}" was not checked, because of errors in the book\n$`));
  }
});

test("a file that no page is made of is not called checked", () => {
  writeFileSync(join(book, "chapters/en/loose.md"), "---\ntitle: Loose\n---\n\n[lost](gone.md)\n");
  save("figures/specs/unused.json", "h100-sxm.bandwidht");
  writeFileSync(join(book, "notes.txt"), "mine");
  for (const file of ["chapters/en/loose.md", "figures/specs/unused.json", "notes.txt"]) {
    const { status, out, errors } = check(file);
    assert.deepEqual([status, out], [1, ""], file);
    assert.match(errors, /was not checked|error: /, file);
  }
  assert.match(check("nowhere.md").errors, /^primer: error: the book has no file "nowhere\.md"\n$/);
});

test("--fix of a file changes only that file", () => {
  for (const file of [first, second]) append(file, "[13 B](<calc: 3 * 4 B>)");
  const before = readFileSync(join(book, second), "utf8");
  const { status, out } = check("--fix", first);
  assert.equal(out, `${first}\n`);
  assert.equal(status, 1);
  assert.match(readFileSync(join(book, first), "utf8"), /\[12 B\]/);
  assert.equal(readFileSync(join(book, second), "utf8"), before);
  assert.equal(check("--fix").status, 0);
  assert.match(readFileSync(join(book, second), "utf8"), /\[12 B\]/);
});
