// Converts words to the form of the search index and back. generator/tools/search/indexed_text.hpp
// explains the form: Chinese, Japanese and Korean characters are indexed in overlapping pairs, and
// words with accents also without them. Both files have the same tables.

import { without_accents } from "../base/slug.js";

const paired =
  "[\\u3005-\\u3007\\u3041-\\u3096\\u309d-\\u309f\\u30a1-\\u30fa\\u30fc-\\u30ff\\u3105-\\u312f\\u31f0-\\u31ff\\u3400-\\u4dbf\\u4e00-\\u9fff" +
  "\\uac00-\\ud7a3\\uf900-\\ufaff\\uff66-\\uff9f\\u{20000}-\\u{3ffff}]";
const filler = "\u3164"; // after the last character of a run
const joiner = "\u2060"; // where the text has no space

/** "C#" and "C++", whose signs Pagefind drops. */
const signs = { "#": "\u203f", "+": "\u2054" };
const with_signs = (words) =>
  words.replace(
    /([a-z])(#(?!\w)|\+\+)/gi,
    (_, letter, all) => letter + signs[all[0]].repeat(all.length),
  );
const read_signs = (text) => text.replaceAll(signs["#"], "#").replaceAll(signs["+"], "+");

const in_pairs = (words) =>
  words.replace(new RegExp(`${paired}+`, "gu"), (run) => {
    const all = [...run];
    const pairs = all.slice(1).map((one, i) => all[i] + one);
    return ` ${pairs.join(" ") || run} `;
  });

/** The queries for the typed words: the words, and if they have accents, also without them. */
export function queries_of(words, language) {
  // Uses the book's language, because in Turkish "I" is a different letter.
  const is_dotless = /^(tr|az)\b/.test(language);
  const small = is_dotless ? words.toLocaleLowerCase(language) : words.toLowerCase();
  const asked = in_pairs(with_signs(small.normalize("NFC")));
  return [...new Set([asked, without_accents(asked)])];
}

// Pagefind adds a full stop after the last word of a block.
const pair = new RegExp(`^(${paired})(${paired}|${filler})(\\.?)$`, "u");

/** An excerpt in readable form: [{text, is_marked}]; Pagefind marks whole words in HTML. */
export function parts_of(html) {
  const parts = [];
  const add = (word, is_marked) => {
    const text = read_signs(word);
    if (parts.at(-1)?.is_marked === is_marked) parts.at(-1).text += text;
    else parts.push({ text, is_marked });
  };
  let space = ""; // before the next word
  let reaches_on = false; // a marked pair also marks its second character
  for (const token of html.split(" ")) {
    const [, bare] = /^<mark>(.*)<\/mark>$/s.exec(token) ?? [];
    const word = bare ?? token;
    if (word === joiner) {
      space = "";
      continue;
    }
    const is_marked = bare !== undefined || reaches_on;
    if (space) add(space, false);
    const [, first, second, stop] = pair.exec(word) ?? [];
    add(first === undefined ? word : first + stop, is_marked);
    reaches_on = bare !== undefined && first !== undefined && second !== filler;
    space = first !== undefined && second !== filler ? "" : " ";
  }
  return parts;
}

/** A title in readable form. */
export const as_read = (title) =>
  parts_of(title)
    .map(({ text }) => text)
    .join("");
