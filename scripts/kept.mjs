#!/usr/bin/env node
// What the last publications left, for the next one: pages that are open or cached still ask for their assets.
//   node scripts/kept.mjs list SITE NAME...    writes SITE/kept.json: the files of these directories of SITE/_/, with digests
//   node scripts/kept.mjs fetch BASE-URL KEPT  takes them from the published site to KEPT, each held against its digest
//   node scripts/kept.mjs check KEPT           prints the names in KEPT of which every file is as it was kept, the newest first
//   node scripts/kept.mjs keep KEPT NAME...    removes what was kept of others, and seals these
// No cache stands between two publications that another job could write to. A directory with a file that is missing or
// not as listed is left out whole, and named; so is everything when the site cannot be reached, or was never published.
//
// KEPT may have come with somebody's copy of the repository. So what is put there is sealed: KEPT/sealed.json holds the
// digest of each file and a MAC over all of them under the key of this user's builds (generator/host/seal.hpp). What is not
// sealed is neither published nor removed.
import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { pathToFileURL } from "node:url";

export const asset_directory = /^[0-9a-f]{8,64}$/;
const path_of_file = /^(?!.*(?:^|\/)\.)[\w.@+-]+(?:\/[\w.@+-]+)*$/; // no name begins with a dot
const most = {
  worker: 64 << 10,
  list: 4 << 20,
  directories: 3,
  files: 5000,
  bytes: 256 << 20,
  ms: 30_000,
};

const sha256 = (bytes) => createHash("sha256").update(bytes).digest("hex");
const sealed_file = "sealed.json";
const own_files = ["newest-first", "lists", sealed_file];

/** Words of others for a log: in them no character controls a terminal or begins a line. */
export const visible = (text) =>
  String(text)
    .slice(0, 500)
    .replace(
      /[\p{Cc}\p{Cf}\u2028\u2029]/gu,
      (c) => `<U+${c.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}>`,
    );

const is_plain = (path) => lstatSync(path, { throwIfNoEntry: false })?.isFile() === true;

/** The key of this user's builds, made if it is missing; null where there is none that is his alone. */
function key_of_user() {
  const { XDG_STATE_HOME: state, HOME: home } = process.env;
  const base =
    state && isAbsolute(state)
      ? state
      : home && isAbsolute(home)
        ? join(home, ".local/state")
        : null;
  if (!base) return null;
  const file = join(base, "primer/key");
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    if (!existsSync(file)) writeFileSync(file, randomBytes(32), { flag: "wx", mode: 0o600 });
    const { mode, uid, size } = lstatSync(file);
    return is_plain(file) && uid === process.getuid() && (mode & 0o077) === 0 && size === 32
      ? readFileSync(file)
      : null;
  } catch {
    return null;
  }
}

const mac_of = (key, files) =>
  createHmac("sha256", key)
    .update(`what a publication keeps\n${JSON.stringify(files)}`)
    .digest("hex");

/** The files of KEPT that are sealed, path → [bytes, sha256]; null when there is no seal of this user's. */
function sealed(kept) {
  const key = key_of_user();
  const path = join(kept, sealed_file);
  if (!key || !is_plain(path) || statSync(path).size > most.list) return null;
  try {
    const { files, mac } = JSON.parse(readFileSync(path, "utf8"));
    const [said, right] = [mac, mac_of(key, files)].map((text) => Buffer.from(String(text), "hex"));
    if (said.length !== right.length || !timingSafeEqual(said, right)) return null;
    return new Map(files);
  } catch {
    return null;
  }
}

const entry_of = (path) => {
  const bytes = readFileSync(path);
  return [bytes.length, sha256(bytes)];
};
const is_intact = (kept, files, path) =>
  files.has(path) &&
  is_plain(join(kept, path)) &&
  String(entry_of(join(kept, path))) === String(files.get(path));

/** Paths below KEPT/NAME; throws Error when there is anything but files and directories. */
function files_below(kept, name) {
  const paths = [];
  for (const entry of readdirSync(join(kept, name), { withFileTypes: true })) {
    const path = `${name}/${entry.name}`;
    if (entry.isDirectory()) paths.push(...files_below(kept, path));
    else if (entry.isFile()) paths.push(path);
    else throw new Error(`${path} is not a plain file`);
  }
  return paths;
}

function check_directory(kept, files, name) {
  if (!lstatSync(join(kept, name), { throwIfNoEntry: false })?.isDirectory())
    throw new Error("it is not a directory");
  const paths = files_below(kept, name);
  for (const path of paths)
    if (!is_intact(kept, files, path)) throw new Error(`${path} is not as it was kept`);
  const wanted = [...files.keys()].filter((path) => path.startsWith(`${name}/`)).length;
  if (paths.length !== wanted || wanted === 0) throw new Error("files are missing");
}

/** {names, lists}: directories that are whole, the newest first, and the digests of lists; `say` hears what is left out. */
export function intact(kept, say = () => {}) {
  if (!existsSync(kept) || readdirSync(kept).length === 0) return { names: [], lists: [] };
  const files = sealed(kept);
  if (!files) say("nothing there is used, because no publication of this user's has sealed it");
  const lines_of = (name) =>
    files && is_intact(kept, files, name) ? readFileSync(join(kept, name), "utf8").split("\n") : [];
  const names = lines_of("newest-first").filter((name) => {
    if (!asset_directory.test(name)) return false;
    try {
      check_directory(kept, files, name);
      return true;
    } catch (error) {
      say(`${name} is left out: ${error.message}`);
      return false;
    }
  });
  return { names, lists: lines_of("lists") };
}

/** Throws Error when KEPT is a link, or holds what is nothing of a publication: somebody else's directory, perhaps. */
function check_place(kept) {
  const place = lstatSync(kept, { throwIfNoEntry: false });
  if (place && !place.isDirectory()) throw new Error(`${kept} is not a directory`);
  for (const entry of place ? readdirSync(kept, { withFileTypes: true }) : []) {
    const is_ours = entry.isDirectory()
      ? asset_directory.test(entry.name)
      : entry.isFile() && own_files.includes(entry.name);
    if (!is_ours) throw new Error(`${kept} holds ${entry.name}, which is nothing of a publication`);
  }
}

/** Seals these directories of KEPT; those of the last seal that are not among them go. */
export function keep(kept, names) {
  check_place(kept);
  const before = new Set([...(sealed(kept) ?? new Map()).keys()].map((path) => path.split("/")[0]));
  for (const name of before) {
    if (asset_directory.test(name) && !names.includes(name))
      rmSync(join(kept, name), { recursive: true, force: true });
  }
  const paths = [
    ...names.flatMap((name) => files_below(kept, name)),
    ...own_files.filter((name) => name !== sealed_file),
  ];
  const files = paths
    .filter((path) => is_plain(join(kept, path)))
    .map((path) => [path, entry_of(join(kept, path))]);
  rmSync(join(kept, sealed_file), { force: true });
  const key = key_of_user();
  const is_some = names.length > 0 || is_plain(join(kept, "lists"));
  if (key && is_some)
    writeFileSync(
      join(kept, sealed_file),
      `${JSON.stringify({ files, mac: mac_of(key, files) })}\n`,
      { flag: "wx" },
    );
}

/** {newest_first: names, files: {name: {path: [bytes, sha256]}}} of directories below SITE/_/. */
export function list_of(site, names) {
  const files = {};
  for (const name of names) {
    if (!asset_directory.test(name)) throw new Error(`"${name}" is not a directory of assets`);
    const root = join(site, "_", name);
    const paths = readdirSync(root, { recursive: true }).map((path) =>
      String(path).replaceAll("\\", "/"),
    );
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

/** Throws Error in words when it is not a list. */
function checked(list) {
  const names = list?.newest_first;
  const is_list =
    Array.isArray(names) &&
    names.length <= most.directories &&
    names.every((n) => asset_directory.test(n));
  if (!is_list) throw new Error("kept.json names no directories of assets");
  let bytes = 0;
  for (const name of names) {
    const files = Object.entries(Object.hasOwn(list.files, name) ? list.files[name] : {});
    if (files.length === 0 || files.length > most.files)
      throw new Error(`kept.json lists no files of ${name}, or too many`);
    for (const [path, entry] of files) {
      const is_entry =
        Array.isArray(entry) &&
        Number.isSafeInteger(entry[0]) &&
        entry[0] >= 0 &&
        typeof entry[1] === "string";
      if (!path_of_file.test(path) || !is_entry)
        throw new Error(`kept.json lists a file "${path}", which is none of assets`);
      bytes += entry[0];
    }
  }
  if (bytes > most.bytes)
    throw new Error(`kept.json lists ${bytes} bytes; at most ${most.bytes} are taken`);
  return names.map((name) => [name, Object.entries(list.files[name])]);
}

/** The bytes at an address, at most `limit`; null when there is nothing (404). Throws Error otherwise. */
async function bytes_at(url, limit) {
  const response = await fetch(url, {
    redirect: "error",
    cache: "no-store",
    signal: AbortSignal.timeout(most.ms),
  });
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
    if (bytes === null || sha256(bytes) !== digest)
      throw new Error(`_/${name}/${path} is not as listed`);
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
  check_place(kept);
  rmSync(kept, { recursive: true, force: true });
  mkdirSync(kept, { recursive: true });
  const names = [];
  try {
    const base = new URL(base_url.endsWith("/") ? base_url : `${base_url}/`);
    const is_safe = base.protocol === "https:" || base.hostname === "127.0.0.1";
    if (!is_safe) throw new Error(`${base} is not an address with https`);
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
  keep(kept, names);
  return names;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [command, place, ...rest] = process.argv.slice(2);
  const say = (message) => console.error(`kept: ${visible(message)}`);
  const commands = {
    list: () =>
      writeFileSync(join(place, "kept.json"), `${JSON.stringify(list_of(place, rest))}\n`),
    fetch: async () =>
      console.log(`kept: ${(await fetch_kept(place, rest[0], say)).join(", ") || "nothing"}`),
    check: () => intact(place, say).names.forEach((name) => console.log(name)),
    keep: () => keep(place, rest),
  };
  if (!place || !Object.hasOwn(commands, command) || (rest.length === 0 && command !== "check")) {
    console.error(
      "usage: node scripts/kept.mjs list SITE NAME... | fetch BASE-URL KEPT | check KEPT | keep KEPT NAME...",
    );
    process.exit(2);
  }
  try {
    await commands[command]();
  } catch (error) {
    say(error.message);
    process.exit(1);
  }
}
