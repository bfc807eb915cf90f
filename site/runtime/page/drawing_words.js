// Translates redrawn figures into the language of the page's text. The modules contain only English
// and get translated forms for labels; titles, tables and sentences are translated here, by the
// same rules as in the build (figures/draw/words.hpp). Loaded with the first such figure.

import { is_wordless, language } from "../base/first_words.js";
import { once } from "../base/once.js";
import { own } from "../base/own.js";
import { between_thousands } from "../base/spaces.js";

/** {labels, beside}: forms with their translations; undefined if figures are in English. */
export const drawing_words = once(async () => {
  if (is_wordless(language)) return undefined;
  try {
    const words = await import(`../drawings.${language}.js`);
    return { labels: words.default, beside: words.beside };
  } catch {
    return undefined;
  }
});

const form_of = (words, form) => own(words.labels, form) ?? own(words.beside, form);

const fill = (form, marked) => form.replaceAll("#", () => marked.shift() ?? "");

const number = /\d+(?:[.,]\d+)*/g;

/** Translates a label; a label without a translation stays in English. */
export function said(words, label) {
  const form = words && form_of(words, label.replace(number, "#"));
  return form === undefined ? label : fill(form, label.match(number) ?? []);
}

// Matches a word with a digit, without punctuation, and with a unit.
const marked =
  /(?=[^ ()"]*\d)[^ ()"]*?(?=(?:[.,;:?!]|['’]s)*(?:[ ()"]|$))(?: (?:(?:[kKMGTP]i?|[Emµnp])?(?:B|FLOP|op|J|W|Hz|s)(?:\/[A-Za-z]+)?|tokens\/s|%|×)(?=(?:[.,;:?!]|['’]s)*(?:[ ()"]|$)))?/g;

/** Translates sentences; undefined if one of them has no translation. */
export function told(words, text) {
  if (!words) return undefined;
  const sentences = sentences_of(text).map((sentence) => {
    const form = form_of(words, sentence_form(sentence));
    if (form === undefined)
      return /[a-z]{3}|\b(?:of|to|in|at|on|by|is|or)\b/.test(sentence) ? undefined : sentence;
    return fill(form, sentence.match(marked) ?? []);
  });
  return sentences.includes(undefined) ? undefined : sentences.join(" ");
}

export const sentences_of = (text) => text.split(/(?<=[.:?!]) (?=[A-Z0-9])/);
export const sentence_form = (sentence) => sentence.replace(marked, "#");

/**
 * Translates the title and description of a figure, which its module leaves in English, and formats
 * its numbers.
 */
export function localized(words, { svg, title, description }) {
  if (!words) return svg;
  const sentences = told(words, description);
  return svg
    .replace(/(<title[^>]*>)[^<]*/, (_, tag) => tag + escaped(said(words, title)))
    .replace(/<desc([^>]*)>[^<]*/, (_, attributes) =>
      sentences === undefined
        ? `<desc${attributes} lang="en">${escaped(description)}`
        : `<desc${attributes}>${escaped(sentences)}`,
    )
    .replace(/(?<=>)[^<]+/g, (text) => between_thousands(text));
}

const escaped = (text) =>
  text.replace(/[&<>]/g, (sign) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[sign]);
