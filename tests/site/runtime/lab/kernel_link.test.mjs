// Encodes and decodes a kernel in an address, and rejects invalid ones.
import assert from "node:assert/strict";
import { test } from "node:test";

import { kernel_of_link, link_of_kernel } from "../../../../site/runtime/lab/kernel_link.js";

test("a kernel is encoded in an address and decoded", () => {
  const kernel = { flop: 4e9, bytes: 2e21, seconds: 1.25e-7, type: "bf16", cores: 16 };
  const hash = link_of_kernel(kernel, "h100-sxm");
  assert.equal(hash, "#k=4e9,2e21,1.25e-7,bf16,16,h100-sxm");
  assert.deepEqual(kernel_of_link(hash), { kernel, under: "h100-sxm" });
  assert.equal(kernel_of_link(link_of_kernel(kernel)).under, "machine");
});

test("an invalid kernel is rejected with a message", () => {
  const good = ["4e9", "2e9", "0.2", "fp32", "1", "machine"];
  const with_part = (i, part) => `#k=${good.toSpliced(i, 1, part).join(",")}`;
  assert.equal(kernel_of_link(with_part(0, "4e9")).error, undefined);
  const damaged = [
    ...["#k=", "#k=,,,,,", "#m=1,2,3,fp32,1,machine", `#k=${good.join(",")},7`],
    ...["-1", "NaN", "Infinity", "0x10", "1e9999", " 1", "1;2", "%31"].map((p) => with_part(0, p)),
    ...["fp31", "__proto__", "constructor", "FP32"].map((part) => with_part(3, part)),
    ...["../x", "<b>", "H100", "", "a".repeat(42)].map((part) => with_part(5, part)),
  ];
  for (const hash of damaged) assert.equal(kernel_of_link(hash).error, "the link is damaged", hash);
  for (const [i, part] of [
    [0, "0"],
    [0, "1e30"],
    [2, "1e-20"],
    [4, "5000"],
    [4, "1.5"],
  ])
    assert.match(
      kernel_of_link(with_part(i, part)).error,
      /^the link has an invalid number: it is not /,
    );
  assert.equal(kernel_of_link(`#k=${"1".repeat(200)}`).error, "the link is too long");
});
