// /cheat-sheet/: one sheet of paper, and the only page that carries its style.
import assert from "node:assert/strict";
import { test } from "node:test";

import { in_each_browser, open_watched } from "./support/browser_page.mjs";
import { pages, read_page } from "./support/site.mjs";

test("only the cheat sheet loads its style", () => {
  const loading = pages.filter((page) => read_page(page).includes("/cheat-sheet.css"));
  assert.deepEqual(loading, ["cheat-sheet/", "es/cheat-sheet/"]);
});

in_each_browser(
  (session) => {
    test("it prints on one page of A4, its table whole, with a tenth of the page to spare for other fonts", async () => {
      const { page } = await open_watched(session.browser, `${session.server.url}cheat-sheet/`);
      const pdf = Buffer.from(await page.pdf({ preferCSSPageSize: true })).toString("latin1");
      assert.equal(pdf.match(/\/Type \/Page\b/g).length, 1);
      const [, width, height] = /\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/.exec(pdf);
      assert.ok(
        Math.abs(width - 595) < 2 && Math.abs(height - 842) < 2,
        `${width} × ${height} points`,
      );

      // The printed width of A4 without its margins, 190 mm, at 96 px an inch; its height is 279
      // mm.
      await page.setViewport({ width: 718, height: 1054 });
      await page.emulateMediaType("print");
      const [bottom, right] = await page.evaluate(() => {
        const { bottom, right } = document.querySelector("main table").getBoundingClientRect();
        return [bottom + scrollY, right];
      });
      assert.ok(bottom < 1054 * 0.9, `the table ends at ${bottom} of 1054 px`);
      assert.ok(right <= 718, `the table ends at ${right} of 718 px`);
      await page.close();
    });
  },
  { kinds: ["chromium"], whole: true },
);
