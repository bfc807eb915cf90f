#!/usr/bin/env node
// What the last publications left, for the next one: pages that are open or cached still ask for their assets.
//   node scripts/kept.mjs list SITE NAME...    writes SITE/kept.json: the files of these directories of SITE/_/, with digests
//   node scripts/kept.mjs fetch BASE-URL KEPT  takes them from the published site to KEPT, each held against its digest
// No cache stands between two publications that another job could write to. A directory with a file that is missing or
// not as listed is left out whole, and named; so is everything when the site cannot be reached, or was never published.
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";

export const asset_directory = /^[0-9a-f]{8,64}$/;
const path_of_file = /^(?!.*(?:^|\/)\.)[\w.@+-]+(?:\/[\w.@+-]+)*$/; // no name begins with a dot
const most = { worker: 64 << 10, list: 4 << 20, directories: 3, files: 5000, bytes: 256 << 20, ms: 30_000 };

const sha256 = (bytes) => createHash("sha256").update(bytes).digest("hex");

/** {newest_first: names, files: {name: {path: [bytes, sha256]}}} of directories below SITE/_/. */
export function list_of(site, names) {
  const files = {};
  for (const name of names) {
    if (!asset_directory.test(name)) throw new Error(`"${name}" is no directory of assets`);
    const root = join(site, "_", name);
    const paths = readdirSync(root, { recursive: true }).map((path) => String(path).replaceAll("\\", "/"));
    files[name] = Object.fromEntries(
      paths
        .filter((path) => statSync(join(root, path)).isFile())
        .sort()
        .map((path) => {
          const bytes = readFileSync(join(root, path));
          return [path, [bytes.length, sha256(bytes)]];
        }),
    );
  }
  return { newest_first: names, files };
}

/** Throws Error in words when it is no list. */
function checked(list) {
  const names = list?.newest_first;
  const is_list = Array.isArray(names) && names.length <= most.directories && names.every((n) => asset_directory.test(n));
  if (!is_list) throw new Error("kept.json names no directories of assets");
  let bytes = 0;
  for (const name of names) {
    const files = Object.entries(Object.hasOwn(list.files, name) ? list.files[name] : {});
    if (files.length === 0 || files.length > most.files) throw new Error(`kept.json lists no files of ${name}, or too many`);
    for (const [path, entry] of files) {
      const is_entry = Array.isArray(entry) && Number.isSafeInteger(entry[0]) && entry[0] >= 0 && typeof entry[1] === "string";
      if (!path_of_file.test(path) || !is_entry) throw new Error(`kept.json lists a file "${path}", which is none of assets`);
      bytes += entry[0];
    }
  }
  if (bytes > most.bytes) throw new Error(`kept.json lists ${bytes} bytes; at most ${most.bytes} are taken`);
  return names.map((name) => [name, Object.entries(list.files[name])]);
}

/** The bytes at an address, at most `limit`; null when there is nothing (404). Throws Error otherwise. */
async function bytes_at(url, limit) {
  const response = await fetch(url, { redirect: "error", cache: "no-store", signal: AbortSignal.timeout(most.ms) });
  if (response.status === 404) return null;
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  const parts = [];
  let length = 0;
  for await (const part of response.body) {
    length += part.length;
    if (length > limit) throw new Error(`${url}: more than ${limit} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

async function fetch_directory(base, name, files, kept) {
  for (const [path, [length, digest]] of files) {
    const bytes = await bytes_at(new URL(`_/${name}/${path}`, base), length);
    if (bytes === null || sha256(bytes) !== digest) throw new Error(`_/${name}/${path} is not as listed`);
    const file = join(kept, name, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, bytes);
  }
}

/** The digests of lists that the published worker takes shelves by (scripts/offline.mjs), for the next one. */
async function fetch_lists(base, kept) {
  const worker = String((await bytes_at(new URL("sw.js", base), most.worker)) ?? "");
  const [, lists = ""] = /^const lists = \[([^\]]*)\];/m.exec(worker) ?? [];
  const digests = [...lists.matchAll(/"([\w-]{43})"/g)].map(([, digest]) => `${digest}\n`);
  if (digests.length > 0) writeFileSync(join(kept, "lists"), digests.join(""));
}

/** Makes KEPT anew; the names that are in it, the newest first. `say` hears what is left out, and why. */
export async function fetch_kept(base_url, kept, say) {
  rmSync(kept, { recursive: true, force: true });
  mkdirSync(kept, { recursive: true });
  const names = [];
  try {
    const base = new URL(base_url.endsWith("/") ? base_url : `${base_url}/`);
    const is_safe = base.protocol === "https:" || base.hostname === "127.0.0.1";
    if (!is_safe) throw new Error(`${base} is no address with https`);
    const list = new URL("kept.json", base);
    list.search = String(Date.now()); // a list that some cache between holds is one publication too old
    const bytes = await bytes_at(list, most.list);
    if (bytes === null) throw new Error(`${base} has no kept.json`);
    for (const [name, files] of checked(JSON.parse(String(bytes)))) {
      try {
        await fetch_directory(base, name, files, kept);
        names.push(name);
      } catch (error) {
        rmSync(join(kept, name), { recursive: true, force: true });
        say(`${name} is left out: ${error.message}`);
      }
    }
    await fetch_lists(base, kept);
  } catch (error) {
    say(`nothing is kept: ${error.cause?.message ?? error.message}`);
  }
  writeFileSync(join(kept, "newest-first"), names.map((name) => `${name}\n`).join(""));
  return names;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [command, place, ...rest] = process.argv.slice(2);
  if (command === "list" && rest.length > 0) {
    writeFileSync(join(place, "kept.json"), `${JSON.stringify(list_of(place, rest))}\n`);
  } else if (command === "fetch" && rest.length === 1) {
    const names = await fetch_kept(place, rest[0], (message) => console.error(`kept: ${message}`));
    console.log(`kept: ${names.join(", ") || "nothing"}`);
  } else {
    console.error("usage: node scripts/kept.mjs list SITE NAME... | fetch BASE-URL KEPT");
    process.exit(2);
  }
}
