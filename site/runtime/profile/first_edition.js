// Migrates profiles measured by the book's first edition. It used three fixed ranges of sizes for
// L1, L2 and L3, timed chases through a few MiB with mostly cold lines, and measured memory
// bandwidth with reads that hit a cache. These numbers are dropped; the rest of such a profile is
// valid. Pure.

/**
 * The value of `protocol` in profiles measured as docs/explanation/how-the-numbers-are-measured.md
 * describes.
 */
export const protocol = 2;

const guessed = new Set(["L2", "L3"]);
const warm_up_to = 256 * 1024; // bytes that one untimed run of a chase had loaded
const surely_memory = 64 * 2 ** 20; // beyond this size, caches hardly mattered

const is_cold = ({ kernel, params }) =>
  (kernel === "latency.chase" || kernel === "parallelism.chase") &&
  params.w > warm_up_to &&
  params.w < surely_memory;
const is_guess = (device, name) => device !== "gpu" && guessed.has(name);

/** Drops what the first edition measured wrong; `first_edition` then records that. */
export function migrated(profile) {
  if (profile.protocol >= protocol) return profile;
  const { levels = [], roofs = [], results = [], cores } = profile;
  const kept = {
    levels: levels.filter(({ device, name }) => !is_guess(device, name)),
    roofs: roofs.filter(({ device, class: { level } }) => !is_guess(device, level)),
    results: results.filter((result) => !is_cold(result)),
  };
  const notes = cores?.notes?.filter((note) => !note.startsWith("Reading ("));
  const is_whole =
    kept.levels.length === levels.length &&
    kept.roofs.length === roofs.length &&
    kept.results.length === results.length &&
    notes?.length === cores?.notes?.length;
  if (is_whole) return profile;
  return {
    ...profile,
    ...kept,
    ...(notes ? { cores: { ...cores, notes } } : {}),
    first_edition: true,
  };
}
