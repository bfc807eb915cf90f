// A real GPU: the recorded profile of an H100, read again by the page's own rules. Its sentences
// are compared with the machine file of its host, and the simulator with the recorded values.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { false_sentences } from "../machines/gpu_simulator/oracle.mjs";
import { gpus, simulated } from "../machines/gpu_simulator/session.mjs";
import { task_key } from "../../site/runtime/kernels/tasks.js";
import { gpu_sentences } from "../../site/runtime/gpu/sentences.js";
import { with_gpu } from "../../site/runtime/gpu/state.js";

const recorded = JSON.parse(
  readFileSync(new URL("../../figures/profiles/h100-webgpu.json", import.meta.url)),
);
const of_gpu = ({ device }) => device === "gpu";
const mib = 2 ** 20;

test("all that is said of the recorded GPU is true, and its roofs and levels are today's", () => {
  const again = with_gpu(recorded);
  const sentences = gpu_sentences(again);
  assert.ok(sentences.length > 10, sentences.join("\n"));
  assert.deepEqual(false_sentences(sentences, gpus.h100_vm, { is_recorded: true }), []);
  for (const part of ["roofs", "levels"])
    assert.deepEqual(again[part].filter(of_gpu), recorded[part].filter(of_gpu), part);
});

test("its curves tell what an H100 is, and no more", () => {
  const { gpu, levels } = with_gpu(recorded);
  const caches = levels.filter(({ device, bytes }) => device === "gpu" && bytes > 0);
  assert.equal(caches.length, 2);
  assert.equal(gpu.fetch.value, 64);
  assert.match(gpu.batch.reason, /still grows at 1024 rows/);
});

test("every kernel ran on it, and each answer was right", () => {
  const results = recorded.results.filter(of_gpu);
  const failed = results.filter(({ verified, status }) => !verified || status !== "measured");
  assert.deepEqual(failed.map(task_key), []);
  assert.ok(results.length > 130, `${results.length} results`);
});

// Between its levels, a real set outgrows them by no power law. The rate with one load per lane is
// not in a machine file.
const compared = {
  "gpu.peak.f32": () => true,
  "gpu.peak.f16": () => true,
  "gpu.peak.i8dot": () => true,
  "gpu.read": () => true,
  "gpu.copy": () => true,
  "gpu.width": () => false,
  "gpu.stride": ({ s }) => s <= 32,
  "gpu.chase": ({ w }) => w <= mib / 16 || (w >= mib && w <= 16 * mib) || w === 0,
};

test("simulated, its host measures as recorded, within 15 %", async () => {
  const { profile } = await simulated(gpus.h100_vm, {});
  const wanted = profile.results.filter(({ kernel, params }) => compared[kernel]?.(params));
  const far = wanted.flatMap((result) => {
    const other = recorded.results.find((one) => task_key(one) === task_key(result));
    if (!other || Math.abs(result.median / other.median - 1) <= 0.15) return [];
    return [`${task_key(result)}: ${result.median}, recorded ${other.median}`];
  });
  assert.deepEqual(far, []);
  assert.ok(wanted.length > 18, `${wanted.length} results compared`);
});
