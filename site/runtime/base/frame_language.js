// Strings for the frame around a page's text, in dialogs and notices. They are in the language of
// the page, which differs from the language of an untranslated text. part_of_page() loads them.

import { new_voice } from "./voice.js";

const voice = new_voice();
export const { heard: frame_heard, word: frame_word } = voice;
export const load_strings = () => voice.load(document.documentElement.lang);
