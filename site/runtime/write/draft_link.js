// A draft in the fragment of an address. Browsers do not send fragments to servers.
//
//   #draft=BASE64URL(deflate(JSON [file, text]))             a new page
//   #draft=BASE64URL(deflate(JSON [file, null, changes]))    what differs from the published page
//
// `changes` are those of patch.js, because whole chapters do not fit into an address.

import { from_base64, to_base64 } from "./base64.js";
import { changed_text, changes_of } from "./patch.js";

const longest_link = 16_000; // mail and chat programs cut off longer links
const most_bytes = 1_000_000; // of inflated text: anybody can write such a link

async function through(bytes, transform, most = Infinity) {
  const reader = new Blob([bytes]).stream().pipeThrough(transform).getReader();
  const parts = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return new Uint8Array(await new Blob(parts).arrayBuffer());
    size += value.length;
    if (size > most) throw new Error("the text in this address is too long");
    parts.push(value);
  }
}

/**
 * Returns the fragment for a draft of a page whose published text is `published`, or null for a new
 * page. Throws Error if it would be too long.
 */
export async function link_of({ file, text, published = null }) {
  const draft = published === null ? [file, text] : [file, null, changes_of(published, text)];
  const bytes = new TextEncoder().encode(JSON.stringify(draft));
  const packed = await through(bytes, new CompressionStream("deflate-raw"));
  const link = `#draft=${to_base64(packed)}`;
  if (link.length > longest_link) throw new Error("the text is too long for an address");
  return link;
}

const is_text_of_a_book = (file) =>
  /^(?:[\w-]+\/)+[\w-]+(?:\.[\w-]+)?\.(?:md|json|yaml)$/.test(file);

/** Returns whether these are changes as link_of() writes them: anybody can write such a link. */
const are_changes = (changes) =>
  Array.isArray(changes) &&
  changes.every(
    (one) =>
      one !== null &&
      ["oldStart", "oldLines", "newStart", "newLines"].every((name) =>
        Number.isSafeInteger(one[name]),
      ) &&
      Array.isArray(one.lines) &&
      one.lines.every((line) => typeof line === "string"),
  );

/**
 * Returns {file, text} of a fragment, or null if it has no draft. `published(file)` returns a
 * promise of the published text, or of null. Throws Error if the fragment is damaged or no longer
 * fits.
 */
export async function draft_in(hash, published = async () => null) {
  const [, packed] = /^#draft=([\w-]+)$/.exec(hash) ?? [];
  if (!packed) return null;
  let draft;
  try {
    const inflate = new DecompressionStream("deflate-raw");
    const bytes = await through(from_base64(packed), inflate, most_bytes);
    draft = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw new Error("the text in this address is damaged");
  }
  const [file, text, changes] = Array.isArray(draft) ? draft : [];
  const is_draft = typeof text === "string" || (text === null && are_changes(changes));
  if (typeof file !== "string" || !is_draft || !is_text_of_a_book(file))
    throw new Error("the text in this address does not belong to a book");
  if (text !== null) return { file, text };
  const before = await published(file);
  const after = before === null ? null : changed_text(before, changes);
  if (after === null) throw new Error("the page has changed since this address was made");
  return { file, text: after };
}
