// How pages look, in numbers (support/layout_judge.mjs): those of the book, and a page that has everything a chapter may hold.
// layout_undone.json lists what is not yet within its limits, and may only become shorter.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";

import { open_browser, serve } from "../../scripts/lib/browsers.mjs";
import { beyond_limits, limits } from "./support/layout_judge.mjs";
import { build_small_site } from "./support/small_site.mjs";
import { english_pages, read_page, site } from "./support/site.mjs";

const undone = JSON.parse(readFileSync(new URL("layout_undone.json", import.meta.url), "utf8"));
const chapters = english_pages.filter((page) => /<main [^>]*class="chapter"/.test(read_page(page)));
const widths = [1280, 390];
const as_written = { waitUntil: "load" };

let browser, server;
before(async () => {
  browser = await open_browser("chromium", { whole: true });
  server = await serve(site);
});
after(async () => {
  await browser?.close();
  await server?.close();
});

const open_bare = async (html) => {
  const page = await browser.newPage();
  await page.goto("about:blank");
  await page.setContent(html, as_written);
  return page;
};

test("the judge: a page of boxes, holes and edges is beyond each limit, a plain one beyond none", async () => {
  const filler = '<p style="height:400px">Words.</p>';
  const figure = '<figure><svg width="600" height="300"></svg></figure>';
  const good = `<main>${figure}${filler}${figure}</main>`;
  const holes = '<div class="callout" style="background:#ddd;height:600px;margin-left:';
  const bad = `<main>${filler.repeat(9)}${[1, 2, 3].map((i) => `${holes}${i * 20}px;width:${600 - i * 60}px">Words.</div>`).join("")}</main>`;
  const bare = "<!DOCTYPE html><style>html{background:#fff}*{margin:0}</style>";
  const page = await open_bare(bare + good);
  assert.deepEqual(await beyond_limits(page, 1280), {});
  assert.deepEqual(await beyond_limits(page, 390), {});
  await page.close();
  const worse = await open_bare(bare + bad);
  assert.deepEqual(Object.keys(await beyond_limits(worse, 1280)), Object.keys(limits));
  await worse.close();
});

test("the judge: drawings are wanted in the argument, and, counted apart, among the problems after it", async () => {
  const filler = '<p style="height:1000px">Words.</p>'.repeat(4);
  const figure = '<figure><svg width="300" height="300"></svg></figure>';
  const apart = async (html) => {
    const page = await open_bare(`<!DOCTYPE html><main>${html}</main>`);
    const beyond = await beyond_limits(page, 390);
    await page.close();
    return [beyond["drawings apart"] ?? 0, beyond["drawings apart in all"] ?? 0];
  };
  const problems = `<h2 id="problems">Problems</h2>${filler}`;
  const [argument, all] = await apart(figure + problems);
  assert.equal(argument, 0);
  assert.ok(all > 3000);
  const [longer] = await apart(figure + filler + problems);
  assert.ok(longer > 3000);
});

async function is_as_listed(url, name) {
  const page = await browser.newPage();
  await page.goto(url, as_written);
  await page.waitForSelector(":root[data-ready]");
  const found = {};
  const numbers = {};
  for (const width of widths) {
    numbers[width] = await beyond_limits(page, width);
    const names = Object.keys(numbers[width]);
    if (names.length > 0) found[width] = names;
  }
  await page.close();
  assert.deepEqual(
    found,
    undone[name] ?? {},
    `beyond its limits is ${JSON.stringify(numbers)}, and layout_undone.json lists something else: mend it, or take it off the list`,
  );
}

test("a page with everything that a chapter may hold: within its limits, but for what is listed", async () => {
  const text = readFileSync(new URL("../fixtures/layout/everything.md", import.meta.url), "utf8");
  const { site: small, remove } = build_small_site({ everything: text });
  const small_server = await serve(small);
  try {
    await is_as_listed(`${small_server.url}everything/`, "everything/");
  } finally {
    await small_server.close();
    remove();
  }
});

for (const path of chapters)
  test(`${path}: boxes, blanks, drawings and edges within their limits, but for what is listed`, () =>
    is_as_listed(server.url + path, path));
