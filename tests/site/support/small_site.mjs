// A small site for one test: a book of a few chapters, built by primer with the book's scripts,
// styles and modules. Needs build/release and build/wasm, or PRIMER.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../../..");
const primer = process.env.PRIMER ?? join(root, "build/release/generator/primer");

/**
 * Writes a book into `book`: `chapters` maps slugs to Markdown, with or without front matter;
 * `languages` are the book's languages, starting with that of the chapters; `pages` are pages of
 * this book that it also has; `translations` maps languages to chapters. It has this book's facts,
 * figures and reference profile.
 */
export function write_small_book(
  book,
  chapters,
  { languages = ["en"], pages = [], translations = {} } = {},
) {
  for (const path of ["chapters/facts", "figures/specs", "figures/profiles"])
    cpSync(join(root, path), join(book, path), { recursive: true });
  mkdirSync(join(book, "chapters/en/pages"), { recursive: true });
  for (const page of pages) {
    const text = readFileSync(join(root, `chapters/en/pages/${page}.md`), "utf8");
    // Without links to missing chapters and pages.
    const at_home = text.replace(
      /\[([^\]]*)\]\((?:\.\.\/|([\w-]+)\.md)[^)]*\)/g,
      (link, words, other) => (pages.includes(other) ? link : words),
    );
    writeFileSync(join(book, `chapters/en/pages/${page}.md`), at_home);
  }
  const entries = Object.keys(chapters).map((slug, i) => `  - {slug: ${slug}, number: ${i}}\n`);
  const spoken = languages.length > 1 ? `languages: [${languages}]` : "language: en";
  writeFileSync(
    join(book, "chapters/book.yaml"),
    `title: Small\n${spoken}\nreference: reference-chromium\nchapters:\n${entries.join("")}pages: [${pages}]\n`,
  );
  for (const [language, texts] of Object.entries({ en: chapters, ...translations })) {
    mkdirSync(join(book, "chapters", language), { recursive: true });
    for (const [slug, text] of Object.entries(texts))
      writeFileSync(
        join(book, `chapters/${language}/${slug}.md`),
        text.startsWith("---") ? text : `---\ntitle: ${slug}\n---\n${text}`,
      );
  }
}

/**
 * The site of such a book; `options` are those of `primer build`, `more` those of
 * write_small_book(). Returns {site, remove}; throws with primer's messages if the book has errors.
 */
export function build_small_site(chapters, options = [], more = {}) {
  const folder = mkdtempSync(join(tmpdir(), "small-site-"));
  const book = join(folder, "book");
  write_small_book(book, chapters, more);
  const site = join(folder, "site");
  execFileSync(primer, ["build", "--book", book, "--out", site, ...options], { stdio: "pipe" });
  return { site, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
