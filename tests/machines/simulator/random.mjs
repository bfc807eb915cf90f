// Random numbers with a seed: the same numbers in each run. Pure except for its own state.

/** Uniform in [0, 1), from `seed` (any integer). */
export function uniform(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    return mixed(state);
  };
}

function mixed(word) {
  let t = Math.imul(word ^ (word >>> 15), 1 | word);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
}

/** The fixed number in [0, 1) for `index`. */
export const fixed_chance = (seed, index) => mixed((seed ^ Math.imul(index | 0, 0x9e3779b1)) | 0);

/** A table of |N(0, 1)|, to take one after the other. */
export function folded_normals(chance, count = 1021) {
  return Float64Array.from({ length: count }, () => {
    const radius = Math.sqrt(-2 * Math.log(1 - chance()));
    return Math.abs(radius * Math.cos(2 * Math.PI * chance()));
  });
}

export const exponential = (chance, mean) => -mean * Math.log(1 - chance());
