// A gallery of thousands of machines, whose page does not grow with their number. `scripts/bench
// generator` measures its build time.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";

import { plausible_profile, random_from } from "../../scripts/lib/plausible_profiles.mjs";
import { rounds } from "../rounds.mjs";

const repository = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const primer = join(repository, "build/release/generator/primer");
const root = mkdtempSync(join(tmpdir(), "primer-gallery-"));
const place = join(root, "book");
after(() => rmSync(root, { recursive: true, force: true }));

const machines = rounds("MACHINES", 1_000, 10_000);

/** The output of a build that uses the test's cache. */
function build(...more) {
  const env = { ...process.env, XDG_CACHE_HOME: join(root, "cache") };
  const bare = ["--modules", "none", "--fonts", "none", "--minified", "none"];
  const { status, stdout, stderr } = spawnSync(primer, ["build", ...bare, ...more], {
    cwd: place,
    env,
    encoding: "utf8",
  });
  assert.equal(status, 0, stdout + stderr);
  assert.equal(stderr, "");
  return stdout;
}

test(`${machines} machines: 400 MB for 10,000, a page below 300 KB`, () => {
  const profiles = join(place, "figures/profiles");
  mkdirSync(profiles, { recursive: true });
  mkdirSync(join(place, "chapters/en"), { recursive: true });
  writeFileSync(join(place, "chapters/book.yaml"), "title: Gallery\nchapters: [one]\n");
  writeFileSync(join(place, "chapters/en/one.md"), "---\ntitle: One\n---\nText.\n");
  const random = random_from(1);
  for (let i = 0; i < machines; ++i)
    writeFileSync(join(profiles, `m${i}.json`), JSON.stringify(plausible_profile(random)));
  const memory = Number(/([\d.]+) MiB peak memory/.exec(build("--stats"))[1]);
  assert.ok(memory < 400, `${memory} MiB`);
  const page = join(place, "build/site/machines/index.html");
  assert.ok(statSync(page).size < 300_000, `${statSync(page).size} bytes`);
  const html = readFileSync(page, "utf8");
  const shown = machines < 10_000 ? machines : machines.toLocaleString("en");
  assert.match(html, new RegExp(`computes, on ${shown} machines: half of them lie between`));
  const list = JSON.parse(readFileSync(join(dirname(page), "list/all.json"), "utf8"));
  assert.equal(list.length, machines);
  assert.ok(statSync(join(dirname(page), `${list.at(-1)[0]}.json`)).size > 1000);
  assert.match(build(), / 0 changed/);
});
