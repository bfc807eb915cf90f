// Changes as a patch that `git am` takes, with the packages that it needs in this one file (scripts/minify.mjs).
import { structuredPatch } from "diff";

const encoder = new TextEncoder();

/** A header's text as RFC 2047 has it, in words of at most 45 bytes each. */
function encoded(text) {
  if (/^[\x20-\x7e]*$/.test(text)) return text;
  const words = [""];
  for (const character of text) {
    if (encoder.encode(words.at(-1) + character).length > 45) words.push("");
    words[words.length - 1] += character;
  }
  const base64 = (word) => btoa(String.fromCharCode(...encoder.encode(word)));
  return words.map((word) => `=?UTF-8?B?${base64(word)}?=`).join("\n ");
}

const one_line = (text) => text.replace(/\s+/g, " ").trim();

/** As mail has it: "Fri, 27 Nov 2026 03:00:00 +0000". */
const mail_date = (date) => date.toUTCString().replace("GMT", "+0000");

function difference({ path, before, after }) {
  const { hunks } = structuredPatch(path, path, before ?? "", after, "", "", { context: 3 });
  const head = [`diff --git a/${path} b/${path}`];
  if (before === null) head.push("new file mode 100644");
  head.push(before === null ? "--- /dev/null" : `--- a/${path}`, `+++ b/${path}`);
  const range = (start, lines) => `${lines === 0 ? Math.max(start - 1, 0) : start},${lines}`;
  const text = hunks.flatMap((hunk) => [
    `@@ -${range(hunk.oldStart, hunk.oldLines)} +${range(hunk.newStart, hunk.newLines)} @@`,
    ...hunk.lines,
  ]);
  return [...head, ...text].join("\n");
}

/**
 * A patch of `files`: [{path, before, after}], `before` null of a new one, as a mail from `name` at `address`; `licence` is the sentence that
 * says under what the texts are offered. Throws Error in words where name, address or subject is missing.
 */
export function patch_of(files, { name, address, date, subject, licence }) {
  const [from, what, where] = [name, subject, address].map(one_line);
  if (!from || !what || !/^[^\s<>@]+@[^\s<>@]+$/.test(where))
    throw new Error("a patch needs a name, an e-mail address and a line about it");
  return [
    "From 0000000000000000000000000000000000000000 Mon Sep 17 00:00:00 2001",
    `From: ${encoded(from)} <${where}>`,
    `Date: ${mail_date(date)}`,
    `Subject: [PATCH] ${encoded(what)}`,
    "MIME-Version: 1.0",
    "Content-Type: text/plain; charset=UTF-8",
    "Content-Transfer-Encoding: 8bit",
    "",
    one_line(licence),
    "---",
    "",
    ...files.map(difference),
    "-- ",
    "under the roofline",
    "",
  ].join("\n");
}
