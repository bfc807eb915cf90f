// Unit tests of the paragraph written at decode speed: the time of a step, how a text is split, and
// what the stage shows for simulated machines.
import assert from "node:assert/strict";
import { test } from "node:test";

import { bare_pages } from "../../support/bare_pages.mjs";

const { open } = bare_pages();

const html = `<main><p class="summary">No.</p><p>Ten short words<span class="tip">tip</span> are here,
 1234 of them.</p>
<p class="table-caption" id="tbl-pace">T</p><div class="table"></div></main>`;

// An A100 of 10 steps per second and a core of 1 step per second, for one sequence.
const files = {
  "runtime/page/page.js": `const roofs = (peak, read) => ({ devices: [], levels: [], roofs: [
  { class: { isa: "fma" }, value: peak / 1e9 }, { class: { level: "out" }, value: read / 1e9 }] });
globalThis.mine = null;
export const shown_profile = () => globalThis.mine && roofs(globalThis.mine.peak, globalThis.mine.read);
export const reference_profile = async () => roofs(2e12, 2e11);
export const page_data = async () => ({ facts: Object.fromEntries(Object.entries({
  "llama-3.1-8b.parameters-read": 1e11, "llama-3.1-8b.parameters": 1e11, "llama-3.1-8b.kv-per-token": 1e6,
  "a100-sxm-80.bandwidth": 2e12, "a100-sxm-80.peak.bf16": 1e15, "a100-sxm-80.memory": 3e11,
}).map(([name, value]) => [name, { value }])) });`,
};

const offered = async (is_still = false) => {
  const page = await open({ html, files });
  await page.emulateMediaFeatures([
    { name: "prefers-reduced-motion", value: is_still ? "reduce" : "no-preference" },
  ]);
  await page.evaluate(async () => {
    const { offer_pace } = await import("/runtime/models/pace.js");
    offer_pace(document.getElementById("tbl-pace"));
  });
  return page;
};
const pressed = async (is_still) => {
  const page = await offered(is_still);
  await page.evaluate(async () => {
    globalThis.set = (name, value) => {
      const list = document.querySelector(`.pace [name=${name}]`);
      list.value = value;
      list.dispatchEvent(new Event("input", { bubbles: true }));
    };
    globalThis.with_spaces = (text) => text.replaceAll("\u202F", " ");
    globalThis.numbers = () =>
      [...document.querySelectorAll(".pace-numbers")].map((one) =>
        globalThis.with_spaces(one.textContent),
      );
    document.querySelector(".pace-bar button").click();
    await globalThis.settled();
  });
  await page.waitForSelector(".pace-numbers");
  return page;
};

test("a step takes the longer of its two times, and may not fit in memory", async () => {
  const page = await open({ files });
  const seen = await page.evaluate(async () => {
    const { step_of, pieces_of } = await import("/runtime/models/pace_stage.js");
    const model = { weights: 100, all: 120, cache: 2 };
    const machine = { bandwidth: 50, peak: 1000, memory: 300 };
    const at = (bits, batch, context) => step_of(model, machine, { bits, batch, context });
    return [
      at(16, 1, 0),
      at(4, 1, 0),
      at(16, 1, 25),
      at(16, 40, 0),
      at(16, 1, 31),
      step_of(model, { bandwidth: 50, peak: 1000 }, { bits: 16, batch: 1, context: 1e6 }).fits,
      pieces_of("It’s 93.89 tokens/s, ¿y tú?"),
      pieces_of(""),
    ];
  });
  const memory = (seconds, fits = true) => ({ seconds, is_memory_bound: true, fits });
  assert.deepEqual(seen, [
    memory(4),
    memory(1),
    memory(5),
    { seconds: 8, is_memory_bound: false, fits: true },
    memory(5.24, false),
    true,
    ["It", "’s", " ", "93", ".", "89", " tokens", "/s", ",", " ¿", "y", " tú", "?"],
    [],
  ]);
});

test("a press writes the first paragraph twice; the button stops it and writes it again", async () => {
  const page = await pressed();
  const seen = await page.evaluate(() => ({
    numbers: globalThis.numbers(),
    hidden: [...document.querySelectorAll(".pace-text")].map((text) => text.ariaHidden),
    texts: [...document.querySelectorAll(".pace-text")].map((text) => text.textContent),
    told: globalThis.with_spaces(document.querySelector(".pace [role=status]").textContent),
    button: document.querySelector(".pace-bar button").textContent,
  }));
  const text = "Ten short words are here, 1234 of them.";
  assert.deepEqual(seen, {
    numbers: [
      "One A100, 2.00 TB/s 10.0 tokens/s, memory-bound, 1.2 s for the paragraph",
      "One core of the reference machine, 200 GB/s 1.0 tokens/s, memory-bound, 12.0 s for the paragraph",
    ],
    hidden: ["true", "true"],
    texts: [text, text],
    told:
      "One A100, 2.00 TB/s: 10.0 tokens/s, memory-bound, 1.2 s for the paragraph. " +
      "One core of the reference machine, 200 GB/s: 1.0 tokens/s, memory-bound, 12.0 s for the paragraph.",
    button: "Stop",
  });
  const written = () =>
    page.$$eval(".pace-text > :first-child", (spans) => spans.map((span) => span.textContent));
  await page.waitForFunction(
    (whole) => document.querySelector(".pace-text > span").textContent === whole,
    {},
    text,
  );
  const [, slow] = await written();
  assert.ok(slow.length < text.length && text.startsWith(slow), slow);
  const press = () => page.$eval(".pace-bar button", (button) => button.click());
  await press();
  assert.equal(await page.$eval(".pace-bar button", (b) => b.textContent), "Write it again");
  const [, stopped] = await written();
  // Immediately, because a frame later there may be words again.
  const begun = await page.evaluate(() => {
    document.querySelector(".pace-bar button").click();
    const spans = document.querySelectorAll(".pace-text > :first-child");
    return [...spans].map((span) => span.textContent);
  });
  assert.deepEqual(begun, ["", ""]);
  assert.ok(stopped.length > 0);
  assert.equal((await page.$$(".pace")).length, 1);
});

test("the knobs and a measurement change the numbers; a batch has one bar per sequence", async () => {
  const page = await pressed();
  const seen = await page.evaluate(() => {
    const bars = () => document.querySelector(".pace-batch").childElementCount;
    const all = [bars()];
    globalThis.set("batch", "8");
    all.push(bars(), ...globalThis.numbers());
    globalThis.set("context", "131072");
    all.push(globalThis.numbers()[0]);
    globalThis.set("batch", "1");
    globalThis.set("bits", "4");
    globalThis.mine = { peak: 1e12, read: 1e9 };
    document.dispatchEvent(new Event("primer-results"));
    all.push(...globalThis.numbers());
    const lanes = [...document.querySelectorAll(".pace-lane")];
    return [...all, ...lanes.map(({ dataset }) => dataset.from)];
  });
  assert.deepEqual(seen, [
    0,
    8,
    "One A100, 2.00 TB/s 10.0 tokens/s, 80.0 tokens/s in total, memory-bound, 1.2 s for the paragraph",
    "One core of the reference machine, 200 GB/s 1.0 tokens/s, 8.0 tokens/s in total, memory-bound, 12.0 s for the paragraph",
    "One A100, 2.00 TB/s does not fit in its memory",
    "One A100, 2.00 TB/s 11.0 tokens/s, memory-bound, 1.1 s for the paragraph",
    "One core of your machine, 1.0 GB/s 181 s per token, memory-bound, 2170 s for the paragraph",
    "reference",
    "reader",
  ]);
});

test("with reduced motion the press opens the settings, and nothing is written", async () => {
  const page = await offered(true);
  assert.equal(await page.$eval(".pace-bar button", (b) => b.textContent), "Try other settings");
  const opened = await pressed(true);
  const seen = await opened.evaluate(async () => {
    await new Promise((resolve) => setTimeout(resolve, 300));
    return [
      document.querySelector(".pace-bar button").hidden,
      document.activeElement.name,
      document.querySelector(".pace-text > span").textContent,
      globalThis.numbers().length,
    ];
  });
  assert.deepEqual(seen, [true, "bits", "", 2]);
});
