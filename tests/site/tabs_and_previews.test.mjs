// Tabs by mouse and keyboard, on two pages, in print and without scripts; previews of links by
// pointer and focus; and a copy of the site that opens from a disk.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { join } from "node:path";

import { serve } from "../../scripts/lib/browsers.mjs";
import { axe_violations } from "./support/axe.mjs";
import { any_browser, in_each_browser, until, until_ready } from "./support/browser_page.mjs";
import { build_small_site } from "./support/small_site.mjs";

const tabs = (one, two) =>
  `> [!TABS]\n>\n> - C++\n>\n>   ${one}\n>\n> - Rust & co.\n>\n>   ${two}\n\n`;
const chapters = {
  first: `## One\n\n${tabs("First in C++.", "First in Rust.")}${tabs("Second in C++.", "Second in Rust.")}
See [Equation](#eq-a), [Section](second.md#two) and [a site](https://example.org/#x).

\`\`\`math eq-a
x = y
\`\`\`
`,
  second: `## Two\n\nThe beginning of two.\n\n### Below\n\n${tabs("Third in C++.", "Third in Rust.")}`,
};

let small, flat, server;
before(async () => {
  const options = ["--modules", "none", "--fonts", "none"];
  small = build_small_site(chapters, options);
  flat = build_small_site(chapters, [...options, "--flat"]);
  server = await serve(small.site);
});
after(async () => {
  await server?.close();
  small?.remove();
  flat?.remove();
});

const shown = (page) =>
  page.$$eval(".tab", (all) =>
    all
      .map((one) => one.querySelector(":scope > :last-child"))
      .filter((text) => text.checkVisibility())
      .map(({ textContent }) => textContent.trim()),
  );
const in_rust = ["First in Rust.", "Second in Rust."];
const in_both = ["First in C++.", "First in Rust.", "Second in C++.", "Second in Rust."];

in_each_browser(
  (session) => {
    const open = async (path, scripts = true) => {
      const page = await session.browser.newPage();
      await page.setJavaScriptEnabled(scripts);
      await page.goto(server.url + path, { waitUntil: "load" });
      if (scripts) await until_ready(page);
      if (scripts) await until(page, () => document.querySelector(".tab-list") !== null);
      return page;
    };
    const selected = (page) =>
      page.$$eval('[role=tab][aria-selected="true"]', (all) =>
        all.map(({ textContent }) => textContent),
      );

    test("a press chooses a label in all groups, and the next page remembers it", async () => {
      const page = await open("first/");
      assert.deepEqual(await shown(page), ["First in C++.", "Second in C++."]);
      await page.click("[role=tab]:nth-child(2)");
      assert.deepEqual(await shown(page), in_rust);
      assert.deepEqual(await axe_violations(page), []);
      await page.goto(`${server.url}second/`, { waitUntil: "load" });
      await until(page, () => document.querySelector(".tab-list") !== null);
      assert.deepEqual(await shown(page), ["Third in Rust."]);
      await page.evaluate(() => localStorage.clear());
      await page.close();
    });

    test("arrows, Home and End choose and move the focus; the others are no Tab stops", async () => {
      const page = await open("first/");
      await page.focus("[role=tab]");
      for (const [key, label] of [
        ["ArrowRight", "Rust & co."],
        ["ArrowRight", "C++"],
        ["End", "Rust & co."],
        ["Home", "C++"],
        ["ArrowLeft", "Rust & co."],
      ]) {
        await page.keyboard.press(key);
        assert.equal(await page.evaluate(() => document.activeElement.textContent), label);
        assert.deepEqual(await selected(page), [label, label], key);
      }
      assert.equal((await page.$$('[role=tab][tabindex="0"]')).length, 2);
      await page.evaluate(() => localStorage.clear());
      await page.close();
    });

    test("print and pages without scripts show all panels with their labels", async () => {
      const printed = await open("first/");
      await printed.emulateMediaType("print");
      assert.deepEqual(await shown(printed), in_both);
      assert.equal(
        (await printed.$$eval(".tab-label", (all) => all.filter((one) => one.checkVisibility())))
          .length,
        4,
      );
      await printed.close();
      const plain = await open("first/", false);
      assert.deepEqual(await shown(plain), in_both);
      await plain.close();
    });

    const preview_of = async (page, selector) => {
      await page.hover(selector);
      await until(page, () => document.querySelector(".preview") !== null);
      return page.$eval(".preview", ({ textContent }) => textContent.replace(/\s+/g, " ").trim());
    };

    test("a pointer that rests on a link sees what it leads to", async () => {
      const page = await open("first/");
      await page.setViewport({ width: 1280, height: 900 });
      assert.match(await preview_of(page, "p a[href='#eq-a']"), /^.*x=y.*\(0\.1\)$/);
      // The pointer can move onto the preview, which stays.
      await page.hover(".preview");
      await new Promise((resolve) => setTimeout(resolve, 600));
      assert.ok(await page.$(".preview"));
      await page.keyboard.press("Escape");
      assert.equal(await page.$(".preview"), null);
      server.requests.length = 0;
      assert.match(
        await preview_of(page, "p a[href*='second']"),
        /^1\.1 Two *The beginning of two\.$/,
      );
      assert.equal(server.requests.filter((path) => path.includes("second")).length, 1);
      assert.deepEqual(await axe_violations(page), []);
      await page.hover("h1");
      await until(page, () => document.querySelector(".preview") === null);
      await page.close();
    });

    test("so does the keyboard focus, and a link to another site has no preview", async () => {
      const page = await open("first/");
      await page.focus("p a[href='#eq-a']");
      await page.keyboard.press("Shift");
      await until(page, () => document.querySelector(".preview") !== null);
      await page.focus("p a[href*='example.org']");
      await until(page, () => document.querySelector(".preview") === null);
      await new Promise((resolve) => setTimeout(resolve, 600));
      assert.equal(await page.$(".preview"), null);
      await page.close();
    });

    test("a flat site works from a disk without scripts", async () => {
      const page = await session.browser.newPage();
      await page.setJavaScriptEnabled(false);
      await page.goto(pathToFileURL(join(flat.site, "index.html")).href);
      const hrefs = await page.$$eval("a[href]", (all) => all.map(({ href }) => href));
      assert.deepEqual(
        hrefs.filter((href) => href.startsWith("file:") && /\/(#.*)?$/.test(href)),
        [],
      );
      await Promise.all([page.waitForNavigation(), page.click("main a[href*='first']")]);
      assert.match(
        await page.$eval("main > .label", ({ textContent }) => textContent),
        /^A copy for/,
      );
      assert.deepEqual(await shown(page), in_both);
      await Promise.all([page.waitForNavigation(), page.click("p a[href*='second']")]);
      assert.match(page.url(), /second\/index\.html#two$/);
      assert.equal(await page.$$eval("script[type=module]", ({ length }) => length), 0);
      await page.close();
    });
  },
  { kinds: any_browser },
);
