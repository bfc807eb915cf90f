// Folded sections: closed at first, opened by a press on the heading (with and without scripts) and
// by a link to a place in them. On the next visit they are as the reader left them.
import assert from "node:assert/strict";
import { test } from "node:test";

import { any_browser, in_each_browser, until, until_ready } from "./support/browser_page.mjs";
import { english_pages, read_page } from "./support/site.mjs";

const path = english_pages.find((page) => read_page(page).includes('<details class="fold">'));
const fold_of = "details.fold";
const open_folds = (page) =>
  page.$$eval(`${fold_of}[open] > summary > :is(h2, h3)`, (headings) =>
    headings.map(({ id }) => id),
  );

in_each_browser(
  (session) => {
    const visit = async (hash = "", scripts = true) => {
      const page = await session.browser.newPage();
      await page.setJavaScriptEnabled(scripts);
      await page.goto(session.server.url + path + hash, { waitUntil: "load" });
      if (scripts) await until_ready(page);
      return page;
    };

    test("without scripts a press on the heading opens a section", async () => {
      const page = await visit("", false);
      await page.click(`${fold_of} > summary`);
      assert.equal((await page.$$(`${fold_of}[open]`)).length, 1);
      await page.close();
    });

    test("a link into a section opens it, and the next visit finds it open", async () => {
      const first = await visit();
      assert.deepEqual(await open_folds(first), []);
      const [id, inside] = await first.$eval(fold_of, (fold) => [
        fold.querySelector("summary > :is(h2, h3)").id,
        fold.querySelector(":scope > :not(summary)[id], :scope > :not(summary) [id]").id,
      ]);
      await first.close();
      const linked = await visit(`#${inside}`);
      await until(linked, (fold) => document.querySelector(`${fold}[open]`) !== null, fold_of);
      assert.deepEqual(await open_folds(linked), [id]);
      // The event that stores the state fires after the attribute changes.
      await until(linked, () => Object.keys(localStorage).some((key) => key.includes("folds.")));
      await linked.close();
      const again = await visit();
      await until(again, (fold) => document.querySelector(`${fold}[open]`) !== null, fold_of);
      assert.deepEqual(await open_folds(again), [id]);
      await again.close();
    });
  },
  { kinds: any_browser },
);
