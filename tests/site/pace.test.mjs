// Chapter 5 writes its first paragraph at the speeds of its first table. A click shows numbers that
// match the table, and nothing moves while the text is written.
import assert from "node:assert/strict";
import { test } from "node:test";

import {
  any_browser,
  complaints,
  in_each_browser,
  open_watched,
  origin_of,
  until,
} from "./support/browser_page.mjs";
import { axe_violations } from "./support/axe.mjs";
import { pages, read_page } from "./support/site.mjs";

const chapters = ["one-chip/", "es/one-chip/"];

test("only the chapter with the table loads its style", () => {
  const loading = pages.filter((page) => read_page(page).includes("/pace.css"));
  assert.deepEqual(loading.sort(), [...chapters].sort());
});

in_each_browser(
  (session) => {
    for (const path of chapters)
      test(`/${path}: the numbers match the table, and the text is the first paragraph`, async () => {
        const watched = await open_watched(session.browser, session.server.url + path);
        const { page } = watched;
        await page.waitForSelector(".pace-bar button");
        await page.click(".pace-bar button");
        await until(page, () => document.querySelectorAll(".pace-lane").length === 2);
        await until(page, () => {
          const [written, rest] = document.querySelector(".pace-text").children;
          return written.textContent.length > 100 && rest.textContent === "";
        });
        await new Promise((resolve) => setTimeout(resolve, 1000)); // the slow one keeps writing
        const seen = await page.evaluate(() => {
          for (const tip of document.querySelectorAll(".table .tip")) tip.remove();
          const rows = [...document.querySelectorAll("#tbl-pace ~ .table tbody")][0].rows;
          const rate = (row) => parseFloat(row.cells[1].textContent);
          const shown = [...document.querySelectorAll(".pace-numbers > span")].map((span) =>
            parseFloat(span.textContent),
          );
          const [fast, slow] = [...document.querySelectorAll(".pace-text")].map((text) => [
            text.textContent,
            text.children[0].textContent.length,
          ]);
          const first = document.querySelector("main > p:not([class])").cloneNode(true);
          for (const tip of first.querySelectorAll(".tip")) tip.remove();
          const text = first.textContent.replace(/\s+/g, " ").trim();
          return {
            rates: [rate(rows[0]), rate(rows[2])],
            shown,
            is_first: fast[0] === text && slow[0] === text,
            is_slower: slow[1] < fast[1],
            knobs: [...document.querySelectorAll(".pace select")].map(
              (list) => list.labels[0].textContent !== "",
            ),
          };
        });
        assert.deepEqual(seen.shown, seen.rates);
        assert.ok(seen.is_first && seen.is_slower);
        assert.deepEqual(seen.knobs, [true, true, true]);
        // At the top of the page, its header covers no control.
        await page.evaluate(() => scrollTo({ top: 0, behavior: "instant" }));
        assert.deepEqual(await axe_violations(page, null), []);
        assert.deepEqual(await complaints(watched, origin_of(session.server)), []);
        await page.close();
      });
  },
  { kinds: any_browser },
);
