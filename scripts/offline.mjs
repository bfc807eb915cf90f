// Writes offline.json, the list of files that a published site's service worker caches for reading
// offline, with the size and the digest of each file. `text` is cached after a visit, `rest` as it
// is used or when the reader asks for the whole book, and `workshop`, the files of /write/, once
// that page was opened; the runtime that its preview needs is in `rest`. The digest of the list is
// written into the worker, sw.js, next to those of previous publications, which the file `lists` in
// KEPT stores: a browser trusts a cached file if it is on one of these lists. The digests are
// printed, for the next KEPT. The worker also gets the translations of its strings.
//   node scripts/offline.mjs SITE KEPT
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { kept_in } from "./kept.mjs";

const [site, kept] = process.argv.slice(2);
if (!kept) {
  console.error("usage: node scripts/offline.mjs SITE KEPT");
  process.exit(2);
}
// A reader who was away for longer downloads the book again on the next visit
const most_lists = 10;
const digest_of = (bytes) => createHash("sha256").update(bytes).digest("base64url");
const read = (path) => readFileSync(join(site, path));

const is_digest = (line) => /^[\w-]{43}$/.test(line);
const before = kept_in(kept).lists.filter(is_digest);
const print = (lists) => process.stdout.write(lists.map((line) => `${line}\n`).join(""));

// A retired worker caches nothing: without the list, no page registers it.
if (/^const retired = true;/m.test(read("sw.js"))) {
  print(before);
  process.exit(0);
}

const pages = readdirSync(site, { recursive: true })
  .filter((name) => String(name).endsWith(".html"))
  .map((name) => read(String(name)).toString());
const assets = /data-assets="(?:\.\/)*([^"]+)"/.exec(read("index.html"))[1];
// The files that the button on /write/ loads, with their styles. The button itself is a page
// script.
const is_workshop = (path) =>
  /^write\/[\w-]+\.(?:wasm|pack)$/.test(path) ||
  /\/write\.css$|\/runtime\/write\/(?!write\.js$)/.test(path);
// Files that run in the preview of /write/: measurements, verdicts and models.
const is_run = (path) =>
  /\/(?:kernels\/[^/]+\.wasm|models-\w+\.wasm|page\.wasm|registry\.json|reference\.json)$/.test(
    path,
  );
// The complete maths font, unless a formula needs it.
const is_spare = (path) =>
  path.endsWith("/stix-two-math-complete.woff2") &&
  !pages.some((page) => page.includes('"m-more m-all'));
const for_readers = (path) => {
  if (is_spare(path)) return false;
  if (is_workshop(path) && !path.startsWith("_/")) return true;
  // Without the assets of previous publications
  if (path.startsWith("_/")) return path.startsWith(assets);
  if (path.startsWith("search/")) return true;
  if (path.endsWith("index.html"))
    return (
      !path.startsWith("rules/") && !read(path).includes('<meta name="robots" content="noindex"')
    );
  return /(^|\/)page\.[0-9a-f]+\.json$/.test(path) || path.startsWith("images/");
};
const is_text = (path) => /\.html$|^images\/|\/style\.css$|\.woff2$|\/runtime\//.test(path);
const part_of = (path) => (is_workshop(path) ? "workshop" : is_text(path) ? "text" : "rest");

const paths = readdirSync(site, { recursive: true })
  .map((name) => String(name).replaceAll("\\", "/"))
  .filter((path) => statSync(join(site, path)).isFile() && for_readers(path))
  .sort();

// The folders of languages other than the book's: a reader caches the pages of one language.
const languages = readdirSync(site).filter(
  (name) =>
    existsSync(join(site, name, "index.html")) &&
    read(`${name}/index.html`).includes(`<html lang="${name}"`),
);
const list = { version: "", languages, text: {}, rest: {}, workshop: {} };
for (const path of paths) {
  const bytes = read(path);
  const address = path.replace(/(^|\/)index\.html$/, "$1");
  const entry = [bytes.length, digest_of(bytes)];
  list[part_of(path)][address] = entry;
  if (is_run(path)) list.workshop[address] = entry;
}
list.version = digest_of(JSON.stringify(list)).slice(0, 12);
const text = `${JSON.stringify(list)}\n`;
writeFileSync(join(site, "offline.json"), text);

const lists = [...new Set([digest_of(text), ...before])].slice(0, most_lists);
print(lists);

/** Returns the worker with a constant set to `value`. */
function with_constant(worker, name, value) {
  const place = new RegExp(`^const ${name} = (?:\\[.*\\]|\\{.*\\});`, "m");
  if (!place.test(worker)) throw new Error(`offline: sw.js has no constant ${name}`);
  return worker.replace(place, () => `const ${name} = ${JSON.stringify(value)};`);
}

/** The strings of the worker in a language of the program; null for other languages. */
function translation_of(language, worker) {
  const locale = new URL(`../site/locales/${language}.json`, import.meta.url);
  if (!existsSync(locale)) return null;
  const strings = JSON.parse(readFileSync(locale, "utf8"))["said by pages alone"];
  const texts = [...worker.matchAll(/\bword\("([^"]+)"\)/g)].map(([, text]) => text);
  return Object.fromEntries(texts.map((text) => [text, strings[text] || text]));
}

const worker = read("sw.js").toString();
const translations = Object.fromEntries(
  languages
    .map((language) => [language, translation_of(language, worker)])
    .filter(([, strings]) => strings),
);
writeFileSync(
  join(site, "sw.js"),
  with_constant(with_constant(worker, "lists", lists), "translations", translations),
);
