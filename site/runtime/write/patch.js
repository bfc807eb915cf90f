// Writes changes as a mail that `git am` applies. scripts/minify.mjs bundles the diff package into
// this file. Most of the code is about what `git am` does to a mail: it cuts prefixes off the
// subject and carriage returns off the ends of lines, and it decodes headers.
import { applyPatch, structuredPatch } from "diff";

const encoder = new TextEncoder();

/** Encodes a header as RFC 2047 encoded words of at most 45 bytes each, unless it is ASCII. */
function encoded(text) {
  if (/^[\x20-\x7e]*$/.test(text) && !text.includes("=?")) return text;
  const words = [""];
  for (const character of text) {
    if (encoder.encode(words.at(-1) + character).length > 45) words.push("");
    words[words.length - 1] += character;
  }
  const base64 = (word) => btoa(String.fromCharCode(...encoder.encode(word)));
  return words.map((word) => `=?UTF-8?B?${base64(word)}?=`).join("\n ");
}

/**
 * Quotes a name with characters other than letters, digits, spaces, dots, hyphens and apostrophes,
 * as `git format-patch` does.
 */
const encoded_name = (name) =>
  encoded(name) === name && /[^\w .'-]/.test(name)
    ? `"${name.replaceAll(/["\\]/g, "\\$&")}"`
    : encoded(name);

/**
 * `git am` cuts "[…]", "Re:" and colons off the beginning of a subject. It stops at a line break,
 * which it removes afterwards.
 */
const encoded_subject = (text) => encoded(/^(?:[[:]|re:)/i.test(text) ? `\n${text}` : text);

const one_line = (text) => text.replace(/[\s\p{Cc}]+/gu, " ").trim();

/** Quoted-printable, in which `git am` keeps the carriage returns at the ends of lines. */
function quoted_printable(text) {
  const quoted = (character) =>
    [...encoder.encode(character)].map((byte) => `=${hexadecimal(byte)}`).join("");
  return text
    .replaceAll(/[^\t\n\x20-\x3c\x3e-\x7e]/gu, quoted)
    .replaceAll(/[^\n]{71,73}(?<!=.?)(?=[^\n]{3})/g, "$&=\n")
    .replaceAll(/[ \t]$/gm, quoted);
}
const hexadecimal = (byte) => byte.toString(16).toUpperCase().padStart(2, "0");

/** A date in mail format: "Fri, 27 Nov 2026 03:00:00 +0000". */
const mail_date = (date) => date.toUTCString().replace("GMT", "+0000");

/** The name of a text in git, or "" where the browser has no SHA-1: on pages without https. */
async function blob_of(text) {
  if (!globalThis.crypto?.subtle) return "";
  const bytes = encoder.encode(text);
  const head = encoder.encode(`blob ${bytes.length}\0`);
  const whole = new Uint8Array([...head, ...bytes]);
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-1", whole));
  return [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * The line from which `git am -3` finds the texts, so that it can merge a patch into a chapter that
 * has changed since. An empty list without SHA-1.
 */
async function index_line(before, after) {
  const [old_blob, new_blob] = await Promise.all([blob_of(before ?? ""), blob_of(after)]);
  if (!new_blob) return [];
  return [
    before === null
      ? `index ${"0".repeat(40)}..${new_blob}`
      : `index ${old_blob}..${new_blob} 100644`,
  ];
}

async function difference({ path, before, after }) {
  const { hunks } = structuredPatch(path, path, before ?? "", after, "", "", { context: 3 });
  const head = [`diff --git a/${path} b/${path}`];
  if (before === null) head.push("new file mode 100644");
  head.push(...(await index_line(before, after)));
  head.push(before === null ? "--- /dev/null" : `--- a/${path}`, `+++ b/${path}`);
  const range = (start, lines) => `${lines === 0 ? Math.max(start - 1, 0) : start},${lines}`;
  const text = hunks.flatMap((hunk) => [
    `@@ -${range(hunk.oldStart, hunk.oldLines)} +${range(hunk.newStart, hunk.newLines)} @@`,
    ...hunk.lines,
  ]);
  return [...head, ...text].join("\n");
}

/** Returns what `git diff` prints of [{path, before, after}]; `before` is null for a new file. */
export const differences_of = async (files) =>
  (await Promise.all(files.map(difference))).join("\n");

/**
 * Returns a patch of `files`, [{path, before, after}], as a mail from `name` at `address`. `before`
 * is null for a new file, `date` is a Date, and `licence` is the sentence that licenses the texts.
 * Rejects with a message for the author if name, address or subject is missing or invalid.
 */
export async function patch_of(files, { name, address, date, subject, licence }) {
  const [from, what, where] = [name, subject, address].map(one_line);
  if (!/[\p{L}\p{N}]/u.test(from) || !what || !/^[^\s<>@]+@[^\s<>@]+$/.test(where))
    throw new Error("a patch needs a name, an e-mail address and a line about it");
  if (/[<>@]/.test(from) || encoder.encode(from).length > 60)
    throw new Error("git takes a name of at most 60 bytes, without < > @");
  const content = [
    one_line(licence),
    "---",
    "",
    await differences_of(files),
    "-- ",
    "under the roofline",
    "",
  ].join("\n");
  const has_returns = content.includes("\r");
  return [
    "From 0000000000000000000000000000000000000000 Mon Sep 17 00:00:00 2001",
    `From: ${encoded_name(from)} <${where}>`,
    `Date: ${mail_date(date)}`,
    `Subject: [PATCH] ${encoded_subject(what)}`,
    "MIME-Version: 1.0",
    "Content-Type: text/plain; charset=UTF-8",
    `Content-Transfer-Encoding: ${has_returns ? "quoted-printable" : "8bit"}`,
    "",
    has_returns ? quoted_printable(content) : content,
  ].join("\n");
}

/** The lines in which `after` differs from `before`, for changed_text(). */
export const changes_of = (before, after) =>
  structuredPatch("", "", before, after, "", "", { context: 2 }).hunks;

/** Applies such changes to a version of the text. Returns null if they do not fit it any more. */
export function changed_text(before, hunks) {
  const made = applyPatch(before, { hunks }, { fuzzFactor: 0 });
  return made === false ? null : made;
}
