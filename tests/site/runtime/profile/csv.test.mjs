// Results as a table for spreadsheets.
import assert from "node:assert/strict";
import { test } from "node:test";

import { csv_of, result_rows } from "../../../../site/runtime/profile/csv.js";

test("what separates is quoted, and no text is a formula", () => {
  const rows = [["a,b", 'say "x"', "two\nlines", "=1+1", "+x", "-x", "@x", "plain"]];
  assert.equal(csv_of(rows), `"a,b","say ""x""","two\nlines",'=1+1,'+x,'-x,'@x,plain\r\n`);
  assert.equal(
    csv_of([[1 / 3, -2, 1e12, NaN, undefined, null, true]]),
    "0.333333,-2,1000000000000,,,,true\r\n",
  );
});

test("a result is a row, one that is unavailable with its reason", () => {
  const measured = {
    ...{ kernel: "stream.read", params: { w: 8, chains: 12, variant: "x" }, device: "cpu" },
    ...{ status: "measured", unit: "GB/s", median: 1.5, verified: true, flags: ["a", "b"] },
  };
  const missing = { kernel: "k", params: {}, threads: 2, status: "unavailable", reason: "it, was" };
  const [head, first, second] = result_rows({ results: [measured, missing] });
  const row = (values) => Object.fromEntries(head.map((name, i) => [name, values[i]]));
  assert.deepEqual(
    [row(first).variant, row(first).params, row(first).threads, row(first).flags],
    ["x", "w=8 chains=12", 1, "a b"],
  );
  assert.deepEqual([row(first).median, row(first).reason], [1.5, undefined]);
  assert.deepEqual(
    [row(second).threads, row(second).reason, row(second).variant],
    [2, "it, was", ""],
  );
  assert.deepEqual(result_rows({}).length, 1);
});
