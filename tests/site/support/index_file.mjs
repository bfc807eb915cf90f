// What the files of a search index hold: CBOR after a mark, gzipped
// (generator/tools/search/word_lists.hpp).
import { gunzipSync } from "node:zlib";

import { decode } from "cborg";

const mark = "pagefind_dcd";

/** What a .pf_meta or a .pf_index holds. */
export function open_file(bytes) {
  const plain = gunzipSync(bytes);
  if (!plain.subarray(0, mark.length).equals(Buffer.from(mark)))
    throw new Error("not a file of Pagefind 1.4");
  return decode(plain.subarray(mark.length));
}
