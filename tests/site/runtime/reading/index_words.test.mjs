// site/runtime/reading/index_words.js: the index queries for what a reader types, and readable
// excerpts. generator/tools/search/indexed_text.cpp prepares the index; both must treat letters in
// the same way.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { as_read, parts_of, queries_of } from "../../../../site/runtime/reading/index_words.js";
import { without_accents } from "../../../../site/runtime/base/slug.js";

const generator = readFileSync("generator/tools/search/indexed_text.cpp", "utf8");
const [script, letters] = ["reading/index_words.js", "base/slug.js"].map((path) =>
  readFileSync(`site/runtime/${path}`, "utf8"),
);
const in_order = (ranges) =>
  ranges
    .map((range) => range.map((end) => parseInt(end, 16)))
    .sort(([first], [second]) => first - second);
const ranges_of_generator = (table) => {
  const [, rows] = new RegExp(`${table}\\[\\] = \\{\\n([\\s\\S]*?)\\};`).exec(generator);
  return in_order([...rows.matchAll(/\{0x(\w+), 0x(\w+)\}/g)].map(([, ...ends]) => ends));
};

test("letters are typed as the index has them", () => {
  const table = readFileSync("generator/tools/search/folded_letters.inc", "utf8");
  const rows = [...table.matchAll(/\{"(\w+|.)",\s*"([^"]+)"\}/gu)];
  assert.ok(rows.length > 40, `${rows.length} rows`);
  for (const [, typed, letters] of rows)
    for (const letter of letters) assert.equal(without_accents(letter), typed, letter);
});

test("the same characters are paired, and the same marks are left out", () => {
  const [, pattern] = /const paired =\s+([\s\S]*?);/.exec(script);
  const paired = [...pattern.matchAll(/\\\\u\{?(\w+)\}?-\\\\u\{?(\w+)\}?/g)];
  assert.ok(paired.length > 10);
  assert.deepEqual(
    in_order(paired.map(([, ...ends]) => ends)),
    ranges_of_generator("paired_characters"),
  );
  const [, marks] = /const marks = \/\[(.*)\]\/g/.exec(letters);
  const left_out = [...marks.matchAll(/\\u(\w{4})(?:-\\u(\w{4}))?/g)];
  assert.ok(left_out.length > 4);
  assert.deepEqual(
    in_order(left_out.map(([, first, last = first]) => [first, last])),
    ranges_of_generator("marks"),
  );
});

test("a reader's words are asked as typed, then without accents", () => {
  assert.deepEqual(queries_of("Cache line", "en"), ["cache line"]);
  assert.deepEqual(queries_of("Przepustowość", "pl"), ["przepustowość", "przepustowosc"]);
  assert.deepEqual(queries_of("nai\u0308ve", "en"), ["naïve", "naive"]);
  assert.deepEqual(queries_of("C# c++ C++17 a+b #include", "en"), [
    "c\u203f c\u2054\u2054 c\u2054\u205417 a+b #include",
  ]);
});

test("in Turkish I is a letter without a dot, elsewhere it has one", () => {
  assert.deepEqual(queries_of("IŞIK", "tr"), ["ışık", "isik"]);
  assert.deepEqual(queries_of("İSTANBUL", "tr"), ["istanbul"]);
  assert.deepEqual(queries_of("ISA", "en"), ["isa"]);
  assert.deepEqual(queries_of("ISA", "trv"), ["isa"]); // another language, as its name continues
});

test("characters are searched in pairs, or singly if there is only one", () => {
  const asked = (words) => queries_of(words, "zh")[0].trim().split(/\s+/);
  assert.deepEqual(asked("内存带宽"), ["内存", "存带", "带宽"]);
  assert.deepEqual(asked("GPU内存 HBM"), ["gpu", "内存", "hbm"]);
  assert.deepEqual(asked("存"), ["存"]);
  assert.deepEqual(asked("메모리"), ["메모", "모리"]);
});

test("an excerpt is read as it was written", () => {
  const read = (html) =>
    parts_of(html).map(({ text, is_marked }) => (is_marked ? `[${text}]` : text));
  assert.deepEqual(read("of <mark>one</mark> <mark>two</mark> x"), [
    "of ",
    "[one]",
    " ",
    "[two]",
    " x",
  ]);
  assert.deepEqual(read("内存 <mark>存带</mark> 带宽 宽\u3164 \u2060 ， L2 \u2060 缓\u3164"), [
    "内",
    "[存带]",
    "宽， L2缓",
  ]);
  assert.deepEqual(read("<mark>内存</mark> <mark>存带</mark> 带宽 宽\u3164. 大\u3164"), [
    "[内存带]",
    "宽. 大",
  ]);
  assert.deepEqual(read("메모 모리 리는 는\u3164 <mark>빠르</mark> 르다 다\u3164."), [
    "메모리는 ",
    "[빠르]",
    "다.",
  ]);
  assert.equal(as_read("C\u203f, C\u2054\u2054 과 GPU \u2060 메\u3164"), "C#, C++ 과 GPU메");
  assert.equal(as_read(""), "");
});
