// The program of /write/ in Node, started as by its worker. Needs build/release and build/workshop
// (scripts/workshop).
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { convert } from "../../generator/host/maths_conversion.mjs";
import { start_primer } from "../../site/runtime/write/primer_module.js";

export const root = fileURLToPath(new URL("../../", import.meta.url));
export const modules = join(root, "build/workshop/write");

/** Runs the native program on a book and returns its output. */
export function primer(...args) {
  const options = { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"], maxBuffer: 2 ** 28 };
  return execFileSync(join(root, "build/release/generator/primer"), args, options);
}

/** A folder that is empty at first and removed when the test file ends. */
export function scratch() {
  const folder = mkdtempSync(join(tmpdir(), "primer-workshop-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The book as a pack: its path, also as a site without an address. */
export function native_book(folder, book = root) {
  const common = ["--trust", "--book", book, "--base-url", "none"];
  const pack = join(folder, "book.pack");
  const site = join(folder, "site");
  primer("build", ...common, "--out", site);
  primer("pack", pack, ...common);
  return { site, pack };
}

const compile = (name) => WebAssembly.compile(readFileSync(join(modules, name)));

/**
 * The program with an open book, given the path of a pack. `loaded` receives the names of requested
 * grammars, `texts` those of the files next to the pack.
 */
export async function open_workshop(pack, loaded = [], texts = []) {
  const program = await start_primer({
    compiled: await compile("primer.wasm"),
    convert,
    grammar(name) {
      loaded.push(name);
      return compile(`grammar-${name}.wasm`);
    },
    async text(name) {
      texts.push(name);
      return readFileSync(join(dirname(pack), name));
    },
  });
  const opened = await program.ask({ do: "open" }, readFileSync(pack));
  return { ...program, pages: opened.pages };
}
