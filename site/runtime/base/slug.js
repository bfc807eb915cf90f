// Letters as they are typed without accents, and names for addresses.

/** They combine with a letter, are points of Hebrew and Arabic, or an apostrophe that is a letter. */
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

/** "przepustowość" → "przepustowosc"; letters in lower case. */
export const without_accents = (word) =>
  word
    .normalize("NFD")
    .replace(marks, "")
    .normalize("NFC")
    .replace(/[ßæœøłđðħıŧþ]/g, (letter) => typed_letters[letter]);

/** What the address of what has this title may be called. */
export const slug_of = (title) =>
  without_accents(title.normalize("NFKD").toLowerCase())
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^[^a-z]+|-+$/g, "");
