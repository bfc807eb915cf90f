// Shortens measurements to about a tenth, for tests that do not depend on the numbers.
import assert from "node:assert/strict";

import { is_full } from "../../rounds.mjs";

/** Other tests use the cores meanwhile. disturbed.test.mjs tests what a page shows in that case. */
const undisturbed = {
  "/runtime/kernels/lost_time.js": [["busy_share = 0.1;", "busy_share = 1;"]],
};
/**
 * Replacements in scripts, by the end of their path. They reduce a run to one sample per kernel, as
 * short as the clock allows, one number of chains, and sets up to 32 MiB (4 MiB with several
 * threads).
 */
const one_sample = {
  ...undisturbed,
  "/runtime/measure/sampler.js": [
    [
      "quick: { samples: 5, enough: 5, task_ms: 500, total_ms: 4600 }",
      "quick: { samples: 1, enough: 1, task_ms: 1, total_ms: 100 }",
    ],
    ["enough: 7, task_ms: 600, total_ms: 52_000", "enough: 7, task_ms: 600, total_ms: 8000"],
    ["Math.round(100 / Math.max(1, tasks))", "1"],
    ["const fewest_samples = 3;", "const fewest_samples = 1;"],
    ["const patience = 3;", "const patience = 1;"],
    ["const most_passes = 8;", "const most_passes = 1;"],
    ["Math.max(2, 4 * tick_ms)", "Math.max(0.2, tick_ms)"],
  ],
  "/runtime/measure/width_probe.js": [["Math.max(0.5, 3 * tick_ms)", "Math.max(0.1, tick_ms)"]],
  "/runtime/measure/worker.js": [
    ["[1024, 512, 256, 128, 64, 32]", "[32]"],
    ["const pool_batch_ms = 20;", "const pool_batch_ms = 2;"],
  ],
  "/runtime/kernels/clock.js": [
    ["quick_ms = 10", "quick_ms = 1"],
    ["25 * tick_ms", "4 * tick_ms"],
  ],
  "/runtime/kernels/canary.js": [
    ["Math.max(2, 5 * tick_ms, Math.min(10 * tick_ms, 20))", "Math.max(0.2, 2 * tick_ms)"],
  ],
  "/runtime/kernels/tasks.js": [
    ["quick: [10, 12, 14, 16]", "quick: [12]"],
    ["const largest_read = 2 ** 28;", "const largest_read = 2 ** 22;"],
    ['["matmul.parallel", { n: 1024 }]', '["matmul.parallel", { n: 256 }]'],
    ['["matmul.packed", { n: 1024 }]', '["matmul.packed", { n: 256 }]'],
  ],
  "/runtime/measure/race.js": [
    ["const finals = 6;", "const finals = 1;"],
    ["const coarse_final_ms = 40;", "const coarse_final_ms = 10;"],
  ],
};
/** A full round of tests takes three samples, and all sizes. */
const three_samples = {
  ...undisturbed,
  "/runtime/measure/sampler.js": [
    [
      "quick: { samples: 5, enough: 5, task_ms: 500, total_ms: 4600 }",
      "quick: { samples: 3, enough: 3, task_ms: 60, total_ms: 900 }",
    ],
  ],
};
const edits = Object.entries(is_full ? three_samples : one_sample);

/**
 * Wraps `alter` of serve() so that the scripts that measure have less to do. Throws if the text to
 * be replaced is missing in a script.
 */
export const hurried =
  (alter = (path, body) => body) =>
  (path, body) => {
    const [name, pairs] = edits.find(([end]) => path.endsWith(end)) ?? [];
    if (!name) return alter(path, body);
    let text = String(body);
    for (const [usual, short] of pairs) {
      assert.ok(text.includes(usual), `${name} has no longer: ${usual}`);
      text = text.replace(usual, short);
    }
    return alter(path, Buffer.from(text));
  };
