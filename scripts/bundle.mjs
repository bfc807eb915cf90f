#!/usr/bin/env node
// Bundles the npm packages that the scripts of an installed program need:
// build/bundled/browsers.mjs is scripts/lib/browsers.mjs with all of its imports, next to the
// licences of these packages.
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
  // Some packages load Node's modules with require().
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
