// The translation of a figure that a script has drawn again, compared with the build's
// (tests/figures/draw/words_test.cpp).
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { between_thousands } from "../../../../site/runtime/base/spaces.js";
import {
  localized,
  said,
  sentence_form,
  sentences_of,
  told,
} from "../../../../site/runtime/page/drawing_words.js";

const words = {
  labels: { "# rows of # KiB": "filas: #, cada una de # KiB", "What stays": "Lo que se queda" },
  beside: { "The # needs #.": "La # necesita #.", "It fits:": "Cabe:" },
};

test("a label takes its numbers in their order, and stays without a translation", () => {
  assert.equal(said(words, "65,536 rows of 2.5 KiB"), "filas: 65,536, cada una de 2.5 KiB");
  assert.equal(said(words, "3 columns"), "3 columns");
  assert.equal(said(undefined, "3 columns"), "3 columns");
});

test("sentences have the forms that the build finds", () => {
  const cases = JSON.parse(readFileSync("tests/fixtures/sentence_forms.json", "utf8"));
  for (const [text, forms] of Object.entries(cases))
    assert.deepEqual(sentences_of(text).map(sentence_form), forms);
});

test("sentences are translated together or not at all", () => {
  assert.equal(
    told(words, "The H100 needs 12 ms. It fits: 3.5 GB."),
    "La H100 necesita 12 ms. Cabe: 3.5 GB.",
  );
  assert.equal(told(words, "The H100 needs 12 ms. It does not fit."), undefined);
  assert.equal(told(undefined, "It fits: 1"), undefined);
});

test("a picture's title and description are put into its language, or say that they are not", () => {
  const picture = {
    title: "What stays",
    description: "The H100 needs 12 ms.",
    svg: '<svg lang="es"><title>What stays</title><desc>The H100 needs 12 ms.</desc></svg>',
  };
  assert.equal(
    localized(words, picture),
    '<svg lang="es"><title>Lo que se queda</title><desc>La H100 necesita 12 ms.</desc></svg>',
  );
  const other = { ...picture, description: "a < b & more" };
  assert.ok(localized(words, other).includes('<desc lang="en">a &lt; b &amp; more</desc>'));
  assert.equal(localized(undefined, picture), picture.svg);
});

test("numbers of four digits are in one piece where no comma sets thousands apart", () => {
  const text = "1,024 of 65,536 and 1,048,576.5; 1,2; 0.1234; 12,34";
  assert.equal(
    between_thousands(text, "\u202f"),
    "1024 of 65\u202f536 and 1\u202f048\u202f576.5; 1,2; 0.1234; 12,34",
  );
  assert.equal(between_thousands(text, ","), text);
});
