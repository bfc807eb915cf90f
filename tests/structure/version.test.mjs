// Every file that states the program's version agrees with CMakeLists.txt, and the BibTeX of the
// book agrees with its chapters.
// Reads the book.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

const read = (path) => readFileSync(path, "utf8");
const [, version] = /^project\(\w+ VERSION ([\d.]+)/m.exec(read("CMakeLists.txt"));

test("CITATION.cff and the package.json files have the program's version", () => {
  assert.equal(/^version: "(.+)"$/m.exec(read("CITATION.cff"))[1], version);
  for (const path of ["package.json", "npm/package.json"])
    assert.equal(JSON.parse(read(path)).version, version, path);
});

test("the last release in CHANGELOG.md is that version", () => {
  const releases = [...read("CHANGELOG.md").matchAll(/^## \[(\d[\d.]*)\] - (\S+)$/gm)];
  assert.equal(releases[0][1], version);
  assert.equal(releases[0][2], /^date-released: (.+)$/m.exec(read("CITATION.cff"))[1]);
});

test("the BibTeX of the book has an entry for each chapter, with its title", () => {
  const slugs = [...read("chapters/book.yaml").matchAll(/slug: ([\w-]+)/g)].map(([, slug]) => slug);
  const files = readdirSync("chapters/en").filter((name) => name.endsWith(".md"));
  const title_of = (slug) => {
    const file = files.find((name) => name.replace(/^\d+-/, "") === `${slug}.md`);
    return /^title: "?(.*?)"?$/m.exec(read(`chapters/en/${file}`))[1];
  };
  const edition = /^ {2}edition: "(.+)"$/m.exec(read("CITATION.cff"))[1];
  for (const language of ["en", "es"]) {
    const text = read(`chapters/${language}/pages/about.md`);
    const entries = [
      ...text.matchAll(/^@incollection\{under-the-roofline-([\w-]+),\n {2}title {4}= \{(.*)\},$/gm),
    ];
    assert.deepEqual(
      entries.map(([, slug, title]) => [slug, title.replaceAll(/[{}]/g, "")]),
      slugs.map((slug) => [slug, title_of(slug)]),
    );
    assert.match(text, new RegExp(`edition {3}= \\{${edition}\\}`));
  }
});
