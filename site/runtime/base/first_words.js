// What scripts say that pages load at once, in the language of the page's text: a tenth of its words, under "said at first"
// in site/locales/<language>.json.

import { language, voice_of } from "./voice.js";

const first = await voice_of(language, { is_first: true });

export { language };
export const { word } = first;

/** A message that was put together elsewhere. All words are fetched for one that is not among the first. */
export async function heard(message) {
  const said = first.heard(message);
  if (said !== message) return said;
  const all = await import("./language.js").catch(() => first);
  return all.heard(message);
}
