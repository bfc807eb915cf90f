// The output of scripts/measure while it works and at its end.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { test } from "node:test";

import { changes_in } from "../../scripts/lib/profile_changes.mjs";
import { bar, clock, progress_line, with_progress } from "../../scripts/lib/progress.mjs";

test("a line of progress: bar, share, words, time", () => {
  assert.equal(bar(0.25), "[#####...............] ");
  assert.deepEqual([bar(undefined), bar(2), bar(1)], ["", "", `[${"#".repeat(20)}] `]);
  assert.deepEqual([0, 7_900, 61_000, 600_000].map(clock), ["0:00", "0:07", "1:01", "10:00"]);
  const far = { share: 0.5, text: "Measuring Peak" };
  const line = "measure: run 1 of 3  [##########..........] 50 %, Measuring Peak, 0:02";
  assert.equal(progress_line("measure: run 1 of 3", far, 2000), line);
  assert.equal(progress_line("measure: run 1 of 3", far, 2000, 30), line.slice(0, 30));
  assert.equal(progress_line("measure", {}, 2000), "measure  0:02");
});

const stream = (isTTY) => {
  const written = [];
  return { isTTY, columns: 80, written, write: (text) => written.push(text) };
};
const turns = async (count) => {
  for (let i = 0; i < count; ++i) await new Promise((resolve) => setTimeout(resolve, 1));
};

test("progress is reported: in lines without a terminal, in one line with it, then the results", async () => {
  for (const isTTY of [false, true]) {
    const out = stream(isTTY);
    let finish;
    const work = new Promise((resolve) => (finish = resolve));
    const how_far = () => ({ share: 0.1, text: "Warming up" });
    const options = { stream: out, soon_ms: 0, every_ms: 1 };
    const running = with_progress("measure", work, how_far, options);
    while (out.written.length < 3) await turns(1);
    finish(7);
    assert.equal(await running, 7);
    const said = out.written.length;
    await turns(5);
    assert.equal(out.written.length, said, "nothing once it is over");
    const line = "measure  [##..................] 10 %, Warming up, 0:00";
    assert.equal(out.written[0], isTTY ? `\r\x1b[K${line}` : `${line}\n`);
    if (isTTY) assert.equal(out.written.at(-1), "\r\x1b[K");
  }
});

test("what ends at once says nothing; a failure passes through; who cannot tell does no harm", async () => {
  const out = stream(false);
  await with_progress("measure", Promise.resolve(), () => ({}), { stream: out });
  await assert.rejects(
    with_progress("measure", Promise.reject(new Error("no browser")), () => ({}), { stream: out }),
    /no browser/,
  );
  assert.deepEqual(out.written, []);
  const refusing = () => {
    throw new Error("no page");
  };
  const work = turns(10);
  await with_progress("measure", work, refusing, { stream: out, soon_ms: 0, every_ms: 1 });
  assert.equal(out.written[0], "measure  0:00\n");
});

const primer = "build/release/generator/primer";
const profiles = ["chromium", "firefox"].map((name) => `figures/profiles/reference-${name}.json`);

test("of a comparison only what differs is left, and counted", () => {
  const output = [
    "A  a: X\nB  b: Y\nDifferent: browser.",
    "result  A  B  unit  B/A\nk{n=1}  1  1  ns  1.00  same\nk{n=2}  1  2  ns  2.00  differs\nk{n=3}  1  –  ns",
    "roof  A  B\nfma  1  1  x  1.00  same",
    "B k: * drift",
  ].join("\n\n");
  assert.deepEqual(changes_in(`${output}\n`), {
    text: "A  a: X\nB  b: Y\nDifferent: browser.\n\nresult  A  B  unit  B/A\nk{n=2}  1  2  ns  2.00  differs\n\n1 of 3 values differ.\n",
    differing: 1,
    compared: 3,
  });
});

test(
  "the program's own comparison is read: nothing between a profile and itself, much between browsers",
  { skip: !existsSync(primer) },
  () => {
    const compared = (a, b) =>
      changes_in(spawnSync(primer, ["profile", "compare", a, b], { encoding: "utf8" }).stdout);
    const same = compared(profiles[0], profiles[0]);
    assert.ok(same.compared > 100);
    assert.equal(same.differing, 0);
    const other = compared(...profiles);
    assert.ok(other.differing > 5 && other.differing < other.compared);
    assert.match(other.text, /timer +5\.00 +20\.0 +µs +4\.00 +differs/);
  },
);
