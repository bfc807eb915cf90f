// The part of the fuzzing corpus that the browser editor cannot contain: images, locale files and
// templates must not crash the module either. tests/workshop/edits.test.mjs has the rest. Needs
// build/workshop (scripts/workshop).
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";

import { open_program, roots_of } from "../../npm/program.mjs";
import { write_small_book } from "../site/support/small_site.mjs";

const corpora = fileURLToPath(new URL("../fuzz/corpus", import.meta.url));
const book = mkdtempSync(join(tmpdir(), "npm-corpus-"));
after(() => rmSync(book, { recursive: true, force: true }));
const picture = { png: "a.png", jpeg: "a.jpg", webp: "a.webp" };
const shown = Object.values(picture).map((name) => `![A picture.](${name})\n`);
write_small_book(book, { one: shown.join("\n") }, { languages: ["en", "es"], pages: ["machine"] });

const roots = roots_of(book);
let replaced = {}; // path → bytes, in all roots
for (const directory of Object.values(roots)) {
  const [read, list] = [directory.read.bind(directory), directory.list.bind(directory)];
  directory.read = (path, most) => replaced[path] ?? read(path, most);
  directory.list = (path) => [
    ...new Set([
      ...list(path),
      ...Object.keys(replaced).filter((one) => one.startsWith(`${path}/`)),
    ]),
  ];
}
const { ask, site } = await open_program(roots);
const sound = readFileSync(new URL("../fixtures/images/palette.png", import.meta.url));

/**
 * Builds the site with these files instead of the book's: either there is a site, or there are
 * messages.
 */
async function build_with(files, name) {
  replaced = files;
  site.clear();
  const { status, err } = await ask({ command: "build", base_url: "none" });
  assert.ok(status === 0 ? site.has("index.html") : /\d errors?/.test(err), `${name}: ${err}`);
  return status;
}

for (const [folder, files_of] of Object.entries({
  raster: (bytes, name) => ({ [`chapters/en/${picture[name]}`]: bytes }),
  words: (bytes) => ({ "locales/es.json": bytes }),
  page_template: (bytes) => ({ "templates/page.mustache": bytes }),
}))
  test(folder, async () => {
    const names = readdirSync(join(corpora, folder));
    assert.ok(names.length > 0);
    for (const name of names)
      await build_with(files_of(readFileSync(join(corpora, folder, name)), name), name);
  });

test("and nothing is wrong with a sound picture after them", async () => {
  const one = "---\ntitle: One\n---\n![A picture.](a.png)\n";
  replaced = { "chapters/en/a.png": sound, "chapters/en/one.md": Buffer.from(one) };
  const { status, err } = await ask({ command: "check" });
  assert.deepEqual([status, err], [0, ""]);
});
