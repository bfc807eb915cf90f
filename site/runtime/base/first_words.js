// What scripts say that pages load at once, in the language of the page's text: a tenth of its words, under "said at first"
// in site/locales/<language>.json, published as first_words.<language>.js. The key of a word is its English.

const text = globalThis.document?.querySelector("main");

/** The language of the page's text; what stands around it has the page's own (frame_language.js). */
export const language = text?.closest("[lang]")?.lang ?? "en";

/** Whether a language has no files of words here, so that English is spoken: the page says which have none. */
export const is_wordless = (name) =>
  name === "en" || globalThis.document?.documentElement.dataset.wordless?.split(" ").includes(name);

/** English → the words of another language; without its file a page speaks English. */
async function load() {
  if (is_wordless(language)) return new Map();
  try {
    return new Map(Object.entries((await import(`../first_words.${language}.js`)).default));
  } catch {
    return new Map();
  }
}

/** `word("About {n} s left.", { n: 5 })` by a language's words. */
export const speaker =
  (words) =>
  (english, values = {}) =>
    (words.get(english) ?? english).replace(/\{(\w+)\}/g, (whole, key) =>
      Object.hasOwn(values, key) ? values[key] : whole,
    );
export const word = speaker(await load());

const all_words = () => import("./language.js").catch(() => ({ word, heard: word }));

/** A word that is not among the first. */
export const later_word = async (english, values) => (await all_words()).word(english, values);

/** A message that was put together elsewhere. All words are fetched for one that is not among the first. */
export async function heard(message) {
  const said = word(message);
  return said === message ? (await all_words()).heard(message) : said;
}
