// The list of what a published site's service worker keeps for reading without a network: offline.json, with the bytes
// and the digest of each file. `text` is kept after a visit, `rest` once it was used or when the reader asks for all,
// `workshop`, which is what /write/ loads, once that was opened; what runs there of a page is in `rest`, too.
// The digest of the list itself is written into the worker, sw.js, next to those of the publications before, which
// the file `lists` in KEPT remembers: what a browser keeps is believed if it is on one of these lists. They are printed, for
// the next KEPT.
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
const most_lists = 10; // a reader who was away for longer has the book again after the next visit
const digest_of = (bytes) => createHash("sha256").update(bytes).digest("base64url");
const read = (path) => readFileSync(join(site, path));

const is_digest = (line) => /^[\w-]{43}$/.test(line);
const before = kept_in(kept).lists.filter(is_digest);
const print = (lists) => process.stdout.write(lists.map((line) => `${line}\n`).join(""));

// A retired worker keeps nothing: without the list no page registers it.
if (/^const retired = true;/m.test(read("sw.js"))) {
  print(before);
  process.exit(0);
}

const pages = readdirSync(site, { recursive: true })
  .filter((name) => String(name).endsWith(".html"))
  .map((name) => read(String(name)).toString());
const assets = /data-assets="(?:\.\/)*([^"]+)"/.exec(read("index.html"))[1];
// What the button on /write/ loads, and the styles of that; the button itself is a page's script as others are.
const is_workshop = (path) =>
  /^write\/[\w-]+\.(?:wasm|pack)$/.test(path) ||
  /\/write\.css$|\/runtime\/write\/(?!write\.js$)/.test(path);
// What runs in a page that is written: its measurements, their verdicts and its models.
const is_run = (path) =>
  /\/(?:kernels\/[^/]+\.wasm|models-\w+\.wasm|page\.wasm|registry\.json|reference\.json)$/.test(
    path,
  );
// The complete maths font, where no formula needs it.
const is_spare = (path) =>
  path.endsWith("/stix-two-math-complete.woff2") &&
  !pages.some((page) => page.includes('"m-more m-all'));
const for_readers = (path) => {
  if (is_spare(path)) return false;
  if (is_workshop(path) && !path.startsWith("_/")) return true;
  if (path.startsWith("_/")) return path.startsWith(assets); // not those of publications before
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

// Folders of other languages than the book's own: a reader keeps the pages of one.
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

const worker = read("sw.js").toString();
const pinned = worker.replace(/^const lists = \[.*\];/m, `const lists = ${JSON.stringify(lists)};`);
if (pinned === worker) throw new Error("offline: sw.js has no place for the digests of lists");
writeFileSync(join(site, "sw.js"), pinned);
