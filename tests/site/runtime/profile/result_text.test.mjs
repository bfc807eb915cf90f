// Results and machines as text: numbers with their spread, their trustworthiness, and the allowed
// names of a stranger's machine.
import assert from "node:assert/strict";
import { test } from "node:test";

import { digits } from "../../../../site/runtime/base/digits.js";
import { browser_of, plain, system_of } from "../../../../site/runtime/profile/machine_name.js";
import {
  badge_of,
  machine_words,
  result_words,
} from "../../../../site/runtime/profile/result_text.js";

const good = { status: "measured", verified: true, unit: "GB/s", median: 12.34, mad: 0.16 };

test("a number has three digits, and half of its interval one", () => {
  const said = (median, half, more) =>
    result_words({ ...good, median, low: median - half, high: median + half, ...more });
  assert.equal(said(12.34, 0.16), "12.3 ± 0.2 GB/s");
  assert.equal(said(1234, 34), "1234 ± 30 GB/s");
  assert.equal(said(0.1234, 0.0014), "0.123 ± 0.001 GB/s");
  assert.equal(said(1.09, 0.004), "1.09 ± 0.004 GB/s", "a spread is never 0");
  assert.equal(said(9.99, 0.96), "9.99 ± 1 GB/s");
  assert.equal(result_words(good), "12.3 ± 0.5 GB/s", "three times what is left of an old run");
  const busy = { flags: ["disturbed"], low: 30.2, high: 57.4 };
  assert.equal(result_words({ ...good, ...busy }), "30 to 57 GB/s");
  assert.deepEqual(
    [0, NaN, Infinity, -4.56, 1e-9].map((value) => digits(value)),
    ["0", "–", "–", "-4.56", "0.000000"],
  );
  assert.equal(
    result_words({ status: "unavailable", reason: "it is gone" }),
    "unavailable, because it is gone",
  );
});

test("a product of squares says on how many rows it was timed", () => {
  const said = (params, kernel = "matmul.packed") =>
    result_words({ ...good, kernel, params }).slice("12.3 ± 0.5 GB/s".length);
  assert.equal(said({ m: 64, n: 1000, k: 0 }), " (on 64 of 1000 rows)");
  assert.equal(said({ m: 64, n: 1000, k: 1000 }), " (on 64 of 1000 rows)");
  for (const params of [
    { m: 0, n: 1000, k: 0 },
    { m: 1000, n: 1000, k: 0 },
    { m: 64, n: 1000, k: 10 },
    undefined,
  ])
    assert.equal(said(params), "", JSON.stringify(params));
  assert.equal(said({ m: 64, n: 1000, k: 0 }, "matvec.rows"), "");
});

test("the badge is good, a note, or doubtful, and says why", () => {
  const badge = (more) => Object.values(badge_of({ ...good, ...more })).join("|");
  assert.equal(badge({}), "checked|good|");
  assert.match(badge({ flags: ["few-samples"] }), /^checked\|note\|fewer samples/);
  assert.match(badge({ flags: ["throttled"] }), /^checked\|note\|the core ended slower/);
  for (const flag of [
    "drift",
    "disturbed",
    "beyond-roof",
    "slow-tier",
    "hidden",
    "untrusted",
    "software",
  ])
    assert.match(
      badge({ flags: ["few-samples", flag] }),
      /^doubtful\|bad\|fewer samples than usual; ./,
      flag,
    );
  assert.equal(badge({ mad: 12.34 / 2 }), "checked|good|");
  assert.equal(badge({ mad: 6.2 }), "doubtful|bad|a spread of more than half of the value");
  assert.match(
    badge({ mad: 8.7, flags: ["few-samples"] }),
    /^doubtful\|bad\|a spread of .*; fewer samples/,
  );
  assert.equal(badge({ verified: false }), "not checked|bad|");
  assert.equal(
    badge({ flags: ["constructor"] }),
    "checked|note|a flag that this book does not know",
  );
  assert.equal(badge({ status: "unavailable", reason: "so" }), "–|bad|so");
});

test("a machine is called by its name, its processor's, or the reader's", () => {
  const devices = [
    { kind: "gpu", name: "Card" },
    { kind: "cpu", name: "Core" },
  ];
  assert.equal(machine_words({ name: "Box", devices }), "Box");
  assert.equal(machine_words({ devices }), "Core");
  assert.equal(machine_words({ name: "Box", loaded: true }), "“Box” (from a file)");
  assert.equal(machine_words({ loaded: true }), "your machine");
  assert.equal(machine_words({}), "your machine");
});

test("a stranger's words are short, seen, and in one line; browsers and systems are of a list", () => {
  assert.equal(plain("a\u202eb\n c  d "), "a b c d");
  assert.equal(plain("x".repeat(10), 10), "x".repeat(10));
  assert.equal(plain("x".repeat(11), 10), `${"x".repeat(9)}…`);
  assert.equal(plain("12345678 01", 10), "12345678…");
  assert.equal(plain(5), "");
  assert.deepEqual(
    ["Firefox 153.0", "Google Chrome", "Firefox 153.0 evil", "Netscape 4", 5].map(browser_of),
    ["Firefox 153", "Google Chrome", "unknown browser", "unknown browser", "unknown browser"],
  );
  assert.deepEqual(["Linux", "Linux 6", null].map(system_of), ["Linux", "", ""]);
});
