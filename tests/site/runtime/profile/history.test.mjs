// This machine's runs over time: which data of a run is stored, for how long, and how foreign data
// in storage is treated.
import assert from "node:assert/strict";
import { test } from "node:test";

import {
  forget_history,
  history,
  line_of,
  remember,
  with_changes,
} from "../../../../site/runtime/profile/history.js";

const roof = (name, value, threads = 1, device = "cpu") => ({
  ...{ device, value, unit: "" },
  class: { ...(name === "out" ? { level: name } : { isa: name }), threads },
});
const run = (arithmetic, memory, more = {}) => ({
  ...{ created: "2026-11-23T03:00:00.000Z", browser: "Firefox 153", os: "Linux", clock_ghz: 3.5 },
  roofs: [roof("simd", arithmetic / 2), roof("fma", arithmetic), roof("out", memory)],
  ...more,
});
const storage = (text = null) => {
  const kept = new Map(text === null ? [] : [["primer / history.v1", text]]);
  return {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => kept.set(key, value),
    removeItem: (key) => kept.delete(key),
  };
};

test("a run with both roofs of one core is a line; no other is", () => {
  const whole = run(50, 20, {
    cores: { reported: 8, usable: 4 },
    roofs: [...run(50, 20).roofs, roof("fma", 180, 4), roof("fma", 9e4, 1, "gpu")],
  });
  assert.deepEqual(line_of(whole), {
    ...{ at: whole.created, browser: "Firefox 153", os: "Linux", arithmetic: 50, memory: 20 },
    ...{ clock: 3.5, cores_arithmetic: 180, cores: 4 },
  });
  assert.equal(line_of(run(50, 0)), null);
  assert.equal(line_of({ ...run(50, 20), roofs: [roof("fma", 50, 4), roof("out", 20)] }), null);
  assert.equal(line_of({ roofs: [] }), null);
});

test("the last fifty runs are kept, and forgotten when asked", () => {
  const local = storage();
  for (let i = 1; i <= 60; ++i) remember(run(i, 20), () => local);
  const lines = history(() => local);
  assert.deepEqual([lines.length, lines[0].arithmetic, lines.at(-1).arithmetic], [50, 11, 60]);
  remember(run(0, 20), () => local);
  assert.equal(history(() => local).length, 50);
  forget_history(() => local);
  assert.deepEqual(
    history(() => local),
    [],
  );
});

test("where storage is refused or damaged there is no history, and no error", () => {
  const refused = () => {
    throw new Error("no storage");
  };
  remember(run(1, 1), refused);
  assert.deepEqual(history(refused), []);
  for (const text of ["{", "7", "{}", "null", "[null, 7, []]", "[".repeat(60_000)])
    assert.deepEqual(
      history(() => storage(text)),
      [],
      text.slice(0, 20),
    );
  const good = { at: "2026-11-23T03:00:00Z", arithmetic: 1, memory: 2 };
  const bad = [
    ...[
      { at: "never" },
      { at: 7 },
      { at: "2026".repeat(40) },
      { arithmetic: "50" },
      { memory: -1 },
    ],
    ...[{ memory: 1e9 }, { arithmetic: null }],
  ].map((more) => ({ ...good, ...more }));
  const odd = { ...good, browser: { toString: 1 }, os: "x".repeat(200), clock: "fast", more: 1 };
  assert.deepEqual(
    history(() => storage(JSON.stringify([...bad, good, odd]))),
    [good, good],
  );
});

test("a change above three percent is reported, and so is another browser", () => {
  const lines = [run(100, 20), run(102, 25), run(51, 25, { browser: "Chromium 156" })].map(line_of);
  const [first, second, third] = with_changes(lines);
  assert.deepEqual([first.change, first.moved], [{}, false]);
  assert.deepEqual(second.change, { arithmetic: 0, memory: 0.25, clock: 0 });
  assert.deepEqual([third.change.arithmetic, third.moved], [-0.5, true]);
});
