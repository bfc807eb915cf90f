// How often a test repeats its attempts, which part of a long list it takes, and whether this is a
// full run (docs/reference/testing.md).
import { execFileSync } from "node:child_process";

/**
 * Whether scripts/test --full runs the tests. Only then do they demand what a maintainer adds to a
 * contribution: translations, and predicates of verdicts.
 */
export const is_full = process.env.TESTS === "full";

/**
 * The number in the environment variable `name`; default: `full` in a full run, otherwise `usual`.
 */
export const rounds = (name, usual, full) => Number(process.env[name] ?? (is_full ? full : usual));

/** A number derived from the checked-out commit, or $SAMPLE. Without git it is 0. */
function turn() {
  if (process.env.SAMPLE) return Number(process.env.SAMPLE);
  try {
    const commit = execFileSync("git", ["rev-parse", "HEAD"], { stdio: "pipe", encoding: "utf8" });
    return Number.parseInt(commit.slice(0, 8), 16);
  } catch {
    return 0;
  }
}

/**
 * One of every `one_in` items, or all in a full run. Each commit takes different ones, so a few
 * commits cover the list. $SAMPLE=0 to $SAMPLE=one_in - 1 are all samples.
 */
export function sample(list, one_in) {
  if (is_full) return list;
  const first = turn() % one_in;
  return list.filter((_, i) => i % one_in === first);
}

/**
 * Calls `define`, such as test(), for one of every `one_in` calls, as sample() chooses from a list.
 */
export function sampled(define, one_in) {
  const first = turn() % one_in;
  let count = 0;
  return (...how) => {
    if (is_full || count++ % one_in === first) define(...how);
  };
}
