#!/usr/bin/env node
// Stores the assets of previous publications for the next one, because pages that are open or
// cached still load them.
//
//   node scripts/kept.mjs list SITE NAME...
//       write SITE/kept.json: the files of these directories of SITE/_/, with digests
//   node scripts/kept.mjs fetch BASE-URL KEPT
//       download them from the published site to KEPT, and compare each with its digest
//   node scripts/kept.mjs names KEPT
//       print the names in KEPT, newest first
//   node scripts/kept.mjs keep KEPT SITE LISTS NAME...
//       create KEPT from these directories of SITE/_/ and the file LISTS
//
// No shared cache is used, because another job could write to it. If a file of a published
// directory is missing or does not match the list, the whole directory is left out and reported. If
// the site cannot be reached or was never published, everything is left out.
//
// KEPT is an output. KEPT/sealed.json lists its files with their digests, and has a MAC of the list
// under this user's key (~/.local/state/primer/key). The attacker is the sender of a book whose
// build/kept contains scripts that the next publication would put on the publisher's site. Every
// command rejects a KEPT with unlisted content, and neither publishes nor replaces it.
import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

export const asset_directory = /^[0-9a-f]{8,64}$/;
const path_of_file = /^(?!.*(?:^|\/)\.)[\w.@+-]+(?:\/[\w.@+-]+)*$/; // no name starts with a dot
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

/** Untrusted text for a log, without characters that control a terminal or start a line. */
export const visible = (text) =>
  String(text)
    .slice(0, 500)
    .replace(
      /[\p{Cc}\p{Cf}\u2028\u2029]/gu,
      (c) => `<U+${c.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}>`,
    );

const is_plain = (path) => lstatSync(path, { throwIfNoEntry: false })?.isFile() === true;

/** The user's key, created if missing; null if it cannot be private to the user. */
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

/** The files of KEPT as sealed, path → [bytes, sha256]; null without a seal of this user. */
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

/** The paths of everything below a directory except directories. Links are included. */
function files_below(directory) {
  const paths = [];
  const add = (below) => {
    for (const entry of readdirSync(join(directory, below), { withFileTypes: true })) {
      const path = below ? `${below}/${entry.name}` : entry.name;
      if (entry.isDirectory()) add(path);
      else paths.push(path);
    }
  };
  add("");
  return paths;
}

/**
 * Throws Error unless KEPT is missing, empty, or unchanged since this user's publication made it.
 */
export function check_own(kept) {
  const refuse = (path, why) => {
    throw new Error(`${path} ${why}; choose another directory for what is kept`);
  };
  const place = lstatSync(kept, { throwIfNoEntry: false });
  if (!place) return;
  if (!place.isDirectory()) refuse(kept, "is not a directory");
  const names = readdirSync(kept);
  const files = sealed(kept);
  if (!files && names.length > 0)
    refuse(kept, `has ${names[0]}, and no publication of yours is known to have made it`);
  for (const path of files_below(kept)) {
    if (path === sealed_file) continue;
    const file = join(kept, path);
    if (!files.has(path)) refuse(file, "was not put there by a publication");
    if (!is_plain(file) || String(entry_of(file)) !== String(files.get(path)))
      refuse(file, "is not as a publication put it there");
  }
}

/**
 * {names, lists}: the complete directories, newest first, and the digests of lists. Throws like
 * check_own().
 */
export function kept_in(kept) {
  check_own(kept);
  const lines_of = (name) =>
    is_plain(join(kept, name))
      ? readFileSync(join(kept, name), "utf8").split("\n").filter(Boolean)
      : [];
  const files = [...(sealed(kept)?.keys() ?? [])];
  const is_whole = (name) =>
    asset_directory.test(name) &&
    files.some((path) => path.startsWith(`${name}/`)) &&
    files.every((path) => !path.startsWith(`${name}/`) || is_plain(join(kept, path)));
  return { names: lines_of("newest-first").filter(is_whole), lists: lines_of("lists") };
}

function seal(kept, key) {
  const files = files_below(kept).map((path) => [path, entry_of(join(kept, path))]);
  writeFileSync(
    join(kept, sealed_file),
    `${JSON.stringify({ files, mac: mac_of(key, files) })}\n`,
    { flag: "wx" },
  );
}

/** Fills an empty directory with `fill(directory)`, seals it, and replaces KEPT by it. */
async function replace(kept, say, fill) {
  check_own(kept);
  const place = resolve(kept);
  const key = key_of_user();
  if (!key) return say("nothing is kept, because this user has no private directory");
  mkdirSync(dirname(place), { recursive: true });
  const aside = mkdtempSync(`${place}.new-`);
  const [fresh, old] = [join(aside, "new"), join(aside, "old")];
  try {
    mkdirSync(fresh);
    await fill(fresh);
    seal(fresh, key);
    check_own(kept);
    if (existsSync(place)) renameSync(place, old);
    renameSync(fresh, place);
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
}

const write_names = (directory, names) =>
  writeFileSync(join(directory, "newest-first"), names.map((name) => `${name}\n`).join(""));

/**
 * Creates KEPT from these directories of SITE/_/, newest first, and the text of a list of lists.
 */
export const keep = (kept, site, lists, names, say = () => {}) =>
  replace(kept, say, (fresh) => {
    for (const name of names) cpSync(join(site, "_", name), join(fresh, name), { recursive: true });
    write_names(fresh, names);
    if (lists) writeFileSync(join(fresh, "lists"), lists);
  });

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

/** Throws Error with a message if it is not a valid list. */
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

/** Downloads at most `limit` bytes; null if there is nothing (404). Throws Error otherwise. */
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

/**
 * The digests of the lists that the published service worker accepts (scripts/offline.mjs), for the
 * next one.
 */
async function fetch_lists(base, kept) {
  const worker = String((await bytes_at(new URL("sw.js", base), most.worker)) ?? "");
  const [, lists = ""] = /^const lists = \[([^\]]*)\];/m.exec(worker) ?? [];
  const digests = [...lists.matchAll(/"([\w-]{43})"/g)].map(([, digest]) => `${digest}\n`);
  if (digests.length > 0) writeFileSync(join(kept, "lists"), digests.join(""));
}

/**
 * Creates KEPT from the published site. Returns the names in it, newest first. Calls `say` with
 * everything that is left out, and why.
 */
export async function fetch_kept(base_url, kept, say) {
  const names = [];
  await replace(kept, say, async (fresh) => {
    try {
      await fetch_all(base_url, fresh, names, say);
    } catch (error) {
      say(`nothing is kept: ${error.cause?.message ?? error.message}`);
    }
    write_names(fresh, names);
  });
  return names;
}

async function fetch_all(base_url, fresh, names, say) {
  const base = new URL(base_url.endsWith("/") ? base_url : `${base_url}/`);
  const is_safe = base.protocol === "https:" || base.hostname === "127.0.0.1";
  if (!is_safe) throw new Error(`${base} is not an address with https`);
  const list = new URL("kept.json", base);
  list.search = String(Date.now()); // a cached list may be one publication old
  const bytes = await bytes_at(list, most.list);
  if (bytes === null) throw new Error(`${base} has no kept.json`);
  for (const [name, files] of checked(JSON.parse(String(bytes)))) {
    try {
      await fetch_directory(base, name, files, fresh);
      names.push(name);
    } catch (error) {
      rmSync(join(fresh, name), { recursive: true, force: true });
      say(`${name} is left out: ${error.message}`);
    }
  }
  await fetch_lists(base, fresh);
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [command, place, ...rest] = process.argv.slice(2);
  const say = (message) => console.error(`kept: ${visible(message)}`);
  const commands = {
    list: () =>
      writeFileSync(join(place, "kept.json"), `${JSON.stringify(list_of(place, rest))}\n`),
    fetch: async () =>
      console.log(`kept: ${(await fetch_kept(place, rest[0], say)).join(", ") || "nothing"}`),
    names: () => kept_in(place).names.forEach((name) => console.log(name)),
    keep: () => keep(place, rest[0], readFileSync(rest[1], "utf8"), rest.slice(2), say),
  };
  if (!place || !Object.hasOwn(commands, command) || (rest.length === 0 && command !== "names")) {
    console.error(
      "usage: node scripts/kept.mjs list SITE NAME... | fetch BASE-URL KEPT | names KEPT | keep KEPT SITE LISTS NAME...",
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
