// What the scripts say, in the language of the page's text: all words of it. What a page loads at once says it by
// first_words.js.

import { is_wordless, language } from "./first_words.js";
import { voice_of } from "./voice.js";

export { is_wordless, language };
export const { word, heard } = await voice_of(language);
