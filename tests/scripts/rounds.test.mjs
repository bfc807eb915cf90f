// The part of a long list, or of a file's tests, that runs: samples that together are the whole
// list, one chosen by the commit, and everything in a full run.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";

const sampled = (environment) => {
  const { TESTS, SAMPLE, ...others } = process.env;
  const rounds = JSON.stringify(new URL("../rounds.mjs", import.meta.url).href);
  const script = `import { sample, sampled } from ${rounds};
    const defined = [];
    const define = sampled((name) => defined.push(name), 3);
    for (const name of "abcdefg") define(name);
    console.log(sample([..."abcdefg"], 3).join(""), defined.join(""));`;
  const options = { env: { ...others, ...environment }, encoding: "utf8" };
  const text = execFileSync(process.execPath, ["--input-type=module", "-e", script], options);
  const [listed, defined] = text.trim().split(" ");
  assert.equal(defined, listed); // sampled() takes the same ones
  return listed;
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
