// A small text in an address: #draft=… holds the file's name and its text, compressed. It goes to no server.

import { from_base64, to_base64 } from "./base64.js";

const longest_link = 16_000; // characters that mail and chats pass on
const most_bytes = 1_000_000; // of a text that somebody's link may grow to

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

/** The part of an address after "#"; throws where the text is too long for one. */
export async function link_of({ file, text }) {
  const bytes = new TextEncoder().encode(JSON.stringify([file, text]));
  const packed = await through(bytes, new CompressionStream("deflate-raw"));
  const link = `#draft=${to_base64(packed)}`;
  if (link.length > longest_link) throw new Error("the text is too long for an address");
  return link;
}

const is_text_of_a_book = (file) =>
  /^(?:[\w-]+\/)+[\w-]+(?:\.[\w-]+)?\.(?:md|json|yaml)$/.test(file);

/** {file, text} of such an address, or null where it has none; throws where it is damaged. */
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
    throw new Error("the text in this address is none of a book");
  return { file, text };
}
