// Measurements and models in the preview of /write/: after a press they run in a layer above it.
// Nothing measures on its own, or because of a message.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";

import { any_browser, run_bench, until } from "./support/browser_page.mjs";
import { hurried } from "./support/hurried.mjs";
import { make_site, skip, type_whole, workshop_session } from "./support/workshop_page.mjs";

const file = "chapters/en/pages/why-slow.md";
const place = mkdtempSync(join(tmpdir(), "pressed-"));
after(() => rmSync(place, { recursive: true, force: true }));

const blocks = `
\`\`\`bench
id: bench-tried
kernels:
  - stream.triad{w=64KiB}
  - stream.read{w=16KiB}
try: Two loops, one of them twice as long.
\`\`\`

\`\`\`verdict
id: verdict-tried
on: stream.read{w=16KiB}
cases:
  - when: empty
    say: Nobody has measured it.
  - when: untrusted
    say: It moved.
  - when: otherwise
    say: Yours reads {value | GB/s}.
\`\`\`

\`\`\`model
id: mod-tried
model: little
caption: A queue.
\`\`\`
`;
const draft = readFileSync(file, "utf8") + blocks;

const is_open = (page) => until(page, () => document.querySelector("dialog.with-block")?.open);
const is_closed = (page) => until(page, () => !document.querySelector("dialog.with-block")?.open);
const state_of = (page) =>
  page.$eval("#draft-bench-tried", (bench) => ({
    state: bench.getAttribute("state"),
    rows: [...bench.querySelectorAll("[data-run] .yours")].map(({ textContent }) => textContent),
  }));
const untouched = { state: "idle", rows: ["–", "–"] };

for (const kind of any_browser)
  describe(`${kind}, blocks pressed in the preview`, { skip, timeout: 300_000 }, () => {
    const session = workshop_session(kind, () => make_site(mkdtempSync(join(place, "made-"))), {
      alter: hurried(),
    });

    let count = 0;
    /**
     * Types a draft with both blocks that differs from all others, and waits until the frame shows
     * it.
     */
    async function type_draft({ page, seen, frame }) {
      const mark = `Draft ${++count}.`;
      await type_whole(page, `${draft}\n${mark}\n`);
      await until(frame, (text) => document.querySelector("main")?.innerText.includes(text), mark);
      // Typing in this way sets styles in the editor, which the CSP blocks.
      seen.errors.length = 0;
      await page.evaluate(() => (window.watched.violations = []));
    }
    /** The editor with such a draft, and the frame that shows it. */
    async function open(width = 1280) {
      const { page, seen } = await session.open(`?file=${file}`, { width });
      const frame = await (await page.$(".write-preview")).contentFrame();
      await type_draft({ page, seen, frame });
      if (width < 900) await page.click(".write-views button:last-child");
      return { page, seen, frame };
    }
    const assert_quiet = async (page, seen) => {
      assert.deepEqual(seen.errors, []);
      assert.deepEqual(await page.evaluate(() => window.watched.violations), []);
    };
    /** Presses a key on this element of the frame, with the focus there. */
    async function press_in(frame, page, selector, key) {
      await page.focus(".write-preview");
      await frame.focus(selector);
      await page.keyboard.press(key);
    }

    test("by keyboard: a measurement opens, measures after a press in this page, and its verdict follows", async () => {
      const { page, seen, frame } = await open();
      const name = await frame.$eval("#bench-tried .bench-button", ({ ariaLabel }) => ariaLabel);
      assert.match(name, /^Measure, Measurement/);
      await press_in(frame, page, "#bench-tried .bench-button", "Enter");
      await is_open(page);
      await until(page, () => document.activeElement?.matches("dialog .bench-button"));
      assert.match(
        await page.$eval("dialog.with-block", ({ ariaLabel }) => ariaLabel),
        /^Measurement/,
      );
      assert.deepEqual(await state_of(page), untouched);
      const verdict = () => page.$eval("#draft-verdict-tried", ({ textContent }) => textContent);
      const before = await verdict();

      const { state, reason, rows } = await run_bench(page, "draft-bench-tried");
      assert.equal(state, "done", reason);
      for (const { text, visible } of rows)
        assert.match(`${visible} ${text}`, /^true [\d.]+ (±|to) /);
      assert.match(await verdict(), /^(?:Yours reads [\d.]+.GB\/s|It moved)\.$/u);
      assert.notEqual(await verdict(), before);
      await page.keyboard.press("Escape");
      await is_closed(page);
      assert.equal(await page.evaluate(() => document.activeElement.tagName), "IFRAME");

      await type_draft({ page, seen, frame });
      await frame.$eval("#bench-tried .bench-button", (button) => button.click());
      await is_open(page);
      await until(page, () => document.querySelector("#draft-bench-tried .yours b") !== null);
      await assert_quiet(page, seen);
      await page.close();
    });

    test("a measurement ends when it is cancelled, and when it is closed", async () => {
      const { page, frame } = await open();
      await page.evaluate(() => localStorage.clear());
      for (const end of ["Cancel", "Escape"]) {
        await frame.$eval("#bench-tried .bench-button", (button) => button.click());
        await is_open(page);
        await page.evaluate(() => {
          window.ended = [];
          const { terminate } = Worker.prototype;
          Worker.prototype.terminate = function () {
            window.ended.push(this);
            return terminate.call(this);
          };
          // A worker that receives no message runs until it is cancelled.
          Worker.prototype.postMessage = () => (window.asked = true);
        });
        await until(page, () => document.activeElement?.matches("dialog .bench-button"));
        await page.keyboard.press("Enter");
        await until(page, () => window.asked);
        assert.equal((await state_of(page)).state, "running");
        await page.keyboard.press(end === "Cancel" ? "Enter" : "Escape");
        if (end === "Cancel") {
          await until(page, () =>
            document
              .querySelector("#draft-bench-tried .bench-status")
              .textContent.startsWith("Canceled"),
          );
          await page.keyboard.press("Escape");
        }
        await is_closed(page);
        await until(page, () => window.ended.length > 0);
        assert.equal(await page.$("#draft-bench-tried"), null);
        await page.evaluate(() => (window.asked = false));
      }
      await page.close();
    });

    test("a model is moved by keyboard, also on a phone, and does not change in the preview", async () => {
      const { page, seen, frame } = await open(390);
      const published = await frame.$eval(
        "#mod-tried .model-controls",
        ({ innerHTML }) => innerHTML,
      );
      await press_in(frame, page, "#mod-tried .model-control input", "ArrowRight");
      await is_open(page);
      await until(page, () => Boolean(document.activeElement?.closest("dialog .model-controls")));
      const drawn = () => page.$eval("#draft-mod-tried .plot-narrow", ({ innerHTML }) => innerHTML);
      const before = await drawn();
      await page.focus("#draft-mod-tried .model-control input");
      await page.keyboard.press("ArrowRight");
      await until(
        page,
        (was) => document.querySelector("#draft-mod-tried .plot-narrow").innerHTML !== was,
        before,
      );
      assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 390);
      const { left, right } = await page.$eval("dialog.with-block", (dialog) => {
        const box = dialog.getBoundingClientRect();
        return { left: box.left, right: box.right };
      });
      assert.ok(left >= 0 && right <= 390, `${left} to ${right}`);
      await page.click("dialog .panel-close");
      await is_closed(page);
      assert.equal(
        await frame.$eval("#mod-tried .model-controls", ({ innerHTML }) => innerHTML),
        published,
      );
      assert.ok(
        await frame.$$eval("#mod-tried input", (all) =>
          all.every(({ value, defaultValue }) => value === defaultValue),
        ),
      );
      await assert_quiet(page, seen);
      await page.close();
    });

    test("messages of the frame open a block of its page and measure nothing; those of others, and others, do nothing", async () => {
      const { page, seen, frame } = await open();
      const forged = [
        ...[
          null,
          666,
          "bench-tried",
          [],
          {},
          { pressed: ["bench-tried"] },
          { pressed: { id: "bench-tried" } },
        ],
        ...["", "bench-other", "constructor", "fig-tried", "x".repeat(1e6)].map((pressed) => ({
          pressed,
        })),
      ];
      await frame.evaluate((all) => all.forEach((one) => parent.postMessage(one, "*")), forged);
      await page.evaluate(() => postMessage({ pressed: "bench-tried" }, "*"));
      const run = { kernel: "stream.nothing", params: { w: 1e18 }, threads: 1e9 };
      const plan = { id: "bench-tried", runs: [run], roofs: true };
      await page.evaluate(() => {
        window.started = 0;
        window.Worker = class {
          constructor() {
            window.started += 1;
          }
        };
      });
      const found = await page.evaluate(async () => {
        await new Promise((resolve) => setTimeout(resolve, 500));
        return document.querySelector("dialog.with-block")?.open ?? false;
      });
      assert.equal(found, false);
      await frame.evaluate((message) => parent.postMessage(message, "*"), {
        pressed: "bench-tried",
        plan,
        runs: [run],
        measure: true,
      });
      await is_open(page);
      await new Promise((resolve) => setTimeout(resolve, 500));
      assert.deepEqual(await state_of(page), untouched);
      assert.equal(await page.evaluate(() => window.started), 0);
      await assert_quiet(page, seen);
      await page.close();
    });
  });
