// A draft in the fragment of an address. Browsers do not send fragments to servers.
//
//   #draft=BASE64URL(deflate(JSON [file, text]))             a new page
//   #draft=BASE64URL(deflate(JSON [file, null, changes]))    what differs from the published page
//
// `changes` are those of patch.js, because whole chapters do not fit into an address.

import { pack, unpack } from "../base/packed.js";
import { changed_text, changes_of } from "./patch.js";

/**
 * Returns the fragment for a draft of a page whose published text is `published`, or null for a new
 * page. Throws Error if it would be too long.
 */
export async function link_of({ file, text, published = null }) {
  const draft = published === null ? [file, text] : [file, null, changes_of(published, text)];
  return `#draft=${await pack(draft)}`;
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
  const draft = await unpack(packed);
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
