// Tests pages in WebKitGTK, the engine of all iPhone browsers: pages fit, report no errors, fold
// and measure. Skipped where Debian's webkit2gtk-driver and xvfb are not installed. WebKitGTK's
// window is at least 447 px wide, so pages for phones are opened in a frame of 390 px. A default
// run has two tests, a full run all.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { serve } from "../../scripts/lib/browsers.mjs";
import { find_webkit, open_webkit } from "../../scripts/lib/webkit.mjs";
import { KernelBook } from "../program/support/kernel_book.mjs";
import { is_full } from "../rounds.mjs";
import { profile_key } from "./support/browser_page.mjs";
import { hurried } from "./support/hurried.mjs";
import { pages, roofline_bench, roofline_page, site } from "./support/site.mjs";

const full_test = is_full ? test : test.skip;

/** A page without a policy, which may frame others. */
const host = "404.html";

/** Makes the page's first script record later errors. */
const with_error_log = hurried((path, body) => {
  if (path.endsWith(host)) return Buffer.from("<!doctype html><title>Phone</title><body>");
  return path.endsWith("/runtime/main.js")
    ? Buffer.from(
        `window.problems = [];
for (const kind of ["error", "unhandledrejection", "securitypolicyviolation"])
  addEventListener(kind, (event) =>
    window.problems.push(String(event.message ?? event.reason ?? event.blockedURI)));
${body}`,
      )
    : body;
});

describe("WebKit", { skip: !find_webkit(), timeout: 900_000 }, () => {
  let server, webkit;
  before(async () => {
    server = await serve(site, { alter: with_error_log, isolated: true });
    webkit = await open_webkit();
    await webkit.size(1280, 900);
  });
  after(async () => {
    await webkit?.close();
    await server?.close();
  });

  /** Waits until `look(...args)` is true in the page. */
  async function until(look, ...args) {
    for (const end = Date.now() + 60_000; Date.now() < end;) {
      if (await webkit.run(look, ...args).catch(() => false)) return;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    const text = await webkit.run(() => document.querySelector("main")?.innerText.slice(0, 300));
    throw new Error(`not within 60 s: ${look}\n${text}`);
  }
  async function open(path, { url } = server) {
    await webkit.go(url + path);
    await until(
      () =>
        document.readyState === "complete" && document.documentElement.dataset.ready === "painted",
    );
  }
  const problems = () => webkit.run(() => window.problems ?? []);

  /** The widths of window and content of a page in a frame as wide as a phone, all folds open. */
  async function on_a_phone(path) {
    await webkit.go(server.url + host);
    await webkit.run((url) => {
      const frame = document.createElement("iframe");
      Object.assign(frame, { src: url, width: 390, height: 844, id: "phone" });
      document.body.replaceChildren(frame);
    }, server.url + path);
    await until(() => {
      const { contentDocument: inner } = document.querySelector("#phone");
      return inner.readyState === "complete" && inner.documentElement.dataset.ready === "painted";
    });
    return webkit.run(() => {
      const { contentDocument: inner, contentWindow } = document.querySelector("#phone");
      for (const fold of inner.querySelectorAll("details.fold, details.note")) fold.open = true;
      return [inner.documentElement.scrollWidth, contentWindow.innerWidth];
    });
  }
  const fits = async (path) => {
    await open(path);
    const [content, window_width] = await webkit.run(() => {
      for (const fold of document.querySelectorAll("details.fold, details.note")) fold.open = true;
      return [document.documentElement.scrollWidth, innerWidth];
    });
    assert.ok(content <= window_width, `${path}: ${content} px on ${window_width} px`);
    assert.deepEqual(await problems(), [], path);
    const [inner, phone] = await on_a_phone(path);
    assert.ok(inner <= phone, `${path}: ${inner} px on ${phone} px`);
  };
  const with_scripts = pages.filter((page) => page !== "404.html");

  test("home and a chapter fit 1280 and 390 px, and report no errors", async () => {
    for (const path of ["", roofline_page]) await fits(path);
  });

  /** Presses the button of a measurement, waits for its end, and returns the stored profile. */
  async function measured(bench) {
    await until((selector) => {
      const button = document.querySelector(`${selector} .bench-button`);
      button.scrollIntoView({ block: "center" });
      return button.checkVisibility();
    }, bench);
    await webkit.run(
      (selector) => document.querySelector(selector).click(),
      `${bench} .bench-button`,
    );
    await until(
      (selector) => /again/.test(document.querySelector(`${selector} .bench-button`).textContent),
      bench,
    );
    assert.deepEqual(await problems(), []);
    return webkit.run((key) => localStorage.getItem(key), profile_key);
  }

  test("the home page measures after the ring was pressed, and stores the results", async () => {
    await open("");
    await webkit.press('.guess-form [name="bandwidth"]');
    const { results } = JSON.parse(await measured(".hero"));
    const usable = results.filter(({ status }) => status === "measured");
    assert.ok(usable.length > 3, JSON.stringify(results.slice(0, 3)));
    for (const { median } of usable) assert.ok(Number.isFinite(median) && median > 0, `${median}`);
  });

  full_test("a measurement of a chapter redraws its figure with the reader's roof", async () => {
    await open(roofline_page);
    await webkit.run(() =>
      document.querySelectorAll("details.fold").forEach((f) => (f.open = true)),
    );
    await measured(`#${roofline_bench}`);
    await until(() =>
      document.querySelector('figure[data-from="reader"], data[data-from="reader"]'),
    );
  });

  full_test("a kernel that a book brings along is measured", async () => {
    const book = new KernelBook();
    let other;
    try {
      book.add_copy();
      book.write_bench(["own.copy"]);
      const { status, said } = book.build();
      assert.equal(status, 0, said);
      other = await serve(book.site, { alter: with_error_log });
      await open("first/", other);
      const { results } = JSON.parse(await measured("#bench-own"));
      const { status: outcome, reason, verified } = results.find((r) => r.kernel === "own.copy");
      assert.equal(outcome, "measured", reason);
      assert.ok(verified);
    } finally {
      await other?.close();
      book.remove();
    }
  });

  full_test("every page fits 1280 and 390 px, and reports no errors", async () => {
    for (const path of with_scripts) await fits(path);
  });

  full_test("a Spanish page stays in Spanish when a part is loaded on demand", async () => {
    await open("es/");
    await webkit.press(".contents summary");
    await webkit.press(".hero .bench-button");
    await until(() => document.querySelector(".hero .bench-button").textContent === "Cancelar");
    assert.deepEqual(await problems(), []);
  });

  full_test("a fold opens when the address contains its id", async () => {
    await open(roofline_page);
    const id = await webkit.run(() => document.querySelector("details.fold :is(h2, h3)")?.id ?? "");
    const inner = id || (await webkit.run(() => document.querySelector("details.fold").id));
    await webkit.go(`${server.url}${roofline_page}#${inner}`);
    await until((name) => document.getElementById(name).closest("details").open, inner);
    assert.deepEqual(await problems(), []);
  });

  full_test("a model moves, and its sentence follows", async () => {
    await open(roofline_page);
    const sentence = () => webkit.run(() => document.querySelector(".model-summary").textContent);
    const before = await sentence();
    await webkit.run(() => document.querySelector(".model").scrollIntoView());
    await until(() => document.querySelector(".model input[type=range]"));
    await webkit.run(() => {
      const range = document.querySelector(".model input[type=range]");
      range.value = range.max;
      range.dispatchEvent(new Event("input", { bubbles: true }));
    });
    await until((old) => document.querySelector(".model-summary").textContent !== old, before);
  });

  full_test("dark and light differ, and the choice stays", async () => {
    const paper = () =>
      webkit.run(() => getComputedStyle(document.documentElement).backgroundColor);
    await open(roofline_page);
    const theme = () => webkit.run(() => document.documentElement.dataset.theme ?? "system");
    while ((await theme()) !== "light") await webkit.press(".theme-switch");
    const light = await paper();
    await webkit.press(".theme-switch");
    const dark = await paper();
    assert.notEqual(dark, light);
    await open("");
    assert.equal(await paper(), dark);
    await webkit.run(() => localStorage.clear());
  });

  full_test("the clock ticks at most every 1.1 ms, and the page is isolated", async () => {
    await open("");
    const seen = await webkit.run(() => {
      const steps = [];
      for (let before = performance.now(); steps.length < 20;) {
        const now = performance.now();
        if (now > before) steps.push(now - before);
        before = now;
      }
      return { tick: Math.min(...steps), isolated: crossOriginIsolated, gpu: "gpu" in navigator };
    });
    assert.ok(seen.isolated);
    assert.ok(seen.tick > 0 && seen.tick <= 1.1, `a tick of ${seen.tick} ms`);
  });

  full_test("/machine/ shows the results of a measurement on the home page", async () => {
    await open("");
    await measured(".hero");
    await open("machine/");
    await until(() => document.querySelector(".machine details tbody tr"));
    assert.deepEqual(await problems(), []);
  });
});
