// Small books in right-to-left languages, in languages without spaces between words, and in
// languages without a stemmer in Pagefind: built, indexed and opened in a browser. Direction,
// quotation marks, search.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";

import { open_browser, serve } from "../../scripts/lib/browsers.mjs";
import { any_browser, open_watched, until } from "./support/browser_page.mjs";

const primer = process.env.PRIMER ?? "build/release/generator/primer";
const folder = mkdtempSync(join(tmpdir(), "languages-"));
after(() => rmSync(folder, { recursive: true, force: true }));

/** The text of a chapter in each language, and the words by which a reader finds parts of it. */
const books = {
  he: {
    slug: "zikaron",
    text: `---\ntitle: זיכרון\n---

זהו טקסט, עם \`int x = 1;\` ועוד "מילים" על צה"ל. רוחב הפס הוא 350 GB/s.

1. ראשון, עם $a = b + c$.

\`\`\`cpp
int y = 2;
\`\`\`

> [!TIP]
> עצה.

| שם | ערך |
| --- | ---: |
| זיכרון | 5 GB |
`,
    quotes: "”מילים” על צה״ל",
    found: ["רוחב", "זיכרון", 'צה"ל'],
  },
  zh: {
    slug: "neicun",
    text: `---\ntitle: 内存与带宽\n---

他说"内存带宽是关键"。GPU的内存**带宽**很高，缓存很小。我们写C++，不写C#。Cache 也是。

## 计算

C 语言。
`,
    quotes: "他说“内存带宽是关键”",
    found: ["内存", "带宽很高", "存带", "GPU", "存", "C++", "C#"],
    not_found: ["高存", "宽小"],
    excerpts: { 带宽很高: ["带宽很高", "他说"] },
  },
  "zh-tw": {
    slug: "neicun",
    text: '---\ntitle: 記憶體\n---\n\n他說"頻寬"。\n',
    quotes: "他說「頻寬」",
    found: ["憶體", "頻寬"],
  },
  ja: {
    slug: "memori",
    text: '---\ntitle: メモリ帯域幅\n---\n\n彼は"帯域幅が鍵だ"と言った。キャッシュメモリは小さい。\n',
    quotes: "彼は「帯域幅が鍵だ」と言った",
    found: ["帯域幅", "域幅が", "メモリ", "ッシュメ"],
  },
  ko: {
    slug: "memori",
    text: '---\ntitle: 메모리\n---\n\n메모리대역폭은 "중요하다". 캐시는 작다.\n',
    quotes: "“중요하다”",
    found: ["메모리", "대역폭", "캐시"],
    excerpts: { 대역폭: ["대역폭", "메모리대역폭은"], 캐시: ["캐시", ". 캐시는 작다."] },
  },
  pl: {
    slug: "pamiec",
    text: '---\ntitle: Pamięć\n---\n\nPrzepustowość pamięci i café. To "wąskie gardło".\n',
    quotes: "„wąskie gardło”",
    found: ["przep", "przepustowosc", "Przepustowość", "waskie", "cafe", "café", "gardlo"],
  },
  uk: {
    slug: "pamyat",
    text: '---\ntitle: Пам’ять\n---\n\nПропускна "здатність" пам’яті. Її обʼєм.\n',
    quotes: "«здатність»",
    found: ["здатність", "здатніст", "пропускна", "об'єм", "пам'ять"],
  },
  fr: {
    slug: "memoire",
    text: '---\ntitle: Été\n---\n\nIl a dit "bonjour" : vraiment ? « Oui ! » 12,5 % de plus. La mémoire de l\'eau.\n',
    quotes:
      "«\u00a0bonjour\u00a0»\u00a0: vraiment\u202f? «\u00a0Oui\u202f!\u00a0» 12,5\u202f% de plus",
    found: ["memoire", "mémoire", "ete", "eau", "bonjour"],
  },
  tr: {
    slug: "bellek",
    text: '---\ntitle: Işık\n---\n\nIşık ve İstanbul. "Bellek" dedi. [Git](#işık-hızı).\n\n## Işık hızı\n\nılık su.\n',
    quotes: "“Bellek”",
    found: ["ışık", "Işık", "isik", "IŞIK", "istanbul", "İSTANBUL", "ilik"],
  },
  en: {
    slug: "memory",
    text: "---\ntitle: Memory\n---\n\nA naïve café, a café. Überlauf, 内存带宽很高. We write C++ code, and C# code, not C.\n\n## Caches\n\nCounting caches in a cafe.\n",
    quotes: "naïve",
    found: ["naive", "naïve", "uberlauf", "cafe", "内存", "带宽"],
    sections: { "C#": 1, "C++": 1, cafe: 2, café: 2 },
  },
};

function run(...words) {
  execFileSync(primer, words, { stdio: "pipe" });
}

/** A book of one chapter, or more in `chapters`: its site, with an index. */
function make_site(name, languages, chapters, options = []) {
  const book = join(folder, name);
  for (const part of ["chapters/facts", "site/locales"])
    mkdirSync(join(book, part), { recursive: true });
  for (const list of ["chips", "references"])
    writeFileSync(join(book, `chapters/facts/${list}.json`), "{}\n");
  for (const language of languages)
    if (language !== "en") writeFileSync(join(book, `site/locales/${language}.json`), "{}\n");
  for (const [path, text] of Object.entries(chapters)) {
    mkdirSync(join(book, "chapters", path, ".."), { recursive: true });
    writeFileSync(join(book, "chapters", path), text);
  }
  const slugs = [...new Set(Object.keys(chapters).map((path) => path.match(/(\w+)\.md$/)[1]))];
  const entries = slugs.map((slug, i) => `  - {slug: ${slug}, number: ${i + 1}}\n`).join("");
  writeFileSync(
    join(book, "chapters/book.yaml"),
    `title: "${name}"\nlanguages: [${languages}]\nchapters:\n${entries}`,
  );
  const [site, search] = [join(book, "out"), join(book, "index")];
  const build = [
    "build",
    "--book",
    book,
    "--out",
    site,
    "--modules",
    "none",
    "--trust",
    ...options,
  ];
  run(...build);
  run("index", "--out", site, "--search", search);
  run(...build, "--search", search);
  return site;
}

const visible_search = () => document.querySelector("dialog.panel")?.open === true;

/** Types into the search and resolves to the results: {href, title, text, marked}. */
async function ask(page, words) {
  await page.evaluate((value) => {
    const dialog = document.querySelector("dialog.panel");
    delete dialog.dataset.answered;
    const input = dialog.querySelector("input");
    input.value = value;
    input.dispatchEvent(new Event("input"));
  }, words);
  await until(
    page,
    (asked) => document.querySelector("dialog.panel").dataset.answered === asked,
    words,
  );
  return page.$$eval(".found a", (links) =>
    links.map((link) => ({
      title: link.querySelector("b").textContent,
      text: link.querySelector("span").textContent,
      marked: [...link.querySelectorAll("mark")].map(({ textContent }) => textContent),
    })),
  );
}

for (const kind of any_browser) {
  describe(kind, { timeout: 600_000 }, () => {
    let browser = null;
    before(async () => {
      browser = await open_browser(kind);
    });
    after(() => browser?.close());

    for (const [language, book] of Object.entries(books)) {
      test(`${language}: quotation marks, and words that are found`, async () => {
        const { slug, text, quotes, found, not_found = [], excerpts = {}, sections = {} } = book;
        const site = make_site(`${kind}-${language}`, [language], {
          [`${language}/${slug}.md`]: text,
        });
        const server = await serve(site);
        try {
          const { page, seen } = await open_watched(browser, `${server.url}${slug}/`);
          const said = await page.$eval("main", (main) => main.innerText);
          assert.ok(said.includes(quotes), said);
          await page.click(".search-open");
          await until(page, visible_search);
          for (const words of found) {
            const results = await ask(page, words);
            assert.ok(results.length > 0, `${words} is not found`);
            for (const { title, text: excerpt } of results)
              assert.doesNotMatch(title + excerpt, /[\u3164\u2060\u203f\u2054]/);
          }
          for (const words of not_found) assert.deepEqual(await ask(page, words), [], words);
          for (const [words, [marked, part]] of Object.entries(excerpts)) {
            const [first] = await ask(page, words);
            assert.ok(first.marked.includes(marked), `${words}: ${first.marked}`);
            assert.ok(first.text.includes(part), first.text);
          }
          for (const [words, count] of Object.entries(sections))
            assert.equal((await ask(page, words)).length, count, words);
          assert.deepEqual(seen.errors, []);
          await page.close();
        } finally {
          await server.close();
        }
      });
    }

    test("a Hebrew book runs from right to left, its code and formulas from left to right", async () => {
      const { text } = books.he;
      const server = await serve(
        make_site(`${kind}-direction`, ["he"], {
          "he/zikaron.md": text,
          "he/matmon.md": "---\ntitle: מטמון\n---\n\nעוד.\n",
        }),
      );
      try {
        const { page } = await open_watched(browser, `${server.url}zikaron/`);
        const shape = await page.evaluate(() => {
          const direction = (selector) =>
            getComputedStyle(document.querySelector(selector)).direction;
          const box = (selector) => document.querySelector(selector).getBoundingClientRect();
          const paragraph = document.querySelector("main > p:not(.label)");
          const range = document.createRange();
          /** The first position of these letters in the paragraph. */
          const at = (letters) => {
            const walk = document.createTreeWalker(paragraph, NodeFilter.SHOW_TEXT);
            while (walk.nextNode()) {
              const found = walk.currentNode.data.indexOf(letters);
              if (found < 0) continue;
              range.setStart(walk.currentNode, found);
              range.setEnd(walk.currentNode, found + letters.length);
              return range.getBoundingClientRect();
            }
            throw new Error(`no ${letters}`);
          };
          const main = box("main > p:not(.label)");
          const callout = getComputedStyle(document.querySelector(".callout"));
          return {
            root: [document.documentElement.lang, document.documentElement.dir],
            code: [direction("p code"), direction("pre"), direction("math")],
            // Distances from the right edge of the text.
            first: main.right - at("זהו").right,
            list: direction("ol"),
            number: at("350").left < at("GB/s").left,
            stop: at("\u2069.").left < at("350").left, // the full stop is on the left
            bar: [callout.borderRightWidth, callout.borderLeftWidth],
            head: box(".book").left > box(".contents").left,
            overflow: document.documentElement.scrollWidth > innerWidth,
          };
        });
        assert.deepEqual(shape.root, ["he", "rtl"]);
        assert.deepEqual(shape.code, ["ltr", "ltr", "ltr"]);
        assert.ok(Math.abs(shape.first) < 2, `the first word is ${shape.first} px from the edge`);
        assert.equal(shape.list, "rtl");
        assert.ok(shape.number, "the unit follows its number from left to right");
        assert.ok(shape.stop);
        assert.ok(shape.head, "the title stands at the right");
        assert.equal(shape.overflow, false);
        await page.goto(`${server.url}matmon/`);
        const back = await page.$eval('.turn [rel="prev"]', (link) => link.textContent);
        assert.match(back, /^→ /);
        await page.close();
      } finally {
        await server.close();
      }
    });

    test("untranslated text keeps its direction, and scripts' strings have the page's", async () => {
      const english = "---\ntitle: First\n---\n\nEnglish text.\n\n## One\n\nMore.\n";
      const server = await serve(
        make_site(`${kind}-mixed`, ["en", "he"], {
          "en/first.md": english,
          "en/second.md": english.replace("First", "Second"),
          "he/second.md": "---\ntitle: שני\n---\n\nטקסט.\n\n## אחד\n\nעוד.\n",
        }),
      );
      try {
        const { page } = await open_watched(browser, `${server.url}he/first/`);
        const directions = () =>
          page.$$eval(
            "html, main, main > .label, .contents-list [lang], .contents-sections",
            (all) => all.map(({ localName, className, dir }) => [className || localName, dir]),
          );
        await page.click(".contents > summary");
        await until(page, () => document.querySelector(".contents-sections") !== null);
        assert.deepEqual(await directions(), [
          ["html", "rtl"],
          ["a", "ltr"],
          ["contents-sections", "ltr"],
          ["chapter", "ltr"],
          ["label", "rtl"],
          ["label", ""],
        ]);
        await page.goto(`${server.url}first/`);
        assert.equal(await page.$eval("html", (root) => root.hasAttribute("dir")), false);
        assert.equal(await page.$eval('.languages [lang="he"]', (link) => link.dir), "rtl");
        await page.close();
      } finally {
        await server.close();
      }
    });

    test("pages of a language that the index lacks have no button, and the build says why", async () => {
      const site = make_site(`${kind}-stale`, ["pl"], { "pl/pamiec.md": books.pl.text });
      const book = join(site, "..");
      rmSync(join(book, "index/wasm.unknown.pagefind"));
      const build = ["build", "--book", book, "--out", site, "--modules", "none", "--trust"];
      const { status, stderr } = spawnSync(primer, [...build, "--search", join(book, "index")], {
        encoding: "utf8",
      });
      assert.equal(status, 0, stderr);
      assert.match(
        stderr,
        /book\.yaml: warning: the search index has no language "pl", so its pages have no search button \[unknown-language\]\n {2}note: rebuild the index with primer index/,
      );
      const server = await serve(site);
      try {
        const { page } = await open_watched(browser, `${server.url}pamiec/`);
        assert.equal(await page.$(".search-open"), null);
        await page.close();
      } finally {
        await server.close();
      }
    });

    test("a search whose program does not load reports that, and works once it does", async () => {
      let is_lost = true;
      const site = make_site(`${kind}-lost`, ["pl"], { "pl/pamiec.md": books.pl.text });
      assert.ok(readdirSync(join(site, "search")).includes("wasm.unknown.pagefind"));
      const server = await serve(site, {
        alter: (path, body) => (is_lost && path.includes("/wasm.") ? null : body),
      });
      try {
        const { page } = await open_watched(browser, `${server.url}pamiec/`);
        await page.click(".search-open");
        const status = () => document.querySelector("dialog [role=status]")?.textContent ?? "";
        await until(page, () =>
          /Unavailable, because/.test(document.querySelector("dialog [role=status]")?.textContent),
        );
        assert.match(
          await page.evaluate(status),
          /you are offline, or the search index is missing/,
        );
        is_lost = false;
        await page.keyboard.press("Escape");
        await page.click(".search-open");
        await until(page, visible_search);
        assert.ok((await ask(page, "przep")).length > 0);
        await page.close();
      } finally {
        await server.close();
      }
    });
  });
}
