// The space between a number and its unit, as the generator writes it
// (generator/core/typeset/typography.cpp): a narrow no-break space. Scripts that replace a number
// use the same space, and the separator of thousands of the page's language.

import { word } from "./language.js";

const before_unit =
  /(\d) (?=(?:(?:(?:[KMGT]i|[kMGTPEZYmµμunpf])?(?:FLOP|MAC|B|J|Wh?|Hz|m|s)|[MGTPEZY](?:bit|op)|h|mm²|[%$])(?:\/\w+)*|(?:[kMGTPEZY]?(?:bit|op)|bytes?|mm2)\/\w+|[a-z]+\/[sh])(?![\w/²]))/g;

const grouped = /(?<![\d.,])\d{1,3}(?:,\d{3})+(?!\d)/g;

/** If the separator is not a comma, numbers of four digits are not grouped. */
export function between_thousands(text, mark = word(",")) {
  if (mark === ",") return text;
  return text.replace(grouped, (number) =>
    number.replaceAll(",", number.length > "1,024".length ? mark : ""),
  );
}

export const with_narrow_spaces = (text) =>
  between_thousands(text.replace(before_unit, "$1\u202F"));
