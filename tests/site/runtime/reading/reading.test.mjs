// The reader's position: the offer to continue, the changes since the last visit, the contents and
// the keys. Also pages opened from a disk.
import assert from "node:assert/strict";
import { test } from "node:test";
import { pathToFileURL } from "node:url";

import { serve } from "../../../../scripts/lib/browsers.mjs";
import { axe_violations } from "../../support/axe.mjs";
import {
  any_browser,
  complaints,
  in_each_browser,
  key_of,
  open_watched,
  origin_of,
  until,
} from "../../support/browser_page.mjs";
import { page_file, site } from "../../support/site.mjs";

const key = key_of("reading.v1");
const notice = () => document.querySelector(".reading-notice")?.textContent ?? "";

in_each_browser(
  (session) => {
    /**
     * A separate server, and therefore separate storage. The file of a page can be changed on its
     * way.
     */
    async function with_book(use) {
      const change = { from: "", to: "" };
      const server = await serve(site, {
        alter: (path, body) =>
          path.endsWith("/roofline/") && change.from
            ? String(body).replace(change.from, change.to)
            : body,
      });
      try {
        const watched = await open_watched(session.browser, `${server.url}roofline/`);
        await use({ server, change, ...watched });
        await watched.page.close();
      } finally {
        await server.close();
      }
    }
    const remembered = (page) =>
      page.evaluate((name) => JSON.parse(localStorage.getItem(name)), key);
    async function read_to(page, id) {
      await page.bringToFront();
      await page.evaluate(
        (name) => document.getElementById(name).scrollIntoView({ behavior: "instant" }),
        id,
      );
      const is_noted = ([name, section]) =>
        Object.values(JSON.parse(localStorage.getItem(name))?.pages ?? {}).some(
          ({ at }) => at === section,
        );
      await until(page, is_noted, [key, id]);
    }
    const again = async (page, url) => {
      await page.goto("about:blank");
      await page.goto(url, { waitUntil: "load" });
    };

    test("the next visit offers the place, moves only when asked, and knows what changed", async () => {
      await with_book(async ({ page, seen, server, change }) => {
        const url = `${server.url}roofline/`;
        assert.equal(await remembered(page), null);
        await read_to(page, "the-roofline-in-one-formula");
        await again(page, url);
        await until(page, () => document.querySelector(".reading-notice a") !== null);
        assert.match(
          await page.evaluate(notice),
          /you stopped at 1\.2 The roofline in one formula/,
        );
        assert.doesNotMatch(await page.evaluate(notice), /Changed/);
        assert.equal(await page.evaluate(() => scrollY), 0);
        assert.deepEqual(await axe_violations(page), []);
        assert.deepEqual(await complaints({ page, seen }, origin_of(server)), []);
        await page.click(".reading-notice a");
        await until(
          page,
          () => document.activeElement.id === "the-roofline-in-one-formula" && scrollY > 500,
        );

        change.from = "This calculation works";
        change.to = "This calculation holds";
        await again(page, `${url}#limits-of-the-model`);
        await until(page, () => document.querySelector(".reading-notice li") !== null);
        const links = await page.$$eval(".reading-notice li a", (all) => all.map((a) => a.hash));
        assert.deepEqual(links, ["#the-roofline-in-one-formula"]);
        await page.click(".reading-notice button");
        await again(page, `${url}#limits-of-the-model`);
        await new Promise((resolve) => setTimeout(resolve, 700));
        assert.equal(await page.evaluate(notice), "");
      });
    });

    test("the offer at the window's foot covers nothing of the opened contents", async () => {
      await with_book(async ({ page, server }) => {
        await read_to(page, "the-roofline-in-one-formula");
        await again(page, `${server.url}roofline/`);
        await until(page, () => document.querySelector(".reading-notice a") !== null);
        await page.click(".contents > summary");
        await until(page, () => document.querySelector(".contents-tools") !== null);
        const seen = await page.evaluate(() => {
          const panel = document.querySelector(".contents > nav");
          panel.style.height = "100vh"; // its maximum height
          const { left, bottom } = panel.getBoundingClientRect();
          const offer = document.querySelector(".reading-notice").getBoundingClientRect();
          const on_top = document.elementFromPoint(left + 30, bottom - 5);
          return { reaches: bottom > offer.top, is_contents: panel.contains(on_top) };
        });
        assert.deepEqual(seen, { reaches: true, is_contents: true });
      });
    });

    test("the text being read stays in place when text above it changes", async () => {
      await with_book(async ({ page }) => {
        await read_to(page, "the-roofline-in-one-formula");
        const moved = await page.evaluate(async () => {
          const frames = () =>
            new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
          const top = () =>
            document.getElementById("the-roofline-in-one-formula").getBoundingClientRect().top;
          await frames();
          const before = { top: top(), y: scrollY };
          document.querySelector("main p").style.paddingBottom = "200px";
          await frames();
          return { top: top() - before.top, y: scrollY - before.y };
        });
        assert.ok(Math.abs(moved.top) < 1, `the text jumped by ${moved.top} px`);
        assert.ok(Math.abs(moved.y - 200) < 1, `the page was scrolled by ${moved.y} px`);
      });
    });

    test("contents: sections, marks and tools; keys turn chapters; what was read can be forgotten", async () => {
      await with_book(async ({ page, server }) => {
        await read_to(page, "the-roofline-in-one-formula");
        await page.evaluate(() => scrollTo(0, 0));
        await page.keyboard.press("c");
        await until(
          page,
          () =>
            document.querySelector(".contents-sections a[href='#the-roofline-in-one-formula']") !==
            null,
        );
        await until(page, () => document.querySelector(".contents .read-share") !== null);
        assert.deepEqual(await axe_violations(page), []);
        await page.keyboard.press("Escape");
        await page.keyboard.press("?");
        await until(page, () => document.querySelector("dialog.panel")?.open === true);
        assert.deepEqual(await axe_violations(page), []);
        await page.evaluate(() => {
          [...document.querySelectorAll("dialog button")]
            .find((b) => b.textContent.startsWith("Clear my"))
            .click();
        });
        assert.equal(await remembered(page), null);
        await page.evaluate(() => document.querySelector("dialog.panel input").click()); // single keys off
        await page.keyboard.press("Escape");
        await until(
          page,
          () => !document.querySelector("dialog.panel").matches("[open], :focus-within"),
        );
        const next = await page.$eval('.turn [rel="next"]', (link) => link.href);
        await page.keyboard.press("n");
        assert.equal(page.url().split("#")[0], `${server.url}roofline/`);
        await page.evaluate((name) => localStorage.removeItem(name), key_of("keys"));
        await page.keyboard.press("n");
        await until(page, (address) => location.href === address, next);
      });
    });
  },
  { kinds: any_browser },
);

in_each_browser(
  (session) => {
    test("from a disk a page is complete, keeps no room for scripts, and leads to the next", async () => {
      const { page, seen } = await open_watched(
        session.browser,
        pathToFileURL(page_file("roofline/")).href,
      );
      // Both browsers refuse modules from files; that is the only complaint.
      const others = seen.errors.filter(
        (text) => !/main\.js|CORS|Failed to load resource/.test(text),
      );
      assert.deepEqual(others, []);
      const found = await page.evaluate(async () => {
        await document.fonts.ready;
        const drawn = (plot) =>
          [...plot.querySelectorAll("svg")].filter((svg) => svg.getClientRects().length > 0).length;
        return {
          styled: getComputedStyle(document.querySelector("main")).maxWidth !== "none",
          drawn: [...document.querySelectorAll(".plot")].every((plot) => drawn(plot) === 1),
          fits: document.documentElement.scrollWidth <= innerWidth,
          gaps: [".bench-act", ".answer-row", ".yours"].map(
            (name) => getComputedStyle(document.querySelector(name)).display,
          ),
          veil: getComputedStyle(document.querySelector("[data-after] > .reference"))
            .backgroundImage,
          violations: window.watched.violations,
        };
      });
      assert.deepEqual(found, {
        styled: true,
        drawn: true,
        fits: true,
        gaps: ["none", "none", "none"],
        veil: "none",
        violations: [],
      });
      await Promise.all([
        page.waitForNavigation({ waitUntil: "load" }),
        page.click('.turn [rel="next"]'),
      ]);
      assert.match(page.url(), /\/interlude\/index\.html$/);
      await page.close();
    });
  },
  { words: ", from a disk", kinds: ["chromium"] },
);
