// Writes a site next to the one that is there, and then puts it in its place. Nothing of anybody
// else's is removed: next to the site is a list of what this program wrote.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";

import { Directory, status_of } from "./directory.mjs";

const is_below = (path, directory) => path === directory || path.startsWith(directory + sep);

/** A path whose last parts need not be there, with the links of the others followed. */
function real(path) {
  if (existsSync(path)) return realpathSync(path);
  return join(real(dirname(path)), basename(path));
}

const refused = (why) =>
  new Error(`the site cannot be written: ${why}; choose another directory with --out`);

/**
 * Throws in words where no site may lie: in place of the book, of what it lies in or consists of,
 * or of what is somebody else's.
 */
export function check_output(out, book) {
  const place = resolve(out);
  const [root, real_place] = [realpathSync(book), real(place)];
  if (is_below(root, real_place)) throw refused(`${out} holds the book`);
  for (const name of ["chapters", "figures", "site", ".git", ".github"])
    if (is_below(real_place, join(root, name)))
      throw refused(`${out} is among the book's own files`);
  const status = status_of(place);
  const ours = new Set(written_before(place));
  if (!status) return;
  if (!status.isDirectory()) throw refused(`${out} is not a site that primer wrote`);
  const stranger = new Directory(place).list(".").find((path) => !ours.has(path));
  if (stranger === undefined) return;
  throw ours.size > 0
    ? new Error(
        `${join(out, stranger)} was not written by primer: move it out of the site, which a build replaces as a whole`,
      )
    : refused(`${out} is not a site that primer wrote`);
}

const list_of = (place) => `${place}.made.json`;

/**
 * The paths that builds have put there. Throws in words where something else has the name of their
 * list.
 */
function written_before(place) {
  const file = list_of(place);
  if (!status_of(file)) return [];
  try {
    const paths = status_of(file).isFile() && JSON.parse(readFileSync(file, "utf8"));
    if (Array.isArray(paths) && paths.every((path) => typeof path === "string")) return paths;
  } catch {
    // It is no list.
  }
  throw refused(`${shown(file)} is not a list that primer wrote`);
}

function write_all(directory, files) {
  for (const [path, bytes] of files) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), bytes);
  }
}

/** How many files are others than those of the site that is there. */
function changes(place, files) {
  const there = new Directory(place);
  let count = there.list(".").filter((path) => !files.has(path)).length;
  for (const [path, bytes] of files) {
    const before = there.read(path, bytes.length);
    if (!before || Buffer.compare(before, bytes) !== 0) ++count;
  }
  return count;
}

/** Path → bytes, put where `out` is; how many of them are new or other. */
export function write_site(out, files, book) {
  check_output(out, book);
  const place = resolve(out);
  const changed = changes(place, files);
  mkdirSync(dirname(place), { recursive: true });
  const aside = mkdtempSync(`${place}.new-`);
  const list = (paths) => {
    writeFileSync(join(aside, "list"), `${JSON.stringify([...paths].sort())}\n`);
    renameSync(join(aside, "list"), list_of(place));
  };
  const old = `${aside}-old`;
  try {
    write_all(join(aside, "site"), files);
    list(new Set([...files.keys(), ...written_before(place)]));
    if (existsSync(place)) renameSync(place, old);
    renameSync(join(aside, "site"), place);
    list(files.keys());
  } finally {
    if (existsSync(old) && !existsSync(place)) renameSync(old, place);
    for (const path of [aside, old]) rmSync(path, { recursive: true, force: true });
  }
  return changed;
}

/** Names of others for a terminal or a log: in them no character controls it or begins a line. */
export const visible = (text) =>
  String(text).replace(
    /[\p{Cc}\p{Cf}\u2028\u2029]/gu,
    (c) => `<U+${c.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}>`,
  );

/** As it is written in messages: from where the user stands, if it lies there. */
export const shown = (path) => relative(".", path) || ".";
