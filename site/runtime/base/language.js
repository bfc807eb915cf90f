// All strings of the scripts in the language of the page's text, once part_of_page() has loaded
// them. Strings needed at load time are in first_words.js.

import { is_wordless, language } from "./first_words.js";
import { new_voice } from "./voice.js";

export { is_wordless, language };
const voice = new_voice();
export const { word, heard } = voice;
export const load_strings = () => voice.load(language);
