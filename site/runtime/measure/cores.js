// Finds how many cores a page can use, by comparing the rates of several threads with the number of
// cores that the browser reports, and describes what more threads gain. Pure.

const steps = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256];

/**
 * The numbers of threads to try: up to `reported` and, if that is at most `most`, twice `reported`,
 * because the browser may report too few.
 */
export function thread_counts(reported, most = 128) {
  const known = Math.max(1, reported);
  const counts = [...steps.filter((n) => n < known), known];
  return 2 * known <= most ? [...counts, 2 * known] : counts;
}

const enough = 0.95; // of the highest rate; threads beyond that are not worth a worker
const clamped_gain = 1.25;

/**
 * `curve` is [{threads, value}], the combined rates of all threads, in ascending order of threads.
 * Returns {usable, flags, why}: `usable` is the fewest threads that reach the plateau, and the flag
 * "clamped" means that threads beyond the reported number still add speed. Null for an empty curve.
 */
export function judge_cores(reported, curve) {
  if (curve.length === 0) return null;
  const top = Math.max(...curve.map(({ value }) => value));
  const usable = curve.find(({ value }) => value >= enough * top).threads;
  const tried = curve.at(-1).threads;
  if (tried < reported) {
    const why =
      usable < tried
        ? `${tried} of the ${reported} threads that this browser reports were tried, and from ${usable} on nothing got faster`
        : `${tried} of the ${reported} threads that this browser reports were tried`;
    return { usable, flags: [], why };
  }
  const rate_at = (threads) => curve.findLast((point) => point.threads <= threads)?.value;
  const is_clamped = usable > reported && top > clamped_gain * rate_at(reported);
  if (is_clamped) {
    const why = `this browser reports ${reported} cores, but ${usable} threads were faster still: it reports fewer than there are`;
    return { usable, flags: ["clamped"], why };
  }
  const within = Math.min(usable, reported);
  const why =
    within < reported
      ? `${reported} threads were tried, as many as this browser reports, and from ${within} on nothing got faster: they share cores, power or a limit of the system`
      : "";
  return { usable: within, flags: [], why };
}

/**
 * The best rate of `kernel` per number of threads, in ascending order: [{threads, value}].
 * `counts(params, threads)` selects the results to use.
 */
export function rate_curve(results, kernel, counts = () => true) {
  const best = new Map();
  for (const { kernel: id, status, threads, params, best: value } of results) {
    if (status !== "measured" || id !== kernel || !counts(params, threads)) continue;
    best.set(threads, Math.max(value, best.get(threads) ?? 0));
  }
  const points = [...best].map(([threads, value]) => ({ threads, value }));
  return points.sort((a, b) => a.threads - b.threads);
}

/**
 * Sentences about what more threads gain on this machine; empty if nothing was measured.
 * `last_cache` is the size in bytes at which the last cache has certainly ended (0: unknown).
 */
export function core_notes(results, reported, last_cache = 0) {
  const notes = [
    product_note(results),
    reading_note(results, reported, last_cache),
    sum_note(results),
  ];
  return notes.filter(Boolean);
}

const times = (factor) => factor.toFixed(factor < 9.95 ? 2 : 1);
const many = (threads) => (threads === 1 ? "1 thread" : `${threads} threads`);

/** The point of a curve with the fewest threads that reach the plateau. */
const knee = (curve) => {
  const top = Math.max(...curve.map(({ value }) => value));
  return curve.find(({ value }) => value >= enough * top);
};

const product_n = 1024;

function product_note(results) {
  const is_it = ({ n }) => n === product_n;
  const one = rate_curve(results, "matmul.packed", is_it).find(({ threads }) => threads === 1);
  const curve = rate_curve(results, "matmul.parallel", is_it).filter(({ threads }) => threads > 1);
  if (!one || curve.length === 0) return "";
  const best = knee(curve);
  const last = curve.at(-1);
  const said =
    `One matrix product (n = 1024) shared by ${many(best.threads)} runs ` +
    `${times(best.value / one.value)} times as fast as on one core`;
  if (best.threads === last.threads) return `${said}: it gained up to the last core tried.`;
  return (
    `${said}; with more threads, up to ${last.threads}, it was no faster, because the shares become small against ` +
    "the waiting for each other, or the cores share their units, their power or the path to memory."
  );
}

const least_read = 2 ** 27; // fewest bytes, over all threads, that count as reading from memory
const beyond_cache = 4; // and fewest, as a multiple of the last cache
// There may be several last-level caches, so each thread must read at least this multiple of one,
// too.
const own_beyond = 2;
const nearly_all = 0.8; // of perfect scaling; below this, the threads share the path to memory
// Reading has stopped gaining only if this many times the threads at that point were tried.
const far_beyond = 2;

function reading_note(results, reported, last_cache) {
  const least = Math.max(least_read, beyond_cache * last_cache);
  const of_several = results.filter((r) => r.kernel === "stream.read" && r.threads > 1);
  const read_alone = Math.max(0, ...of_several.map(({ params }) => params.w));
  // One thread alone must not read a smaller set than each of several threads does, because a cache
  // would hold a larger part of it.
  const is_memory = ({ w }, threads) =>
    w * threads >= least && w >= own_beyond * last_cache && (threads > 1 || w >= read_alone);
  const curve = rate_curve(results, "stream.read", is_memory).filter(
    ({ threads }) => threads <= reported,
  );
  if (curve.length < 2 || curve[0].threads !== 1) return "";
  const best = knee(curve);
  const last = curve.at(-1);
  if (last.threads < Math.min(reported, far_beyond * best.threads) && best !== last) return "";
  const gain = times(best.value / curve[0].value);
  const head = `Reading (${size_words(least_read)} or more in all)`;
  if (best.threads === last.threads && best.value < nearly_all * best.threads * curve[0].value) {
    return (
      `${head} still gained at ${many(last.threads)}, ${gain} times one: they share the path to ` +
      "memory, and whether it is full only more cores could tell."
    );
  }
  if (best.threads === last.threads) {
    return (
      `${head} still gained at ${many(last.threads)}, ${gain} times one: so many do not fill the path ` +
      "to memory."
    );
  }
  if (best.threads === 1) {
    return (
      `${head} gained nothing from further threads, up to ${last.threads}: they share one core, or one core ` +
      "fills the path to memory."
    );
  }
  return (
    `${head} stops gaining at ${many(best.threads)}, ${gain} times one: all cores share the path to ` +
    "memory, and it is full."
  );
}

/** Whether a ring or a tree sums buffers faster, and at which sizes. */
function sum_note(results) {
  const sums = results.filter(
    ({ kernel, status }) => kernel.startsWith("allreduce.") && status === "measured",
  );
  const threads = Math.max(0, ...sums.map((result) => result.threads));
  if (threads < 2) return "";
  const rates = (kernel) =>
    new Map(
      sums
        .filter((r) => r.kernel === kernel && r.threads === threads)
        .map((r) => [r.params.bytes, r.median]),
    );
  const [ring, tree] = [rates("allreduce.ring"), rates("allreduce.tree")];
  const sizes = [...ring.keys()].filter((bytes) => tree.has(bytes)).sort((a, b) => a - b);
  if (sizes.length === 0) return "";
  const [least] = sizes;
  const step_us = least / threads / (ring.get(least) * 1e3); // a ring sends V / n in each step
  const fastest = Math.max(...ring.values(), ...tree.values());
  const cost =
    `Summing a buffer over ${many(threads)} costs ${times(step_us)} µs a step when it is small ` +
    `(${size_words(least)}), and moves ${times(fastest)} GB/s at best.`;
  if (threads < 4) {
    return (
      `${cost} With ${many(threads)} a ring and a tree take equally many steps, so there is no ` +
      "size at which one overtakes the other: that takes at least four cores."
    );
  }
  const crossing = sizes.find((bytes) => ring.get(bytes) > tree.get(bytes));
  if (crossing === undefined) return `${cost} A tree was faster at every size tried.`;
  if (crossing === least) return `${cost} A ring was faster at every size tried.`;
  return `${cost} A tree is faster for small buffers, a ring from ${size_words(crossing)} on.`;
}

const size_words = (bytes) => (bytes >= 2 ** 20 ? `${bytes / 2 ** 20} MiB` : `${bytes / 1024} KiB`);
