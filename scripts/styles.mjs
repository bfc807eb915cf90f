#!/usr/bin/env node
// The style sheet as readers load it: build/styles/style.css, without comments and spaces. source.css
// beside it is what it was made of; primer publishes style.css only while that is still the source
// (generator/assets.cpp), so that it never has to be made again while writing.
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const esbuild = await import("esbuild").catch(() => null);
if (!esbuild) {
  console.error("styles: esbuild is not there (npm ci); the style sheet is published as written");
  process.exit(0);
}

const root = fileURLToPath(new URL("..", import.meta.url));
const sheets = readdirSync(`${root}site/styles`).filter((name) => name.endsWith(".css"));
const source = sheets.sort().map((name) => readFileSync(`${root}site/styles/${name}`, "utf8"));
const { code } = esbuild.transformSync(source.join(""), { loader: "css", minify: true, charset: "utf8" });

mkdirSync(`${root}build/styles`, { recursive: true });
writeFileSync(`${root}build/styles/style.css`, code);
writeFileSync(`${root}build/styles/source.css`, source.join(""));
