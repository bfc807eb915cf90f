// A hostile book: every attack string in every field that a contributor can write. The generator
// rejects some of them. The rest is built and opened in Chromium without the CSP: nothing may run
// or contact another origin, no handler or frame may exist, and nothing outside the book may have
// been read. Needs build/release, or PRIMER.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";

import { open_browser, serve } from "../../scripts/lib/browsers.mjs";
import { rounds, sample } from "../rounds.mjs";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const primer = process.env.PRIMER ?? join(root, "build/release/generator/primer");
const attacks = JSON.parse(await readFile(join(root, "tests/fixtures/attacks.json"), "utf8"));
// The only data: address that a page may have: its icon in the browser's tab.
const icon = /rel="icon" href="([^"]+)"/.exec(
  await readFile(join(root, "site/templates/page.mustache"), "utf8"),
)[1];
const secret = "a-secret-from-outside-the-book";

// A place for an attack: `%` is the plain string, `"%"` a quoted YAML string, `#` a number.
const body_fields = {
  prose: "%",
  heading: "## Section # %",
  quote: "> %",
  list: "- %",
  table: "Table tbl-#: caption %\n\n| a |\n|---|\n| % |",
  link_text: "[%](https://example.org)",
  link: "[x](<%>)",
  image: "![%](picture.svg)",
  image_file: "![x](<%>)",
  code: "```cpp\n%\n```",
  shell: "```bash\n%\n```",
  code_info: "```cpp %\nx\n```",
  note: "x[^n#]\n\n[^n#]: %",
  maths: "$`%`$",
  maths_block: "```math\n%\n```",
  callout: "> [!%]\n> x",
  citation: "[@%]",
  term: "[x](<term:%>)",
  fact: "[3.35 TB/s](<fact:%>)",
  calc: "[1](<calc: %>)",
  figure: '```figure\nid: fig-#\nspec: plain\ncaption: "%"\nalt: "%"\n```',
  figure_spec: '```figure\nid: fig-#\nspec: "%"\ncaption: c\nalt: a\n```',
  figure_id: '```figure\nid: "%"\nspec: plain\ncaption: c\nalt: a\n```',
  bench: '```bench\nid: bench-#\nkernels: [peak.simd]\ntry: "%"\n```',
  bench_kernel: '```bench\nid: bench-#\nkernels: ["%"]\ntry: t\n```',
  verdict:
    '```verdict\nid: verdict-#\non: cores\ncases:\n  - {when: empty, say: "%"}\n' +
    '  - {when: untrusted, say: "%"}\n  - {when: otherwise, say: "%"}\n```',
  verdict_on: '```verdict\nid: verdict-#\non: "%"\ncases: [{when: "%", say: s}]\n```',
  worked:
    '```worked\nid: q-#\nask: "%"\ngiven: {"%": 1 B}\nanswer: 2 B\nexpect: 2 B\nwhy: "%"\ntrap: "%"\n```',
  worked_answer: '```worked\nid: q-#\nask: a\nanswer: "%"\nexpect: "%"\nwhy: w\nyours: "%"\n```',
  quiz:
    '```quiz\nid: q-#\nask: "%"\nchoices:\n  - {say: "%", why: "%", right: true}\n' +
    "  - {say: b, why: c}\n```",
  predict: '```predict\nid: q-#\nask: "%"\nthen: "%"\nchoices: [{say: "%"}, {say: "%"}]\n```',
  predict_unit: '```predict\nid: q-#\nask: a\nthen: b\nmeasured: 1 GB/s\nunit: "%"\n```',
  listing: '```listing\nsource: code/add.cpp#body\ncaption: "%"\n```',
  listing_source: '```listing\nsource: "%"\n```',
  block_yaml: "```quiz\n%\n```",
};
// Fields that occur once per page, so each attack needs a separate page. The default run builds
// every twelfth, and half of the fields above; attack_test.cpp, which needs no browser, tries all.
const one_in = rounds("ONE_IN", 12, 1);
const front_matters = {
  "front-plain": 'title: "%"\nsummary: "%"',
  "front-markdown": 'title: T\nmental_model: "%"\ntakeaway: "%"',
  "front-lists": 'title: T\nprerequisites: ["%"]\nd2l: ["%"]',
  "front-figure": 'title: T\nfigure: "%"',
};

// YAML reads JSON's quotes. A line break would end an unquoted text, so it is quoted.
const quoted = (text) => JSON.stringify(text);
const fill = (template, attack, number) =>
  template
    .replaceAll('"%"', () => quoted(attack))
    .replaceAll("%", () => attack)
    .replaceAll("#: c", `${number}: c`)
    .replace(/(id: (?:fig|bench|verdict|q)-)#/g, `$1${number}`)
    .replaceAll("[^n#]", `[^n${number}]`)
    .replace("Section #", `Section ${number}`);

const head = "---\ntitle: T\n---\n";

function run(...args) {
  return new Promise((done) => {
    execFile(primer, args, { maxBuffer: 256 * 2 ** 20 }, (error, stdout, stderr) =>
      done({ code: error ? (error.code ?? 1) : 0, stdout, stderr }),
    );
  });
}

async function write(book, path, text) {
  await mkdir(dirname(join(book, path)), { recursive: true });
  await writeFile(join(book, path), text);
}

async function write_book(book, chapters, title = "Hostile") {
  await rm(join(book, "chapters/en"), { recursive: true, force: true });
  const slugs = Object.keys(chapters);
  await write(
    book,
    "chapters/book.yaml",
    `title: ${quoted(title)}\nsubtitle: ${quoted(title)}\nlanguage: en\nreference: hostile\n` +
      "repository: https://example.org/book\n" +
      `chapters:\n${slugs.map((slug) => `  - slug: ${slug}\n`).join("")}`,
  );
  for (const [slug, text] of Object.entries(chapters))
    await write(book, `chapters/en/${slug}.md`, text);
  await write(book, "chapters/en/picture.svg", '<svg xmlns="http://www.w3.org/2000/svg"/>');
  await symlink(join(book, "../secret.txt"), join(book, "chapters/en/leak.svg"));
}

/**
 * Slugs of the chapters that the generator accepts, because a check names the file of every error.
 */
async function accepted(book, chapters) {
  const good = [];
  const all = Object.entries(chapters);
  for (let i = 0; i < all.length; i += 500) {
    const some = Object.fromEntries(all.slice(i, i + 500));
    await write_book(book, some);
    const { code, stdout, stderr } = await run("check", "--book", book, "--format", "json");
    assert.ok(code === 0 || code === 1, `primer ended with ${code}: ${stderr}`);
    const refused = new Set(JSON.parse(stdout).map(({ file }) => file));
    good.push(...Object.keys(some).filter((slug) => !refused.has(`chapters/en/${slug}.md`)));
  }
  return good;
}

// No file of a book may contain invisible characters, however they are written, so one such
// character in the data would be the only error. Single fields of chapters are tried with them.
const hidden = /[\u0000-\u001f\u007f-\u009f\u200b\u2028-\u202e\u2060\u2066-\u2069\ufeff]/;
const printable = attacks.filter((attack) => !hidden.test(attack));
const everything = printable.join(" ");
// Fields that no check rejects: free text of references, terms, claims, facts, figures and a
// profile.
async function write_data(book) {
  const each = (make) =>
    JSON.stringify(Object.fromEntries(printable.map((attack, i) => [`x${i}`, make(attack, i)])));
  await write(
    book,
    "chapters/facts/references.json",
    each((a) => ({
      type: a,
      title: a.replaceAll("://", ":"), // another host than the link's is rejected
      venue: a,
      authors: [a],
      url: `https://example.org/${a.replaceAll("\\", "/")}`, // a backslash is rejected
      year: 2020,
      checked: true,
    })),
  );
  await write(
    book,
    "chapters/facts/glossary.json",
    each((a) => ({ term: a, definition: a })),
  );
  await write(
    book,
    "chapters/facts/chips.json",
    JSON.stringify(
      Object.fromEntries(
        printable.flatMap((a, i) => [
          [`x${i}`, { title: a, vendor: a }],
          [`x${i}.bandwidth`, { value: "1 TB/s", sources: [`x${i}`], read: "primary", note: a }],
        ]),
      ),
    ),
  );
  await write(
    book,
    "code/add.cpp",
    `// region: body\n// ${everything.replace(/\s/g, " ")}\n// end region: body\n`,
  );
  await symlink(join(book, "../secret.txt"), join(book, "code/leak.cpp"));
  await write(
    book,
    "figures/specs/plain.json",
    JSON.stringify({
      kind: "roofline",
      title: everything.slice(0, 200),
      machines: attacks
        .slice(0, 4)
        .map((label) => ({ label, peak: "100 TFLOP/s", bandwidth: "1 TB/s" })),
    }),
  );
  await write(
    book,
    "figures/profiles/hostile.json",
    JSON.stringify({
      schema: 1,
      created: "2026-11-20",
      name: everything.slice(0, 150),
      devices: [{ id: "cpu", kind: "cpu", name: everything.slice(0, 150) }],
      levels: [],
      results: [],
      roofs: [],
      cores: { reported: 2, usable: 2 },
    }),
  );
}

/** Opens a page without its CSP and resolves to the violations, in words. */
async function look_at(browser, url, origin) {
  const page = await browser.newPage();
  const seen = [];
  const client = await page.createCDPSession();
  await client.send("Debugger.enable");
  client.on("Debugger.scriptParsed", ({ url: script, scriptId }) => {
    if (script.startsWith(`${origin}/_/`) || script.startsWith("pptr:")) return;
    if (script.startsWith("__puppeteer") || script === "") return;
    seen.push(`a script of its own: ${script} (${scriptId})`);
  });
  page.on("dialog", async (dialog) => {
    seen.push(`a dialog: ${dialog.message()}`);
    await dialog.dismiss();
  });
  page.on("request", (request) => {
    const to = request.url();
    if (!to.startsWith(`${origin}/`) && to !== icon) seen.push(`a request: ${to}`);
  });
  await page.evaluateOnNewDocument(() => {
    for (const name of ["alert", "confirm", "prompt", "eval"])
      window[name] = () => document.documentElement?.setAttribute("data-attacked", name);
  });
  await page.goto(url, { waitUntil: "load" });
  // The page's script makes its additions after the first frame.
  if (await page.$("script[type=module]")) await page.waitForSelector(":root[data-ready]");
  seen.push(
    ...(await page.evaluate(
      (icon, origin) => {
        const found = [];
        const bad =
          "iframe, frame, object, embed, base[href], form:not([class]), style, template, applet, " +
          "meta[http-equiv=refresh i]";
        // An embed opens itself in a frame, to know its height (page/embed.js).
        const is_own_frame = ({ localName, src }) =>
          localName === "iframe" && new RegExp(`^${origin}/embed/[^?]*\\?in-frame$`).test(src);
        for (const element of document.querySelectorAll(bad))
          if (!is_own_frame(element)) found.push(`a <${element.localName}>`);
        for (const script of document.querySelectorAll("script"))
          if (!script.src || script.textContent) found.push("an inline script");
        const all = [...document.querySelectorAll("*")].filter((one) => !is_own_frame(one));
        for (const element of all)
          for (const { name, value } of element.attributes) {
            if (name.startsWith("on") || name === "style" || name === "srcdoc")
              found.push(`${name} on <${element.localName}>`);
            const address = /^(href|src|xlink:href|action|formaction|data|poster)$/.test(name);
            const to = address ? new URL(value, document.baseURI).protocol : "";
            if (address && !/^(https?|mailto):$/.test(to) && value !== icon)
              found.push(`the address ${value}`);
          }
        if (document.documentElement.dataset.attacked) found.push("a script ran");
        return found;
      },
      icon,
      origin,
    )),
  );
  if (page.url() !== url) seen.push(`it went to ${page.url()}`);
  await page.close();
  return seen;
}

describe("a hostile book", { timeout: 600_000 }, () => {
  let folder, book, browser;
  const build = (out) =>
    run("build", "--book", book, "--out", out, "--modules", "none", "--fonts", "none");
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "attacks-"));
    book = join(folder, "book");
    await writeFile(join(folder, "secret.txt"), secret);
    await write_data(book);
    browser = await open_browser("chromium");
  });
  after(async () => {
    await browser?.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function build_and_look(chapters, title) {
    const site = join(folder, "site");
    await write_book(book, chapters, title);
    const built = await build(site);
    assert.equal(built.code, 0, built.stderr.slice(0, 4000));
    const policy = /<meta http-equiv="Content-Security-Policy"[^>]*>/;
    const server = await serve(site, {
      alter: (path, bytes) => {
        assert.ok(!bytes.includes(secret), `${path} holds what lies outside the book`);
        if (!path.endsWith("/") && !path.endsWith(".html")) return bytes;
        assert.match(String(bytes), policy, path);
        return Buffer.from(String(bytes).replace(policy, ""));
      },
    });
    try {
      const origin = new URL(server.url).origin;
      const files = (await readdir(site, { recursive: true })).map((name) =>
        name.replaceAll("\\", "/"),
      );
      const pages = files.filter((name) => /(\.html|\.svg)$/.test(name) && !name.startsWith("_/"));
      for (const page of pages) {
        const found = await look_at(browser, server.url + page, origin);
        assert.deepEqual([...new Set(found)], [], page);
      }
      return pages.length;
    } finally {
      await server.close();
    }
  }

  test("what would get through is seen", async () => {
    const open_wound = join(folder, "wound");
    const holes = {
      "script.html": "<script>alert(1)</script>",
      "handler.html": "<img src=x onerror=alert(1)>",
      "link.html": '<a href="javascript:alert(1)">x</a>',
      "foreign.html": '<img src="http://127.0.0.2:9/x.png">',
      "frame.html": "<iframe srcdoc='<script>parent.alert(1)</script>'></iframe>",
      "away.html": '<meta http-equiv="refresh" content="0;url=clean.html">',
    };
    for (const [name, text] of Object.entries(holes))
      await write(open_wound, name, `<p>${text}</p>`);
    await write(open_wound, "clean.html", '<p><a href="#x" id="x">clean</a></p>');
    const server = await serve(open_wound);
    try {
      const origin = new URL(server.url).origin;
      // A page that navigates away during the check is reported as an error.
      const seen = (name) =>
        look_at(browser, server.url + name, origin).then(
          (found) => found.length > 0,
          () => true,
        );
      for (const name of Object.keys(holes)) assert.ok(await seen(name), name);
      assert.ok(!(await seen("clean.html")));
    } finally {
      await server.close();
    }
  });

  test("chapters: every field", async () => {
    const tries = {};
    const fields = sample(Object.entries(body_fields), 2);
    for (const [field, template] of fields)
      attacks.forEach((attack, i) => {
        tries[`${field.replaceAll("_", "-")}-${i}`] = head + fill(template, attack, i) + "\n";
      });
    for (const [field, template] of Object.entries(front_matters))
      attacks.forEach((attack, i) => {
        if (i % one_in === 0)
          tries[`${field}-${i}`] = `---\n${fill(template, attack, i)}\n---\nText.\n`;
      });
    const good = await accepted(book, tries);
    // Enough attacks must be accepted for the test to be useful, and enough must be rejected.
    assert.ok(good.length > (attacks.length * fields.length) / 7, `${good.length} accepted`);
    assert.ok(good.length < Object.keys(tries).length, "nothing refused");

    // All attacks that a field accepts, on one page; titles and similar fields one by one.
    const pages = {};
    for (const slug of good) {
      const page = slug.startsWith("front-") ? slug : slug.replace(/-\d+$/, "");
      const text = tries[slug];
      pages[page] = pages[page] ? `${pages[page]}\n${text.slice(head.length)}` : text;
    }
    assert.ok((await build_and_look(pages)) > fields.length / 2);
  });

  test("facts, references, terms, claims, figures and the profile", async () => {
    const cite = printable.map(
      (_, i) => `[@x${i}] [t](term:x${i}) [1 TB/s](fact:x${i}.bandwidth)\n\n`,
    );
    const figure = "```figure\nid: fig-x\nspec: plain\ncaption: c\nalt: a\n```\n";
    const bench = "```bench\nid: bench-x\nkernels: [peak.simd]\ntry: t\n```\n";
    await build_and_look({
      data: `${head}${cite.join("")}${figure}${bench}`,
      terms: `${head}\`\`\`glossary\n\`\`\`\n`,
    });
  });

  // Two halves, because a title has at most 3,000 characters.
  const half = Math.ceil(printable.length / 2);
  for (const [name, title] of [
    ["the first half", printable.slice(0, half).join(" ")],
    ["the second half, backwards", printable.slice(half).reverse().join(" ")],
  ])
    test(`the book's own title, ${name}`, async () => {
      await build_and_look({ one: `${head}Text.\n` }, title);
    });

  test("pictures that are documents, and their names", async () => {
    const bad = {
      "script.svg": '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
      "handler.svg": '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>',
      "foreign.svg":
        '<svg xmlns="http://www.w3.org/2000/svg"><foreignObject><p xmlns="http://www.w3.org/1999/xhtml"/></foreignObject></svg>',
      "use.svg":
        '<svg xmlns="http://www.w3.org/2000/svg"><use href="https://evil.example/x.svg#y"/></svg>',
      "style.svg":
        '<svg xmlns="http://www.w3.org/2000/svg"><style>@import "https://evil.example/x.css"</style></svg>',
      "entity.svg":
        '<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]><svg xmlns="http://www.w3.org/2000/svg"><text>&x;</text></svg>',
      "html.svg": "<html><script>alert(1)</script></html>",
    };
    await write_book(book, {
      one:
        head +
        Object.keys(bad)
          .map((file) => `![x](${file})\n\n`)
          .join(""),
    });
    for (const [file, text] of Object.entries(bad)) await write(book, `chapters/en/${file}`, text);
    const { stdout } = await run("check", "--book", book, "--format", "json");
    const refused = JSON.parse(stdout).filter(({ rule }) => rule === "bad-image");
    assert.equal(refused.length, Object.keys(bad).length, stdout);

    // An image that draws something without its harmful part loses that part.
    const mended = {
      "link.svg":
        '<svg xmlns="http://www.w3.org/2000/svg"><a href="javascript:alert(1)"><path d="M0 0"/></a></svg>',
      "sheet.svg":
        '<?xml-stylesheet href="https://evil.example/x.css"?><svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0"/></svg>',
    };
    await write_book(book, {
      one:
        head +
        Object.keys(mended)
          .map((file) => `![x](${file})\n\n`)
          .join(""),
    });
    for (const [file, text] of Object.entries(mended))
      await write(book, `chapters/en/${file}`, text);
    await rm(join(folder, "site"), { force: true, recursive: true });
    const made = await build(join(folder, "site"));
    assert.equal(made.code, 0, made.stderr);
    for (const file of Object.keys(mended)) {
      const published = await readFile(join(folder, "site/images/en", file), "utf8");
      assert.match(published, /<path/);
      assert.doesNotMatch(published, /script|stylesheet|href/);
    }

    const names = [
      '"><img src=x onerror=alert(1)>',
      "{{{body}}}",
      "' onload='alert(1)",
      "javascript:alert(1)",
    ];
    const drawing = '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0"/></svg>';
    const escaped = (name) => name.replace(/[<>"]/g, "\\$&");
    const chapters = Object.fromEntries(
      names.map((name, i) => [`n${i}`, `${head}![x](<./${escaped(name)}.svg>)\n`]),
    );
    await write_book(book, chapters);
    for (const name of names) await write(book, `chapters/en/${name}.svg`, drawing);
    await rm(join(folder, "site"), { force: true, recursive: true });
    const { code, stderr } = await build(join(folder, "site"));
    assert.equal(code, 0, stderr);
  });
});
