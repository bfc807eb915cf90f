// Amounts as people write them.
import assert from "node:assert/strict";
import { test } from "node:test";

import { amount_words, parse_amount, time_words } from "../../../../site/runtime/lab/amounts.js";

test("numbers with and without units", () => {
  const read = (text, kind) => parse_amount(text, kind).value;
  for (const [text, kind, value] of [
    ["4e9", "work", 4e9],
    [" 4 GFLOP ", "work", 4e9],
    ["4Gop", "work", 4e9],
    ["4 G", "work", 4e9],
    ["1.5 TFLOPs", "work", 1.5e12],
    ["2 GB", "bytes", 2e9],
    ["2 GiB", "bytes", 2 ** 31],
    ["16 KiB", "bytes", 16384],
    ["512 bytes", "bytes", 512],
    ["0,5 MB", "bytes", 5e5],
    ["0.2", "seconds", 0.2],
    ["200 ms", "seconds", 0.2],
    ["3 µs", "seconds", 3e-6],
    ["3us", "seconds", 3e-6],
    ["2 min", "seconds", 120],
    ["4", "cores", 4],
  ])
    assert.ok(Math.abs(read(text, kind) / value - 1) < 1e-12, `${text}: ${read(text, kind)}`);
});

test("what cannot be read says why", () => {
  const why = (text, kind) => parse_amount(text, kind).error;
  assert.equal(why("", "work"), "it is empty");
  assert.equal(why("1".repeat(41), "work"), "it is too long");
  assert.match(why("4,000", "work"), /comma/);
  for (const text of ["four", "1..2", "-1", "1 2", "0x10", "<b>", "Infinity", "1e9999"])
    assert.match(why(text, "work"), /number|between/, text);
  for (const [text, kind] of [
    ["4 GB", "work"],
    ["4 GFLOP", "bytes"],
    ["4 m", "seconds"],
    ["4 kg", "bytes"],
    ["2 kcores", "cores"],
  ])
    assert.match(why(text, kind), /unit/, text);
  assert.match(why("0", "bytes"), /between 1 and 1e\+24/);
  assert.match(why("1.5", "cores"), /whole/);
  assert.match(why("5000", "cores"), /between 1 and 4096/);
});

test("amounts have the prefix that fits", () => {
  assert.equal(amount_words(9.89e14, "FLOP/s"), "989 TFLOP/s");
  assert.equal(amount_words(999.9e9, "B"), "1.00 TB");
  assert.equal(amount_words(0.5, "FLOP/s"), "0.500 FLOP/s");
  assert.deepEqual([2, 0.2, 3e-6, 4e-11].map(time_words), [
    "2.00 s",
    "200 ms",
    "3.00 µs",
    "0.0400 ns",
  ]);
});
