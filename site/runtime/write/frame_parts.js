// What the preview's frame cannot fetch for itself: texts of the book's own, and the faces of its style sheets.
const texts = new Map();

async function answer_of(url) {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error("the workshop could not be loaded: is the network there?");
  return answer;
}

/** A promise of the text at an address, which is asked for once. */
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

/** Faces of a style sheet that are files. */
async function faces_in(url) {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(await text_at(url));
  const rules = [...sheet.cssRules].filter(
    (rule) => rule instanceof CSSFontFaceRule && file_in.test(rule.cssText),
  );
  return Promise.all(rules.map((rule) => face_of(rule, url)));
}

/** A promise of the faces in the style sheet at an address that are files and come: [{family, bytes, descriptors}], as FontFace takes them. */
export function faces_of(url) {
  const none = () => []; // then the page is shown in the reader's own
  if (!faces.has(url.href)) faces.set(url.href, faces_in(url).catch(none));
  return faces.get(url.href);
}
