// The strings that pages need at load time, in the language of the page's text. They are a tenth of
// all strings, in the section "said at first" of site/locales/<language>.json, published as
// first_words.<language>.js. The key of a string is its English text.

const text = globalThis.document?.querySelector("main");

/**
 * The language of the page's text. The frame around it has the page's language (frame_language.js).
 */
export const language = text?.closest("[lang]")?.lang ?? "en";

/**
 * Whether a language has no locale file, so that scripts fall back to English. The page lists these
 * languages.
 */
export const is_wordless = (name) =>
  name === "en" || globalThis.document?.documentElement.dataset.wordless?.split(" ").includes(name);

/** `word("About {n} s left.", { n: 5 })` with the strings of a language. */
export const speaker =
  (words) =>
  (english, values = {}) =>
    (words.get(english) ?? english).replace(/\{(\w+)\}/g, (whole, key) =>
      Object.hasOwn(values, key) ? values[key] : whole,
    );
let first = new Map();
export const word = (english, values) => speaker(first)(english, values);

/** Reads the startup strings. Without a locale file, the page stays in English. */
export async function load_first_strings() {
  if (is_wordless(language)) return;
  const { default: strings } = await import(`../first_words.${language}.js`);
  first = new Map(Object.entries(strings));
}

async function load_all_strings() {
  if ([language, document.documentElement.lang].every(is_wordless)) return;
  const voices = [import("./language.js"), import("./frame_language.js")];
  await Promise.all((await Promise.all(voices)).map(({ load_strings }) => load_strings()));
}
let all_strings = null;

/**
 * Loads all strings, then imports a part of the page with `load`, because modules may read strings
 * while they load. Those modules must not use top-level await: if WebKit imports such a module
 * twice at the same time, it runs the second importer too early
 * (https://bugs.webkit.org/show_bug.cgi?id=242740).
 */
export async function part_of_page(load) {
  // Without the strings, the page stays in English.
  await (all_strings ??= load_all_strings().catch(() => {}));
  return load();
}

const all_words = () =>
  part_of_page(() => import("./language.js")).catch(() => ({ word, heard: word }));

/** A string that is not among the startup strings. */
export const later_word = async (english, values) => (await all_words()).word(english, values);

/**
 * Translates a message that was assembled elsewhere. Loads all strings if it is not a startup
 * string.
 */
export async function heard(message) {
  const said = word(message);
  return said === message ? (await all_words()).heard(message) : said;
}
