// Writes what `new` begins: a book into a directory that is new or empty, a chapter into its book.
// All of it or nothing.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";

import { Directory, status_of } from "./directory.mjs";

function write_below(directory, files) {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), text, { flag: "wx" });
  }
}

/** Throws in words where no book can begin. */
export function write_book(directory, files) {
  const place = resolve(directory);
  const status = status_of(place);
  if (status && !status.isDirectory()) throw new Error(`${directory}: a file has that name`);
  if (status && readdirSync(place).length > 0)
    throw new Error(
      `${directory}: the directory is not empty; choose one that is empty or does not exist yet`,
    );
  mkdirSync(dirname(place), { recursive: true });
  // A directory that is there stays the same one: somebody may stand in it.
  const aside = mkdtempSync(status ? join(place, ".new-book-") : `${place}.new-book-`);
  try {
    write_below(join(aside, "book"), files);
    if (status)
      for (const name of readdirSync(join(aside, "book")))
        renameSync(join(aside, "book", name), join(place, name));
    else renameSync(join(aside, "book"), place);
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
}

/** The same of files below a book's chapters/ and figures/; one that is there is replaced. */
export function write_into_book(book, files) {
  const linked = Object.keys(files).find((path) => new Directory(book).link_in(path) !== "");
  if (linked) throw new Error(`${linked}: part of the path is a symbolic link`);
  const added = [];
  const aside = mkdtempSync(join(book, "chapters/.new-chapter-"));
  try {
    write_below(aside, files);
    // What is new first, which can be taken away again.
    const is_there = (path) => existsSync(join(book, path));
    for (const path of Object.keys(files).sort((a, b) => is_there(a) - is_there(b))) {
      mkdirSync(dirname(join(book, path)), { recursive: true });
      if (!is_there(path)) added.push(path);
      renameSync(join(aside, path), join(book, path));
    }
  } catch (failure) {
    for (const path of added) rmSync(join(book, path), { force: true });
    throw failure;
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
}
