// Reads the files of a search index: CBOR after a marker, gzipped
// (generator/tools/search/word_lists.hpp).
import { gunzipSync } from "node:zlib";

import { decode } from "cborg";

const mark = "pagefind_dcd";

/** The content of a .pf_meta or a .pf_index. */
export function open_file(bytes) {
  const plain = gunzipSync(bytes);
  if (!plain.subarray(0, mark.length).equals(Buffer.from(mark)))
    throw new Error("not a file of Pagefind 1.4");
  return decode(plain.subarray(mark.length));
}
