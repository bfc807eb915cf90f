// The preview of /write/ if the book's own program has a bug and lets an author's markup through.
// The markup is given raw, as a whole page, as a new text for one and in a block that is pressed.
// Nothing of it may run or contact another origin, and the frame must not navigate, whatever is
// pressed.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";

import { sample } from "../rounds.mjs";
import { any_browser, in_each_browser, open_watched, until } from "./support/browser_page.mjs";

const attacks = JSON.parse(readFileSync("tests/fixtures/attacks.json", "utf8"));

/** A stranger's server, which must not learn about the reader. */
async function listen() {
  const heard = [];
  const server = createServer((request, response) => {
    heard.push(request.url);
    response.end("<title>elsewhere</title>");
  });
  server.on("connection", () => heard.push("a connection"));
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  server.unref();
  return { heard, url: `http://127.0.0.1:${server.address().port}/`, server };
}

/** An attack that contacts `leak` and notifies this page that it ran. */
const raised = (attack, leak) =>
  attack
    .replaceAll(/https?:\/\/evil\.example\//g, leak)
    .replaceAll("alert(1)", "top.postMessage(666,'*')");

const big = 'style="display:block;width:300px;height:200px"';
const xlink = 'xmlns:xlink="http://www.w3.org/1999/xlink"';
const rectangle = '<rect width="300" height="200"/>';
/** Elements that can be pressed or that act on their own; `leak` is the other server's address. */
const ways_out = (leak) => ({
  "a link": `<a ${big} href="${leak}a">x</a>`,
  "a link to the top": `<a ${big} target="_top" href="${leak}b">x</a>`,
  "a link to the parent": `<a ${big} target="_parent" href="${leak}c">x</a>`,
  "a link to a new window": `<a ${big} target="_blank" rel="opener" href="${leak}d">x</a>`,
  "a link that is a script": `<a ${big} href="javascript:top.postMessage(666,'*')">x</a>`,
  "a link that is data": `<a ${big} href="data:text/html,x">x</a>`,
  "a link with a file": `<a ${big} download href="${leak}e">x</a>`,
  "a link that tells": `<a ${big} ping="${leak}f" href="#x">x</a>`,
  "a link in a drawing": `<svg width="300" height="200"><a href="${leak}g">${rectangle}</a></svg>`,
  "an old link in a drawing": `<svg width="300" height="200" ${xlink}><a xlink:href="${leak}h">${rectangle}</a></svg>`,
  "a link that becomes one": `<svg width="300" height="200"><a><set attributeName="href" to="${leak}i"/>${rectangle}</a></svg>`,
  "a formula that is a link": `<math ${big} href="${leak}j"><mi>x</mi></math>`,
  "a map": `<img ${big} usemap="#m" src="data:image/gif;base64,R0lGODlhAQABAAAAACw="/><map name="m"><area shape="default" href="${leak}k"/></map>`,
  "a form": `<form action="${leak}l"><button ${big}>x</button></form>`,
  "a button with an address": `<form><button ${big} formaction="${leak}m" formtarget="_top">x</button></form>`,
  "a form that posts": `<form method="post" action="${leak}n"><input type="image" ${big} alt="x"/></form>`,
  "a page that goes on": `<meta http-equiv="refresh" content="0;url=${leak}o"/>`,
  "another base": `<base href="${leak}p/"/><a ${big} href="q">x</a>`,
  "another base and target": `<base target="_top"/><a ${big} href="${leak}r">x</a>`,
  "what is fetched": `<img src="${leak}s"/><video src="${leak}t" autoplay></video><audio src="${leak}u"></audio><input type="image" src="${leak}v"/>`,
  frames: `<iframe src="${leak}w"></iframe><object data="${leak}x"></object><embed src="${leak}y"/>`,
  "links of pages": [
    "stylesheet",
    "prefetch",
    "preload",
    "preconnect",
    "dns-prefetch",
    "icon",
    "manifest",
    "modulepreload",
  ]
    .map((rel) => `<link rel="${rel}" as="image" href="${leak}${rel}"/>`)
    .join(""),
  styles: `<style>@import "${leak}z";main{background:url(${leak}1)}</style><p style="background:url(${leak}2)">x</p>`,
  handlers: `<details open ontoggle="top.postMessage(666,'*')">x</details><img src="data:," onerror="top.postMessage(666,'*')"/><svg onload="top.postMessage(666,'*')"></svg>`,
  scripts: `<script>top.postMessage(666,'*')</script><svg><script>top.postMessage(666,'*')</script></svg><script src="${leak}3"></script>`,
  "a frame in it": `<iframe srcdoc="<script>top.postMessage(666,'*')</script>"></iframe><iframe src="javascript:top.postMessage(666,'*')"></iframe>`,
});

/** All that is tried, [[name, markup], …]. */
const every_attack = (leak) => [
  ...Object.entries(ways_out(leak)),
  ...attacks.map((attack) => [attack, raised(attack, leak)]),
];

/** Shows `first` and then `second` in a frame of the preview. Their content has a mark. */
async function show(page, first, second, pause_ms) {
  await page.evaluate(
    async (texts) => {
      const main = [...document.scripts].find(({ src }) => src.endsWith("/main.js")).src;
      const { make_frame, make_preview } = await import(new URL("write/preview.js", main).href);
      document.querySelector("#tried")?.remove();
      const frame = make_frame({ id: "tried", title: "tried" });
      Object.assign(frame.style, {
        position: "fixed",
        inset: "0",
        width: "600px",
        height: "400px",
      });
      document.body.append(frame);
      const { show } = make_preview(frame, new URL("../", location.href).href);
      const whole = (text) =>
        `<!DOCTYPE html><html><head><meta http-equiv="Content-Security-Policy" content="x"/></head><body style="margin:0"><main style="margin:0"><p>mark</p>${text}</main></body></html>`;
      const loaded = new Promise((resolve) =>
        frame.addEventListener("load", resolve, { once: true }),
      );
      show(whole(texts[0]), "tried/");
      await loaded;
      show(whole(texts[1]), "tried/");
    },
    [first, second],
  );
  await new Promise((resolve) => setTimeout(resolve, pause_ms));
}

/**
 * Opens a measurement that contains `text`, as the preview does; `runs` are the runs in the page's
 * data. Returns the reason if it does not open, or "".
 */
const open_bench = (page, text, runs) =>
  page.evaluate(
    async ([inside, asked]) => {
      const main = [...document.scripts].find(({ src }) => src.endsWith("/main.js")).src;
      const { open_block } = await import(new URL("write/block_dialog.js", main).href);
      const controls = '<div class="bench-controls"></div><p class="bench-status"></p>';
      const html = `<main><primer-bench id="b"><div class="bench-act">${controls}</div><p>mark</p>${inside}</primer-bench></main>`;
      const data = JSON.stringify({ benches: [{ id: "b", runs: asked }] });
      return open_block({ pressed: "b" }, { html, data }).then(
        () => "",
        ({ message }) => message,
      );
    },
    [text, runs],
  );

/** Parts of the open block that could run, load or navigate. */
const found_alive = () => {
  const all = [...document.querySelector("dialog.with-block").querySelectorAll("*")];
  const bad =
    "a, area, audio, base, embed, form, iframe, image, img, link, meta, object, script, set, style, template, use, video";
  const attributes = all.flatMap((one) => one.getAttributeNames());
  return [
    ...all.filter((one) => one.matches(bad)).map(({ localName }) => localName),
    ...attributes.filter((name) => /^on|^(?:xlink:)?href$|^src|action|^ping$|^style$/.test(name)),
  ];
};

/** All user actions at a position. */
async function press_everything(page, x = 100, y = 130) {
  await page.mouse.click(x, y);
  await page.mouse.click(x, y, { button: "middle" });
  for (const key of ["Control", "Shift"]) {
    await page.keyboard.down(key);
    await page.mouse.click(x, y);
    await page.keyboard.up(key);
  }
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 200, y + 200, { steps: 3 });
  await page.mouse.up();
  for (const key of ["Tab", "Enter"]) await page.keyboard.press(key);
  await new Promise((resolve) => setTimeout(resolve, 100));
}

in_each_browser(
  (session) => {
    let elsewhere = null;
    before(async () => (elsewhere = await listen()));
    after(() => elsewhere.server.close());

    test("raw markup in the frame runs nothing, contacts nobody and does not navigate", async () => {
      const { page } = await open_watched(
        session.browser,
        new URL("write/", session.server.url).href,
      );
      await page.evaluate(() =>
        addEventListener("message", ({ data }) => data === 666 && (window.hacked = true)),
      );
      const all = sample(every_attack(elsewhere.url), 4);
      const pages = (await session.browser.pages()).length;
      for (const [what, text] of all)
        for (const [first, second] of [
          ["", text],
          [text.replaceAll(/<script\b[^]*?<\/script>/gi, ""), "x"],
        ]) {
          const is_first = second === "x";
          await show(page, first, is_first ? first : second, attacks.includes(what) ? 40 : 150);
          if (text.includes("300px") || text.includes('"300"')) await press_everything(page);
          const frame = await (await page.$("#tried")).contentFrame();
          const found = {
            hacked: await page.evaluate(() => window.hacked),
            at: frame.url(),
            mark: await frame.evaluate(() => document.body.innerText.includes("mark")),
            pages: (await session.browser.pages()).length,
            heard: elsewhere.heard,
            page: page.url().replace(/#.*/, ""),
          };
          const good = {
            hacked: undefined,
            at: "about:srcdoc",
            mark: true,
            pages,
            heard: [],
            page: new URL("write/", session.server.url).href,
          };
          assert.deepEqual(found, good, what);
        }
      // A script that ran would have been noticed.
      const frame = await (await page.$("#tried")).contentFrame();
      await frame.evaluate(() => top.postMessage(666, "*"));
      await until(page, () => window.hacked);
      await page.close();
    });

    test("a raw block opens without anything that could run, and only with kernels of the book", async () => {
      const address = new URL("write/", session.server.url).href;
      const { page } = await open_watched(session.browser, address);
      await page.evaluate(() =>
        addEventListener("message", ({ data }) => data === 666 && (window.hacked = true)),
      );
      const all = sample(every_attack(elsewhere.url), 4);
      const pages = (await session.browser.pages()).length;
      for (const [what, text] of all) {
        assert.equal(await open_bench(page, text, []), "", what);
        await until(page, () => document.querySelector("dialog.with-block").open);
        if (text.includes("300px") || text.includes('"300"')) {
          const box = await (await page.$("#draft-b")).boundingBox();
          await press_everything(page, box.x + 30, box.y + box.height - 10);
        }
        const found = {
          hacked: await page.evaluate(() => window.hacked),
          alive: await page.evaluate(found_alive),
          pages: (await session.browser.pages()).length,
          heard: elsewhere.heard,
          page: page.url().replace(/#.*/, ""),
        };
        assert.deepEqual(
          found,
          { hacked: undefined, alive: [], pages, heard: [], page: address },
          what,
        );
        await page.evaluate(() => document.querySelector("dialog.with-block").close());
      }
      for (const run of [
        { kernel: "stream.nothing", params: {}, threads: 1 },
        { kernel: "stream.triad", params: { w: 1e18 }, threads: 1 },
        { kernel: "stream.triad", params: { w: 65536 }, threads: 1e9 },
      ]) {
        assert.equal(await open_bench(page, "", [run]), "it asks for what the book does not have");
        assert.equal(await page.$eval("dialog.with-block", ({ open }) => open), false);
      }
      await page.close();
    });
  },
  { kinds: any_browser },
);
