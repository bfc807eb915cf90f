// A monitored page: collects everything that must not happen while a reader has it open.
import { after, before, describe, test } from "node:test";

import { browser_kinds, open_browser, serve } from "../../../scripts/lib/browsers.mjs";
import { is_full } from "../../rounds.mjs";
import { site } from "./site.mjs";

/** For files that test the same in all browsers: uses one of them, or all in a full run. */
export const any_browser = is_full ? browser_kinds : browser_kinds.slice(0, 1);

/**
 * Defines the same tests for each browser, or for those of `kinds`. `define(session)` gets {kind,
 * asks_all, test_once, browser, server}; browser and server exist once a test runs. The server
 * serves the built site, each file after `alter` (serve()). `test_once` is test() for behavior that
 * is the same in all browsers: it runs in one, or in all in a full run; `asks_all` tells whether
 * this is one of those.
 */
export function in_each_browser(
  define,
  { words = "", kinds = browser_kinds, alter, ...options } = {},
) {
  for (const kind of kinds.filter((one) => browser_kinds.includes(one))) {
    describe(kind + words, { timeout: 900_000 }, () => {
      const asks_all = kind === kinds[0] || is_full;
      const session = {
        kind,
        asks_all,
        test_once: asks_all ? test : () => {},
        browser: null,
        server: null,
      };
      before(async () => {
        session.browser = await open_browser(kind, options);
        session.server = await serve(site, { alter });
      });
      after(async () => {
        await session.browser?.close();
        await session.server?.close();
      });
      define(session);
    });
  }
}

/**
 * For serve(): a page whose fonts arrive late keeps the fallback (`font-display: optional`). This
 * one waits for them, so that a busy machine has the same layout as an idle one.
 */
export const with_its_fonts = (path, bytes) =>
  path.endsWith("style.css")
    ? Buffer.from(bytes.toString().replaceAll(/font-display: ?optional/g, "font-display:block"))
    : bytes;

/** The key under which the book at this path stores something (site/runtime/base/storage.js). */
export const key_of = (name, base = "/") => `primer ${base} ${name}`;
export const profile_key = key_of("profile.v1");
export const origin_of = (server) => new URL(server.url).origin;

/**
 * Firefox complains about fonts that a page no longer waits for when it is closed
 * (NS_BINDING_ABORTED).
 */
const is_left = (text) => /downloadable font: download failed.*status=2152398850/.test(text);

/**
 * Firefox complains about a formula whose end has not arrived yet; complaints() checks the formulas
 * of the complete page.
 */
const is_half_read = (text) =>
  /Invalid markup: Incorrect number of children for <\w+\/> tag/.test(text);
const wrong_formulas = () => {
  const children = {
    mfrac: 2,
    mroot: 2,
    msub: 2,
    msup: 2,
    munder: 2,
    mover: 2,
    msubsup: 3,
    munderover: 3,
  };
  const all = (name) => [...document.querySelectorAll(name)];
  return Object.entries(children).flatMap(([name, count]) =>
    all(name)
      .filter((one) => one.children.length !== count)
      .map((one) => one.outerHTML.slice(0, 80)),
  );
};

/**
 * Opens `url` and collects console errors, foreign requests, CSP violations and layout shifts.
 */
export async function open_watched(
  browser,
  url,
  { width = 1280, height = 900, before = null } = {},
) {
  const page = await browser.newPage();
  const seen = { errors: [], requests: [] };
  const heard = (text) => is_left(text) || is_half_read(text) || seen.errors.push(text);
  await page.setViewport({ width, height });
  page.on("console", (message) => {
    if (message.type() === "error") heard(message.text());
  });
  page.on("pageerror", (error) => heard(String(error)));
  page.on("request", (request) => seen.requests.push(request.url()));
  await page.evaluateOnNewDocument(() => {
    window.watched = { violations: [], shifts: [] };
    // For a reader who opens every folded section (folds.test.mjs has the others). Opened as they
    // are parsed: a page may be painted before it is complete, and opening them later moves it.
    const unfold = () => {
      for (const fold of document.querySelectorAll("details.fold")) fold.open = true;
    };
    const parsing = new MutationObserver(unfold);
    parsing.observe(document, { childList: true, subtree: true });
    addEventListener("DOMContentLoaded", () => {
      unfold();
      parsing.disconnect();
    });
    document.addEventListener("securitypolicyviolation", (event) => {
      window.watched.violations.push(
        `${event.violatedDirective}: ${event.blockedURI} (${event.sourceFile}:${event.lineNumber})`,
      );
    });
    try {
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) {
          if (entry.hadRecentInput) continue; // the reader's own action may move the rest
          const moved = entry.sources.map(({ node }) => node?.outerHTML?.slice(0, 80) ?? "?");
          window.watched.shifts.push({ value: entry.value, moved });
        }
      }).observe({ type: "layout-shift", buffered: true });
    } catch {
      // Firefox does not report layout shifts.
    }
  });
  if (before) await page.evaluateOnNewDocument(before);
  await page.goto(url, { waitUntil: "load" });
  await until_ready(page);
  return { page, seen };
}

/**
 * Waits for what the page's script adds after the first frame. The page of unknown addresses has no
 * script.
 */
export const until_ready = (page) =>
  until(
    page,
    () =>
      "ready" in document.documentElement.dataset || !document.querySelector("script[type=module]"),
  );

/**
 * The problems so far, as a list of words. Empty is good. `origin` is the only origin that may be
 * contacted.
 */
export async function complaints({ page, seen }, origin) {
  const { violations, shifts } = await page.evaluate(
    () => window.watched ?? { violations: [], shifts: [] },
  );
  const foreign = seen.requests.filter(
    (url) => !url.startsWith(origin) && !/^(data|blob|about):/.test(url),
  );
  return [
    ...(await page.evaluate(wrong_formulas)).map(
      (text) => `not the children that it needs: ${text}`,
    ),
    ...seen.errors.map((text) => `console: ${text}`),
    ...foreign.map((url) => `request to a third party: ${url}`),
    ...violations.map((text) => `policy: ${text}`),
    ...shifts
      .filter(({ value }) => value > 0.0005)
      .map(({ value, moved }) => `layout shift ${value.toFixed(4)}: ${moved.join(" | ")}`),
  ];
}

// scripts/mutate waits less.
const patience_ms = Number(process.env.PATIENCE_MS ?? 60_000);

/**
 * Waits until `look(argument)` is true in the page. Polls from here, because a background tab draws
 * no frames, and a reload can drop a pending call.
 */
export async function until(page, look, argument, timeout = patience_ms) {
  const pause = (ms, value) => new Promise((resolve) => setTimeout(resolve, ms, value));
  const end = Date.now() + timeout;
  let last = "";
  let wait = 5;
  const ask = () =>
    page.evaluate(look, argument).catch((error) => {
      last = `: ${error.message}`;
    });
  while (!(await Promise.race([ask(), pause(10_000)]))) {
    if (Date.now() > end)
      throw new Error(`not within ${timeout} ms${last}: ${look}\n${await state_of_page(page)}`);
    await pause(wait);
    wait = Math.min(2 * wait, 50);
  }
}

/** The state of the page when an event did not happen, for the message of a failed test. */
async function state_of_page(page) {
  const seen = () => {
    const { activeElement, visibilityState, documentElement } = document;
    const outputs = [...document.querySelectorAll("output, [role=status], .bench-status")];
    return {
      url: location.href,
      ready: documentElement.dataset.ready,
      visibilityState,
      focus: document.hasFocus() && activeElement.outerHTML.slice(0, 200),
      said: outputs.map(({ textContent }) => textContent.trim().slice(0, 80)).filter(Boolean),
    };
  };
  return JSON.stringify(await page.evaluate(seen).catch(({ message }) => message));
}

/**
 * Presses Enter on `selector`, because a click has coordinates and a measuring page may move
 * meanwhile.
 */
export async function press(page, selector, key = "Enter") {
  await page.focus(selector);
  await page.keyboard.press(key);
}

/** Presses a measurement's button and waits until it has ended. Resolves to its state and text. */
export async function run_bench(page, id, button = `#${id} .bench-button`) {
  await page.bringToFront();
  await page.evaluate((name) => {
    document.querySelector(`#${name} .bench-status`).textContent = "";
  }, id);
  await press(page, button);
  await until(
    page,
    (name) => {
      const bench = document.getElementById(name);
      const said = bench.querySelector(".bench-status").textContent;
      const is_loading = /^(Loading|Cargando) /.test(said); // shown before its scripts are loaded
      return bench.getAttribute("state") !== "running" && said !== "" && !is_loading;
    },
    id,
  );
  return page.evaluate((name) => {
    const bench = document.getElementById(name);
    return {
      state: bench.getAttribute("state"),
      reason: bench.getAttribute("reason"),
      status: bench.querySelector(".bench-status").textContent,
      rows: [...bench.querySelectorAll("tr[data-run] .yours")].map((cell) => ({
        text: cell.textContent.trim(),
        state: cell.dataset.state,
        visible: cell.getClientRects().length > 0,
      })),
    };
  }, id);
}
