// Removes accents, and turns titles into names for addresses.

/**
 * Marks that combine with a letter, Hebrew and Arabic vowel points, and the modifier apostrophe.
 */
const marks = /[\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670\u02bc]/g;
const typed_letters = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  ł: "l",
  đ: "d",
  ð: "d",
  ħ: "h",
  ı: "i",
  ŧ: "t",
  þ: "th",
};

/** "przepustowość" → "przepustowosc"; for lower-case letters. */
export const without_accents = (word) =>
  word
    .normalize("NFD")
    .replace(marks, "")
    .normalize("NFC")
    .replace(/[ßæœøłđðħıŧþ]/g, (letter) => typed_letters[letter]);

/** The default slug for a title. */
export const slug_of = (title) =>
  without_accents(title.normalize("NFKD").toLowerCase())
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^[^a-z]+|-+$/g, "");
