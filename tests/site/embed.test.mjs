// Embeds in frames of another site: in a plain page, in slides that are scaled, and in a sandboxed
// frame. The server of the book sends the headers that docs/reference/server-headers.md gives for
// Cloudflare Pages.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { after, before, test } from "node:test";

import { sampled } from "../rounds.mjs";
import { in_each_browser, until } from "./support/browser_page.mjs";
import { embed_pages, site } from "./support/site.mjs";

const documented = readFileSync(
  new URL("../../docs/reference/server-headers.md", import.meta.url),
  "utf8",
);

/** The rules of the sample `_headers`: [{path, headers, removed}]. */
const rules = [];
for (const line of /```text\n(\/\*\n[\s\S]*?)```/.exec(documented)[1].trim().split("\n")) {
  const [, name, value] = /^ {2}([\w-]+): (.*)$/.exec(line) ?? [];
  if (line.startsWith("/")) rules.push({ path: line.replace(/\*$/, ""), headers: {}, removed: [] });
  else if (name) rules.at(-1).headers[name] = value;
  else rules.at(-1).removed.push(line.replace("!", "").trim());
}

/** The headers of a path. A later rule adds to a header unless it removes the earlier ones. */
function headers_of(path) {
  const all = new Map();
  for (const rule of rules.filter((one) => path.startsWith(one.path))) {
    for (const name of rule.removed) all.delete(name);
    for (const [name, value] of Object.entries(rule.headers))
      all.set(name, all.has(name) ? `${all.get(name)}, ${value}` : value);
  }
  all.delete("Strict-Transport-Security"); // this server has no certificate
  return Object.fromEntries(all);
}

const types = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".json": "application/json",
  ".wasm": "application/wasm",
  ".woff2": "font/woff2",
};

async function listen(answer) {
  const server = createServer(answer);
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}

const book_server = () =>
  listen((request, response) => {
    const { pathname } = new URL(request.url, "http://localhost");
    const file = join(site, pathname.endsWith("/") ? `${pathname}index.html` : pathname);
    try {
      const body = readFileSync(file);
      response.writeHead(200, { "Content-Type": types[extname(file)], ...headers_of(pathname) });
      response.end(body);
    } catch {
      response.writeHead(404).end();
    }
  });

const around = {
  plain: (frame) => `<h1>A blog</h1>${frame}`,
  // As Reveal.js shows a slide.
  slide: (frame) =>
    `<div style="transform: translate(-40px, 20px) scale(0.8); transform-style: preserve-3d">
      <section style="position: absolute; width: 960px">${frame}</section></div>`,
};

const stranger_server = (book) =>
  listen((request, response) => {
    const { pathname, searchParams } = new URL(request.url, "http://localhost");
    const sandbox = searchParams.get("sandbox");
    const frame = `<iframe src="${book}${searchParams.get("page")}" title="A figure"
      width="760" height="800" ${sandbox === null ? "" : `sandbox="${sandbox}"`}></iframe>`;
    const write = around[pathname.slice(1)]; // none for /favicon.ico
    response.writeHead(write ? 200 : 404, { "Content-Type": "text/html" });
    response.end(write && `<!doctype html><title>Another site</title>${write(frame)}`);
  });

const model = embed_pages.find((page) => /^embed\/[a-z-]+\/mod-/.test(page));
const bench = embed_pages.find((page) => /^embed\/roofline\/bench-/.test(page));

in_each_browser((session) => {
  // The second browser runs half of these per commit.
  const test_here = session.asks_all ? test : sampled(test, 2);
  let book;
  let stranger;
  before(async () => {
    book = await book_server();
    stranger = await stranger_server(`http://127.0.0.1:${book.address().port}/`);
  });
  after(() => {
    for (const server of [book, stranger]) server?.close().closeAllConnections();
  });

  /** The embed in a page of another site; `sandbox` is the attribute. */
  async function framed(place, page, sandbox) {
    const tab = await session.browser.newPage();
    await tab.setViewport({ width: 1000, height: 900 });
    const query = new URLSearchParams({ page, ...(sandbox === undefined ? {} : { sandbox }) });
    await tab.goto(`http://localhost:${stranger.address().port}/${place}?${query}`);
    const frame = tab.frames().find((one) => one !== tab.mainFrame());
    return { tab, frame };
  }
  const ready = (frame) => until(frame, () => "ready" in document.documentElement.dataset);
  const words_of = (frame, selector) =>
    frame.$eval(selector, ({ textContent }) => textContent.trim());

  test_here("a page outside /embed/ is in no frame", async () => {
    const { tab, frame } = await framed("plain", "roofline/");
    const text = await frame?.evaluate(() => document.body?.textContent ?? "").catch(() => "");
    assert.doesNotMatch(text ?? "", /roofline/i);
    await tab.close();
  });

  for (const [place, sandbox] of [["plain"], ["slide"], ["plain", "allow-scripts"]])
    test_here(`a model runs in a frame: ${place} ${sandbox ?? ""}`, async () => {
      const { tab, frame } = await framed(place, model, sandbox);
      await ready(frame);
      const before_it = await words_of(frame, ".model-words");
      await frame.$eval(".model-control :is(input, select):not(:disabled)", (field) => {
        if (field.options) field.selectedIndex = field.options.length - 1;
        else field.value = field.max;
        field.dispatchEvent(new Event("input", { bubbles: true }));
      });
      await until(
        frame,
        (was) => document.querySelector(".model-words").textContent.trim() !== was,
        before_it,
      );
      // The style sheet is there, and nothing is wider than the frame.
      const seen = await frame.evaluate(() => ({
        blocked: getComputedStyle(document.querySelector(".embed-blocked")).display,
        wide: document.documentElement.scrollWidth - document.documentElement.clientWidth,
      }));
      assert.deepEqual(seen, { blocked: "none", wide: 0 });
      await tab.close();
    });

  test_here("a measurement starts with a press, and says in a sandbox why it cannot", async () => {
    const { tab, frame } = await framed("plain", bench, "allow-scripts");
    await ready(frame);
    assert.match(await words_of(frame, ".embed-lacks"), /storage, several cores or a fine clock/);
    assert.equal(await frame.$eval("primer-bench", (one) => one.getAttribute("state")), "idle");
    await frame.$eval(".bench-button", (button) => button.click());
    await until(frame, () => document.querySelector("primer-bench").hasAttribute("reason"));
    assert.match(await words_of(frame, ".bench-status"), /sandboxed and allows no workers/);
    await tab.close();
  });

  test_here("a measurement runs in a frame of another site", async () => {
    const { tab, frame } = await framed("plain", bench);
    await ready(frame);
    await frame.$eval(".bench-button", (button) => button.click());
    await until(
      frame,
      () =>
        ["done", "unavailable"].includes(
          document.querySelector("primer-bench").getAttribute("state"),
        ),
      undefined,
      120_000,
    );
    assert.equal(await frame.$eval("primer-bench", (one) => one.getAttribute("state")), "done");
    await tab.close();
  });

  session.test_once(
    "opened by itself, it shows the element to copy, in which everything fits",
    async () => {
      const tab = await session.browser.newPage();
      await tab.setViewport({ width: 1280, height: 900 });
      await tab.goto(`http://127.0.0.1:${book.address().port}/${model}`);
      await until(tab, () => document.querySelector(".embed-code code"));
      const code = await words_of(tab, ".embed-code code");
      const title = await tab.title();
      const [, width, height] = /width="(\d+)" height="(\d+)"/.exec(code);
      assert.ok(code.includes(`title="${title}"`) && code.includes(`src="${tab.url()}"`), code);
      await tab.setViewport({ width: Number(width), height: Number(height) });
      await tab.goto(`http://localhost:${stranger.address().port}/plain?page=${model}`);
      const frame = tab.frames().find((one) => one !== tab.mainFrame());
      await ready(frame);
      const needed = await frame.evaluate(() => document.body.offsetHeight);
      assert.ok(Math.abs(needed - Number(height)) <= 4, `${needed} instead of ${height}`);
      await tab.close();
    },
  );
});
