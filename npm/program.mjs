// The generator as a module, in Node (site/runtime/write/primer_module.js), with the directories
// that it reads from.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { convert } from "../generator/host/maths_conversion.mjs";
import { start_primer } from "../site/runtime/write/primer_module.js";
import { Directory } from "./directory.mjs";

export const home = fileURLToPath(new URL("../", import.meta.url));
const own = (path) => new Directory(join(home, path));
const compile = (name) =>
  WebAssembly.compile(readFileSync(join(home, "build/workshop/write", name)));

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const nothing = new Uint8Array();

/**
 * What the module asks of files (generator/host/browser/worker_files.hpp): `roots` by their names,
 * `add` takes the site's.
 */
function files_of(roots, add) {
  const asked = {
    read(directory, { path, most }) {
      const bytes = directory.read(path, most);
      return bytes ? Buffer.concat([Buffer.from("="), bytes]) : nothing;
    },
    list: (directory, { path }) => encoder.encode(JSON.stringify(directory.list(path))),
    link_in: (directory, { path }) => encoder.encode(directory.link_in(path)),
    why: (directory, { path, most }) =>
      encoder.encode(JSON.stringify(directory.why_unreadable(path, most))),
  };
  return (request) => {
    const end = request.indexOf(0);
    const words = JSON.parse(decoder.decode(end < 0 ? request : request.subarray(0, end)));
    if (words.do !== "add") return asked[words.do](roots[words.root], words);
    add(words.path, request.slice(end + 1));
    return nothing;
  };
}

/** What the module calls the directories that it reads. */
export const roots_of = (book) => ({
  book: new Directory(book),
  site: own("site"),
  modules: own("build/wasm"),
  fonts: own("build/fonts"),
  minified: own("build/minified"),
});

/**
 * For one book: `ask(request)` answers {status, out, err, files}; `site` are the files of what was
 * built, by their paths.
 */
export async function open_program(roots) {
  const site = new Map();
  const { ask } = await start_primer({
    compiled: await compile("primer.wasm"),
    convert,
    grammar: (name) => compile(`grammar-${name}.wasm`),
    files: files_of(roots, (path, bytes) => site.set(path, bytes)),
  });
  return { ask, site };
}
