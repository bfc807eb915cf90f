// Strings of the scripts in one language. The key of a string is its English text. Translations are
// in site/locales/<language>.json, which the build publishes next to main.js as
// words.<language>.js.

import { is_wordless, speaker } from "./first_words.js";

/**
 * Maps English to the strings of the language. Without a locale file, the page stays in English.
 */
async function read_strings(name) {
  if (is_wordless(name)) return new Map();
  try {
    return new Map(Object.entries((await import(`../words.${name}.js`)).default));
  } catch {
    return new Map();
  }
}

/** The pattern of messages that a key with placeholders can produce: {english, names, pattern}. */
function form_of(english) {
  const parts = english.split(/\{\w+\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const names = [...english.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  return { english, names, pattern: new RegExp(`^${parts.join("(.+)")}$`) };
}

/**
 * The strings of one language: {word, heard, load}. English until `load(name)` resolves.
 * `word` is as in first_words.js. `heard` translates messages that were assembled without a
 * language, in a worker or in C++: if a message matches a key, both the message and its values are
 * translated; other messages stay unchanged.
 */
export function new_voice() {
  let words = new Map();
  let forms = null;
  const word = (english, values) => speaker(words)(english, values);
  const heard = (message) => {
    if (words.has(message)) return word(message);
    forms ??= [...words.keys()].filter((english) => english.includes("{")).map(form_of);
    for (const { english, names, pattern } of forms) {
      const [whole, ...found] = pattern.exec(message) ?? [];
      // Values may need translation: a kernel's name, a reason
      const values = found.map((value) => word(value));
      if (whole) return word(english, Object.fromEntries(names.map((key, i) => [key, values[i]])));
    }
    return message;
  };
  const load = async (name) => {
    words = await read_strings(name);
    forms = null;
  };
  return { word, heard, load };
}
