// How scripts say words in a language. The key of a word is its English; other languages have
// site/locales/<language>.json, which the build publishes beside main.js: whole as words.<language>.js, and what pages say
// before anything is asked of them as first_words.<language>.js.

const text = globalThis.document?.querySelector("main");

/** The language of the page's text; what stands around it has the page's own (frame_language.js). */
export const language = text?.closest("[lang]")?.lang ?? "en";

/** English → the words of another language; without its file a page speaks English. */
async function load(name, is_first) {
  if (name === "en") return new Map();
  try {
    const words = is_first
      ? await import(`../first_words.${name}.js`)
      : await import(`../words.${name}.js`);
    return new Map(Object.entries(words.default));
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
 * {word, heard} of a language: `word("About {n} s left.", { n: 5 })` is in it, and `heard` is for messages that
 * were put together where no language is known, in a worker or in the C++: those of which a key is
 * the form are said in it, and so is what stands in its places, others are left as they are.
 */
export async function voice_of(name, { is_first = false } = {}) {
  const words = await load(name, is_first);
  let forms = null;
  const word = (english, values = {}) =>
    (words.get(english) ?? english).replace(/\{(\w+)\}/g, (whole, key) =>
      Object.hasOwn(values, key) ? values[key] : whole,
    );
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
