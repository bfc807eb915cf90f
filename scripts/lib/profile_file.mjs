// How a profile lies in figures/profiles/: a line for each result. And what a script may write over.
import { lstatSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Throws Error in words unless nothing is at `file`, or a plain file of bytes that are an output of the script, as
 * `is_ours(bytes)` finds.
 */
export function check_replaceable(file, is_ours) {
  const status = lstatSync(file, { throwIfNoEntry: false });
  if (!status) return;
  let found = false;
  try {
    found = status.isFile() && is_ours(readFileSync(file));
  } catch {
    // It cannot be read, or is not in that form.
  }
  if (!found) throw new Error(`${file} is there, and is not what this writes: choose another file`);
}

const is_profile = (bytes) => {
  const { roofs, results } = JSON.parse(bytes);
  return Array.isArray(roofs) && Array.isArray(results);
};

/** Throws Error in words where write_profile() would replace anything but a profile. */
export const check_profile_place = (file) => check_replaceable(file, is_profile);

/** Writes `profile`, and the directories that `file` needs. */
export function write_profile(profile, file) {
  check_profile_place(file);
  mkdirSync(dirname(file), { recursive: true });
  const { results, ...rest } = profile;
  const head = JSON.stringify(rest, null, 1).slice(0, -2);
  const lines = results.map((result) => `  ${JSON.stringify(result)}`).join(",\n");
  writeFileSync(file, `${head},\n "results": [\n${lines}\n ]\n}\n`);
}
