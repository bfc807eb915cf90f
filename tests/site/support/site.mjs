// The built book for the browser tests. $SITE names another directory than build/site.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const repository = resolve(dirname(fileURLToPath(import.meta.url)), "../../..");
export const site = resolve(repository, process.env.SITE ?? "build/site");

if (!existsSync(join(site, "index.html"))) {
  throw new Error(`${site} holds no built book: run scripts/build first`);
}

const html_files = readdirSync(site, { recursive: true })
  .map((name) => String(name).replaceAll("\\", "/"))
  .filter((name) => name.endsWith(".html") && !name.startsWith("_/"))
  .map((name) => name.replace(/(^|\/)index\.html$/, "$1"))
  .sort();

/** The pages of /embed/: parts of other pages, for frames on other sites. */
export const embed_pages = html_files.filter((page) => page.startsWith("embed/"));
const all_pages = html_files.filter((page) => !page.startsWith("embed/"));

/** The pages of figures/review/, for the authors of the book. */
export const review_pages = all_pages.filter((page) => page.startsWith("figures/review/"));
const read = (page) =>
  readFileSync(join(site, page === "" || page.endsWith("/") ? `${page}index.html` : page), "utf8");
/** Pages of another language whose text is the original's: only their layout is translated. */
export const untranslated_pages = all_pages.filter((page) =>
  /<main [^>]*\slang="/.test(read(page)),
);
/** The reader's pages below the root: "" for the home page, "roofline/", and "404.html". */
export const pages = all_pages.filter(
  (page) => !review_pages.includes(page) && !untranslated_pages.includes(page),
);

export const page_file = (page) =>
  join(site, page === "" || page.endsWith("/") ? `${page}index.html` : page);
export const read_page = (page) => readFileSync(page_file(page), "utf8");

/** Those whose strings the tests have; language.test.mjs has the others. */
export const english_pages = pages.filter((page) => /<html lang="en"/.test(read_page(page)));

/** Pages with measurements, with the ids of these measurements. */
export const measured_pages = english_pages
  .map((page) => ({
    page,
    benches: [...read_page(page).matchAll(/<primer-bench id="([^"]+)"/g)].map(([, id]) => id),
  }))
  .filter(({ benches }) => benches.length > 0);

const page_with_roofs =
  measured_pages.find(({ page }) => page.startsWith("roofline")) ?? measured_pages[0];
/** The page whose measurement draws the reader's roofline, and that measurement. */
export const roofline_page = page_with_roofs.page;
export const roofline_bench =
  page_with_roofs.benches.find((id) => id.includes("roofline")) ?? page_with_roofs.benches[0];

export const gzip_size = (data) => gzipSync(data, { level: 9 }).length;
