// Saves a text as a file through the browser; nothing is sent.

import { make } from "../base/element.js";

/** Offers `text` as a download with a media type and a file name. */
export function download(text, type, name) {
  const href = URL.createObjectURL(new Blob([text], { type }));
  make("a", { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), 10_000);
}
