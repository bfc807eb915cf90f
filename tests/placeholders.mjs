// What an author does first with a new book.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Replaces the placeholders of a new book's chapter, about which the program warns. */
export function fill_in(book) {
  const file = join(book, "chapters/en/00-memory.md");
  writeFileSync(file, readFileSync(file, "utf8").replaceAll("TODO: ", ""));
}
