// The search index of a built site, by Pagefind: one record for each section, because chapters are long and readers look
// for a place in them. It is made apart from the site, which then takes it in (`primer build --search`).
//   node scripts/search.mjs SITE INDEX
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";

import { transform } from "esbuild";
import { close, createIndex } from "pagefind";

import { with_small_chunks } from "./lib/search_chunks.mjs";

// What the page's script asks for; the rest of Pagefind's files are its own user interface.
const needed =
  /^(pagefind\.js|pagefind-entry\.json|pagefind\..*\.pf_meta|wasm\..*\.pagefind|(index|fragment|filter)\/.*)$/;

// What is not prose: drawings and their tables, code, results, what only repeats.
const left_out = [
  "svg",
  "pre",
  ".plot-data",
  ".plot-source",
  ".model-controls",
  ".bench-table",
  ".bench-act",
  ".quiz-result",
  ".score",
  ".tip",
  ".label",
  ".references",
  ".turn",
  ".rail",
  ".source-note",
  ".equation-number",
  ".formula-narrow",
];

const section_start = /(?=<h[23] [^>]*?id="|<dt [^>]*?id=")/;
const inner = (html, tag) => new RegExp(`<${tag}[^>]*>([\\s\\S]*?)</${tag}>`).exec(html)?.[1];
// A formula's letters, if they read as a word in a sentence. A statement is none, nor has a word a prime.
const formula_words = (mathml) => {
  const letters = without_tags(mathml).replaceAll(" ", "");
  return letters.length <= 12 && !/[=≠<>≤≥≈∼′]/.test(letters) ? letters : "…";
};
const without_tags = (html) =>
  html
    .replace(/<[^>]+>/g, "")
    .replace(/\s+/g, " ")
    .trim();

/** The sections of a page as {url, html}, each a small page of its own. */
export function sections_of(url, page) {
  const language = /<html[^>]*? lang="([^"]+)"/.exec(page)?.[1] ?? "en";
  const text = /<main[^>]*>([\s\S]*)<\/main>/.exec(page)?.[1] ?? "";
  // Pagefind takes curly quotation marks for letters, so that a quoted word would be another word.
  // "v4’s" it cuts into "v" and "4’s", and finds neither.
  const plain = text.replace(/[“”«»]/g, "&quot;").replace(/(\d)’s\b/g, "$1");
  const main = plain.replace(/<math[\s\S]*?<\/math>/g, formula_words);
  const chapter = without_tags(inner(main, "h1") ?? "");
  return main.split(section_start).map((html) => {
    const [, tag, id] = /^<(h[23]|dt) [^>]*?id="([^"]+)"/.exec(html) ?? [];
    const title = without_tags((tag && inner(html, tag)) ?? chapter);
    // A definition is short, which Pagefind takes for relevance: the word itself is what counts there.
    const weight = tag === "dt" ? 0.3 : 1;
    const body = html.replace(/<(h1|h[23]|dt)\b[\s\S]*?<\/\1>/, "");
    return {
      url: id ? `${url}#${id}` : url,
      html:
        `<html lang="${language}"><head><meta content="${chapter}" data-pagefind-meta="chapter[content]"/></head>` +
        `<body><h1>${title}</h1><div data-pagefind-weight="${weight}">${body}</div></body></html>`,
    };
  });
}

/** Pages for readers: those that search engines may list, but not the rules of primer. */
function pages_of(site) {
  return readdirSync(site, { recursive: true })
    .map((name) => String(name).replaceAll("\\", "/"))
    .filter((name) => /(^|\/)index\.html$/.test(name) && !/^(_|rules)\//.test(name))
    .sort()
    .map((name) => ({
      url: name.replace(/index\.html$/, ""),
      page: readFileSync(join(site, name), "utf8"),
    }))
    .filter(({ page }) => !page.includes('<meta name="robots" content="noindex"'));
}

async function files_of(sections) {
  const { index } = await createIndex({ excludeSelectors: left_out });
  for (const { url, html } of sections) {
    const { errors } = await index.addHTMLFile({ url, content: html });
    if (errors.length > 0) throw new Error(`${url}: ${errors.join("; ")}`);
  }
  const { files } = await index.getFiles();
  await close();
  const wanted = files.filter(({ path }) => needed.test(path) && !path.startsWith("wasm.unknown"));
  return with_small_chunks(wanted);
}

/** Writes the index anew, beside the old one until it is whole; the number of sections in it. */
export async function write_index(site, directory) {
  const sections = pages_of(site).flatMap(({ url, page }) => sections_of(url, page));
  const files = await files_of(sections);
  const [fresh, old] = [`${directory}.new`, `${directory}.old`];
  for (const one of [fresh, old]) rmSync(one, { recursive: true, force: true });
  for (const { path, content } of files) {
    mkdirSync(dirname(join(fresh, path)), { recursive: true });
    const is_script = path.endsWith(".js");
    const bytes = is_script
      ? (await transform(Buffer.from(content).toString(), { minify: true, format: "esm" })).code
      : content;
    writeFileSync(join(fresh, path), bytes);
  }
  if (existsSync(directory)) renameSync(directory, old);
  renameSync(fresh, directory);
  rmSync(old, { recursive: true, force: true });
  return sections.length;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [site, directory] = process.argv.slice(2);
  if (!directory) {
    console.error("usage: node scripts/search.mjs SITE INDEX");
    process.exit(2);
  }
  console.log(`${directory}: ${await write_index(site, directory)} sections`);
}
