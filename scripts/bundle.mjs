#!/usr/bin/env node
// Bundles scripts of an installed program with what they import:
//   build/bundled/browsers.mjs  scripts/lib/browsers.mjs, next to the licences of its npm packages
//   build/bundled/measure.mjs   scripts/measure.mjs, which imports ./lib/browsers.mjs
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { build } from "esbuild";

const root = fileURLToPath(new URL("../", import.meta.url));
const out = `${root}build/bundled/`;
mkdirSync(out, { recursive: true });

const common = {
  absWorkingDir: root,
  bundle: true,
  minify: true,
  platform: "node",
  format: "esm",
  logLevel: "error",
};
await build({
  ...common,
  entryPoints: ["scripts/measure.mjs"],
  outfile: `${out}measure.mjs`,
  external: ["./lib/browsers.mjs"],
});
const { metafile } = await build({
  ...common,
  entryPoints: ["scripts/lib/browsers.mjs"],
  outfile: `${out}browsers.mjs`,
  // Some packages load Node's modules with require().
  banner: {
    js: 'import { createRequire as primer_require } from "node:module"; const require = primer_require(import.meta.url);',
  },
  metafile: true,
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
