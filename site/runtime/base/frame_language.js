// What is said around a page's text, in dialogs and notices: in the language of the page, which a
// text that is not translated does not share. Loaded with the first of them.

import { voice_of } from "./voice.js";

const { word, heard } = await voice_of(document.documentElement.lang);
export { heard as frame_heard, word as frame_word };
