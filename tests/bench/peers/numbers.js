// Inputs of the layers' problems, and the checks that they share: some outputs, each computed
// again.

const scramble = (state) => (Math.imul(state, 1664525) + 1013904223) >>> 0;

/** Floats from -1 to 1. */
export function floats(count, seed) {
  let state = seed;
  return Float32Array.from({ length: count }, () => {
    state = scramble(state);
    return state / 2 ** 31 - 1;
  });
}

/** Signed bytes with any value. */
export function bytes(count, seed) {
  let state = seed;
  return Int8Array.from({ length: count }, () => {
    state = scramble(state);
    return (state >>> 24) - 128;
  });
}

/**
 * The largest difference of `found` from `expected(place)` at some hundred places, divided by the
 * largest expected value; NaN if there are not `count` values.
 */
export function deviation(found, count, expected) {
  if (found.length !== count) return NaN;
  let [error, largest] = [0, 0];
  const step = Math.max(1, Math.floor(count / 211));
  for (let i = 0; i < count; i += step) {
    const wanted = expected(i);
    largest = Math.max(largest, Math.abs(wanted));
    const difference = Math.abs(found[i] - wanted);
    if (!(difference <= error)) error = difference; // NaN stays
  }
  return error / largest;
}
