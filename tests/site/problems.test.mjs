// Problem pages: the questions of a chapter on a separate page. Answers count on both pages, the
// keys n and p step through the questions, and the printed sheet has answers only on request.
import assert from "node:assert/strict";
import { test } from "node:test";

import { axe_violations } from "./support/axe.mjs";
import {
  any_browser,
  complaints,
  in_each_browser,
  key_of,
  open_watched,
  origin_of,
  press,
  profile_key,
  until,
} from "./support/browser_page.mjs";
import { pages, read_page } from "./support/site.mjs";

const questions_of = (page) =>
  [...read_page(page).matchAll(/<section class="(?:predict|quiz|worked)" id="([^"]+)"/g)].map(
    ([, id]) => id,
  );
const chapters = pages.filter((page) => /<main [^>]*class="chapter"/.test(read_page(page)));
const problem_pages = pages.filter((page) => page.endsWith("/problems/"));

test("every chapter has a page with its questions in its order, and links to it", () => {
  assert.deepEqual(problem_pages, chapters.map((page) => `${page}problems/`).sort());
  for (const chapter of chapters) {
    const ids = questions_of(chapter);
    assert.ok(ids.length > 5, chapter);
    assert.deepEqual(questions_of(`${chapter}problems/`), ids);
    assert.match(
      read_page(chapter),
      new RegExp(`<a href="problems/">[^<]*\\(${ids.length}\\)</a>`),
    );
    const language = /^(es\/)?/.exec(chapter)[0];
    assert.ok(read_page(language).includes(`href="./${chapter.slice(language.length)}problems/"`));
  }
});

test("only these pages load their style, and every section leads back to the chapter", () => {
  const loading = pages.filter((page) => read_page(page).includes("/problems.css"));
  assert.deepEqual(loading, problem_pages);
  for (const page of problem_pages) {
    const links = [...read_page(page).matchAll(/<h2><a href="\.\.\/#([^"]+)"/g)];
    assert.ok(links.length > 1, page);
    const chapter = read_page(page.replace(/problems\/$/, ""));
    for (const [, id] of links) assert.ok(chapter.includes(`<h2 id="${id}"`), `${page} ${id}`);
  }
});

const chapter = "interlude/";
const path = `${chapter}problems/`;
const [quiz] = /<section class="quiz" id="([^"]+)"/.exec(read_page(path)).slice(1);
const [worked] = /<section class="worked" id="([^"]+)"/.exec(read_page(path)).slice(1);
const count = questions_of(path).length;
const shown = () =>
  [...document.querySelectorAll(".problems :is(.predict, .quiz, .worked)")]
    .filter((one) => one.checkVisibility())
    .map(({ id }) => id);
/** The visible text of answers: open ones, and reasons of choices. */
const spoiled = () =>
  [...document.querySelectorAll(".answer > :not(summary), .choice > :not(summary)")].filter((one) =>
    one.checkVisibility({ contentVisibilityAuto: true }),
  ).length;

in_each_browser(
  (session) => {
    const open = async (page = path, size = {}) => {
      const watched = await open_watched(session.browser, session.server.url + page, size);
      if (page === path)
        await until(watched.page, () => document.querySelector(".problem-bar") !== null);
      return watched;
    };
    const close = async (watched) => {
      assert.deepEqual(await complaints(watched, origin_of(session.server)), []);
      await watched.page.evaluate(() => localStorage.clear());
      await watched.page.close();
    };
    const score_is = (page, words) =>
      until(page, (said) => document.querySelector(".score").textContent.includes(said), words);

    test("an answer given in the chapter counts here, and the other way around", async () => {
      const first = await open(chapter);
      await press(first.page, `#${quiz} .choice-right > summary`);
      await until(first.page, (id) => "graded" in document.getElementById(id).dataset, quiz);
      await first.page.close();
      const watched = await open();
      const { page } = watched;
      await until(page, (id) => document.getElementById(id).dataset.graded === "right", quiz);
      await score_is(page, `: 1 of ${count}`);
      const answer = await page.$eval(`#${worked} .answer strong`, (e) => e.textContent);
      await page.type(`#${worked}-input`, answer);
      await page.keyboard.press("Enter");
      await score_is(page, `: 2 of ${count}`);
      await press(page, `#${quiz} .again`);
      await score_is(page, `: 1 of ${count}`);
      const kept = await page.evaluate((key) => localStorage.getItem(key), key_of("answers.v1"));
      assert.deepEqual(Object.keys(JSON.parse(kept)), [`${chapter}#${worked}`]);
      await close(watched);
    });

    test("one at a time: keys, buttons and addresses choose the question", async () => {
      const watched = await open();
      const { page } = watched;
      const all = await page.evaluate(shown);
      assert.deepEqual(all, questions_of(path));
      await page.click(".problem-bar [type=checkbox]");
      assert.deepEqual(await page.evaluate(shown), all.slice(0, 1));
      await page.focus(".problem-next");
      await page.keyboard.press("n");
      await page.keyboard.press("n");
      assert.deepEqual(await page.evaluate(shown), all.slice(2, 3));
      assert.equal(await page.evaluate(() => document.activeElement.id), all[2]);
      await page.keyboard.press("p");
      assert.deepEqual(await page.evaluate(shown), all.slice(1, 2));
      const place = await page.$eval(".problem-bar output", (e) => e.textContent);
      assert.equal(place, `2 of ${count}`);
      await page.click(".problem-next");
      assert.deepEqual(await page.evaluate(shown), all.slice(2, 3));
      await page.evaluate((id) => (location.hash = id), all.at(-1));
      await until(page, (id) => document.activeElement.id === id, all.at(-1));
      await page.keyboard.press("n"); // there is none after it
      await page.focus(".problems > div:not([hidden]) > h2 > a");
      await page.evaluate(() => (location.hash = "text"));
      assert.deepEqual(await page.evaluate(shown), all.slice(-1));
      await close(watched);
    });

    test("the switch asks about the reader's machine, and is the badge's choice", async () => {
      const watched = await open();
      const { page } = watched;
      assert.ok(await page.$eval(".problem-bar option:last-child", (e) => e.disabled));
      await page.evaluate(async (key) => {
        const url = new URL(`${document.documentElement.dataset.assets}reference.json`, location);
        localStorage.setItem(key, await (await fetch(url)).text());
      }, profile_key);
      await page.reload({ waitUntil: "load" });
      const chosen = (value) =>
        until(
          page,
          (wanted) => {
            const lists = [...document.querySelectorAll(".worked-machine")].filter((list) =>
              list.querySelector('[value="reader"]'),
            );
            const bar = document.querySelector(".problem-bar select")?.value;
            return (
              lists.length > 0 &&
              bar === wanted &&
              lists.every((one) => one.value === wanted.replace("reference", ""))
            );
          },
          value,
        );
      await chosen("reader");
      await page.select(".problem-bar select", "reference");
      await chosen("reference");
      const stored = () => page.evaluate((key) => localStorage.getItem(key), key_of("numbers"));
      assert.equal(await stored(), "reference");
      await page.select(".problem-bar select", "reader");
      await chosen("reader");
      assert.equal(await stored(), null);
      await close(watched);
    });

    test("the printed sheet has all questions, and answers only on request", async () => {
      const watched = await open();
      const { page } = watched;
      const all = questions_of(path);
      await page.click(".problem-bar [type=checkbox]");
      await press(page, `#${all[0]} summary`); // an open answer is not printed either
      await page.emulateMediaType("print");
      assert.deepEqual(await page.evaluate(shown), all);
      assert.equal(await page.evaluate(spoiled), 0);
      await page.emulateMediaType("screen");
      await page.click(".problem-bar > :last-child input");
      await page.emulateMediaType("print");
      assert.ok((await page.evaluate(spoiled)) > all.length);
      await page.emulateMediaType("screen");
      await close(watched);
    });

    test("without scripts all questions are there, folded, on paper too", async () => {
      const page = await session.browser.newPage();
      await page.setJavaScriptEnabled(false);
      await page.goto(session.server.url + path, { waitUntil: "load" });
      for (const media of ["screen", "print"]) {
        await page.emulateMediaType(media);
        assert.deepEqual(await page.evaluate(shown), questions_of(path), media);
        assert.equal(await page.evaluate(spoiled), 0, media);
      }
      await page.close();
    });

    for (const size of [
      { width: 1280, height: 900 },
      { width: 390, height: 844 },
    ])
      test(`${size.width} px: nothing moves or overflows, and axe has no complaint`, async () => {
        const watched = await open(path, size);
        const { page } = watched;
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(wide <= size.width, `${wide} px wide`);
        assert.deepEqual(await axe_violations(page), []);
        await close(watched);
      });
  },
  { kinds: any_browser },
);
