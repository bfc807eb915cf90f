// A text as a file that the browser saves; nothing is sent.

import { make } from "../base/element.js";

/** Offers `text` of a media type under a name. */
export function download(text, type, name) {
  const href = URL.createObjectURL(new Blob([text], { type }));
  make("a", { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), 10_000);
}
