// How scripts say words in a language. The key of a word is its English; other languages have
// site/locales/<language>.json, which the build publishes beside main.js as words.<language>.js.

import { is_wordless, speaker } from "./first_words.js";

/** English → the words of another language; without its file a page speaks English. */
async function load(name) {
  if (is_wordless(name)) return new Map();
  try {
    return new Map(Object.entries((await import(`../words.${name}.js`)).default));
  } catch {
    return new Map();
  }
}

/** A key as what it may have become: {english, names of its placeholders, pattern}. */
function form_of(english) {
  const parts = english.split(/\{\w+\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const names = [...english.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  return { english, names, pattern: new RegExp(`^${parts.join("(.+)")}$`) };
}

/**
 * {word, heard} of a language: `word` as in first_words.js, and `heard` is for messages that
 * were put together where no language is known, in a worker or in the C++: those of which a key is
 * the form are said in it, and so is what stands in its places, others are left as they are.
 */
export async function voice_of(name) {
  const words = await load(name);
  let forms = null;
  const word = speaker(words);
  const heard = (message) => {
    if (words.has(message)) return word(message);
    forms ??= [...words.keys()].filter((english) => english.includes("{")).map(form_of);
    for (const { english, names, pattern } of forms) {
      const [whole, ...found] = pattern.exec(message) ?? [];
      const values = found.map((value) => word(value)); // a kernel's name, a reason in a reason
      if (whole) return word(english, Object.fromEntries(names.map((key, i) => [key, values[i]])));
    }
    return message;
  };
  return { word, heard };
}
