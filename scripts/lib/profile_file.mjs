// How a profile lies in figures/profiles/: a line for each result.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** Writes `profile`, and the directories that `file` needs. */
export function write_profile(profile, file) {
  mkdirSync(dirname(file), { recursive: true });
  const { results, ...rest } = profile;
  const head = JSON.stringify(rest, null, 1).slice(0, -2);
  const lines = results.map((result) => `  ${JSON.stringify(result)}`).join(",\n");
  writeFileSync(file, `${head},\n "results": [\n${lines}\n ]\n}\n`);
}
