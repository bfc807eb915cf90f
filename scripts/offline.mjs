// The list of what a published site's service worker keeps for reading without a network: offline.json, with the bytes
// and the digest of each file. `text` is kept after a visit, `rest` once it was used or when the reader asks for all.
//   node scripts/offline.mjs SITE
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const site = process.argv[2];
if (!site) {
  console.error("usage: node scripts/offline.mjs SITE");
  process.exit(2);
}
const read = (path) => readFileSync(join(site, path));

// A retired worker keeps nothing: without the list no page registers it.
if (/^const retired = true;/m.test(read("sw.js"))) process.exit(0);

const assets = /data-assets="(?:\.\/)*([^"]+)"/.exec(read("index.html"))[1];
const for_readers = (path) => {
  if (path.startsWith("_/")) return path.startsWith(assets); // not those of publications before
  if (path.startsWith("search/")) return true;
  if (path.endsWith("index.html"))
    return !path.startsWith("rules/") && !read(path).includes('<meta name="robots" content="noindex"');
  return /(^|\/)page\.[0-9a-f]+\.json$/.test(path) || path.startsWith("images/");
};
const is_text = (path) => /\.html$|^images\/|\/style\.css$|\.woff2$|\/runtime\//.test(path);

const paths = readdirSync(site, { recursive: true })
  .map((name) => String(name).replaceAll("\\", "/"))
  .filter((path) => statSync(join(site, path)).isFile() && for_readers(path))
  .sort();

const list = { version: "", text: {}, rest: {} };
for (const path of paths) {
  const bytes = read(path);
  const digest = createHash("sha256").update(bytes).digest("hex").slice(0, 16);
  const address = path.replace(/(^|\/)index\.html$/, "$1");
  list[is_text(path) ? "text" : "rest"][address] = [bytes.length, digest];
}
list.version = createHash("sha256").update(JSON.stringify(list)).digest("hex").slice(0, 12);
writeFileSync(join(site, "offline.json"), `${JSON.stringify(list)}\n`);
