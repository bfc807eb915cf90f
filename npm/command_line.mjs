// What was asked for, read from the words of the command line. Options mean what they mean to
// primer.
import { existsSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";

export const usage = `under-the-roofline check [FILE…]     what is wrong with the book, or with these of its files
under-the-roofline build             writes the site
under-the-roofline new book DIR      begins a book
under-the-roofline new chapter SLUG  begins a chapter
under-the-roofline --version

  --book DIR         directory that holds chapters/book.yaml; else the nearest one upward
  --out DIR          the site; else the book's build/site
  --format FORMAT    how mistakes are printed: text, json or github
  --base-url URL     public address of the site, or none
  --repository URL   address of the repository, for links to sources
  --drafts           also the chapters that book.yaml calls drafts
  --unmeasured       take measured numbers as written
  --prose, --counts  of check: also the text's sentences; only how many mistakes there are of each rule
  --title TEXT, --language LANGUAGE   of new book
`;

const text = { type: "string" };
const flag = { type: "boolean" };
const site = {
  book: text,
  format: text,
  "base-url": text,
  repository: text,
  drafts: flag,
  unmeasured: flag,
};
/** Words → options, and how many operands may follow. */
const commands = {
  check: { options: { ...site, prose: flag, counts: flag }, least: 0, most: Infinity },
  build: { options: { ...site, out: text }, least: 0, most: 0 },
  "new book": { options: { title: text, language: text }, least: 1, most: 1 },
  "new chapter": { options: { book: text }, least: 1, most: 1 },
};

/** The directory of a book that this one is in; this one where there is none. */
function nearest_book() {
  for (let at = resolve("."); ; at = dirname(at)) {
    if (existsSync(join(at, "chapters/book.yaml"))) return relative(".", at) || ".";
    if (at === dirname(at)) return ".";
  }
}

function read(name, words) {
  const { options, least, most } = commands[name];
  const { values, positionals } = parseArgs({ args: words, options, allowPositionals: true });
  if (positionals.length < least) throw new Error(`${name} wants to know which`);
  if (positionals.length > most) throw new Error(`${name} takes no "${positionals[most]}"`);
  const { format = "text" } = values;
  if (!["text", "json", "github"].includes(format))
    throw new Error(`--format is text, json or github, not "${format}"`);
  const book = values.book ?? nearest_book();
  return { ...values, name, operands: positionals, format, book };
}

/** {command}; {complaint}, in words; or neither, which asks for help. */
export function command_of(words) {
  if (words.length === 0 || words.includes("--help")) return {};
  if (words.join() === "--version") return { command: { name: "version", format: "text" } };
  const size = words[0] === "new" ? 2 : 1;
  const name = words.slice(0, size).join(" ");
  if (!Object.hasOwn(commands, name)) return { complaint: `unknown command "${name}"` };
  try {
    return { command: read(name, words.slice(size)) };
  } catch ({ message }) {
    return { complaint: message };
  }
}
