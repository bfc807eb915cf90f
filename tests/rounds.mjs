// How often a test repeats what it tries, and whether it is the one that asks more (docs/testing.md).

/** Whether scripts/test --full runs the tests. */
export const is_full = process.env.TESTS === "full";

/** The number in the environment variable `name`; without it `full` in a full run, else `usual`. */
export const rounds = (name, usual, full) => Number(process.env[name] ?? (is_full ? full : usual));
