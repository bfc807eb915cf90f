// A value in an address: BASE64URL(deflate(JSON)). Anybody can write such an address, so a value
// that is read is untrusted.

import { from_base64, to_base64 } from "./base64.js";

const longest = 16_000; // mail and chat programs cut off longer links
const most_bytes = 1_000_000; // of inflated text

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

/** Throws Error with a message for readers if it would be too long. */
export async function pack(value) {
  const bytes = new TextEncoder().encode(JSON.stringify(value));
  const text = to_base64(await through(bytes, new CompressionStream("deflate-raw")));
  if (text.length > longest) throw new Error("the text is too long for an address");
  return text;
}

/** Throws Error with a message for readers if the text is damaged. */
export async function unpack(text) {
  try {
    const inflate = new DecompressionStream("deflate-raw");
    const bytes = await through(from_base64(text), inflate, most_bytes);
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw new Error("the text in this address is damaged");
  }
}
