// Pagefind 1.4 cuts its list of words into files of thirty kilobytes, of which a search for two words loads two: too much
// beside the rest of a first search. Here the same list is cut into smaller ones. A file is CBOR after a mark, gzipped:
// the words are [[[word, pages], …]], and the index of files is the third member of the .pf_meta,
// [[the first letters of its first word, those of its last, name], …], as few letters as tell neighbours apart.
import { createHash } from "node:crypto";
import { gunzipSync, gzipSync } from "node:zlib";

import { decode, encode } from "cborg";

const mark = Buffer.from("pagefind_dcd");

/** What a .pf_meta or a .pf_index holds. */
export function open_file(bytes) {
  const plain = gunzipSync(bytes);
  if (!plain.subarray(0, mark.length).equals(mark)) throw new Error("not a file of Pagefind 1.4");
  return decode(plain.subarray(mark.length));
}
const shut = (value) => gzipSync(Buffer.concat([mark, encode(value)]), { level: 9 });

/** As Pagefind orders words: by code points, which is the order of their UTF-8. */
const by_letters = ([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b));

/** Lists of words one after the other, each of about `size` bytes before compression. */
function cut(words, size) {
  const lists = [];
  let room = 0;
  for (const word of words) {
    const bytes = encode(word).length;
    if (room < bytes || lists.length === 0) {
      lists.push([]);
      room = size;
    }
    lists.at(-1).push(word);
    room -= bytes;
  }
  return lists;
}

/** The letters that tell a list's last word from the next list's first: [of the last, of the first]. */
function boundary(last, first) {
  const [a, b] = [[...last], [...first]];
  let same = 0;
  while (same < a.length && a[same] === b[same]) same += 1;
  return [a, b].map((letters) => letters.slice(0, same + 1).join(""));
}

/** A language's files anew: its .pf_meta and the words that it names. */
function cut_language(meta, old, size) {
  const [version, pages, , ...rest] = open_file(meta.content);
  const [language] = /[^.]*(?=_[0-9a-f]+\.pf_meta$)/.exec(meta.path);
  const words = old.flatMap(({ content }) => open_file(content)[0]).sort(by_letters);
  const made = cut(words, size).map((list) => {
    const content = shut([list]);
    const name = `${language}_${createHash("sha256").update(content).digest("hex").slice(0, 7)}`;
    return { list, name, file: { path: `index/${name}.pf_index`, content } };
  });
  const table = made.map(({ list, name }) => [list[0][0], list.at(-1)[0], name]);
  for (let i = 1; i < table.length; ++i)
    [table[i - 1][1], table[i][0]] = boundary(table[i - 1][1], table[i][0]);
  const content = shut([version, pages, table, ...rest]);
  return [{ path: meta.path, content }, ...made.map(({ file }) => file)];
}

/**
 * `files` of an index, [{path, content}], with the words cut into lists of about `size` bytes each,
 * before compression. Throws Error when they are not what Pagefind 1.4 writes.
 */
export function with_small_chunks(files, size = 4_000) {
  const metas = files.filter(({ path }) => path.endsWith(".pf_meta"));
  const others = files.filter(({ path }) => !/\.pf_(meta|index)$/.test(path));
  const cut_anew = metas.flatMap((meta) => {
    const [, , chunks] = open_file(meta.content);
    const paths = new Set(chunks.map(([, , name]) => `index/${name}.pf_index`));
    return cut_language(
      meta,
      files.filter(({ path }) => paths.has(path)),
      size,
    );
  });
  return [...others, ...cut_anew];
}
