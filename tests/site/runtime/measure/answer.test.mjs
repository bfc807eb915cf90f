// Tests how a run ends: the states of measure/answer.js and their words.
import assert from "node:assert/strict";
import { test } from "node:test";

import { answer_of } from "../../../../site/runtime/measure/answer.js";
import { derive_roofs, ranges_of } from "../../../../site/runtime/measure/roofs.js";
import { measure_suite } from "../../../../site/runtime/measure/sampler.js";

import { complete_params } from "../../../../site/runtime/kernels/tasks.js";
import { empty_profile, merge_profiles } from "../../../../site/runtime/profile/profile.js";

import { interval_from } from "../../../../site/runtime/profile/interval.js";
import { registry, simple_core } from "../../../machines/simulator/simple_core.mjs";

const run = (id, given = {}) => {
  const kernel = registry.find((one) => one.id === id);
  return { kernel, params: complete_params(kernel, given) };
};
const probes = [
  ...["peak.fma", "peak.simd"].map((id) => run(id)),
  ...[8192, 16384, 2 ** 20, 2 ** 25, 2 ** 26].map((w) => run("stream.read", { w })),
];

/** The fresh profile of a run from the home page, built as in measure/measure.js. */
async function fresh_of(more = {}, altered = (results) => results) {
  const core = simple_core(more);
  const suite = await measure_suite({ ...core, tasks: probes, pace: "quick", report: () => {} });
  suite.results = altered(suite.results).map((one) => ({ ...one, module: "relaxed" }));
  const { levels, roofs } = derive_roofs(suite.results);
  const { lost_share, results } = suite;
  return { ...empty_profile(), lost_share, disturbed: ranges_of(suite), results, levels, roofs };
}
const busy = { stolen_slices: { share_of_time: 0.4, slice_ms: [4, 8] } };
const flagged =
  (flag, is_it = () => true) =>
  (results) =>
    results.map((one) => (is_it(one) ? { ...one, flags: [flag] } : one));
const all = { roofs: true };

test("a quiet run is measured", async () => {
  const fresh = await fresh_of();
  assert.deepEqual(answer_of(fresh, all), { state: "measured", words: "" });
  assert.equal(fresh.disturbed, null);
});

test("a busy one is a range with its reason and what to do, and holds what is true", async () => {
  const fresh = await fresh_of(busy);
  const { state, words } = answer_of(fresh, all);
  assert.equal(state, "range");
  assert.match(
    words,
    /^Your machine was busy: other programs took (3|4)\d % of the core, so this is a range: \d+ to \d+ GFLOP\/s · \d+ to \d+ GB\/s\. Close other programs and measure again\.$/,
  );
  const { arithmetic, memory } = fresh.disturbed;
  assert.ok(arithmetic.low < 48 && arithmetic.high > 48 && arithmetic.high < 1.3 * arithmetic.low);
  assert.ok(memory.low < 24 && memory.high > 24);
  assert.deepEqual(fresh.roofs, [], "no roof is said as one number");
  const alone = { ...fresh, disturbed: null };
  assert.match(answer_of(alone).words, /^Your machine was busy: .* so these are ranges\. Close/);
});

test("a run whose clock moves is a range too, with its reason and what to do", async () => {
  const slower = (values) => values.map((value, i) => (i % 2 ? 0.6 * value : value));
  const moved = (results) =>
    results.map(({ low, high, ...one }) => {
      const result = { ...one, values: slower(one.values), flags: ["drift"] };
      return { ...result, ...interval_from(result) };
    });
  const fresh = await fresh_of({}, moved);
  const { state, words } = answer_of(fresh, all);
  assert.equal(state, "range");
  assert.match(
    words,
    /^Your core's clock moved during the measurement, so this is a range: \d+ to \d+ GFLOP\/s · \d+ to \d+ GB\/s\. Plug in the charger, wait a minute and measure again\.$/,
  );
  const { arithmetic, memory } = fresh.disturbed;
  assert.ok(arithmetic.low < 30 && arithmetic.high > 48 && arithmetic.high < 54);
  assert.ok(memory.low < 15 && memory.high > 24 && memory.high < 30);
  assert.deepEqual(fresh.roofs, [], "no roof is said as one number");
  assert.match(answer_of({ ...fresh, disturbed: null }).words, /so these are ranges\. Plug in/);
});

test("without a roof, without trust and without numbers there is a reason", async () => {
  const large = ({ kernel, params }) => kernel === "stream.read" && params.w > 2 ** 22;
  const partial = answer_of(await fresh_of({}, flagged("drift", large)), all);
  assert.equal(partial.state, "partial");
  assert.match(partial.words, /^Your core's clock moved .* so this is a range: \d+ to \d+ GB\/s\./);
  const lost = answer_of(await fresh_of({}, flagged("hidden", large)), all);
  assert.equal(lost.state, "partial");
  assert.match(lost.words, /^There is no number for memory: the page was hidden while measuring/);
  const doubtful = answer_of(await fresh_of({}, flagged("slow-tier")), all);
  assert.equal(doubtful.state, "doubtful");
  assert.match(doubtful.words, /^No number can be trusted: the browser ran unoptimised code/);
  const none = (results) =>
    results.map(({ kernel, params }) => ({ kernel, params, status: "unavailable", reason: "so" }));
  const nothing = answer_of(await fresh_of({}, none), all);
  assert.deepEqual(nothing, { state: "nothing", words: "Nothing measured: so." });
  assert.equal(answer_of({ results: [] }).state, "nothing");
});

test("what a busy machine gave displaces nothing that was measured, and goes with the next run", async () => {
  const quiet = await fresh_of();
  const disturbed = await fresh_of(busy);
  const after = merge_profiles(quiet, disturbed);
  assert.deepEqual(
    after.results.map(({ median }) => median),
    quiet.results.map(({ median }) => median),
  );
  assert.deepEqual(after.roofs, quiet.roofs);
  assert.ok(after.disturbed);
  const first = disturbed;
  assert.equal(first.results.length, probes.length);
  const again = merge_profiles(first, await fresh_of());
  assert.equal(again.disturbed, null);
  assert.ok(again.results.every(({ flags }) => flags.length === 0));
});
