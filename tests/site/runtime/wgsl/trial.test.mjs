// A trial whose GPU is missing, refuses or is lost ends with a reason. The GPU is a fake.
import assert from "node:assert/strict";
import { test } from "node:test";

import { try_program } from "../../../../site/runtime/wgsl/trial.js";

const program = { text: "@compute @workgroup_size(1) fn main() {}", block: [16, 16] };
const reference = { registry: [{ id: "gpu.matmul.naive" }] };

/** A GPU whose device is lost while the compiler works. `messages` are the compiler's. */
function gpu_with({ lost = new Promise(() => {}), compiled = new Promise(() => {}) }) {
  const device = {
    lost,
    destroy() {},
    createShaderModule: () => ({ getCompilationInfo: () => compiled }),
  };
  const adapter = {
    info: {},
    features: new Set(),
    limits: { maxComputeInvocationsPerWorkgroup: 256, maxBufferSize: 2 ** 28 },
    requestDevice: async () => device,
  };
  return { requestAdapter: async () => adapter };
}

const outcome_of = (gpu) =>
  try_program(program, reference, {
    gpu,
    shaders: async () => ({}),
    now: () => 0,
    report() {},
  });

test("a lost device ends the trial, even while the compiler is silent", async () => {
  const { reason, result } = await outcome_of(
    gpu_with({ lost: Promise.resolve({ message: "driver reset" }) }),
  );
  assert.equal(reason, "the GPU was lost (driver reset)");
  assert.equal(result, undefined);
});

test("the compiler's errors have lines, and its warnings are no errors", async () => {
  const message = (type, lineNum) => ({ type, lineNum, linePos: 3, message: `${type} here` });
  const { reason, problems } = await outcome_of(
    gpu_with({
      compiled: Promise.resolve({ messages: [message("warning", 1), message("error", 7)] }),
    }),
  );
  assert.equal(reason, "the program does not compile");
  assert.deepEqual(problems, [{ line: 7, column: 3, text: "error here" }]);
});

test("without WebGPU the reason is reported", async () => {
  assert.match((await outcome_of(undefined)).reason, /offers no WebGPU/);
  assert.match((await outcome_of({ requestAdapter: async () => null })).reason, /gave no GPU/);
});
