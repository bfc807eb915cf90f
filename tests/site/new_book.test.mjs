// Another author's book: the program is installed, its tree is moved, a new book is built with
// access to only that tree, and its measurement runs in a browser.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { open_browser, serve } from "../../scripts/lib/browsers.mjs";
import { fill_in } from "../placeholders.mjs";
import { complaints, open_watched, origin_of, run_bench } from "./support/browser_page.mjs";

const home = mkdtempSync(join(tmpdir(), "any-book-"));
const installed = join(home, "moved/here");
const book = join(home, "notes");

/** Runs the installed program with neither Node nor a compiler nor git on the path. */
function primer(...words) {
  const options = {
    cwd: words[0] === "new" ? home : book,
    env: { PATH: join(home, "empty"), HOME: home },
    encoding: "utf8",
  };
  const { status, stdout, stderr } = spawnSync(join(installed, "bin/primer"), words, options);
  // A limit that this machine's kernel does not support is reported, and is not an error.
  return {
    status,
    out: stdout,
    errors: stderr.replace(/^primer: note: the sandbox does not restrict .*\n/, ""),
  };
}

before(() => {
  mkdirSync(join(home, "moved"));
  mkdirSync(join(home, "empty"));
  execFileSync("cmake", ["--install", "build/release", "--prefix", join(home, "first")], {
    stdio: "pipe",
  });
  renameSync(join(home, "first"), installed);
});
after(() => rmSync(home, { recursive: true, force: true }));

test(
  "a new book is checked and built with only the moved tree, and measures",
  { timeout: 300_000 },
  async () => {
    assert.deepEqual(primer("new", "book", "notes"), {
      status: 0,
      out: "a new book; to see it: cd notes && primer serve\n",
      errors: "",
    });
    assert.match(primer("check").errors, /this text is a placeholder/);
    fill_in(book);
    const checked = primer("check");
    assert.equal(checked.errors, "");
    assert.match(checked.out, /^checked \d+ pages against 1 fact: no errors\n$/);
    const built = primer("build");
    assert.deepEqual([built.status, built.errors], [0, ""]);
    const [assets] = readdirSync(join(book, "build/site/_"));
    for (const file of ["page.wasm", "kernels/kernels-simd128.wasm", "fonts/stix-two-math.woff2"]) {
      assert.ok(existsSync(join(book, "build/site/_", assets, file)), file);
    }

    const server = await serve(join(book, "build/site"));
    const browser = await open_browser("chromium");
    try {
      const watched = await open_watched(browser, `${server.url}memory/`);
      const { state, reason, rows } = await run_bench(watched.page, "b-memory");
      assert.equal(state, "done", reason);
      assert.match(rows[0].text, /^[\d.]+ (±|to) [\d.]+ GB\/s .*(checked|doubtful)/);
      assert.deepEqual(await complaints(watched, origin_of(server)), []);
    } finally {
      await browser.close();
      await server.close();
    }
  },
);

test("a directory with content does not change", () => {
  mkdirSync(join(home, "full/inside"), { recursive: true });
  const { status, errors } = primer("new", "book", "full");
  assert.equal(status, 1);
  assert.equal(
    errors,
    `full: error: the directory is not empty [output-error]
  note: choose a directory that is empty or does not exist yet
1 error
`,
  );
  assert.deepEqual(readdirSync(join(home, "full")), ["inside"]);
});
