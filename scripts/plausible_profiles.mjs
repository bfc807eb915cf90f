// node scripts/plausible_profiles.mjs COUNT DIRECTORY [SEED]: writes COUNT profiles of invented
// machines, for testing a large gallery. Never for figures/profiles/ of a published book, whose
// profiles were measured.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { plausible_profile, random_from } from "./lib/plausible_profiles.mjs";

const [count, directory, seed = "1"] = process.argv.slice(2);
if (!(Number(count) > 0) || !directory) {
  console.error("usage: node scripts/plausible_profiles.mjs COUNT DIRECTORY [SEED]");
  process.exit(2);
}
mkdirSync(directory, { recursive: true });
const random = random_from(Number(seed));
for (let i = 1; i <= Number(count); ++i) {
  const name = `synthetic-${String(i).padStart(5, "0")}.json`;
  writeFileSync(join(directory, name), JSON.stringify(plausible_profile(random)));
}
