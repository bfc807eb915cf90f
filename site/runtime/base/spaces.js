// The space between a number and its unit, as the generator sets it in a page (generator/typeset/typography.cpp):
// narrow, and no line ends at it. What scripts put in a page's place for a number has the same.

const before_unit =
  /(\d) (?=(?:(?:[kKMGTPE]i?|[mµnp])?(?:B|FLOP|op|J|W|Hz|s)(?:\/\w+)?|tok(?:ens)?\/s|%)(?![\w/]))/g;

export const with_narrow_spaces = (text) => text.replace(before_unit, "$1\u202F");
