// What the scripts say, in the language of the page's text. The key of a word is its English; other
// languages have site/words/<language>.json, which the build publishes beside this file.

const text = globalThis.document?.querySelector("main");
const language = text?.closest("[lang]")?.lang ?? "en";

/** The words of another language; without its file a page speaks English. */
async function load() {
  try {
    return (await import(`./words.${language}.js`)).default;
  } catch {
    return {};
  }
}

const words = language === "en" ? {} : await load();

/** `word("About {n} s left.", { n: 5 })` in the page's language. */
export function word(english, values = {}) {
  return (words[english] ?? english).replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}
