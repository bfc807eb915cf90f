// `primer new kernel` in a new book: created, built by its own script, checked, and measured on its
// page, for each language whose compiler is installed.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";

import { open_browser, serve } from "../../scripts/lib/browsers.mjs";
import { fill_in } from "../placeholders.mjs";
import { complaints, open_watched, origin_of, run_bench } from "./support/browser_page.mjs";
import { repository } from "./support/served_book.mjs";

const home = mkdtempSync(join(tmpdir(), "primer-new-kernel-"));
const primer = join(repository, "build/release/generator/primer");
const tools = join(home, "tools");
const path = `${tools}:/usr/bin:/bin`;
const at = (name) => join(repository, name);
const built = [
  ...["--assets", at("site"), "--minified", at("build/minified")],
  ...["--fonts", at("build/fonts"), "--modules", at("build/wasm")],
];

function run(book, ...words) {
  const { status, stdout, stderr } = spawnSync(primer, words, { cwd: book, encoding: "utf8" });
  return { status, said: (stdout + stderr).replaceAll(/^primer: note: .*\n/gm, "") };
}

/** Runs a script of the book; false if its compiler is missing. */
function built_by(script, book) {
  const { status, stderr } = spawnSync("sh", [script], {
    ...{ cwd: book, encoding: "utf8", env: { PATH: path, HOME: home } },
  });
  if (status === 0) return true;
  assert.match(
    stderr,
    /not found|can't find crate|may not be installed|unable to execute|No such file/,
  );
  return false;
}

describe("a new kernel", { timeout: 600_000 }, () => {
  let browser;
  before(async () => {
    // Binaryen from this repository's packages instead of the network.
    mkdirSync(tools);
    const npx = `#!/bin/sh\nshift 3\nexec ${process.execPath} ${at("node_modules/.bin")}/"$@"\n`;
    writeFileSync(join(tools, "npx"), npx);
    chmodSync(join(tools, "npx"), 0o755);
    browser = await open_browser("chromium");
  });
  after(async () => {
    await browser?.close();
    rmSync(home, { recursive: true, force: true });
  });

  for (const [language, ending] of [
    ["wat", "wat"],
    ["c", "c"],
    ["c++", "cpp"],
    ["rust", "rs"],
  ]) {
    test(`in ${language} is created, built, checked and measured`, async (context) => {
      const book = join(home, language);
      assert.equal(run(home, "new", "book", language).status, 0);
      fill_in(book);
      const made = run(book, "new", "kernel", "saxpy", "--source", language);
      assert.equal(
        made.said,
        `chapters/book.yaml
chapters/en/01-saxpy.md
kernels/saxpy/build.sh
kernels/saxpy/kernels.json
kernels/saxpy/saxpy.${ending}
to measure it: sh kernels/saxpy/build.sh && primer serve
`,
      );
      const early = run(book, "check", ...built);
      assert.match(
        early.said,
        /kernels\.json:3:15: error: kernels\/saxpy\/saxpy\.wasm is not built/,
      );
      assert.match(early.said, /\n {2}note: in kernels\/saxpy, run: sh build\.sh\n1 error\n$/);
      if (!built_by("kernels/saxpy/build.sh", book)) return context.skip("its compiler is missing");
      const done = run(book, "build", "--out", join(book, "out"), ...built);
      assert.equal(done.status, 0, done.said);
      assert.doesNotMatch(done.said, /warning/);

      const server = await serve(join(book, "out"));
      try {
        const watched = await open_watched(browser, `${server.url}saxpy/`);
        const { state, reason, status, rows } = await run_bench(watched.page, "bench-saxpy");
        assert.equal(state, "done", reason);
        assert.match(status, /^(Done: 2 measurements|Your machine was busy|No number can)/);
        for (const { text } of rows) assert.match(text, /^[\d.]+ (±|to) [\d.]+ GB\/s/);
        const said = await watched.page.evaluate(
          () => document.querySelector("#verdict-saxpy").textContent,
        );
        assert.match(
          said,
          /With its arrays in a cache|reads memory about as fast|Undecided|was disturbed/,
        );
        assert.deepEqual(await complaints(watched, origin_of(server)), []);
      } finally {
        await server.close();
      }
    });
  }

  test("replaces nothing that is there", () => {
    const book = join(home, "twice");
    assert.equal(run(home, "new", "book", "twice").status, 0);
    assert.equal(run(book, "new", "kernel", "a-b").status, 0);
    const text = readFileSync(join(book, "chapters/book.yaml"), "utf8");
    assert.match(text, /^kernels:\n {2}- kernels\/a-b$/m);
    const again = run(book, "new", "kernel", "a-b");
    assert.equal(again.status, 1);
    assert.match(
      again.said,
      /^kernels\/a-b: error: this directory already exists \[duplicate-id\]/,
    );
    assert.match(run(book, "new", "kernel", "A B").said, /"A B" is not a valid slug/);
    assert.equal(run(book, "new", "kernel", "second").status, 0);
    assert.match(
      readFileSync(join(book, "chapters/book.yaml"), "utf8"),
      /^kernels:\n {2}- kernels\/a-b\n {2}- kernels\/second$/m,
    );
  });

  test("is what the reference shows", () => {
    const page = readFileSync(at("docs/reference/kernel-packs.md"), "utf8");
    for (const source of ["c/NAME.c", "rust/NAME.rs"]) {
      const text = readFileSync(at(`site/new_kernel/${source}`), "utf8");
      assert.ok(page.includes(text.replaceAll("NAME", "saxpy")), source);
    }
    for (const language of ["c", "rust", "wat"]) {
      const script = readFileSync(at(`site/new_kernel/${language}/build.sh`), "utf8");
      const command = script.trim().split(/^cd .*\n/m)[1];
      const name = language === "wat" ? "copy" : "saxpy";
      assert.ok(page.includes(command.replace("--yes ", "").replaceAll("NAME", name)), command);
    }
  });
});
