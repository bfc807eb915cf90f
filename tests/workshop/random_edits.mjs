// Random edits, the same for the same seed, like those of somebody who mostly continues where they
// left off.
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { root } from "./workshop.mjs";

/** Repeatable numbers below a limit. */
export function numbers(seed) {
  let state = seed;
  return (bound) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
}

const pieces =
  "{{ }} ``` ```figure ```quiz $ $$ [ ]( ](fact:x) ![a](b.png) --- | **|** # ## <b> &amp; \\ \u202e \u00a0 \t é 漢 `code` - > 1. : \n\n".split(
    " ",
  );

/** A text with one to three changes. */
function changed(text, below) {
  for (let count = 1 + below(3); count > 0; --count) {
    const at = below(text.length);
    const size = below(60);
    const kind = below(4);
    const span = text.slice(at, at + size);
    if (kind === 0) text = text.slice(0, at) + text.slice(at + size);
    else if (kind === 1) text = text.slice(0, at) + span + text.slice(at);
    else if (kind === 2) text = text.slice(0, at) + pieces[below(pieces.length)] + text.slice(at);
    else text = text.slice(0, at) + [...span].reverse().join("") + text.slice(at + size);
  }
  return text.isWellFormed?.() === false ? text.toWellFormed() : text;
}

/** `count` edits of pages of the book, each [file, text]. */
export function* edits(pages, seed, count) {
  const below = numbers(seed);
  const drafts = new Map();
  for (let i = 0; i < count; ++i) {
    const { file } = pages[below(pages.length)];
    const before = below(4) > 0 ? drafts.get(file) : undefined;
    const text = changed(before ?? readFileSync(join(root, file), "utf8"), below);
    drafts.set(file, text);
    yield [file, text];
  }
}
