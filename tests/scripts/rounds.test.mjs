// The part of a long list that a test takes: samples that together are the whole list, one chosen
// by the commit, and everything in a full run.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";

const sampled = (environment) => {
  const { TESTS, SAMPLE, ...others } = process.env;
  const rounds = JSON.stringify(new URL("../rounds.mjs", import.meta.url).href);
  const script = `import { sample } from ${rounds}; console.log(sample([..."abcdefg"], 3).join(""));`;
  const options = { env: { ...others, ...environment }, encoding: "utf8" };
  return execFileSync(process.execPath, ["--input-type=module", "-e", script], options).trim();
};

test("samples of a list have no item in common and together are the list", () => {
  const all = ["0", "1", "2"].map((SAMPLE) => sampled({ SAMPLE }));
  assert.deepEqual(all, ["adg", "be", "cf"]);
  assert.equal(sampled({ SAMPLE: "4" }), "be");
});

test("a commit has one sample, and a full run takes the whole list", () => {
  assert.equal(sampled({}), sampled({}));
  assert.ok(["adg", "be", "cf"].includes(sampled({})));
  assert.equal(sampled({ TESTS: "full", SAMPLE: "1" }), "abcdefg");
});
