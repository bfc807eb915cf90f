// The rounds of scripts/bench with fake twins.
import assert from "node:assert/strict";
import { test } from "node:test";

import { measure, progress_line } from "../../scripts/lib/bench_rounds.mjs";

/** A twin with that rate in GFLOP/s that refuses the given samples and logs its requests. */
function twin(name, rate, { refuses = [], ...more } = {}) {
  const asked = [];
  let samples = 0;
  const ask = async (line) => {
    asked.push(line);
    if (line.startsWith("prepare")) return {};
    if (line === "verify") return { error: 0, tolerance: 0 };
    if (refuses.includes(samples++)) return { refused: "it slept" };
    return { seconds: 1 / (rate * 1e9), flops: 1, bytes: 0 };
  };
  return { name, ask, asked, ...more };
}
const row = { kernel: "matmul.packed", params: { n: 8 } };

test("a sample that is refused leaves its round empty, so that the others stay paired", async () => {
  const twins = [twin("one", 2), twin("other", 4, { refuses: [1] })];
  const results = await measure(row, twins, 3, 1);
  assert.deepEqual(results.get("one").rates.map(Math.round), [2, 2, 2]);
  assert.deepEqual(results.get("other").rates.map(Math.round), [4, NaN, 4]);
  assert.equal(Math.round(results.get("other").median), 4);
});

test("a twin may measure another row, or sit one out", async () => {
  const team = twin("team", 3, { own_row: (given) => ({ ...given, kernel: "matmul.parallel" }) });
  const idle = twin("idle", 3, { own_row: () => null });
  const results = await measure(row, [team, idle], 1, 1);
  assert.equal(team.asked[0], "prepare matmul.parallel n=8");
  assert.deepEqual([...results.keys()], ["team"]);
  assert.ok(!idle.asked.some((line) => line.includes("matmul")));
});

/**
 * A twin whose rate depends on the tile that it prepared, and is half as high for samples in
 * `slow`.
 */
function racing_twin(rates, slow) {
  let tile;
  let samples = 0;
  const ask = async (line) => {
    if (line.startsWith("prepare")) tile = Number(/tile=(\d+)/.exec(line)?.[1]);
    if (!line.startsWith("sample")) return { error: 0, tolerance: 0 };
    const rate = (rates[tile] ?? 1) * (slow.includes(samples++) ? 0.5 : 1);
    return { seconds: 1 / (rate * 1e9), flops: 1, bytes: 0 };
  };
  return { name: "one", ask };
}

test("a while in which a neighbour has the core does not decide a race", async () => {
  const rates = { 408: 40, 508: 50, 608: 54, 616: 30 };
  const chosen = async (slow) => {
    const raced = await measure({ ...row, race: "tile" }, [racing_twin(rates, slow)], 1, 1);
    return raced.get("one").chosen;
  };
  for (let begin = 0; begin < 20; ++begin) {
    const slow = Array.from({ length: 4 }, (_, i) => begin + i);
    assert.deepEqual(await chosen(slow), { tile: 608 }, `slow from sample ${begin}`);
  }
});

test("progress is reported", async () => {
  const said = [];
  await measure(row, [twin("one", 2)], 2, 1, (words) => said.push(words));
  assert.deepEqual(said, ["preparing one", "round 1 of 2", "round 2 of 2", "checking one"]);
});

test("a terminal has one line drawn again, a file one line for each row", () => {
  const written = (isTTY) => {
    let text = "";
    const line = progress_line({ isTTY, columns: 20, write: (more) => (text += more) });
    line.row("row 1 of 2");
    line.say("round 1 of 15");
    line.end();
    return text;
  };
  assert.equal(written(false), "row 1 of 2\n");
  assert.equal(written(true), "\r\x1b[Krow 1 of 2: round 1\r\x1b[K");
});
