// Writes profiles in the format of figures/profiles/, one line per result, and checks that an
// output file may be replaced.
import { lstatSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Throws Error unless `file` does not exist, or is a plain file that this script may have written,
 * according to `is_ours(bytes)`.
 */
export function check_replaceable(file, is_ours) {
  const status = lstatSync(file, { throwIfNoEntry: false });
  if (!status) return;
  let found = false;
  try {
    found = status.isFile() && is_ours(readFileSync(file));
  } catch {
    // The file cannot be read, or has another format.
  }
  if (!found) throw new Error(`${file} is there, and is not what this writes: choose another file`);
}

const is_profile = (bytes) => {
  const { roofs, results } = JSON.parse(bytes);
  return Array.isArray(roofs) && Array.isArray(results);
};

/** Throws Error if write_profile() would replace a file that is no profile. */
export const check_profile_place = (file) => check_replaceable(file, is_profile);

/** Writes `profile`, and creates the directories of `file`. */
export function write_profile(profile, file) {
  check_profile_place(file);
  mkdirSync(dirname(file), { recursive: true });
  const { results, ...rest } = profile;
  const head = JSON.stringify(rest, null, 1).slice(0, -2);
  const lines = results.map((result) => `  ${JSON.stringify(result)}`).join(",\n");
  writeFileSync(file, `${head},\n "results": [\n${lines}\n ]\n}\n`);
}
