// What can be said of the built pages without a browser: valid HTML, whole links, the policy, the
// budgets.
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { test } from "node:test";

import { HtmlValidate } from "html-validate";

import { gzip_size, page_file, pages, read_page, site } from "./support/site.mjs";

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
  },
});

const attribute = (html, name) => new RegExp(`\\s${name}="([^"]*)"`).exec(html)?.[1];
const ids_of = (html) => new Set([...html.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id));
const without_figures = (html) =>
  html.replace(/<div class="plot-(?:wide|narrow|print)">[\s\S]*?<\/svg>\s*<\/div>/g, "");

for (const page of pages) {
  const name = page || "home page";
  const html = read_page(page);

  test(`${name}: html-validate finds no error`, async () => {
    const report = await validator.validateString(html, page_file(page));
    const errors = report.results
      .flatMap((result) => result.messages)
      .map((m) => `${m.line}:${m.column} ${m.ruleId}: ${m.message}`);
    assert.deepEqual(errors.slice(0, 10), []);
  });

  test(`${name}: every link and fragment resolves`, () => {
    const broken = [];
    for (const [, raw] of html.matchAll(/\s(?:href|src)="([^"]*)"/g)) {
      const link = raw.replaceAll("&amp;", "&");
      if (/^(https?:|mailto:|data:)/.test(link) || page === "404.html") continue;
      const [path, fragment] = link.split("#");
      let file =
        path === "" ? page_file(page) : resolve(dirname(page_file(page)), decodeURIComponent(path));
      if (existsSync(file) && statSync(file).isDirectory()) file = join(file, "index.html");
      if (!file.startsWith(site) || !existsSync(file)) broken.push(link);
      else if (fragment && !ids_of(readFileSync(file, "utf8")).has(fragment)) broken.push(link);
    }
    assert.deepEqual(broken, []);
  });

  test(`${name}: policy, language and assets as agreed; nothing inline`, () => {
    const policy = /http-equiv="Content-Security-Policy"\s+content="([^"]+)"/.exec(html)?.[1] ?? "";
    const plain = policy.replaceAll(/&#39;|&apos;/g, "'");
    for (const directive of [
      "default-src 'none'",
      "script-src 'self' 'wasm-unsafe-eval'",
      "style-src 'self'",
      "form-action 'none'",
    ]) {
      assert.ok(plain.includes(directive), `the policy lacks ${directive}`);
    }
    assert.ok(attribute(html, "lang"));
    assert.ok(attribute(html, "data-assets"));
    // What stands between tags is text: the page of rules shows such things.
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
    const bare = gzip_size(without_figures(html)) + css;
    const whole = gzip_size(html) + css;
    assert.ok(bare <= 30 * 1024, `${bare} bytes without figures`);
    assert.ok(whole <= 80 * 1024, `${whole} bytes with figures`);
  });
}

test("one asset directory; fonts, styles and the scripts of a page within the budget", () => {
  const versions = readdirSync(join(site, "_"));
  assert.ok(versions.length >= 1);
  const assets = join(site, attribute(read_page(""), "data-assets"));
  const size = (name) => gzip_size(readFileSync(join(assets, name)));
  const fonts = readdirSync(join(assets, "fonts"))
    .filter((f) => f.endsWith(".woff2"))
    .reduce((sum, f) => sum + statSync(join(assets, "fonts", f)).size, 0);
  assert.ok(fonts <= 60 * 1024, `${fonts} bytes of fonts`);
  assert.ok(size("style.css") <= 8 * 1024);
  assert.ok(size("runtime/main.js") + size("runtime/theme.js") <= 15 * 1024);
  for (const file of readdirSync(join(assets, "kernels")))
    assert.ok(size(`kernels/${file}`) <= 40 * 1024, file);
});
