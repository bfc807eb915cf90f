// The chapter that `primer new chapter` writes, unchanged, passes every check that an author can
// run: the book, its strings, its figures, its sentences on a simulated machine, and its page.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, test } from "node:test";

const root = resolve(".");
const program = process.env.PRIMER ?? join(root, "build/release/generator/primer");
const folder = mkdtempSync(join(tmpdir(), "new-chapter-"));
after(() => rmSync(folder, { recursive: true, force: true }));
const [book, site] = [join(folder, "book"), join(folder, "out")];
for (const path of ["chapters", "figures", "generator", "site", "wasm_kernels", "tests/fixtures"])
  cpSync(join(root, path), join(book, path), { recursive: true });

const slug = "template-chapter";
execFileSync(program, ["new", "chapter", slug, "--book", book]);

const primer = (...args) =>
  spawnSync(program, [...args, "--trust", "--book", book], { encoding: "utf8" });

/** Runs a program in the copy of the book and returns its output, or fails with its output. */
function run(command, args, { env = {}, cwd = root } = {}) {
  const inherited = { ...process.env, TESTS: "" };
  delete inherited.NODE_TEST_CONTEXT; // the tests below are a separate run
  const { status, stdout, stderr } = spawnSync(command, args, {
    ...{ cwd, encoding: "utf8", maxBuffer: 2 ** 27, env: { ...inherited, ...env } },
  });
  assert.equal(status, 0, stdout.slice(-4000) + stderr.slice(-4000));
  return stdout;
}
const node_tests = (file, how, ...options) =>
  run(process.execPath, [...options, "--test-reporter=tap", join(root, file)], how);

test("check finds no errors, and warns of each placeholder and of nothing else", () => {
  const { status, stdout, stderr } = primer("check", "--prose");
  assert.equal(status, 0, stderr);
  assert.match(stdout, /no errors/);
  const text = readFileSync(join(book, `chapters/en/09-${slug}.md`), "utf8");
  const warned = [...stderr.matchAll(/^(\S+?):\d+:\d+: warning: .* \[(.+)\]$/gm)];
  assert.deepEqual(
    warned.map(([, file, rule]) => `${file} ${rule}`),
    Array(text.match(/TODO/g).length).fill(`chapters/en/09-${slug}.md placeholder`),
  );
});

test("strings and figures are not demanded in other languages", () => {
  assert.match(node_tests("tests/program/words.test.mjs", { cwd: book }), /^# fail 0$/m);
  const figures = join(root, "build/release/tests/figures/test_figures");
  const said = run(figures, ["every label of every figure*"], { env: { BOOK: book } });
  assert.match(said, /"Template chapter": "", {2}\(template-chapter\.json\)/);
});

const modules = join(root, "build/wasm");
const skip = !existsSync(join(modules, "figures/page.wasm")) && "scripts/build was not run";

test("its page is built with modules, and a simulated machine speaks on it", { skip }, () => {
  const minified = join(root, "build/minified"); // the budget of styles applies to minified ones
  const parts = { out: site, modules, fonts: "none", minified };
  const options = Object.entries(parts).flatMap(([name, value]) => [`--${name}`, value]);
  const { status, stderr } = primer("build", ...options);
  assert.equal(status, 0, stderr);
  assert.match(readFileSync(join(site, slug, "index.html"), "utf8"), /<primer-bench id="b-/);
  const env = { SITE: site };
  const of_page = `--test-name-pattern=${slug}/`;
  assert.match(node_tests("tests/site/built_pages.test.mjs", { env }, of_page), /^# fail 0$/m);
  const of_machine = "--test-name-pattern=/^zen5_vm:|predicate/";
  const said = node_tests("tests/machines/sentences.test.mjs", { env }, of_machine);
  assert.match(
    said,
    /note: not judged, no predicate: template-chapter v-template-chapter: otherwise/,
  );
});
