// Writes a site beside the one that is there, and then puts it in its place. Nothing of anybody else's is removed: beside the site
// lies a list of what this program wrote.
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

/** Throws in words where no site may lie: in place of the book, of what it lies in or consists of, or of what is somebody else's. */
export function check_output(out, book) {
  const place = resolve(out);
  const [root, real_place] = [realpathSync(book), real(place)];
  if (is_below(root, real_place)) throw new Error(`${out} cannot be a site: the book lies there`);
  for (const name of ["chapters", "figures", "site", ".git", ".github"])
    if (is_below(real_place, join(root, name)))
      throw new Error(`${out} cannot be a site: it is among the book's own files`);
  const status = status_of(place);
  const ours = new Set(written_before(place));
  const is_free =
    !status ||
    (status.isDirectory() && new Directory(place).list(".").every((path) => ours.has(path)));
  if (!is_free) throw new Error(`${out} is there and no site that this program built: remove it`);
}

const list_of = (place) => `${place}.made.json`;

function written_before(place) {
  try {
    const paths = JSON.parse(readFileSync(list_of(place), "utf8"));
    return Array.isArray(paths) ? paths : [];
  } catch {
    return []; // none, or somebody else's
  }
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
  const list = (paths) => writeFileSync(list_of(place), `${JSON.stringify([...paths].sort())}\n`);
  mkdirSync(dirname(place), { recursive: true });
  const aside = mkdtempSync(`${place}.new-`);
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

/** As it is written in messages: from where the user stands, if it lies there. */
export const shown = (path) => relative(".", path) || ".";
/** Names of others for a terminal or a log: in them no character controls it or begins a line. */
export const visible = (text) =>
  String(text).replace(
    /[\p{Cc}\p{Cf}\u2028\u2029]/gu,
    (c) => `<U+${c.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}>`,
  );

