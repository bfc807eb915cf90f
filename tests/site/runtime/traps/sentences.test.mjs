// The sentence about a trap follows from its two numbers.
import assert from "node:assert/strict";
import { test } from "node:test";

import { longest, sentence, traps } from "../../../../site/runtime/traps/sentences.js";

const result = (id, more) => ({
  id,
  unit: "GB/s",
  wrong: 20,
  right: 10,
  ratio: 2,
  is_checked: true,
  ...more,
});
const [more_id, less_id] = ["more", "less"].map(
  (says) => traps.find((one) => one.says === says).id,
);

test("a trap bites where the wrong number errs its way by a seventh or more", () => {
  const verdict = (id, more) => {
    const [state, words] = sentence(result(id, more));
    return [state, words.split(". ").slice(1).join(". ")];
  };
  assert.deepEqual(verdict(more_id), ["bites", "The wrong number is 2.00 times too high."]);
  assert.deepEqual(verdict(more_id, { ratio: 1.15 })[0], "bites");
  const harmless = [
    "harmless",
    "On this machine and in this browser the trap makes no difference.",
  ];
  for (const ratio of [1.14, 1, 0.5]) assert.deepEqual(verdict(more_id, { ratio }), harmless);
  assert.deepEqual(verdict(less_id, { ratio: 0.5 }), [
    "bites",
    "The wrong number is 2.00 times too low.",
  ]);
  assert.deepEqual(verdict(less_id, { ratio: 2 }), harmless);
  assert.match(verdict(more_id, { unit: "ns" })[1], /2\.00 times too long\.$/);
  assert.match(verdict(less_id, { ratio: 0 })[1], /is infinitely too low\.$/);
  assert.match(
    verdict(more_id, { is_checked: false })[1],
    /too high\. The check catches it: nothing was computed\.$/,
  );
});

test("both numbers have their labels; a reason replaces them", () => {
  const [, words] = sentence(result("denormals", { wrong: 1, right: Infinity, ratio: 0.1 }));
  assert.match(
    words,
    /^Here: denormal numbers 1\.00 GB\/s, ordinary numbers more GB\/s than the clock can resolve\./,
  );
  assert.deepEqual(sentence({ id: "denormals", reason: "no memory" }), [
    "unavailable",
    "Unavailable, because no memory.",
  ]);
});

test("no result has more words than the room that is kept", () => {
  for (const { id, says } of traps) {
    const ratio = says === "more" ? 12345 : 1 / 12345;
    for (const unit of ["GFLOP/s", "GB/s", "ns"])
      for (const value of [Infinity, 123456])
        assert.ok(
          sentence(result(id, { unit, wrong: value, right: value, ratio, is_checked: false }))[1]
            .length <= longest(id).length,
          id,
        );
  }
});
