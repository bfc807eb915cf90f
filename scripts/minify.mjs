#!/usr/bin/env node
// Minifies the style sheet and scripts into build/minified/: no comments, spaces or long names.
// source/ below it contains the source of each file. primer publishes a minified file only if its
// source is unchanged (generator/core/assemble/assets.cpp), so authors need not run this again.
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

const esbuild = await import("esbuild").catch(() => null);
if (!esbuild) {
  console.error(
    "minify: esbuild is not there (npm ci); styles and scripts are published as written",
  );
  process.exit(0);
}

const site = fileURLToPath(new URL("../site/", import.meta.url));
const minified = fileURLToPath(new URL("../build/minified/", import.meta.url));
const maths = fileURLToPath(new URL("../generator/host/maths_conversion.mjs", import.meta.url));
const names = (folder, ending) =>
  readdirSync(site + folder, { recursive: true })
    .filter((name) => name.endsWith(ending))
    .sort();
const text = (path) => readFileSync(site + path, "utf8");

// Removes spaces that esbuild leaves: after the colon of a custom property, and around / and *.
const without_spaces = (css) =>
  css.replace(/(--[\w-]+): /g, "$1:").replace(/(?<=[\w%)"]) ([*/]) (?=[\w("-])/g, "$1");

function write(path, source, options) {
  const { code } = esbuild.transformSync(source, { minify: true, charset: "utf8", ...options });
  write_small(path, source, options.loader === "css" ? without_spaces(code) : code);
}

function write_small(path, source, small) {
  for (const [name, content] of [
    [path, small],
    [`source/${path}`, source],
  ]) {
    mkdirSync(dirname(minified + name), { recursive: true });
    writeFileSync(minified + name, content);
  }
}

// Whether a script imports packages by name. Such a script is published with the packages bundled;
// its imports of our scripts stay.
const imports_packages = (source) => /^(?:import|export)\b[^;]*?\bfrom\s*"[^./]/m.test(source);
const beside = {
  name: "beside",
  setup: ({ onResolve }) =>
    onResolve({ filter: /^\.\.?\// }, ({ path, importer }) =>
      importer.startsWith(site) ? { path, external: true } : null,
    ),
};
async function bundle(path, source) {
  const { outputFiles } = await esbuild.build({
    entryPoints: [site + path],
    bundle: true,
    alias: { "primer:maths": maths },
    plugins: [beside],
    format: "esm",
    minify: true,
    charset: "utf8",
    legalComments: "inline",
    write: false,
  });
  write_small(path, source, outputFiles[0].text);
}

rmSync(minified, { recursive: true, force: true });
// Joined in the same order as in generator/core/assemble/assets.cpp.
const named = text("styles/order.txt")
  .split("\n")
  .filter((line) => line && !line.startsWith("#"));
const sheets = [...new Set([...named, ...names("styles", ".css")])].map((name) =>
  text(`styles/${name}`),
);
write("style.css", sheets.join(""), { loader: "css" });
for (const name of names("sheets", ".css")) write(name, text(`sheets/${name}`), { loader: "css" });
for (const name of names("runtime", ".js")) {
  const source = text(`runtime/${name}`);
  if (imports_packages(source)) await bundle(`runtime/${name}`, source);
  else write(`runtime/${name}`, source, { loader: "js", format: "esm" });
}

// The script of the search, which is the same for every index (primer index).
const { createIndex, close } = await import("pagefind");
const { index } = await createIndex();
const { files } = await index.getFiles();
await close();
const script = files.find(({ path }) => path === "pagefind.js");
write("pagefind.js", Buffer.from(script.content).toString(), { format: "esm" });
