// Runs modules of site/runtime in Chromium, in a page that contains only what the test puts there:
// with any strings, stored data and answers, including those that no page of the book has. The test
// can replace other modules.
import { after, before } from "node:test";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";

import { open_browser } from "../../../scripts/lib/browsers.mjs";

const site = fileURLToPath(new URL("../../../site/", import.meta.url));
const types = {
  ".js": "text/javascript",
  ".css": "text/css",
  ".json": "application/json",
  ".html": "text/html; charset=utf-8",
};

/** The content at a path: the test's file, otherwise an unminified script, otherwise null. */
async function content_of(path, files) {
  if (Object.hasOwn(files, path)) return files[path];
  const name = normalize(path);
  return name.startsWith("runtime/") ? readFile(join(site, name)).catch(() => null) : null;
}

/**
 * In each page, before its scripts: `settled()` resolves once no request to the server is pending
 * and its results have been processed. The first document of each open() starts with empty storage;
 * window.name identifies the last one.
 */
function prepare() {
  globalThis.settled = async () => {
    for (let turn = 0; turn < 2; ++turn) {
      await fetch("/settled");
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  };
  const opened = /^\?\d+$/.exec(location.search)?.[0];
  if (!opened || window !== top || window.name === opened) return;
  window.name = opened;
  localStorage.clear();
  sessionStorage.clear();
}

/**
 * `open({html, files, attributes, hash})` opens a page with empty storage, whose <html> has these
 * attributes and whose <body> has this markup; `files` maps paths ("runtime/page/page.js",
 * "offline.json") to their content. Resolves to Puppeteer's page. Call it once, outside of tests.
 */
export function bare_pages() {
  let browser;
  let server;
  let page;
  let files = {};
  let count = 0;
  before(async () => {
    let last = 0;
    server = createServer(async (request, response) => {
      const path = new URL(request.url, "http://localhost").pathname.slice(1);
      if (path !== "settled") last = Date.now();
      else while (Date.now() - last < 30) await pause(5);
      const body = await content_of(path, files);
      const type = types[extname(path)] ?? "application/octet-stream";
      response.writeHead(body === null ? 404 : 200, { "Content-Type": type });
      response.end(body ?? "");
      if (path !== "settled") last = Date.now();
    });
    await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
    browser = await open_browser("chromium");
    page = await browser.newPage();
    await page.evaluateOnNewDocument(prepare);
  });
  after(async () => {
    await browser?.close();
    server?.close();
    server?.closeAllConnections();
  });
  const open = async ({ html = "", files: more = {}, attributes = "", hash = "" } = {}) => {
    const frame = `<!doctype html><html lang="en" data-root="./" data-assets="./assets/" ${attributes}><title>.</title>`;
    files = { "page.html": `${frame}<body>${html}</body></html>`, "empty.html": frame, ...more };
    await page.goto(`http://127.0.0.1:${server.address().port}/page.html?${++count}${hash}`);
    return page;
  };
  return { open };
}
