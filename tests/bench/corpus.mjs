// A book for benchmarks of generators, as large and as varied as The Rust Book: 111 chapters, 1.15
// MB, nine code blocks per chapter, cross-references, tables, lists, notes. The words and the code
// come from this repository and are combined by a seeded generator, so the same repository gives
// the same book.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const repository = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const read = (path) => readFileSync(join(repository, path), "utf8");
const files = (directory, ending) =>
  readdirSync(join(repository, directory), { recursive: true })
    .filter((name) => name.endsWith(ending))
    .sort()
    .map((name) => `${directory}/${name}`);

/** Whole numbers below n, with a fixed sequence per seed (mulberry32). */
function dice(seed) {
  let state = seed >>> 0;
  return (n) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 4294967296) * n);
  };
}

const words = files("chapters/en", ".md")
  .flatMap((path) => read(path).match(/(?<= )[a-z]{2,}(?= )/g))
  .filter((word) => word.length < 14);

const languages = [
  ["cpp", [...files("generator", ".cpp"), ...files("figures", ".cpp")], 6],
  ["javascript", files("site/runtime", ".js"), 3],
  ["bash", ["scripts/setup", "scripts/build", "scripts/emscripten", "scripts/fonts"], 2],
];
const comment = { cpp: "//", javascript: "//", bash: "#" };

/** Pieces of source that begin at a line without indentation, like listings in books. */
const pieces = Object.fromEntries(
  languages.map(([language, paths]) => [
    language,
    paths.flatMap((path) => {
      const lines = read(path).split("\n");
      return lines.flatMap((line, i) => {
        const piece = lines.slice(i, i + 16);
        // Pairs of braces are template syntax to Hugo.
        const usable = /^\S/.test(line) && !piece.some((text) => /```|\{\{/.test(text));
        return usable ? [piece] : [];
      });
    }),
  ]),
);
const mix = languages.flatMap(([language, , share]) => Array(share).fill(language));

class Chapter {
  constructor(number, slugs) {
    this.number = number;
    this.slugs = slugs;
    this.roll = dice(number + 1);
    this.codes = 0;
  }

  pick(list) {
    return list[this.roll(list.length)];
  }

  phrase(count) {
    return Array.from({ length: count }, () => this.pick(words)).join(" ");
  }

  sentence() {
    const text = this.phrase(6 + this.roll(12));
    return `${text[0].toUpperCase()}${text.slice(1)}.`;
  }

  special() {
    const slug = this.pick(this.slugs);
    return this.pick([
      () => `The name \`${this.pick(words)}_${this.pick(words)}\` stands for it.`,
      () => `This is *${this.phrase(2)}*, and **${this.pick(words)}** too.`,
      () => `See [${this.phrase(2)}](${slug}.md) for more.`,
      () => `It was said [before](${slug}.md#part-1) and [after](${slug}.md#part-2).`,
      () => `There is [a page](https://example.org/${this.pick(words)}) about it.`,
    ])();
  }

  paragraph() {
    const sentences = Array.from({ length: 3 + this.roll(3) }, () => this.sentence());
    sentences.splice(1, 0, this.special());
    const lines = [""];
    for (const word of sentences.join(" ").split(" ")) {
      const last = lines.length - 1;
      if (lines[last].length + word.length > 100) lines.push(word);
      else lines[last] += lines[last] ? ` ${word}` : word;
    }
    return lines.join("\n");
  }

  code() {
    const language = this.pick(mix);
    const lines = this.pick(pieces[language]).slice(0, 6 + this.roll(10));
    // No two blocks are the same, so that a cache of blocks does not look better here than it is.
    const mark = `${comment[language]} listing ${this.number}.${++this.codes}`;
    return ["```" + language, mark, ...lines, "```"].join("\n");
  }

  table() {
    const row = () => `| ${this.pick(words)} | ${this.roll(1000)} | ${this.phrase(3)} |`;
    return ["| what | count | note |", "|---|---:|---|", row(), row(), row(), row()].join("\n");
  }

  list() {
    return Array.from({ length: 4 }, () => `- ${this.sentence()}`).join("\n");
  }

  quote() {
    return `> [!NOTE]\n> ${this.sentence()}`;
  }

  text(title) {
    const parts = [];
    const sections = 5;
    for (let section = 1; section <= sections; ++section) {
      parts.push(`## Part ${section}`);
      for (let i = 0; i < 2; ++i) {
        parts.push(this.paragraph());
        if (section < sections || i === 0) parts.push(this.code());
        parts.push(this.paragraph());
      }
      parts.push(this.pick([() => this.table(), () => this.list(), () => this.quote()])());
    }
    const head = `---\ntitle: "${title}"\nsummary: "${this.sentence()}"\n---\n\n`;
    return `${head}${parts.join("\n\n")}\n`;
  }
}

/**
 * The chapters of the book: [{slug, title, text}].
 */
export function corpus(count) {
  const name = dice(0);
  const slugs = Array.from(
    { length: count },
    (_, i) => `c${String(i + 1).padStart(3, "0")}-${words[name(words.length)]}`,
  );
  return slugs.map((slug, i) => {
    const title = `Chapter on ${slug.slice(5)} ${i + 1}`;
    return { slug, title, text: new Chapter(i + 1, slugs).text(title) };
  });
}

function write(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** The hash of a block's text in primer's marks: the first half of FNV-1a in 64 bits. */
function block_hash(text) {
  let high = 0xcbf29ce4;
  let low = 0x84222325;
  for (const byte of Buffer.from(text.trim())) {
    low = (low ^ byte) >>> 0;
    const product = low * 0x1b3;
    high = (high * 0x1b3 + Math.floor(product / 2 ** 32) + low * 256) % 2 ** 32;
    low = product % 2 ** 32;
  }
  return high.toString(16).padStart(8, "0");
}

/**
 * A chapter in another language: the same words, with the mark of its original above each block.
 */
function translation(text, language) {
  const end = text.indexOf("---\n", 4) + 4;
  const front = text.slice(0, end);
  const blocks = [];
  let is_code = false;
  for (const piece of text.slice(end).trim().split("\n\n")) {
    if (is_code) blocks.push(`${blocks.pop()}\n\n${piece}`);
    else blocks.push(piece);
    if ((piece.match(/^```/gm) ?? []).length % 2 === 1) is_code = !is_code;
  }
  const marked = blocks.map((block) => `<!-- from ${block_hash(block)} -->\n${block}`);
  const its_front = front.replace(
    'title: "',
    `from: "${block_hash(front)}"\ntitle: "${language}: `,
  );
  return `${its_front}\n${marked.join("\n\n")}\n`;
}

/** Writes the book as primer reads it; in several languages the first is the original. */
export function write_primer_book(directory, chapters, languages = ["en"], translated = false) {
  const list = chapters.map(({ slug }, i) => `  - slug: ${slug}\n    number: ${i + 1}\n`);
  write(
    join(directory, "chapters/book.yaml"),
    `title: Corpus\nlanguages: [${languages.join(", ")}]\nchapters:\n${list.join("")}`,
  );
  for (const { slug, text } of chapters) write(join(directory, `chapters/en/${slug}.md`), text);
  for (const language of translated ? languages.slice(1) : []) {
    for (const { slug, text } of chapters)
      write(join(directory, `chapters/${language}/${slug}.md`), translation(text, language));
  }
}

/**
 * Writes the same text in Hugo's format, into the given directory, together with Hugo's templates.
 */
export function write_hugo_book(directory, chapters) {
  chapters.forEach(({ slug, text }, i) => {
    write(join(directory, `content/${slug}.md`), text.replace("---\n", `---\nweight: ${i + 1}\n`));
  });
}
