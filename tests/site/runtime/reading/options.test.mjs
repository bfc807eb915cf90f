// The reading options alone: keys, the cached part of the book, and the reading history, with a
// store and a cache from the test.
import assert from "node:assert/strict";
import { test } from "node:test";

import { bare_pages } from "../../support/bare_pages.mjs";

const { open } = bare_pages();

const offline_played = (body) => ({
  "runtime/reading/offline.js": `const state_of = (globalThis.kept ??= { kept: false, whole: false, bytes: 0, whole_bytes: 3456789 });
export const can_keep = () => globalThis.can_keep ?? true;
export const state = async () => { if (state_of.gone) throw new Error("it is gone"); return { ...state_of }; };
${body}`,
});
const keeping = offline_played(`export const keep_whole = async (report) => {
  globalThis.while_keeping = [...document.querySelectorAll(".contents-tools button")].map((b) => b.disabled);
  report({ done: 1e6, of: 3456789 });
  globalThis.progress = document.querySelector(".contents-tools button").textContent;
  if (globalThis.fails) throw new Error("the disk is full");
  Object.assign(state_of, { kept: true, whole: true, bytes: 3456789 });
};
export const keep_nothing = async () => Object.assign(state_of, { kept: false, whole: false, bytes: 0 });`);
const options_of = async (html, files = keeping, before = () => {}) => {
  const page = await open({ html, files });
  await page.evaluate(before);
  await page.evaluate(async () => {
    const { open_options } = await import("/runtime/reading/options.js");
    await open_options();
    await open_options();
  });
  return page;
};
const panel_words = (page) =>
  page.evaluate(() => ({
    keys: [...document.querySelectorAll("kbd")].map(({ textContent }) => textContent).join(""),
    heads: [...document.querySelectorAll("dialog h2")].map(({ textContent }) => textContent),
    status: document.querySelector("dialog .panel-status").textContent,
    tools: [...document.querySelectorAll(".contents-tools button")].map((one) => one.textContent),
    dialogs: document.querySelectorAll("dialog").length,
  }));

test("options: single keys can be switched off, where that can be stored", async () => {
  const page = await options_of('<button class="search-open"></button>');
  const heads = ["Keyboard", "Offline reading", "Reading progress"];
  const { keys, heads: seen_heads, dialogs } = await panel_words(page);
  assert.deepEqual([keys, seen_heads, dialogs], ["/cnp?", heads, 1]);
  const seen = await page.evaluate(() => {
    const box = document.querySelector("dialog input[type=checkbox]");
    const stored = () => localStorage.getItem("primer / keys");
    const states = [[box.checked, stored()]];
    for (let i = 0; i < 2; ++i) {
      box.click();
      states.push([box.checked, stored()]);
    }
    Storage.prototype.setItem = () => {
      throw new Error("refused");
    };
    box.click();
    return [...states, [box.checked, stored()]];
  });
  assert.deepEqual(seen, [
    [true, null],
    [false, "off"],
    [true, null],
    [true, null],
  ]);
  const off = await options_of("", keeping, () => localStorage.setItem("primer / keys", "off"));
  assert.equal((await panel_words(off)).keys, "cnp?");
  assert.equal(await off.$eval("dialog input", ({ checked }) => checked), false);
});

test("options: tips can be left out of the tab order, at once and on the next page", async () => {
  const page = await options_of('<span class="tipped" tabindex="0">t</span>');
  const seen = await page.evaluate(() => {
    const [, box] = document.querySelectorAll("dialog input[type=checkbox]");
    const at = () => [
      document.querySelector(".tipped").tabIndex,
      localStorage.getItem("primer / tips"),
    ];
    const states = [at()];
    for (let i = 0; i < 2; ++i) {
      box.click();
      states.push(at());
    }
    return states;
  });
  assert.deepEqual(seen, [
    [0, null],
    [-1, "off"],
    [0, null],
  ]);
});

test("options: what is kept of the book, how much all of it is, and what went wrong", async () => {
  const page = await options_of("");
  const press = (i) =>
    page.evaluate((at) => document.querySelectorAll(".contents-tools button")[at].click(), i);
  const words_of = async () => {
    await page.evaluate(() => globalThis.settled());
    const { status, tools } = await panel_words(page);
    return [status, ...tools];
  };
  const nothing = [
    "Nothing is saved for offline reading. The whole book takes 3.5 MB.",
    "Save the whole book (3.5 MB)",
  ];
  assert.deepEqual(await words_of(), nothing);
  await page.evaluate(() => (globalThis.fails = true));
  await press(0);
  const [failed] = await words_of();
  assert.equal(failed, "Not saved: the disk is full.");
  assert.deepEqual(
    await page.evaluate(() => [
      globalThis.while_keeping,
      globalThis.progress,
      document.querySelector(".contents-tools button").disabled,
    ]),
    [[true], "1.0 MB of 3.5 MB", false],
  );
  await page.evaluate(() => (globalThis.fails = false));
  await press(0);
  const whole = "The whole book is saved in this browser (3.5 MB).";
  assert.deepEqual(await words_of(), [whole, "Delete the saved book"]);
  await press(0);
  assert.deepEqual(await words_of(), nothing);
  const text = await options_of("", keeping, () => {
    globalThis.kept = { kept: true, whole: false, bytes: 1234567, whole_bytes: 3456789 };
  });
  const { status, tools } = await panel_words(text);
  assert.equal(
    status,
    "The text and the parts that you opened are saved in this browser (1.2 MB).",
  );
  assert.deepEqual(tools, ["Save the whole book (3.5 MB)", "Delete the saved book"]);
  const gone = await options_of("", keeping, () => (globalThis.kept = { gone: true }));
  assert.equal((await panel_words(gone)).status, "Unavailable, because it is gone.");
  const never = await options_of("", keeping, () => (globalThis.can_keep = false));
  assert.deepEqual((await panel_words(never)).heads, ["Keyboard", "Reading progress"]);
});

test("options: what was remembered of reading is forgotten on request", async () => {
  const page = await options_of("", keeping, () => {
    localStorage.setItem("primer / reading.v1", "{}");
  });
  const seen = await page.evaluate(() => {
    const forget = [...document.querySelectorAll("dialog button")].find((one) =>
      one.textContent.startsWith("Clear my"),
    );
    forget.click();
    const status = document.querySelectorAll("dialog .panel-status")[1].textContent;
    return [status, localStorage.getItem("primer / reading.v1")];
  });
  assert.deepEqual(seen, ["Cleared.", null]);
});
