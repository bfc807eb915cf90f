// The copy of a block has the content of published blocks, and from a hostile page no element,
// attribute or address that could run or load anything.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { block_tree } from "../../../../site/runtime/write/block_copy.js";
import { english_pages, read_page } from "../../support/site.mjs";

const attacks = JSON.parse(readFileSync("tests/fixtures/attacks.json", "utf8"));

/** All elements of a tree. */
const all_in = (tree) => [
  tree,
  ...tree.children.filter((one) => typeof one !== "string").flatMap(all_in),
];
const text_of = (tree) =>
  tree.children.map((one) => (typeof one === "string" ? one : text_of(one))).join("");

/** `<p>` and `<a b="c">` for the text of a page, to compare a copy with it. */
const tags_in = (html) => [...html.matchAll(/<([a-z][\w-]*)[^>]*>/g)].map(([, name]) => name);

const before = '<main><p id="b">no</p><figure id="a"></figure>';
const whole = (inside) => `${before}<primer-bench id="b">${inside}</primer-bench><p>after</p>`;
const copy_of = (inside) => block_tree(whole(inside), "primer-bench", "b");

test("measurements and models of the book are copied whole, but for their links, and under other ids", () => {
  let count = 0;
  for (const page of english_pages) {
    const html = read_page(page);
    const blocks = html.matchAll(
      /<(primer-bench|figure(?= class="plot model"))[^>]*? id="([^"]+)"[^>]*>[^]*?<\/\1>/g,
    );
    for (const [text, tag, id] of blocks) {
      const tree = block_tree(html, tag, id);
      const names = all_in(tree).map(({ name }) => name);
      assert.deepEqual(
        names,
        tags_in(text).map((name) => (name === "a" ? "span" : name)),
        `${page} ${id}`,
      );
      assert.deepEqual(
        tree.attributes.find(([name]) => name === "id"),
        ["id", `draft-${id}`],
      );
      const plain = text.replace(/<[^>]*>/g, "");
      const signs = { "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'", "&amp;": "&" };
      assert.equal(
        text_of(tree),
        plain.replace(/&(?:lt|gt|quot|#39|amp);/g, (sign) => signs[sign]),
      );
      count += 1;
    }
  }
  assert.ok(count > 50, `${count} blocks`);
});

test("names of elements are the copy's own, wherever they stand", () => {
  const [bench, output] = all_in(copy_of('<output id="x.y" for="x z" name="at">1</output>'));
  assert.deepEqual(bench.attributes, [["id", "draft-b"]]);
  assert.deepEqual(output.attributes, [
    ["id", "draft-x.y"],
    ["for", "draft-x draft-z"],
    ["name", "at"],
  ]);
});

test("content that is on no list becomes text or nothing", () => {
  const kept = (inside) => {
    const tree = copy_of(inside);
    return [
      all_in(tree)
        .slice(1)
        .map(({ name, attributes }) => [name, ...attributes.flat()]),
      text_of(tree),
    ];
  };
  for (const [inside, elements, text] of [
    ['<a class="c" href="https://evil.example/">x</a>', [["span", "class", "c"]], "x"],
    ["<script>alert(1)</script>", [], "alert(1)"],
    ['<div onclick="alert(1)" style="x" class="c">x</div>', [["div", "class", "c"]], "x"],
    ['<img src="x" onerror="alert(1)"/>', [], ""],
    ["<img src=x onerror=alert(1)>", [], "<img src=x onerror=alert(1)>"],
    ['<iframe srcdoc="x"></iframe>', [], ""],
    [
      '<form action="x"><input type="range" formaction="x"/></form>',
      [["input", "type", "range"]],
      "",
    ],
    [
      '<svg onload="x"><script>1</script><a href="x"><path d="m0"/></a></svg>',
      [["svg"], ["path", "d", "m0"]],
      "1",
    ],
    ["<svg><foreignObject><div>x</div></foreignObject></svg>", [["svg"]], "x"],
    [
      '<svg><rect fill="url(https://evil.example/)" stroke="\\75rl(x)" x="1"/></svg>',
      [["svg"], ["rect", "x", "1"]],
      "",
    ],
    [
      '<svg><use href="#x"/><image href="x"/><set attributeName="href" to="x"/></svg>',
      [["svg"]],
      "",
    ],
    ['<math href="x"><maction actiontype="x"><mi>x</mi></maction></math>', [["math"], ["mi"]], "x"],
    ["<!-- <b>x</b> -->", [["b"]], "<!-- x -->"],
    ["a &lt;b&gt; &amp;lt; &quot;c&quot; &constructor;", [], 'a <b> &lt; "c" &constructor;'],
    ["<template><b>x</b></template>", [["b"]], "x"],
  ])
    assert.deepEqual(kept(inside), [elements, text], inside);
});

test("no attack of the tests leaves anything that runs, loads or leads away", () => {
  const harmless =
    /^(?:primer-bench|figure|figcaption|div|p|span|small|b|strong|em|i|code|sub|sup|br|table|thead|tbody|tr|th|td|details|summary|label|output|button|input|select|option|svg|title|desc|g|path|line|rect|circle|text|m\w+)$/;
  for (const attack of attacks)
    for (const inside of [
      attack,
      `<b title="${attack}">x</b>`,
      `<svg>${attack}</svg>`,
      `</p>${attack}<p>`,
    ]) {
      const tree = copy_of(inside);
      for (const { name, attributes } of tree ? all_in(tree) : []) {
        assert.match(name, harmless, inside);
        for (const [key] of attributes)
          assert.doesNotMatch(
            key,
            /^on|style|src|href|action|data$|ping|background|poster|attributeName/i,
            inside,
          );
      }
    }
});

test("a block that is not there, or does not end, is none or ends with the page", () => {
  assert.equal(block_tree(whole(""), "primer-bench", "c"), undefined);
  assert.equal(block_tree(whole(""), "p", "a"), undefined);
  assert.equal(text_of(block_tree('<primer-bench id="b">x<p>y', "primer-bench", "b")), "xy");
  assert.equal(text_of(copy_of("x</primer-bench>y")), "x");
});
