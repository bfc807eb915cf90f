// How pages look, in numbers (support/layout_judge.mjs): those of the book, and a page that has everything a chapter may hold.
// layout_undone.json lists what is not yet within its limits, and how far it is, in px: both may only become less.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";

import { open_browser, serve } from "../../scripts/lib/browsers.mjs";
import { beyond_limits, limits } from "./support/layout_judge.mjs";
import { build_small_site } from "./support/small_site.mjs";
import { pages, read_page, site } from "./support/site.mjs";

const undone = JSON.parse(readFileSync(new URL("layout_undone.json", import.meta.url), "utf8"));
const chapters = pages.filter((page) => /<main [^>]*class="chapter"/.test(read_page(page)));
const widths = [1280, 390];
const line = 35; // another browser may break a line more or less
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
  for (const width of widths) {
    const found = await beyond_limits(page, width);
    const listed = undone[name]?.[width] ?? {};
    const so = `at ${width} px ${JSON.stringify(found)} is beyond its limits, listed is ${JSON.stringify(listed)}`;
    assert.deepEqual(Object.keys(found), Object.keys(listed), so);
    for (const [what, number] of Object.entries(found)) {
      assert.ok(number <= listed[what] + line, `${what} became more: ${so}`);
      assert.ok(number >= listed[what] - 3 * line, `${what} became less, so list that: ${so}`);
    }
  }
  await page.close();
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
