// Checks of the built pages that need no browser: valid HTML, links, the CSP, the budgets.
// Reads the book.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, normalize, resolve } from "node:path";
import { test } from "node:test";

import { HtmlValidate } from "html-validate";

import {
  embed_pages,
  gzip_size,
  page_file,
  pages,
  read_page,
  review_pages,
  site,
  untranslated_pages,
} from "./support/site.mjs";

const validator = new HtmlValidate({
  root: true,
  extends: ["html-validate:recommended"],
  elements: [
    "html5",
    { "primer-bench": { flow: true, phrasing: false, permittedContent: ["@flow"] } },
  ],
  rules: {
    "void-style": ["error", { style: "selfclose" }],
    "attribute-boolean-style": ["error", { style: "name" }],
    "long-title": "off",
    "no-trailing-whitespace": "off",
    "require-sri": "off",
    // There are no forms: the controls of several models have the same names, each in its own
    // figure.
    "form-dup-name": "off",
    // Ids made by the generator contain a dot, which ids of headings never do.
    "valid-id": ["error", { relaxed: true }],
    // A mistake in a text, not in a template: opened_pages.test.mjs runs axe on a few pages only.
    "heading-level": "error",
  },
});

/** The hash in the CSP of `/write/` for the only inline script of a page: that of its preview. */
function frame_script(html, page) {
  const assets = resolve(dirname(page_file(page)), attribute(html, "data-assets"));
  const script = readFileSync(join(assets, "runtime/write/frame.js"));
  return `'sha256-${createHash("sha256").update(script).digest("base64")}' `;
}

const attribute = (html, name) => new RegExp(`\\s${name}="([^"]*)"`).exec(html)?.[1];
const ids_of = (html) => new Set([...html.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id));

const linked_files = new Map();
/**
 * The target of a link to `path`: {file}, index.html for a directory, or null. Cached, because many
 * links have the same target.
 */
function linked_file(path) {
  if (!linked_files.has(path)) {
    const is_directory = existsSync(path) && statSync(path).isDirectory();
    const file = is_directory ? join(path, "index.html") : path;
    linked_files.set(path, existsSync(file) ? { file } : null);
  }
  return linked_files.get(path);
}
function has_id(linked, id) {
  linked.ids ??= ids_of(readFileSync(linked.file, "utf8"));
  return linked.ids.has(id);
}

const faults_of = async (html, page) => {
  const report = await validator.validateString(html, page_file(page));
  return report.results
    .flatMap((result) => result.messages)
    .map((m) => `${m.line}:${m.column} ${m.ruleId}: ${m.message}`)
    .slice(0, 10);
};

function broken_links(html, page) {
  const broken = [];
  for (const [, raw] of html.matchAll(/\s(?:href|src)="([^"]*)"/g)) {
    const link = raw.replaceAll("&amp;", "&");
    if (/^(https?:|mailto:|data:)/.test(link) || page === "404.html") continue;
    const [path, fragment] = link.split("#");
    const directory = dirname(page_file(page));
    const linked = linked_file(
      path === "" ? page_file(page) : resolve(directory, decodeURIComponent(path)),
    );
    if (!linked?.file.startsWith(site)) broken.push(link);
    else if (fragment?.startsWith("with=")) {
      // A machine of the gallery, whose results are next to the page that names it.
      const results = join(site, "machines", `${fragment.slice("with=".length)}.json`);
      if (!existsSync(results)) broken.push(link);
    } else if (fragment?.startsWith("model="))
      continue; // the settings of /your-model/
    else if (fragment && !has_id(linked, fragment)) broken.push(link);
  }
  return broken;
}

const known_languages = new Intl.DisplayNames("en", { type: "language", fallback: "none" });
/**
 * Unknown languages, figures without a name, and names that refer to a missing element.
 */
function unnamed(html) {
  const tags = html.replace(/>[^<]*</g, "><"); // text may show such attributes
  const found = (pattern) => [...tags.matchAll(pattern)].map(([, value]) => value);
  const ids = ids_of(tags);
  const references = found(
    /\s(?:for|aria-(?:labelledby|describedby|controls|details|owns))="([^"]*)"/g,
  );
  const drawings = [...html.matchAll(/<svg[^>]*\srole="img"[^>]*>(\s*<title[^>]*>[^<])?/g)];
  return [
    ...found(/\s(?:href)?lang="([^"]*)"/g).filter((name) => !known_languages.of(name)),
    ...references.flatMap((list) => list.split(/\s+/)).filter((id) => !ids.has(id)),
    ...drawings
      .filter(([tag, title]) => !title && !/\saria-label="[^"]/.test(tag))
      .map(([tag]) => tag),
  ];
}

for (const page of [...pages, ...untranslated_pages]) {
  const name = page || "home page";
  const html = read_page(page);

  test(`${name}: html-validate finds no error, languages and drawings have names`, async () => {
    assert.deepEqual(await faults_of(html, page), []);
    assert.deepEqual(unnamed(html), []);
  });

  test(`${name}: every link and fragment resolves`, () => {
    assert.deepEqual(broken_links(html, page), []);
  });

  test(`${name}: policy, language and assets as agreed; nothing inline`, () => {
    const policy = /http-equiv="Content-Security-Policy"\s+content="([^"]+)"/.exec(html)?.[1] ?? "";
    const plain = policy.replaceAll(/&#39;|&apos;/g, "'");
    const inlined = /(?:^|\/)write\/$/.test(name) ? frame_script(html, page) : "";
    for (const directive of [
      "default-src 'none'",
      `script-src 'self' ${inlined}'wasm-unsafe-eval'`,
      "style-src 'self'",
      "form-action 'none'",
    ]) {
      assert.ok(plain.includes(directive), `the policy lacks ${directive}`);
    }
    assert.ok(attribute(html, "lang"));
    assert.ok(attribute(html, "data-assets"));
    // Text between tags is not markup: the page of rules shows such examples.
    const tags = html.replace(/>[^<]*</g, "><");
    assert.doesNotMatch(tags, /\sstyle="|<style|\son[a-z]+="|javascript:/);
    assert.doesNotMatch(html, /<script(?![^>]*\ssrc=)/);
  });

  test(`${name}: HTML and CSS within the budget`, () => {
    const sheets = [...html.matchAll(/<link[^>]*rel="stylesheet"[^>]*>/g)].map(([tag]) =>
      attribute(tag, "href"),
    );
    const css =
      page === "404.html"
        ? 0
        : sheets.reduce(
            (sum, href) => sum + gzip_size(readFileSync(resolve(dirname(page_file(page)), href))),
            0,
          );
    assert.ok(css <= 10 * 1024, `${css} bytes of style`);
    const whole = gzip_size(html);
    // The gallery shows all figures of the book in one layout, and grows with it.
    const most = page.endsWith("figures/") ? 160 : 60;
    assert.ok(whole <= most * 1024, `${whole} bytes with figures`);
  });
}

test("one asset directory; fonts, styles and the scripts of a page within the budget", () => {
  const versions = readdirSync(join(site, "_"));
  assert.ok(versions.length >= 1);
  const assets = join(site, attribute(read_page(""), "data-assets"));
  const size = (name) => gzip_size(readFileSync(join(assets, name)));
  const fonts = readdirSync(join(assets, "fonts"))
    .filter((f) => f.endsWith(".woff2") && f !== "stix-two-math-complete.woff2")
    .reduce((sum, f) => sum + statSync(join(assets, "fonts", f)).size, 0);
  assert.ok(fonts <= 115 * 1024, `${fonts} bytes of fonts`);
  // The complete maths font is for other books. No formula of this book needs it.
  for (const page of pages) assert.doesNotMatch(read_page(page), /class="m-more/, page);
  // The scripts that a page loads without being asked: main.js with all its static imports,
  // preloaded by each page.
  const imported = new Set(["main.js"]);
  for (const name of imported)
    for (const [, path] of readFileSync(join(assets, "runtime", name), "utf8").matchAll(
      /\bfrom\s*"(\.[^"]+)"/g,
    ))
      imported.add(normalize(join(dirname(name), path)));
  const preloads = read_page("").matchAll(/rel="modulepreload" href="[^"]*runtime\/([^"]+)"/g);
  const loaded = ["main.js", ...[...preloads].map(([, name]) => name)].sort();
  assert.deepEqual(loaded, [...imported].sort());
  const scripts = [...imported, "first_words.es.js", "theme.js"].map((name) =>
    size(`runtime/${name}`),
  );
  assert.ok(scripts.reduce((a, b) => a + b) <= 15 * 1024);
  for (const file of readdirSync(join(assets, "kernels")).filter((name) => name.endsWith(".wasm")))
    assert.ok(size(`kernels/${file}`) <= 40 * 1024, file);
});

/** The text of HTML without tooltips, results, answers and whitespace. */
const shown_text = (html) =>
  html
    .replace(/<span class="tip"[^]*?<\/span>/g, "")
    .replace(/<primer-bench[^]*?<\/primer-bench>/g, "")
    .replace(/<details class="answer">[^]*?<\/details>/g, "")
    .replace(/<[^>]*>|\s/g, "");

/**
 * The answers of a page's predictions that its section shows before the question, or that a verdict
 * shows after it. A verdict after a measurement with hidden results is hidden, too (veil.js).
 */
function spoiled_answers(html) {
  const questions = html.matchAll(/<section class="predict" id="([^"]+)"[^]*?<\/section>/g);
  return [...questions].flatMap(({ 0: whole, 1: id, index }) => {
    const answer = /<details class="answer">[^]*?<strong>([^<]*\d[^<]*)<\/strong>/.exec(whole)?.[1];
    if (!answer) return [];
    const section = html.lastIndexOf("<h2", index);
    const end = html.indexOf("<h2", index);
    const after = html.slice(index + whole.length, end);
    const open = [...after.matchAll(/(<\/primer-bench>\n)?<p class="verdict"[^]*?<\/p>/g)].filter(
      (verdict) => !verdict[1] || !new RegExp(`data-after="[^"]*\\b${id}\\b`).test(after),
    );
    const texts = [html.slice(section, index), ...open.map(([verdict]) => verdict)];
    const pattern = answer.replace(/\s/g, "").replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
    const number = new RegExp(`(?<![\\d.])${pattern}`);
    return texts.some((text) => number.test(shown_text(text))) ? [`${id}: ${answer}`] : [];
  });
}

test("no page shows the answer of a prediction before the reader has guessed", () => {
  const html = read_page("workload/");
  const verdict = /<p class="verdict" id="verdict-two-bills"[^]*?<\/p>/.exec(html)[0];
  const spoiled = html.replace(/<section class="predict" id="p-two-bills"/, `${verdict}$&`);
  assert.deepEqual(spoiled_answers(spoiled), ["p-two-bills: 13.5×"]);
  const found = pages.flatMap((page) =>
    spoiled_answers(read_page(page)).map((answer) => `${page}${answer}`),
  );
  assert.deepEqual(found, []);
});

test("a page's data has every fact that its figures name, including those in findings", () => {
  const facts_folder = new URL("../../chapters/facts/", import.meta.url);
  const known = new Set(
    readdirSync(facts_folder).flatMap((name) =>
      Object.entries(JSON.parse(readFileSync(new URL(name, facts_folder), "utf8")))
        .filter(([, { value }]) => value !== undefined)
        .map(([id]) => id),
    ),
  );
  const missing = [];
  let figures = 0;
  for (const page of pages) {
    const name = /data-page="([^"]+)"/.exec(read_page(page))?.[1];
    if (!name) continue;
    const data = JSON.parse(readFileSync(resolve(dirname(page_file(page)), name), "utf8"));
    for (const [id, { spec }] of Object.entries(data.figures)) {
      figures += 1;
      for (const [word] of JSON.stringify(spec).matchAll(/[\w.-]+/g))
        if (known.has(word) && !(word in data.facts)) missing.push(`${page} ${id}: ${word}`);
    }
  }
  assert.ok(figures > 20);
  assert.deepEqual(missing, []);
});

test("figures/review/ shows every specification and every model, and no reader is led there", async () => {
  const names = (folder, ending) =>
    readdirSync(new URL(`../../figures/${folder}`, import.meta.url))
      .filter((file) => file.endsWith(ending))
      .map((file) => file.slice(0, -ending.length));
  const shown = new Set(review_pages);
  for (const spec of names("specs", ".json"))
    assert.ok(shown.has(`figures/review/${spec}/`), `${spec} is not shown`);
  const models = readFileSync(new URL("../../figures/models/models.hpp", import.meta.url), "utf8");
  const made = [...models.matchAll(/std::unique_ptr<Model> make_\w+\(\)/g)];
  assert.ok(made.length > 0);
  assert.equal(review_pages.filter((page) => page.includes("/model-")).length, made.length);
  const index = read_page("figures/review/");
  for (const page of review_pages) {
    const html = read_page(page);
    assert.match(html, /<meta name="robots" content="noindex"\/>/, page);
    assert.deepEqual(await faults_of(html, page), [], page);
    assert.deepEqual(broken_links(html, page), [], page);
    assert.ok(gzip_size(html) <= 160 * 1024, `${page}: ${gzip_size(html)} bytes`);
    if (page === "figures/review/") continue;
    assert.ok(index.includes(`href="${page.slice("figures/review/".length)}"`), page);
    // A figure at both widths in both themes, for every machine that changes it.
    const pictures = html.slice(html.indexOf("<main")).match(/<svg /g).length;
    assert.ok(pictures >= 4 && pictures % 4 === 0, `${page}: ${pictures} pictures`);
    assert.ok(html.includes('fill="#fdfcf9"') && html.includes('fill="#17181b"'), page);
    assert.doesNotMatch(html, /var\(--|Not drawn:|Without a place:/, page);
    for (const machine of ["Reference machine", "Reader: ", "Nothing measured"])
      assert.ok(html.includes(`<h2>${machine}`), `${page}: ${machine}`);
  }
  for (const page of pages)
    assert.doesNotMatch(read_page(page), /href="[^"]*figures\/review/, page);
});

test("chips that a reader's kernel can be compared with: those with a bandwidth and peaks", () => {
  const assets = join(site, attribute(read_page(""), "data-assets"));
  const chips = JSON.parse(readFileSync(join(assets, "chips.json"), "utf8"));
  const h100 = chips.find(({ id }) => id === "h100-sxm");
  assert.equal(h100.title, "NVIDIA H100 SXM");
  assert.ok(Math.abs(h100.bandwidth / 3.35e12 - 1) < 1e-9);
  assert.ok(Math.abs(h100.peaks.bf16 / 989e12 - 1) < 1e-9);
  for (const { bandwidth, peaks } of chips)
    assert.ok(
      bandwidth > 0 && Object.values(peaks).length > 0 && Object.values(peaks).every((p) => p > 0),
    );
  assert.ok(!chips.some(({ id }) => id === "eyeriss"), "it has neither");
});

test("embeds: one for each figure and measurement, small, with source and license, not indexed", () => {
  const wanted = [...pages, ...untranslated_pages].flatMap((page) => {
    if (/(?:^|\/)(?:problems|print|figures|machines)\/$|\.html$/.test(page)) return [];
    const blocks = /<(?:figure class="(?:plot|picture)[^>]*|primer-bench) id="([^"]+)"/g;
    return [...read_page(page).matchAll(blocks)].map(([, id]) => `embed/${page}${id}/`);
  });
  assert.ok(wanted.length > 100);
  assert.deepEqual(
    wanted.filter((page) => !embed_pages.includes(page)),
    [],
  );
  for (const page of embed_pages) {
    const html = read_page(page);
    assert.ok(Buffer.byteLength(html) <= 60 * 1024, `${page} has ${Buffer.byteLength(html)} bytes`);
    assert.deepEqual(broken_links(html, page), [], page);
    assert.deepEqual(unnamed(html), [], page);
    assert.match(html, /<meta name="robots" content="noindex"\/>/, page);
    assert.match(html, /<title>[^<]+ · [^<]+<\/title>/, page);
    assert.match(html, /<footer class="page-foot"><p>[^<]+\. [^<]+\. <a href="[^"]+#/, page);
  }
});

for (const kind of ["fig-", "mod-", "bench-", "llama-"])
  test(`embeds: html-validate finds no error in one with ${kind}`, async () => {
    const page = embed_pages.find((one) => one.split("/").at(-2).startsWith(kind));
    assert.deepEqual(await faults_of(read_page(page), page), []);
  });
