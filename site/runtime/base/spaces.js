// The space between a number and its unit, as the generator sets it in a page (generator/typeset/typography.cpp):
// narrow, and no line ends at it. What scripts put in a page's place for a number has the same, and between thousands
// what the page's language has there.

import { word } from "./language.js";

const before_unit =
  /(\d) (?=(?:(?:[kKMGTPE]i?|[mµnp])?(?:B|FLOP|op|J|W|Hz|s)(?:\/\w+)?|tok(?:ens)?\/s|%)(?![\w/]))/g;

const grouped = /(?<![\d.,])\d{1,3}(?:,\d{3})+(?!\d)/g;

/** Where no comma sets thousands apart, numbers of four digits are in one piece. */
export function between_thousands(text, mark = word(",")) {
  if (mark === ",") return text;
  return text.replace(grouped, (number) =>
    number.replaceAll(",", number.length > "1,024".length ? mark : ""),
  );
}

export const with_narrow_spaces = (text) =>
  between_thousands(text.replace(before_unit, "$1\u202F"));
