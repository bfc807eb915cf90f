// /wgsl/ with Chromium's software adapter: wrong programs are rejected or contained, a correct one
// gets a rung and a point, and a link asks before it opens. Runs alone, like gpu.test.mjs.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { pack } from "../../../site/runtime/base/packed.js";
import { software } from "../support/gpu_session.mjs";
import { axe_violations } from "../support/axe.mjs";
import { in_each_browser, open_watched, profile_key, until } from "../support/browser_page.mjs";
import { wrong_programs } from "../support/wrong_programs.mjs";

const gpu_profile = readFileSync(
  new URL("../../fixtures/profiles/gpu.json", import.meta.url),
  "utf8",
);

async function open(session, path) {
  const { page } = await open_watched(session.browser, session.server.url + path);
  await page.waitForSelector(".wgsl-open");
  await page.$eval(".wgsl-open", (place) => place.querySelector("button")?.click());
  await page.waitForSelector(".wgsl[data-ready]");
  return page;
}

const enter = (page, text) =>
  page.$eval(
    ".wgsl textarea",
    (area, value) => {
      area.value = value;
      area.dispatchEvent(new Event("input", { bubbles: true }));
    },
    text,
  );

/** Runs the program and returns {status, said, line}; the first problem selects the line. */
async function run(page) {
  await page.$eval(".wgsl-status", (status) => (status.textContent = ""));
  await page.$eval(".wgsl-fields button", (button) => button.click());
  await until(
    page,
    () => /right|Stopped/.test(document.querySelector(".wgsl-status").textContent),
    null,
    180_000,
  );
  return page.evaluate(() => {
    document.querySelector(".wgsl-answer li button")?.click();
    const area = document.querySelector(".wgsl textarea");
    const before = area.value.slice(0, area.selectionStart);
    const status = document.querySelector(".wgsl-status").textContent;
    return {
      status,
      said: `${status} ${document.querySelector(".wgsl-answer").textContent}`,
      line: before.split("\n").length,
    };
  });
}

in_each_browser(
  (session) => {
    test("wrong programs are refused or contained, and the page stays usable", async () => {
      const page = await open(session, "wgsl/");
      for (const { name, text, says, line } of wrong_programs) {
        await enter(page, text);
        const { status, ...seen } = await run(page);
        assert.match(status, /^Stopped, because /, name);
        assert.match(seen.said, says, name);
        if (line) assert.equal(seen.line, line, name);
      }
      // A lost device or a silent worker would be visible here.
      await page.select(".wgsl select", "naive");
      assert.match((await run(page)).status, /answer is right/);
      await page.close();
    });

    test("a correct program is a rung and a point under the roof", async () => {
      const page = await open(session, "wgsl/");
      await page.evaluate(
        ([key, text]) => localStorage.setItem(key, text),
        [profile_key, gpu_profile],
      );
      await page.reload();
      await page.waitForSelector(".wgsl[data-ready]");
      const { said } = await run(page);
      assert.match(said, /It multiplies 64 rows at [\d.]+ GFLOP\/s\./);
      assert.match(said, /your program[\d.]+ GFLOP\/s/);
      await until(page, () =>
        document.querySelector(".wgsl-answer .plot-wide")?.textContent.includes("your program"),
      );
      const solved = await page.$$eval(".wgsl-exercise output", (all) =>
        all.map((one) => one.textContent),
      );
      assert.deepEqual(solved, ["", "", ""], "a software GPU solves no exercise");
      assert.deepEqual(await axe_violations(page), []);
      await page.close();
    });

    test("a link asks before it opens, and nothing runs by itself", async () => {
      const program = ["// from elsewhere\n", 8, 16];
      const page = await open(session, `wgsl/#program=${await pack(program)}`);
      const text = () => page.$eval(".wgsl textarea", ({ value }) => value);
      assert.doesNotMatch(await text(), /elsewhere/);
      assert.match(
        await page.$eval(".write-says", ({ textContent }) => textContent),
        /a program of 2 lines\. Nothing runs/,
      );
      await page.$eval(".write-says button", (button) => button.click());
      assert.equal(await text(), program[0]);
      assert.deepEqual(
        await page.$$eval(".wgsl-fields input", (all) => all.map(({ value }) => value)),
        ["8", "16"],
      );
      await page.$$eval(".wgsl-fields button", ([, share]) => share.click());
      await page.waitForSelector(".wgsl-link input");
      const link = await page.$eval(".wgsl-link input", ({ value }) => value);
      assert.equal(new URL(link).hash, `#program=${await pack(program)}`);
      const damaged = await open(session, "wgsl/?again#program=abc");
      assert.match(await damaged.$eval(".write-says", ({ textContent }) => textContent), /damaged/);
      await page.close();
      await damaged.close();
    });

    test("a program that stays silent, or whose worker cannot load, is reported", async () => {
      const page = await open(session, "wgsl/");
      const outcomes = await page.evaluate(async () => {
        const { run_program } = await import(
          new URL("wgsl/run.js", document.querySelector("script[type=module]").src)
        );
        const signal = new AbortController().signal;
        const urls = { module: "data:,", shaders: "data:,{}" };
        const how = { on_progress() {}, signal };
        return [
          await run_program({ text: "", block: [1, 1] }, urls, { ...how, patience: 1 }),
          await run_program({ text: "", block: [1, 1] }, urls, how),
        ];
      });
      assert.match(outcomes[0].reason, /did not end within 0 s/);
      assert.ok(outcomes[1].reason.length > 0 && !outcomes[1].result);
      await page.close();
    });
  },
  { kinds: ["chromium"], args: software },
);
