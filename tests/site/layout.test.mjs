// The layout of pages, in numbers (support/layout_judge.mjs): the book's pages, and a page with
// everything that a chapter may contain. Also checks that the words in figures are readable
// (support/label_judge.mjs). layout_undone.json lists the numbers that exceed their limits, with
// their value in px or words. Entries and values may only decrease.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";

import { open_browser, serve } from "../../scripts/lib/browsers.mjs";
import { sample } from "../rounds.mjs";
import { with_its_fonts } from "./support/browser_page.mjs";
import { unreadable_labels } from "./support/label_judge.mjs";
import { beyond_limits, home_words, layout_numbers, limits } from "./support/layout_judge.mjs";
import { build_small_site } from "./support/small_site.mjs";
import { pages, read_page, site } from "./support/site.mjs";

const undone = JSON.parse(readFileSync(new URL("layout_undone.json", import.meta.url), "utf8"));
const chapters = pages.filter((page) => /<main [^>]*class="chapter"/.test(read_page(page)));
const widths = [1280, 390];
/** The tolerance around a listed number, because another browser may wrap lines differently. */
const slack = { questions: 0, measurements: 0 };
const line = 35; // px, and words
const as_written = { waitUntil: "load" };
const in_its_letters = ':root[data-ready="painted"]'; // fonts load last (page/letters.js)

let browser, server;
before(async () => {
  browser = await open_browser("chromium", { whole: true });
  server = await serve(site, { alter: with_its_fonts });
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
  const holes = '<div class="callout" style="background:#ddd;height:1600px;margin-left:';
  const long = `<p style="height:4000px">${"Word ".repeat(2501)}</p>`;
  const asks =
    '<p class="quiz">Why?</p>'.repeat(6) + "<primer-bench>Measure.</primer-bench>".repeat(4);
  const boxes = [1, 2, 3].map((i) => `${holes}${i * 20}px;width:${600 - i * 60}px">Words.</div>`);
  const bad = `<main>${filler.repeat(9)}${boxes.join("")}${long}${asks}</main>`;
  const bare = "<!DOCTYPE html><style>html{background:#fff}*{margin:0}</style>";
  const page = await open_bare(bare + good);
  assert.deepEqual(await beyond_limits(page, 1280), {});
  assert.deepEqual(await beyond_limits(page, 390), {});
  await page.close();
  const worse = await open_bare(bare + bad);
  assert.deepEqual(Object.keys(await beyond_limits(worse, 1280)), Object.keys(limits));
  await worse.close();
});

test("the judge counts the words that a reader sees while all folds are closed", async () => {
  const text = "Two words, <b>and</b> a <em>bro</em>ken one";
  const apart = `<table><tr><td>A cell</td></tr></table><nav class="rail">Contents</nav>
    <svg><text>A label</text></svg><span class="tip">A tip</span>
    <details><summary>Three more words</summary><p>Folded ones</p></details>`;
  const page = await open_bare(`<!DOCTYPE html><main><p>${text}.</p><p>— 9 ×</p>${apart}</main>`);
  const { words } = await layout_numbers(page, 1280);
  await page.close();
  assert.equal(words, 6 + 1 + 3);
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

test("the judge: words that are cut, on each other or too near in one line are named, others are not", async () => {
  const text = (x, y, words, more = "") =>
    `<text x="${x}" y="${y}" font-size="12" ${more}>${words}</text>`;
  const page = await open_bare(
    `<!DOCTYPE html><style>svg{display:block;font:12px monospace}</style><main><figure id="f"><svg width="300" height="200" viewBox="0 0 300 200">${[
      text(10, 20, "above"),
      text(10, 34, "below"),
      text(290, 60, "is cut"),
      text(10, 90, "over"),
      text(14, 94, "each other"),
      text(10, 120, "12345"),
      text(47, 120, "too near"),
      text(150, 120, "far"),
      text(0, 0, "turned", 'transform="translate(20 190)rotate(-30)"'),
      text(0, 0, "beside", 'transform="translate(32 197)rotate(-30)"'),
    ].join("")}</svg></figure></main>`,
  );
  const found = await unreadable_labels(page);
  await page.close();
  assert.deepEqual(
    found.map((words) => words.replace(/-?[\d.]+ px/, "… px")),
    [
      "f: “is cut” is cut by … px",
      "f: “each other” is … px from “over”",
      "f: “too near” is … px from “12345”",
    ],
  );
});

const unfold = (page, is_open) =>
  page.$$eval("details.fold", (all, open) => all.forEach((fold) => (fold.open = open)), is_open);

async function is_as_listed(url, name) {
  const page = await browser.newPage();
  await page.goto(url, as_written);
  await page.waitForSelector(in_its_letters);
  for (const width of widths) {
    const found = await beyond_limits(page, width);
    await unfold(page, true);
    assert.deepEqual(await unreadable_labels(page), [], `at ${width} px`);
    await unfold(page, false);
    const listed = undone[name]?.[width] ?? {};
    const so = `at ${width} px ${JSON.stringify(found)} is beyond its limits, listed is ${JSON.stringify(listed)}`;
    assert.deepEqual(Object.keys(found), Object.keys(listed), so);
    for (const [what, number] of Object.entries(found)) {
      const near = slack[what] ?? line;
      assert.ok(number <= listed[what] + near, `${what} increased: ${so}`);
      assert.ok(number >= listed[what] - 3 * near, `${what} became less, so list that: ${so}`);
    }
  }
  await page.close();
}

test("a page with everything that a chapter may contain is within its limits, with listed exceptions", async () => {
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

for (const path of sample(chapters, 2))
  test(`${path}: length, boxes, blanks, drawings and edges are within limits, except where listed`, () =>
    is_as_listed(server.url + path, path));

const numbers_of = async (path) => {
  const page = await browser.newPage();
  await page.goto(server.url + path, as_written);
  await page.waitForSelector(in_its_letters);
  const numbers = await layout_numbers(page, 1280);
  await page.close();
  return numbers;
};

for (const [path, most] of Object.entries(home_words))
  test(`/${path}: at most ${most} words can be seen`, async () => {
    const { words } = await numbers_of(path);
    assert.ok(words <= most, `${words} words`);
  });

for (const [home, slug] of [
  ["", "interlude/"],
  ["es/", "roofline/"],
])
  test(`${home}${slug}: its card says how long its core is`, async () => {
    const { words, questions, measurements } = await numbers_of(home + slug);
    const [, facts] = new RegExp(
      `<h3><a href="./${slug}">[^]*?<p class="card-facts">([^]*?)</p>`,
    ).exec(read_page(home));
    const said = facts
      .replace(/<[^>]*>/g, "")
      .split(" · ")
      .map(parseFloat);
    // At 230 words per minute. The build does not count the words of layout and controls.
    assert.ok(Math.abs(said[0] - words / 230) < 1.2, `${said[0]} min for ${words} words`);
    assert.deepEqual(said.slice(1), [measurements, questions]);
  });

for (const path of ["", "machine/", "machines/"])
  test(`/${path}: the words of its drawings can be read`, async () => {
    const page = await browser.newPage();
    await page.goto(server.url + path, as_written);
    await page.waitForSelector(in_its_letters);
    for (const width of widths) {
      await page.setViewport({ width, height: 900 });
      assert.deepEqual(await unreadable_labels(page), [], `at ${width} px`);
    }
    await page.close();
  });
