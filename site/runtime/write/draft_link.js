// A draft in the fragment of an address: #draft=BASE64URL(deflate(JSON [file, text])). Browsers do
// not send fragments to servers.

import { from_base64, to_base64 } from "./base64.js";

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

/** Returns the fragment for a draft. Throws Error if it would be too long. */
export async function link_of({ file, text }) {
  const bytes = new TextEncoder().encode(JSON.stringify([file, text]));
  const packed = await through(bytes, new CompressionStream("deflate-raw"));
  const link = `#draft=${to_base64(packed)}`;
  if (link.length > longest_link) throw new Error("the text is too long for an address");
  return link;
}

const is_text_of_a_book = (file) =>
  /^(?:[\w-]+\/)+[\w-]+(?:\.[\w-]+)?\.(?:md|json|yaml)$/.test(file);

/**
 * Returns {file, text} of a fragment, or null if it has no draft. Throws Error if it is damaged.
 */
export async function draft_in(hash) {
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
  const [file, text] = Array.isArray(draft) ? draft : [];
  if (typeof file !== "string" || typeof text !== "string" || !is_text_of_a_book(file))
    throw new Error("the text in this address does not belong to a book");
  return { file, text };
}
