// A directory as the module sees it: files below a root, by paths with "/". As
// generator/host/disk.cpp, no link is followed below the root, whatever it leads to: a file of the
// book's name would have the bytes of another, which nobody meant to publish.
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  readdirSync,
} from "node:fs";
import { join } from "node:path";

// Of systems that have them. A pipe must not make us wait.
const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;

/** What is there, links not followed; null where nothing is. */
export function status_of(path) {
  try {
    return lstatSync(path);
  } catch {
    return null;
  }
}

export class Directory {
  constructor(root) {
    this.root = root;
  }

  /** The first part of a path that is a symbolic link; "": none. */
  link_in(path) {
    const parts = path.split("/");
    for (let count = 1; count <= parts.length; ++count) {
      const part = parts.slice(0, count).join("/");
      if (status_of(join(this.root, part))?.isSymbolicLink()) return part;
    }
    return "";
  }

  /** The bytes of a file; null where there is none of at most this size. */
  read(path, most) {
    return this.#with(path, (file) => {
      const status = fstatSync(file);
      return status.isFile() && status.size <= most ? readFileSync(file) : null;
    });
  }

  /** The files below a directory, at any depth; a link is one. */
  list(directory) {
    const files = [];
    const add = (path) => {
      for (const entry of readdirSync(join(this.root, path), { withFileTypes: true })) {
        const name = path === "." ? entry.name : `${path}/${entry.name}`;
        if (entry.isDirectory()) add(name);
        else files.push(name);
      }
    };
    if (this.link_in(directory) === "" && status_of(join(this.root, directory))?.isDirectory())
      add(directory);
    return files;
  }

  /** Why something of that name is not read: {message, too_large}, in the words of disk.cpp. */
  why_unreadable(path, most) {
    const link = this.link_in(path);
    if (link === path) return { message: "this is a symbolic link; put the file itself there" };
    if (link) return { message: `"${link}" is a symbolic link; put the directory itself there` };
    const status = status_of(join(this.root, path));
    if (!status) return { message: "" };
    if (status.isDirectory()) return { message: "this is a directory, not a file" };
    if (status.isFIFO()) return { message: "this is a pipe, not a file" };
    if (!status.isFile()) return { message: "this is a device, not a file" };
    if (status.size > most)
      return { message: `the file has more than ${most} bytes`, too_large: true };
    return { message: this.read(path, most) ? "" : "the file cannot be read" };
  }

  #with(path, use) {
    if (this.link_in(path) !== "") return null;
    let file;
    try {
      file = openSync(join(this.root, path), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
      return use(file);
    } catch {
      return null;
    } finally {
      if (file !== undefined) closeSync(file);
    }
  }
}
