// Reading without a network, in both browsers, with two publications of the book: what a visit keeps, what the reader asks
// for, an update under an open page, all cores at the same time, and the end of it all.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { serve } from "../../scripts/browsers.mjs";
import { complaints, in_each_browser, open_watched, origin_of, until } from "./support/browser_page.mjs";

const base = "/book/";
const folder = mkdtempSync(join(tmpdir(), "offline-"));
const publications = [join(folder, "first"), join(folder, "second")];
const list_of = (publication) => JSON.parse(readFileSync(join(publication, "offline.json"), "utf8"));
const assets_of = (publication) =>
  /data-assets="\.\/([^"]+)"/.exec(readFileSync(join(publication, "index.html"), "utf8"))[1];

before(() => {
  const assets = join(folder, "assets");
  cpSync("site", assets, { recursive: true });
  for (const out of publications) {
    const publish = ["http://127.0.0.1/book/", join(folder, "kept"), out, "--assets", assets];
    execFileSync("scripts/publish", publish, { stdio: "pipe" });
    writeFileSync(join(assets, "runtime/theme.js"), "// the second publication\n", { flag: "a" });
  }
});
after(() => rmSync(folder, { recursive: true, force: true }));

test("the list names every page and its assets, and none of an earlier publication", () => {
  const [first, second] = publications.map(list_of);
  assert.notEqual(first.version, second.version);
  for (const path of ["", "roofline/", "machine/"]) assert.ok(path in first.text, path);
  const own = assets_of(publications[1]);
  const listed = Object.keys({ ...second.text, ...second.rest });
  assert.ok(listed.includes(`${own}style.css`) && listed.includes(`${own}page.wasm`));
  assert.deepEqual(listed.filter((path) => path.startsWith("_/") && !path.startsWith(own)), []);
});

in_each_browser((session) => {
  /** A server, hence an origin, of its own; `deploy(i)` puts another publication there, `cut()` ends it. */
  async function with_book(use, alter = (path, body) => body) {
    const link = join(folder, `current-${session.kind}-${process.hrtime.bigint()}`);
    const deploy = (i) => {
      symlinkSync(publications[i], `${link}.new`);
      renameSync(`${link}.new`, link);
    };
    deploy(0);
    const server = await serve(link, { base, alter });
    let is_cut = false;
    const cut = async () => {
      is_cut = true;
      await server.close();
    };
    try {
      const watched = await open_watched(session.browser, server.url);
      await use({ server, deploy, cut, ...watched });
      await watched.page.close();
    } finally {
      if (!is_cut) await server.close();
    }
  }

  /** Versions of the shelves that are finished; a shelf holds its list last. */
  const kept_versions = (page) =>
    page.evaluate(async () => {
      const versions = [];
      for (const name of await caches.keys()) {
        if (!name.includes(" shelf ")) continue;
        const list = await (await caches.open(name)).match(new URL("offline.json", document.baseURI));
        if (list) versions.push((await list.json()).version);
      }
      return versions;
    });
  /** From the home page: waits until this and only this publication is kept. */
  async function until_kept(page, version) {
    for (const began = Date.now(); ; ) {
      const kept = await kept_versions(page);
      if (kept.length === 1 && kept[0] === version) return;
      assert.ok(Date.now() - began < 60_000, `kept: ${kept}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
  const assets_in = (page) => page.evaluate(() => document.documentElement.dataset.assets.replace(/^[./]+/, ""));
  const is_ready = (page) => until(page, () => document.documentElement.hasAttribute("data-ready"));
  const traces = (page) =>
    page.evaluate(async () => ({
      registrations: (await navigator.serviceWorker.getRegistrations()).length,
      caches: await caches.keys(),
    }));
  const press = (page, words) =>
    page.evaluate((text) => {
      const buttons = [...document.querySelectorAll("button")];
      buttons.find((button) => button.textContent.startsWith(text)).click();
    }, words);
  const shows_button = (page, words) =>
    until(page, (text) => [...document.querySelectorAll("button")].some((b) => b.textContent.startsWith(text)), words);

  test("after one visit every page opens without a network, drawn and in its fonts", async () => {
    const list = list_of(publications[0]);
    await with_book(async ({ page, seen, server, cut }) => {
      await until_kept(page, list.version);
      assert.deepEqual(await complaints({ page, seen }, origin_of(server)), []);
      assert.equal(await page.evaluate(() => crossOriginIsolated), false);
      await cut();
      const pages = Object.keys(list.text).filter((path) => path === "" || path.endsWith("/"));
      for (const path of pages) {
        await page.goto(server.url + path, { waitUntil: "load" });
        await is_ready(page);
        const { fonts, undrawn } = await page.evaluate(async () => ({
          fonts: (await document.fonts.load('400 10px "Roofline Figure"')).length,
          undrawn: [...document.querySelectorAll(".plot")].filter((plot) => !plot.querySelector("svg")).length,
        }));
        assert.deepEqual({ path, fonts, undrawn }, { path, fonts: 1, undrawn: 0 });
      }
      await page.goto(`${server.url}roofline/index.html?fig-x=1#your-slopes`);
      await is_ready(page);
    });
  });

  test("an update under an open page: both work, nothing is mixed, only the new one stays", async () => {
    const [first, second] = publications.map(list_of);
    await with_book(async ({ page: old, server, deploy, cut }) => {
      await until_kept(old, first.version);
      deploy(1);
      const { page } = await open_watched(session.browser, server.url);
      assert.equal(await assets_in(page), assets_of(publications[1]));
      await until_kept(page, second.version);
      await old.bringToFront();
      await old.keyboard.press("?");
      await until(old, () => document.querySelector("dialog.panel")?.open === true);
      const scripts = (tab) =>
        tab.evaluate(() => performance.getEntriesByType("resource").map(({ name }) => name));
      assert.ok((await scripts(old)).every((url) => !url.includes(assets_of(publications[1]))));
      await cut();
      for (const path of ["roofline/", "", "machine/"]) {
        await page.goto(server.url + path, { waitUntil: "load" });
        await is_ready(page);
        assert.equal(await assets_in(page), assets_of(publications[1]));
        assert.ok((await scripts(page)).every((url) => !url.includes(assets_of(publications[0]))));
      }
      await page.close();
    });
  });

  test("the whole book: its size first, then search and modules without a network; and nothing again", async () => {
    const list = list_of(publications[0]);
    await with_book(async ({ page, server, cut }) => {
      await until_kept(page, list.version);
      await page.keyboard.press("?");
      await shows_button(page, "Keep the whole book (");
      await press(page, "Keep the whole book");
      await until(page, () => {
        const lines = [...document.querySelectorAll("dialog .panel-status")];
        return lines.some((line) => line.textContent.endsWith("the whole book."));
      });
      await cut();
      await page.goto(`${server.url}roofline/`, { waitUntil: "load" });
      await is_ready(page);
      await page.keyboard.press("/");
      await until(page, () => document.querySelector("dialog.panel input")?.type === "search");
      await page.keyboard.type("ridge");
      await until(page, () => document.querySelector(".found a") !== null);
      const modules = Object.keys(list.rest).filter((path) => path.endsWith(".wasm"));
      const fetched = await page.evaluate(async (paths) => {
        const answers = await Promise.all(paths.map((path) => fetch(new URL(`../${path}`, document.baseURI))));
        return answers.map((answer) => answer.ok);
      }, modules);
      assert.ok(fetched.length >= 5 && fetched.every(Boolean));
      await page.keyboard.press("Escape");
      await until(page, () => document.activeElement === document.body);
      await page.keyboard.press("?");
      await shows_button(page, "Keep nothing");
      await press(page, "Keep nothing");
      await until(page, async () => {
        const registrations = await navigator.serviceWorker.getRegistrations();
        return registrations.length === 0 && (await caches.keys()).length === 0;
      });
    });
  });

  test("all cores and the kept book live together, with a network and without", async () => {
    const list = list_of(publications[0]);
    await with_book(async ({ page, server, cut }) => {
      await until_kept(page, list.version);
      await page.goto(`${server.url}machine/`);
      await shows_button(page, "All cores");
      await press(page, "All cores");
      await until(page, () => crossOriginIsolated === true);
      await shows_button(page, "Back to one core");
      await press(page, "Back to one core");
      await until(page, () => document.querySelector("main").textContent.includes("one core again"));
      await page.goto(server.url);
      assert.equal(await page.evaluate(() => crossOriginIsolated), false);
      assert.deepEqual(await kept_versions(page), [list.version]);
      await page.goto(`${server.url}machine/`);
      await shows_button(page, "All cores");
      await press(page, "All cores");
      await until(page, () => crossOriginIsolated === true);
      await cut();
      await page.goto(`${server.url}roofline/`);
      await is_ready(page);
      assert.equal(await page.evaluate(() => crossOriginIsolated), true);
    });
  });

  test("a retired worker takes everything with it, and no page brings it back", async () => {
    let retired = false;
    const alter = (path, body) => {
      if (!retired) return body;
      if (path.endsWith("/offline.json")) return null;
      return path.endsWith("/sw.js") ? String(body).replace("const retired = false", "const retired = true") : body;
    };
    await with_book(async ({ page, server }) => {
      await until_kept(page, list_of(publications[0]).version);
      await page.evaluate(() => caches.open("somebody else's"));
      retired = true;
      await page.evaluate(async () => {
        const [registration] = await navigator.serviceWorker.getRegistrations();
        await registration.update().catch(() => {});
      });
      await until(page, async () => (await navigator.serviceWorker.getRegistrations()).length === 0);
      assert.deepEqual(await traces(page), { registrations: 0, caches: ["somebody else's"] });
      const asked = server.requests.length;
      await page.goto(server.url);
      await until(page, async () => (await navigator.serviceWorker.getRegistrations()).length === 0);
      const asks_again = () => server.requests.slice(asked).includes(`${base}offline.json`);
      for (const began = Date.now(); !asks_again() && Date.now() - began < 20_000; )
        await new Promise((resolve) => setTimeout(resolve, 100));
      assert.ok(asks_again());
      assert.deepEqual(await traces(page), { registrations: 0, caches: ["somebody else's"] });
    }, alter);
  });
});
