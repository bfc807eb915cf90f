// Quizzes, predictions, the source of a question's numbers, and tooltips, used by keyboard and
// pointer, with storage that persists, is hostile or is denied.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { serve } from "../../../../scripts/lib/browsers.mjs";
import {
  any_browser,
  complaints,
  in_each_browser,
  key_of,
  open_watched,
  origin_of,
  profile_key,
  until,
} from "../../support/browser_page.mjs";
import { build_small_site } from "../../support/small_site.mjs";

const answers_key = key_of("answers.v1");

const chapter = `
First words with a [term](term:hbm) and a [claim](claim:rubin-bandwidth).

\`\`\`quiz
id: q-quiz
ask: What limits a vector addition?
choices:
  - say: the adders
    why: They wait.
  - say: the memory
    why: Twelve bytes move.
    right: true
\`\`\`

\`\`\`predict
id: q-number
ask: How fast does one core read memory?
measured: B.out
unit: GB/s
then: Now you know.
\`\`\`

\`\`\`predict
id: q-choice
ask: Three vectors instead of one take
choices:
  - say: the same time
  - say: three times as long
then: The weights are read once.
\`\`\`

\`\`\`bench
id: bench-batch
try: One vector, then three.
kernels:
  - matvec.f32{rows=4096,cols=8192,batch=1}
  - matvec.f32{rows=4096,cols=8192,batch=3}
\`\`\`

\`\`\`verdict
id: verdict-batch
on: matvec.f32{rows=4096,cols=8192,batch=3} / matvec.f32{rows=4096,cols=8192,batch=1}
cases:
  - when: empty
    say: Three vectors reach {matvec.f32{rows=4096,cols=8192,batch=3} / matvec.f32{rows=4096,cols=8192,batch=1}} the rate of one.
  - when: untrusted
    say: Your machine was too busy to measure.
  - when: otherwise
    say: Your machine is faster with three.
\`\`\`

\`\`\`worked
id: q-ridge
ask: What is the ridge?
given:
  P: h100-sxm.peak.bf16
  B: h100-sxm.bandwidth
answer: P / B
expect: 295 FLOP/B
yours: ridge.fma.out
why: So many operations for a byte.
\`\`\`
`;

const reader = {
  schema: 1,
  created: "2026-11-20T00:00:00Z",
  devices: [{ id: "cpu", kind: "cpu", name: "Mine", state: "hardware" }],
  levels: [{ device: "cpu", name: "out", bytes: 268435456, latency_ns: 60, read_gbs: 10 }],
  results: [],
  roofs: [
    {
      device: "cpu",
      class: { isa: "fma", threads: 1 },
      unit: "GFLOP/s",
      value: 40,
      from: "peak.fma",
    },
    {
      device: "cpu",
      class: { level: "out", threads: 1 },
      unit: "GB/s",
      value: 10,
      from: "stream.read",
    },
  ],
};

let built, server;
before(async () => {
  built = build_small_site({ one: chapter, two: "Nothing here.\n" });
  server = await serve(built.site);
});
after(async () => {
  await server?.close();
  built?.remove();
});

in_each_browser(
  (session) => {
    const open = (options) => open_watched(session.browser, `${server.url}one/`, options);
    const text_of = (page, selector) =>
      page.$eval(selector, (element) => element.textContent.trim());
    const says = (page, selector, pattern) =>
      until(
        page,
        ([at, source]) => new RegExp(source).test(document.querySelector(at)?.textContent ?? ""),
        [selector, pattern.source],
      );
    const close = async (watched) => {
      assert.deepEqual(await complaints(watched, origin_of(server)), []);
      await watched.page.evaluate(() => localStorage.clear());
      await watched.page.close();
    };

    test("a quiz: the first choice counts, then all explain", async () => {
      const watched = await open();
      const { page } = watched;
      await page.focus("#q-quiz li:first-child summary");
      await page.keyboard.press("Enter");
      await says(page, "#q-quiz .quiz-result", /Not this one/);
      assert.equal(await page.$$eval("#q-quiz details[open]", (all) => all.length), 2);
      assert.equal(await page.$eval("#q-quiz", (section) => section.dataset.graded), "wrong");
      // A second choice changes nothing. The answer is still there after a reload, and nothing has
      // moved.
      await page.click("#q-quiz li:last-child summary");
      assert.equal(await page.$eval("#q-quiz", (section) => section.dataset.graded), "wrong");
      await page.reload({ waitUntil: "load" });
      await says(page, "#q-quiz .quiz-result", /Not this one/);
      await page.click("#q-quiz .again");
      assert.equal(await text_of(page, "#q-quiz .quiz-result"), "Your first choice counts.");
      await page.click("#q-quiz li:last-child summary");
      await says(page, "#q-quiz .quiz-result", /^Right/);
      await close(watched);
    });

    test("a prediction: any spelling is read, stored, and shown next to the measurement", async () => {
      const watched = await open();
      const { page } = watched;
      const send = async (words) => {
        await page.$eval("#q-number .predict-input", (input) => {
          input.value = "";
        });
        await page.type("#q-number .predict-input", words);
        await page.keyboard.press("Enter");
      };
      await send("fast");
      await says(page, "#q-number .predict-result", /does not start with a number/);
      await send("20 GFLOP/s");
      await says(page, "#q-number .predict-result", /The answer is in GB\/s/);
      await send("20000 mb/s");
      await says(
        page,
        "#q-number .predict-result",
        /Your guess: 20.0 GB\/s. Reference machine: [\d.]+ GB\/s/,
      );
      assert.equal(await page.$eval("#q-number .predict-input", (input) => input.disabled), true);
      const focused = () =>
        [document.activeElement.className, document.activeElement.textContent].join();
      assert.equal(
        await page.evaluate(focused),
        "lock,Guess again",
        "the focus stays in the question",
      );

      // Measured meanwhile in another tab: the next visit compares with that result.
      await page.evaluate(
        (key, profile) => localStorage.setItem(key, profile),
        profile_key,
        JSON.stringify(reader),
      );
      await page.reload({ waitUntil: "load" });
      await says(
        page,
        "#q-number .predict-result",
        /Your guess: 20.0 GB\/s. Your machine: 10.0 GB\/s. You guessed 2× too high/,
      );
      await page.focus("#q-number .lock");
      await page.keyboard.press("Enter");
      await until(page, () => !document.querySelector("#q-number .predict-input").disabled);
      assert.equal(await page.evaluate(() => document.activeElement.className), "predict-input");
      // Firefox may still have other questions: data that a page deletes as it closes reaches the
      // process of the next page later.
      const kept = JSON.parse(await page.evaluate((key) => localStorage.getItem(key), answers_key));
      assert.equal(kept["one/#q-number"], undefined);
      await close(watched);
    });

    test("a prediction with choices, by keyboard", async () => {
      const watched = await open();
      const { page } = watched;
      await page.focus("#q-choice li:last-child .pick");
      await page.keyboard.press("Enter");
      await says(page, "#q-choice .predict-result", /Your guess: three times as long\./);
      const picked = () => [document.activeElement.ariaPressed, document.activeElement.disabled];
      assert.deepEqual(await page.evaluate(picked), ["true", false]);
      await page.click("#q-choice li:first-child .pick"); // the first choice counts
      assert.equal(
        await page.evaluate(
          () => document.querySelector("#q-choice [aria-pressed=true]").textContent,
        ),
        "three times as long",
      );
      await close(watched);
    });

    test("a verdict is hidden until its question is answered or the reference is shown", async () => {
      const watched = await open();
      const { page } = watched;
      const is = (wanted) =>
        until(
          page,
          (visibility) =>
            getComputedStyle(document.querySelector("#verdict-batch")).visibility === visibility,
          wanted,
        );
      await is("hidden");
      await page.click("#bench-batch .bench-show");
      await is("visible");
      await page.reload({ waitUntil: "load" });
      await is("hidden");
      await page.type("#q-number .predict-input", "20 GB/s\n");
      await says(page, "#q-number .predict-result", /Your guess/);
      await is("hidden"); // because the other question is open
      await page.click("#q-choice .pick");
      await is("visible");
      await close(watched);
    });

    test("a question with another chip's numbers and with the reader's", async () => {
      const watched = await open();
      const { page } = watched;
      const send = async (words) => {
        await page.$eval("#q-ridge .worked-result", (output) => {
          output.textContent = "";
        });
        await page.$eval(
          "#q-ridge .worked-input",
          (input, value) => {
            input.value = value;
          },
          words,
        );
        await page.focus("#q-ridge .worked-input");
        await page.keyboard.press("Enter");
      };
      await send("295 flops/byte");
      await says(page, "#q-ridge .worked-result", /^Right: 295 FLOP\/B/);
      await page.select("#q-ridge .worked-machine", "h200-sxm");
      await says(page, "#q-ridge .worked-result", /^With P = .*TFLOP\/s, B = .*TB\/s/);
      await send("295 FLOP/B");
      await says(page, "#q-ridge .worked-result", /^Not yet/);
      await page.select("#q-ridge .worked-machine", "reader");
      await says(page, "#q-ridge .worked-result", /not been measured yet/);
      await page.evaluate(
        (key, profile) => localStorage.setItem(key, profile),
        profile_key,
        JSON.stringify(reader),
      );
      await send("4");
      await says(page, "#q-ridge .worked-result", /^Right: 4.00 FLOP\/B/);
      await close(watched);
    });

    test("a definition shows on hover, focus and tap, and Escape puts it away", async () => {
      const watched = await open();
      const { page } = watched;
      const shown = (look) => until(page, look);
      const visible = () =>
        getComputedStyle(document.querySelector(".term + .tip")).display !== "none";
      const hidden = () =>
        getComputedStyle(document.querySelector(".term + .tip")).display === "none";
      assert.equal(await page.evaluate(hidden), true);
      await page.hover(".term");
      await shown(visible);
      await page.mouse.move(0, 0);
      await shown(hidden);
      await page.focus(".tipped:has(.term)");
      await shown(visible);
      // The listener for Escape is loaded with the first tooltip.
      for (let i = 0; i < 100 && !(await page.evaluate(hidden)); ++i)
        await page.keyboard.press("Escape");
      assert.equal(await page.evaluate(hidden), true);
      await page.evaluate(() => document.activeElement.blur());
      await page.click(".term");
      await shown(visible);
      await close(watched);
    });

    test("hostile and refused storage", async () => {
      for (const stored of [
        "{",
        '"x"',
        '{"one/#q-quiz": "7", "one/#q-number": "<b>", "one/#q-choice": "9"}',
        "null",
      ]) {
        const watched = await open({
          before: `localStorage.setItem(${JSON.stringify(answers_key)}, ${JSON.stringify(stored)})`,
        });
        await watched.page.click("#q-quiz li:last-child summary");
        await says(watched.page, "#q-quiz .quiz-result", /^Right/);
        await close(watched);
      }
      const watched = await open({
        before: () =>
          Object.defineProperty(window, "localStorage", {
            get: () => {
              throw new Error("refused");
            },
          }),
      });
      await watched.page.click("#q-quiz li:last-child summary");
      await says(watched.page, "#q-quiz .quiz-result", /^Right/);
      assert.deepEqual(await complaints(watched, origin_of(server)), []);
      await watched.page.close();
    });
  },
  { kinds: any_browser },
);
