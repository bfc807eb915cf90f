// Profiles that the book's first edition measured. It took three windows of sizes for L1, L2 and L3,
// whatever caches the machine has, timed chases through a few MiB while most of their lines were cold,
// and judged the path to memory by reads that lay in a cache. These numbers are left out; the rest of
// such a profile is as good as a new one. Pure.

/** What a profile says in `protocol` when it was measured by the rules of docs/measuring.md. */
export const protocol = 2;

const guessed = new Set(["L2", "L3"]);
const warm_up_to = 256 * 1024; // bytes: what one untimed run of a chase had brought in
const surely_memory = 64 * 2 ** 20; // and beyond it hardly anything was to be brought in

const is_cold = ({ kernel, params }) =>
  (kernel === "latency.chase" || kernel === "parallelism.chase") &&
  params.w > warm_up_to &&
  params.w < surely_memory;
const is_guess = (device, name) => device !== "gpu" && guessed.has(name);

/** A profile that was read, without what the first edition got wrong; `first_edition` says that something was. */
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
