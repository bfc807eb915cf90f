// /write/ from an author's point of view: the book's own program in the page, an error found and
// fixed, a patch that git accepts, and a draft that survives the tab. Nothing of a hostile text
// runs.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, describe, test } from "node:test";

import { open_browser, serve } from "../../scripts/lib/browsers.mjs";
import { link_of } from "../../site/runtime/write/draft_link.js";
import { any_browser, open_watched, until } from "./support/browser_page.mjs";
import { site } from "./support/site.mjs";
import { build_small_site } from "./support/small_site.mjs";
import {
  exported_patch,
  is_made,
  make_site,
  says,
  skip,
  workshop_session,
  type_whole,
} from "./support/workshop_page.mjs";

const file = "chapters/en/pages/why-slow.md";
const place = mkdtempSync(join(tmpdir(), "write-"));
after(() => rmSync(place, { recursive: true, force: true }));

const texts_of = (page, selector) =>
  page.$$eval(selector, (all) => all.map(({ textContent }) => textContent));

/**
 * The drafts that the browser stores, [[file, text]…], after `put`, {file, text}, is one of them.
 */
const drafts_of = (page, put) =>
  page.evaluate(async (fresh) => {
    const answer = (request) =>
      new Promise((resolve) => (request.onsuccess = () => resolve(request.result)));
    const name = (await indexedDB.databases()).find((one) => one.name.endsWith("drafts")).name;
    const database = await answer(indexedDB.open(name));
    const store = database.transaction("drafts", "readwrite").objectStore("drafts");
    if (fresh) store.put(fresh);
    const all = await answer(store.getAll());
    database.close();
    return all.map(({ file, text }) => [file, text]);
  }, put);

async function press_button(page, words) {
  for (const button of await page.$$(".write button"))
    if ((await button.evaluate(({ textContent }) => textContent)) === words) await button.click();
}
async function take_back(page) {
  await press_button(page, "Undo all changes");
  while ((await drafts_of(page)).length > 0)
    await new Promise((resolve) => setTimeout(resolve, 20));
}

/** The attacks of all tests. If a script of one runs anywhere, it notifies the page. */
const hostile = JSON.parse(readFileSync("tests/fixtures/attacks.json", "utf8")).map((attack) =>
  attack.replaceAll("alert(1)", "top.postMessage(666,'*')"),
);
const draft_of = (text) => `---\ntitle: Why\nsummary: Six.\n---\n\n${text}\n`;

/**
 * Runs before the page's scripts: counts the pages that the program builds, and records scripts
 * that ran.
 */
const listen = () => {
  window.made = 0;
  addEventListener("message", ({ data }) => data === 666 && (window.hacked = true));
  const { postMessage } = Worker.prototype;
  Worker.prototype.postMessage = function (message) {
    if (message.address)
      this.addEventListener(
        "message",
        ({ data }) => (window.made += "page" in (data.answer ?? {})),
      );
    return postMessage.call(this, message);
  };
};

/** Nothing ran, no other origin was contacted, and the frame did not navigate. */
async function assert_unharmed(page, seen, what) {
  const origin = new URL(page.url()).origin;
  const frame = await (await page.$(".write-preview")).contentFrame();
  const found = {
    hacked: await page.evaluate(() => window.hacked),
    foreign: seen.requests.filter(
      (url) => !/^(?:data|blob|about):/.test(url) && !url.startsWith(origin),
    ),
    frame: frame.url(),
    is_a_page: await frame.evaluate(() => document.querySelector("main") !== null),
    sandbox: await page.$eval(".write-preview", ({ sandbox, contentDocument }) => [
      sandbox.value,
      contentDocument,
    ]),
  };
  assert.deepEqual(
    found,
    {
      hacked: undefined,
      foreign: [],
      frame: "about:srcdoc",
      is_a_page: true,
      sandbox: ["allow-scripts", null],
    },
    what,
  );
}

for (const kind of any_browser)
  describe(`${kind}, the workshop`, { skip, timeout: 300_000 }, () => {
    const session = workshop_session(kind, () => make_site(mkdtempSync(join(place, "made-"))));
    const open = async (width = 1280) => (await session.open(`?file=${file}`, { width })).page;

    const open_hostile = (query) => session.open(query, { before: listen });

    test("an error has the build's message, is fixed by a press, and becomes a patch that git accepts", async () => {
      const text = readFileSync(file, "utf8");
      const page = await open();
      await says(page, "No errors or warnings.");
      const wrong = text.trimEnd() + "\n\nA rate of [3.35 TB/s](fact:h100-sxm.bandwith).\n";
      await type_whole(page, wrong);
      await says(page, "Errors: 1");
      const [problem] = (await texts_of(page, ".write-problems li[data-severity=error]")).slice(-1);
      assert.match(problem, /no fact has the id "h100-sxm\.bandwith".*“h100-sxm\.bandwidth”/);
      const line = wrong.trimEnd().split("\n").length;
      assert.ok(problem.startsWith(`${line}:`), problem);
      await type_whole(page, wrong.replace("bandwith", "bandwidth"));
      await says(page, "Errors: 0");

      const patch = await exported_patch(page, "A fact more");
      assert.equal(applied(text, patch), wrong.replace("bandwith", "bandwidth"));
      await page.close();

      const again = await open();
      await until(again, () => /draft/.test(document.querySelector(".write-says").textContent));
      await take_back(again);
      await says(again, "No errors or warnings.");
      await again.close();
    });

    test("what was typed a moment ago is in the patch, and stays with its own file", async () => {
      const page = await open();
      const another = "chapters/en/pages/cheat-sheet.md";
      const with_end = (end) => `${readFileSync(file, "utf8").trimEnd()}\n\n${end}\n`;
      const is_open = (name) =>
        until(
          page,
          (start) =>
            document
              .querySelector(".write-editor")
              .shadowRoot.querySelector(".cm-content")
              .innerText.includes(start),
          /^title: (.*)$/m.exec(readFileSync(name, "utf8"))[1],
        );

      await type_whole(page, with_end("The last words."));
      assert.match(await exported_patch(page, "Last words"), /^\+The last words\.$/m);

      await type_whole(page, with_end("Words of the first."));
      await page.select(".write-bar select", another);
      await is_open(another);
      assert.deepEqual(await drafts_of(page), [[file, with_end("Words of the first.")]]);

      await page.select(".write-bar select", file);
      await is_open(file);
      await type_whole(page, with_end("Words to forget."));
      await take_back(page);
      await until(page, () => document.querySelector(".write-state").textContent === "");
      // Longer than the pause after which typed text is saved.
      await new Promise((resolve) => setTimeout(resolve, 300));
      assert.deepEqual(await drafts_of(page), []);
      await page.close();
    });

    test("a draft that is published by now is none any more", async () => {
      const page = await open();
      const text = readFileSync(file, "utf8");
      await type_whole(page, `${text}\nMore.\n`);
      await until(page, () => document.querySelector(".write-state").textContent !== "");
      await drafts_of(page, { file, text });
      await page.reload();
      await until(page, is_made);
      assert.equal(await page.$eval(".write-state", (state) => state.textContent), "");
      assert.deepEqual(await drafts_of(page), []);
      await page.close();
    });

    test("the page is shown in the book's styles and faces, of which its frame fetches none", async () => {
      const page = await open();
      const frame = await (await page.$(".write-preview")).contentFrame();
      await until(frame, () => document.querySelector("main h2") !== null);
      const shown = await frame.evaluate(() => ({
        faces: [...new Set([...document.fonts].map(({ family }) => family.replaceAll('"', "")))],
        waiting: [...document.fonts]
          .filter(({ family, status }) => !family.includes("Fallback") && status !== "loaded")
          .map(({ family }) => family),
        ruled: getComputedStyle(document.querySelector("main")).maxWidth !== "none",
        fetched: performance.getEntriesByType("resource").map(({ name }) => name),
      }));
      assert.ok(shown.faces.includes("STIX Two Text"), String(shown.faces));
      assert.deepEqual(
        { ...shown, faces: [] },
        { faces: [], waiting: [], ruled: true, fetched: [] },
      );
      await page.close();
    });

    test("lines that end in CR LF go on to, those that are added too", async () => {
      const page = await open();
      const text = readFileSync(file, "utf8").replaceAll("\n", "\r\n");
      await drafts_of(page, { file, text });
      await page.reload();
      await until(page, is_made);
      await page.$eval(".write-editor", ({ shadowRoot }) =>
        shadowRoot.querySelector(".cm-content").focus(),
      );
      await page.keyboard.type("# A comment");
      await page.keyboard.press("Enter");
      await until(page, () =>
        document.querySelector(".write-state").textContent.includes("Saved in this browser"),
      );
      assert.deepEqual(await drafts_of(page), [[file, `# A comment\r\n${text}`]]);
      await take_back(page);
      await page.close();
    });

    test("a fact is found by its words and put into the text; names are offered while they are typed", async () => {
      const page = await open();
      await page.$eval("input[name=facts]", (input) => (input.closest("details").open = true));
      await page.type("input[name=facts]", "h100 bandwidth");
      await until(page, () => document.querySelector(".write-facts button") !== null);
      await page.click(".write-facts button");
      const text = () =>
        page.$eval(
          ".write-editor",
          ({ shadowRoot }) => shadowRoot.querySelector(".cm-line").textContent,
        );
      assert.match(await text(), /^\[\d.*\]\(fact:[\w.-]*h100/);
      await page.keyboard.type("[x](fact:h100-sxm.bandw");
      await until(page, () =>
        /h100-sxm\.bandwidth/.test(
          document
            .querySelector(".write-editor")
            .shadowRoot.querySelector(".cm-tooltip-autocomplete")?.textContent,
        ),
      );
      // A list that has just opened ignores keys.
      await new Promise((resolve) => setTimeout(resolve, 200));
      await page.keyboard.press("Enter");
      assert.match(await text(), /\[x\]\(fact:h100-sxm\.bandwidth/);
      await take_back(page);
      await page.close();
    });

    test("no attack of the tests runs, asks anybody or moves the page, written as a draft", async () => {
      const { page, seen } = await open_hostile(`?file=${file}`);
      const good = [];
      for (const attack of hostile) {
        const before = await page.evaluate(() => window.made);
        await type_whole(page, draft_of(attack));
        await until(page, (count) => window.made > count, before);
        if (await page.$eval(".write", ({ dataset }) => dataset.state === "good"))
          good.push(attack);
        await assert_unharmed(page, seen, attack);
      }
      assert.ok(good.length > 10 && good.length < hostile.length, `${good.length} make a page`);
      await take_back(page);
      await page.close();
      session.good = good;
    });

    test("nor sent as a link, all that are refused and all that make a page; left, a link leaves nothing", async () => {
      for (const all of [hostile, session.good]) {
        const text = draft_of(all.join("\n\n"));
        const address = `?file=${file}${await link_of({ file, text })}`;
        const { page, seen } = await open_hostile(address);
        await until(page, () => document.querySelector(".write > .write-says button") !== null);
        await press_button(page, "Leave it");
        await assert_unharmed(page, seen, "left");
        assert.deepEqual(await drafts_of(page), []);
        const opened = await page.$eval(
          ".write-editor",
          ({ shadowRoot }) => shadowRoot.textContent,
        );
        assert.ok(!opened.includes("Six.") && !(await page.$(".write > .write-says button")));
        await says(page, "No errors or warnings.");

        await page.reload();
        await until(page, () => document.querySelector(".write > .write-says button") !== null);
        const before = await page.evaluate(() => window.made);
        await press_button(page, "Open it");
        await until(page, (count) => window.made > count, before);
        const state = await page.$eval(".write", ({ dataset }) => dataset.state);
        assert.equal(state, all === hostile ? "wrong" : "good");
        await new Promise((resolve) => setTimeout(resolve, 500));
        await assert_unharmed(page, seen, "opened");
        await take_back(page);
        await says(page, "No errors or warnings.");
        await page.close();
      }
    });

    test("a text that somebody sent asks before it opens", async () => {
      const text = "---\ntitle: Why\nsummary: Six.\n---\n\nSomebody’s text.\n";
      const address = `write/?file=${file}${await link_of({ file, text })}`;
      const url = new URL(address, session.server.url).href;
      const { page } = await open_watched(session.browser, url);
      await until(page, () => document.querySelector(".write > .write-says button") !== null);
      const written = () =>
        document.querySelector(".write-editor").shadowRoot.querySelector(".cm-content").innerText;
      assert.doesNotMatch(await page.evaluate(written), /Somebody/);
      await page.click(".write > .write-says button");
      await until(page, () =>
        document.querySelector(".write-editor").shadowRoot.textContent.includes("Somebody’s text."),
      );
      await says(page, "Errors: 0");
      await page.close();
    });

    test("by keyboard: Tab passes the page, and a button leads into it", async () => {
      const page = await open();
      await page.focus(".write-bar select");
      const seen = [];
      for (let i = 0; i < 8; ++i) {
        await page.keyboard.press("Tab");
        seen.push(await page.evaluate(() => document.activeElement.tagName));
      }
      assert.ok(seen.includes("SUMMARY") && !seen.includes("IFRAME"), seen.join());
      await page.focus(".write-bar > button");
      await page.keyboard.press("Enter");
      assert.equal(await page.evaluate(() => document.activeElement.tagName), "IFRAME");
      await page.close();
    });

    test("on a phone the text and the page are shown in turn", async () => {
      const page = await open(390);
      const shown = () =>
        page.$$eval(".write-editor, .write-preview", (all) =>
          all.map((one) => getComputedStyle(one).display !== "none"),
        );
      assert.deepEqual(await shown(), [true, false]);
      await until(page, () => {
        const { top } = document.querySelector(".write-bar").getBoundingClientRect();
        return top > 0 && top < 150;
      });
      await page.click(".write-views button:last-child");
      assert.deepEqual(await shown(), [false, true]);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(wide <= 390, `${wide} px wide`);
      await page.close();
    });
  });

/** The file after `git am`, in a repository that has it as `text`. */
function applied(text, patch) {
  const repository = mkdtempSync(join(place, "repository-"));
  const git = (...words) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.org", ...words], {
      cwd: repository,
    });
  mkdirSync(dirname(join(repository, file)), { recursive: true });
  writeFileSync(join(repository, file), text);
  writeFileSync(join(place, "patch"), patch);
  git("init", "-q");
  git("add", "-A");
  git("commit", "-qm", "begin");
  git("am", "-q", join(place, "patch"));
  return readFileSync(join(repository, file), "utf8");
}

for (const kind of any_browser)
  test(`${kind}: a site without a workshop says so`, { timeout: 60_000 }, async () => {
    const browser = await open_browser(kind);
    const server = await serve(site);
    try {
      const { page } = await open_watched(browser, new URL("write/", server.url).href);
      await until(page, () => document.querySelector(".write-place button") !== null);
      await page.click(".write-place button");
      await until(page, () =>
        /without the editor/.test(document.querySelector("main output").textContent),
      );
      await page.close();
    } finally {
      await browser.close();
      await server.close();
    }
  });

test("the page of the workshop names the one script that may stand in its frame, and no other page does", () => {
  const workshop = mkdtempSync(join(place, "stub-"));
  writeFileSync(join(workshop, "primer.wasm"), "in place of it");
  const small = build_small_site({ one: "Text." }, ["--workshop", workshop], { pages: ["write"] });
  try {
    const html = (name) => readFileSync(join(small.site, name, "index.html"), "utf8");
    const [, assets] = /data-assets="\.\.\/([^"]+)"/.exec(html("write"));
    const script = readFileSync(join(small.site, assets, "runtime/write/frame.js"));
    const sum = createHash("sha256").update(script).digest("base64");
    assert.ok(html("write").includes(`'sha256-${sum}'`), html("write").slice(0, 2000));
    assert.ok(!html("one").includes("sha256-"));
  } finally {
    small.remove();
  }
});

test("the foot of a page leads to the workshop, where the site has one and the page for it", () => {
  const workshop = mkdtempSync(join(place, "stub-"));
  writeFileSync(join(workshop, "primer.wasm"), "in place of it");
  const with_one = ["--workshop", workshop];
  for (const [options, pages, leads_to] of [
    [with_one, ["write"], "../write/?file=chapters/en/one.md"],
    [with_one, [], "https://github.com/o/book/edit/main/chapters/en/one.md"],
    [[], ["write"], "https://github.com/o/book/edit/main/chapters/en/one.md"],
  ]) {
    const repository = ["--repository", "https://github.com/o/book"];
    const small = build_small_site({ one: "Text." }, [...repository, ...options], { pages });
    try {
      const html = readFileSync(join(small.site, "one/index.html"), "utf8");
      assert.equal(/<a href="([^"]*)">Edit this page/.exec(html)?.[1], leads_to);
    } finally {
      small.remove();
    }
  }
});
