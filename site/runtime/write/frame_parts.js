// Fetches what the preview's frame cannot: the texts of the book's style sheets and scripts, and
// the font files of the style sheets. Each is fetched once.
const texts = new Map();

async function answer_of(url) {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error("the editor could not be loaded: check your network connection");
  return answer;
}

/** Returns a promise of the text at a URL. A failed fetch is tried again on the next call. */
export function text_at({ href }) {
  if (!texts.has(href)) {
    const text = answer_of(href).then((answer) => answer.text());
    texts.set(href, text);
    text.catch(() => texts.delete(href));
  }
  return texts.get(href);
}

const file_in = /url\("?([^")]+)"?\)/;
const faces = new Map();

async function face_of(rule, sheet) {
  const said = (name) => rule.style.getPropertyValue(name);
  const url = new URL(file_in.exec(said("src"))[1], sheet);
  return {
    family: said("font-family").replaceAll(/^["']|["']$/g, ""),
    bytes: await (await answer_of(url)).arrayBuffer(),
    descriptors: {
      style: said("font-style") || "normal",
      weight: said("font-weight") || "normal",
      unicodeRange: said("unicode-range") || "U+0-10FFFF",
    },
  };
}

/** The font faces of a style sheet that have a file. */
async function faces_in(url) {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(await text_at(url));
  const rules = [...sheet.cssRules].filter(
    (rule) => rule instanceof CSSFontFaceRule && file_in.test(rule.cssText),
  );
  return Promise.all(rules.map((rule) => face_of(rule, url)));
}

/**
 * Returns a promise of those font faces as [{family, bytes, descriptors}], the arguments of
 * FontFace; an empty list if one of them cannot be loaded.
 */
export function faces_of(url) {
  // Without them, the preview falls back to the reader's fonts.
  const none = () => [];
  if (!faces.has(url.href)) faces.set(url.href, faces_in(url).catch(none));
  return faces.get(url.href);
}
