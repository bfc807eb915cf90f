// Worked questions: the book's own answer is graded as correct, a wrong one is not, and a wrong
// unit is reported in words.
import assert from "node:assert/strict";
import { test } from "node:test";

import {
  any_browser,
  complaints,
  in_each_browser,
  open_watched,
  origin_of,
} from "../../support/browser_page.mjs";
import { sample } from "../../../rounds.mjs";
import { english_pages, read_page } from "../../support/site.mjs";

const asking = english_pages.filter((page) => read_page(page).includes('class="worked"'));

in_each_browser(
  (session) => {
    /**
     * The feedback on an answer. The page waits for it, because polling from here costs more than
     * the answer.
     */
    const answer = (page, id, text) =>
      page.evaluate(
        async (name, words) => {
          const section = document.getElementById(name);
          const result = section.querySelector(".worked-result");
          result.textContent = "";
          section.querySelector(".worked-input").value = words;
          section.querySelector(".worked-form button").click();
          for (const end = Date.now() + 60_000; ["", "…"].includes(result.textContent);) {
            if (Date.now() > end) throw new Error(`${name}: nothing is said of “${words}”`);
            await new Promise((resolve) => setTimeout(resolve, 5));
          }
          return result.textContent;
        },
        id,
        text,
      );

    for (const path of sample(asking, 2)) {
      test(`${path}: answers are graded`, async () => {
        const watched = await open_watched(session.browser, session.server.url + path);
        const { page } = watched;
        const questions = await page.$$eval("section.worked", (sections) =>
          sections.map((section) => ({
            id: section.id,
            expected: section.querySelector(".answer strong").textContent,
          })),
        );
        for (const { id, expected } of questions) {
          assert.match(await answer(page, id, expected), /^Right/, `${id}: ${expected}`);
          assert.match(await answer(page, id, "0.000123"), /^Not yet/, id);
          assert.match(await answer(page, id, ""), /Type a number/, id);
        }
        assert.match(await answer(page, questions[0].id, "12 parsecs"), /\w+/);
        assert.deepEqual(await complaints(watched, origin_of(session.server)), []);
        await page.close();
      });
    }
  },
  { kinds: any_browser },
);
