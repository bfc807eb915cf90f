// The book on one page and as a PDF, and the images for shared links, from a site with an address.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";

import { HtmlValidate } from "html-validate";

import { open_browser, serve } from "../../scripts/lib/browsers.mjs";
import { make_cards } from "../../scripts/cards.mjs";
import { make_pdf } from "../../scripts/pdf.mjs";

const home = mkdtempSync(join(tmpdir(), "print-"));
const site = join(home, "site");
const base = "https://h.io/repo/";
execFileSync("build/release/generator/primer", [
  "build",
  "--base-url",
  base,
  "--renditions",
  "--out",
  site,
]);
after(() => rmSync(home, { recursive: true }));

const html = readFileSync(join(site, "print/index.html"), "utf8");
const ids = [...html.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id);
const all = (pattern) => [...html.matchAll(pattern)].map(([, found]) => found);

test("the print page is valid, its ids are unique, its links lead inside or are whole", async () => {
  const validator = new HtmlValidate({
    root: true,
    extends: ["html-validate:recommended"],
    rules: {
      "void-style": "off",
      "attribute-boolean-style": ["error", { style: "name" }],
      "long-title": "off",
      // Ids made by the generator contain a dot, which ids of headings never do.
      "valid-id": ["error", { relaxed: true }],
      "no-trailing-whitespace": "off",
    },
  });
  const { results } = await validator.validateString(html);
  const faults = results.flatMap(({ messages }) =>
    messages.map((m) => `${m.line}:${m.column} ${m.ruleId}: ${m.message}`),
  );
  assert.deepEqual(faults.slice(0, 10), []);
  assert.equal(new Set(ids).size, ids.length);
  const inside = all(/\shref="#([^"]*)"/g);
  assert.ok(inside.length > 100);
  assert.deepEqual(
    inside.filter((id) => !ids.includes(id)),
    [],
  );
  const outside = all(/\shref="([^#"][^"]*)"/g).filter(
    (link) => !/^(https?:|mailto:|\.\.\/_\/)/.test(link),
  );
  assert.deepEqual(outside, []);
});

test("the print page has every chapter, whole, and nothing that needs scripts or the screen's colours", () => {
  const { items } = JSON.parse(readFileSync(join(site, "feed.json"), "utf8"));
  for (const { url, title } of items) {
    const slug = url.slice(base.length, -1);
    assert.ok(html.includes(`<article id="${slug}">`), slug);
    assert.ok(html.includes(title.replaceAll("'", "&apos;")) || html.includes(title), title);
  }
  assert.doesNotMatch(html, /<button|<input|<script|<primer-bench|var\(--/);
  assert.ok(html.match(/class="plot-data"/g).length > 20, "the numbers of the figures");
  assert.equal(html.match(/<details/g).length, html.match(/<details[^>]* open="open"/g).length);
});

test("the e-book is one, in each language", () => {
  for (const name of ["book.epub", "es/book.epub"]) {
    const epub = readFileSync(join(site, name));
    assert.equal(epub.subarray(30, 58).toString(), "mimetypeapplication/epub+zip", name);
  }
});

for (const root of ["", "es/"])
  test(`on paper each figure of ${root}print/ is drawn, nothing is wider than the page, nothing waits for results`, async () => {
    const server = await serve(site);
    const browser = await open_browser("chromium");
    try {
      const page = await browser.newPage();
      await page.setViewport({ width: 642, height: 900 }); // A4 without its margins
      await page.emulateMediaType("print");
      await page.goto(`${server.url}${root}print/`, { waitUntil: "load" });
      await page.evaluate(() => document.fonts.ready.then(() => {}));
      const found = await page.evaluate(() => {
        const place = (element) => element.closest("[id]").id;
        const is_cut = (e) =>
          getComputedStyle(e).overflowX !== "visible" && e.scrollWidth > e.clientWidth + 1;
        const is_wide = (e) =>
          e.getBoundingClientRect().right > innerWidth + 1 || (e.clientWidth > 0 && is_cut(e));
        const is_drawn = (f) =>
          [...f.querySelectorAll("svg")].some((svg) => svg.getClientRects().length > 0);
        const figures = [...document.querySelectorAll("figure.plot")];
        return {
          figures: figures.length,
          blank: figures.filter((figure) => !is_drawn(figure)).map(place),
          wide: [...document.querySelectorAll("main *:not(svg *)")].filter(is_wide).map(place),
          columns: [...document.querySelectorAll(".bench-table tr")].map((row) =>
            [...row.cells].reduce((sum, { colSpan }) => sum + colSpan, 0),
          ),
        };
      });
      assert.ok(found.figures > 20);
      assert.deepEqual([found.blank, found.wide], [[], []]);
      assert.deepEqual([...new Set(found.columns)], [2]);
    } finally {
      await browser.close();
      await server.close();
    }
  });

test("the PDF has an outline and tags, its links have ends, its fonts are inside", async () => {
  const path = join(home, "book.pdf");
  await make_pdf(site, path);
  const pdf = readFileSync(path, "latin1");
  assert.ok(pdf.startsWith("%PDF-"));
  assert.match(pdf, /\/Outlines \d+ 0 R/);
  assert.match(pdf, /\/StructTreeRoot/);
  const titles = pdf.match(/\/Title[ (<]/g);
  assert.ok(titles.length > all(/<h3/g).length, `${titles.length} titles`);
  // Every font descriptor embeds its font, or is that of a Type 3 font, whose glyphs are drawings.
  const objects = [...pdf.matchAll(/\n(\d+) 0 obj\n(<<[\s\S]*?)endobj/g)].map(([, id, text]) => ({
    id,
    text,
  }));
  const descriptors = objects.filter(({ text }) => text.includes("/Type /FontDescriptor"));
  const drawn = objects.filter(({ text }) => text.includes("/Subtype /Type3"));
  assert.ok(descriptors.length > 5);
  for (const { id, text } of descriptors.filter(({ text }) => !text.includes("/FontFile")))
    assert.ok(
      drawn.some((font) => font.text.includes(`/FontDescriptor ${id} 0 R`)),
      text,
    );
  const links = [...pdf.matchAll(/\/Dest \/([^\s/>]+)/g)].map(([, name]) => name);
  const inside = all(/\shref="#([^"]*)"/g).length;
  assert.ok(links.length >= inside * 0.99, `${links.length} of ${inside} links`);
  const ends = pdf.slice(pdf.lastIndexOf("/Dests"));
  const known = (name) => pdf.includes(`/${name} [`) || ends.includes(`/${name} `);
  assert.ok(links.filter(known).length >= links.length * 0.99);
});

test("each chapter with a figure has a card, and its page names it", async () => {
  const slugs = await make_cards(site);
  assert.ok(slugs.length >= 4);
  for (const slug of slugs) {
    const png = readFileSync(join(site, `cards/${slug}.png`));
    assert.deepEqual([png.readUInt32BE(16), png.readUInt32BE(20)], [1200, 630]);
    assert.ok(png.length > 10_000 && png.length < 300_000, `${slug}: ${png.length} bytes`);
    const page = readFileSync(join(site, slug, "index.html"), "utf8");
    assert.ok(
      page.includes(`<meta property="og:image" content="${base}cards/${slug}.png"/>`),
      slug,
    );
  }
});
