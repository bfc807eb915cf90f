// The page of traps alone, with a fake worker: where results appear, and how a run ends.
import assert from "node:assert/strict";
import { test } from "node:test";

import { bare_pages } from "../../support/bare_pages.mjs";

const { open } = bare_pages();

const trap_html = `<main><h2 id="untouched-pages">Untouched pages</h2><p>Text.</p><p>Recorded.</p><h2 id="other">No trap</h2>
<p>Text.</p><h2 id="dead-code">Dead code</h2><p>Recorded too.</p></main>`;
const trap_worker = (body) => ({
  "runtime/traps/worker.js": `addEventListener("message", ({ data }) => { ${body} });`,
  "runtime/page/page.js": 'export const assets = new URL("./assets/", location);',
});
const trap_page = async (files) => {
  const page = await open({ html: trap_html, files });
  await page.evaluate(async () => {
    const { show } = await import("/runtime/traps/traps.js");
    show(document.querySelector("main"));
  });
  return page;
};
const trap_results = (page) =>
  page.evaluate(() => ({
    results: [...document.querySelectorAll(".trap-result")].map((one) => [
      one.previousElementSibling.textContent,
      one.dataset.state,
      one.textContent.slice(0, 46),
    ]),
    status: document.querySelector(".traps-status").textContent,
    button: document.querySelector(".traps-bar button").textContent,
  }));
const press_traps = async (page, words) => {
  await page.click(".traps-bar button");
  await page.waitForFunction(
    (said) => document.querySelector(".traps-bar button").textContent === said,
    {},
    words,
  );
  return trap_results(page);
};

test("traps: each follows its recorded result, and ends in numbers or in a reason", async () => {
  const result = (id, more) =>
    `postMessage({ type: "result", id: "${id}", unit: "GB/s", wrong: 20, right: 10, ratio: 2, is_checked: true${more ?? ""} });`;
  const good = trap_worker(
    `${result("untouched-pages")}${result("dead-code", ', reason: "it is too small"')}postMessage({ type: "end" });`,
  );
  assert.deepEqual(await press_traps(await trap_page(good), "Run again"), {
    results: [
      ["Recorded.", "bites", "Here: pages never written 20.0 GB/s, pages wri"],
      ["Recorded too.", "unavailable", "Unavailable, because it is too small."],
    ],
    status: "Done.",
    button: "Run again",
  });
  const failing = trap_worker(
    `${result("untouched-pages")}postMessage({ type: "failed", reason: "it broke" });`,
  );
  assert.deepEqual(await press_traps(await trap_page(failing), "Run again"), {
    results: [
      ["Recorded.", "bites", "Here: pages never written 20.0 GB/s, pages wri"],
      ["Recorded too.", "unavailable", "Unavailable, because it broke."],
    ],
    status: "Stopped, because it broke.",
    button: "Run again",
  });
  const gone = await press_traps(
    await trap_page({ ...good, "runtime/traps/worker.js": null }),
    "Run again",
  );
  assert.equal(gone.status, "Stopped, because the book was updated: reload the page.");
});

test("traps: one that runs is named, can be cancelled, and ends when the page is hidden", async () => {
  const quiet = trap_worker(
    'postMessage({ type: "begin", id: "dead-code" }); postMessage({ type: "begin", id: data.url.endsWith("/kernels/traps.wasm") && data.limit > 0 ? "untouched-pages" : "wrong" });',
  );
  const page = await trap_page(quiet);
  const running = await press_traps(page, "Cancel");
  assert.deepEqual(running.results, [
    ["Recorded.", "running", "Waiting for its turn …"],
    ["Recorded too.", "running", "Waiting for its turn …"],
  ]);
  const runs = () => document.querySelector(".traps-status").textContent === "Untouched pages …";
  await page.waitForFunction(runs);
  const cancelled = await press_traps(page, "Run again");
  assert.deepEqual(cancelled.results[0], [
    "Recorded.",
    "unavailable",
    "Unavailable, because it was canceled.",
  ]);
  await press_traps(page, "Cancel");
  await page.waitForFunction(runs);
  await page.evaluate(() => {
    Object.defineProperty(document, "hidden", { value: true });
    document.dispatchEvent(new Event("visibilitychange"));
  });
  await page.waitForFunction(
    () => document.querySelector(".traps-bar button").textContent === "Run again",
  );
  assert.equal((await trap_results(page)).status, "Stopped, because the page was hidden.");
  await page.evaluate(() => document.querySelector(".traps-bar button").click());
  await page.waitForFunction(
    () =>
      document.querySelector(".traps-status").textContent ===
      "Stopped, because the page is hidden.",
  );
});

test("traps: a page that is hidden while the scripts are loaded runs none", async () => {
  const page = await trap_page({
    ...trap_worker('postMessage({ type: "end" });'),
    "runtime/kernels/detect.js": `Object.defineProperty(document, "hidden", { value: true });
document.dispatchEvent(new Event("visibilitychange"));
export const set_limit = () => 1;`,
  });
  const { status } = await press_traps(page, "Run again");
  assert.equal(status, "Stopped, because the page is hidden.");
});
