// The verdicts and live numbers that pages show for a profile, from the module that pages load, in
// the built book.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";

import { connect, with_named } from "../../../site/runtime/page/page_module.js";
import { site } from "../../site/support/site.mjs";

const read_json = (file) => JSON.parse(readFileSync(file, "utf8"));
const shared = path.join(site, "_", readdirSync(path.join(site, "_"))[0]);

export const registry = read_json(path.join(shared, "registry.json"));
export const reference = read_json(path.join(shared, "reference.json"));

/**
 * [{page, verdicts, live, benches, facts}] of every page in the book's source language that has
 * any.
 */
export const pages_that_speak = ["", ...readdirSync(site)]
  .filter((name) => existsSync(path.join(site, name, "index.html")))
  .flatMap((page) => {
    const html = readFileSync(path.join(site, page, "index.html"), "utf8");
    const data = /<html lang="en"[^>]* data-page="([^"]+)"/.exec(html)?.[1];
    if (!data) return [];
    const {
      verdicts = [],
      live = [],
      benches = [],
      facts,
    } = read_json(path.join(site, page, data));
    return [{ page: page || "home", verdicts, live, benches, facts }];
  });

const call = await connect(await WebAssembly.compile(readFileSync(path.join(shared, "page.wasm"))));

/** ask(request) for one page, about `reader`. */
export const asker =
  ({ facts }, reader) =>
  (request) =>
    call(with_named(request, { facts, registry, reference, reader }));
