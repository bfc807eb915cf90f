#!/usr/bin/env node
// What an installed program has of npm packages for its scripts: build/bundled/browsers.mjs, scripts/lib/browsers.mjs with
// all that it imports, and the licences of those packages beside it.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { build } from "esbuild";

const root = fileURLToPath(new URL("../", import.meta.url));
const out = `${root}build/bundled/`;
mkdirSync(out, { recursive: true });

const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: ["scripts/lib/browsers.mjs"],
  outfile: `${out}browsers.mjs`,
  bundle: true,
  minify: true,
  platform: "node",
  format: "esm",
  // Some packages ask for Node's own modules as scripts of old do.
  banner: {
    js: 'import { createRequire as primer_require } from "node:module"; const require = primer_require(import.meta.url);',
  },
  metafile: true,
  logLevel: "error",
});

const package_of = (path) => /^.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[0];
const packages = [...new Set(Object.keys(metafile.inputs).map(package_of).filter(Boolean))].sort();
const texts = packages.map((folder) => {
  const { name, version, license } = JSON.parse(
    readFileSync(`${root}${folder}/package.json`, "utf8"),
  );
  const file = readdirSync(root + folder).find((one) => /^licen[cs]e/i.test(one));
  const path = `${root}${folder}/${file}`;
  const text = file && existsSync(path) ? readFileSync(path, "utf8").trim() : "";
  return `${name} ${version}: ${license}\n\n${text}\n`;
});
writeFileSync(`${out}browsers.LICENSES.txt`, texts.join(`\n${"-".repeat(80)}\n\n`));
