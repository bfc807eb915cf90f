// The reading modules, each alone: the stored state of a page, its effect on the next visit, the
// contents, the options and the search, with pages and stores from the test.
import assert from "node:assert/strict";
import { test } from "node:test";

import { bare_pages } from "../../support/bare_pages.mjs";

const { open } = bare_pages();

test("record: what is stored is taken as far as it makes sense", async () => {
  const page = await open();
  const seen = await page.evaluate(async () => {
    const { record_of, store_record, forget_records, share_words, is_read } =
      await import("/runtime/reading/record.js");
    const none = [record_of("/a/"), record_of("constructor"), share_words("/a/")];
    const records = {
      "/full/": { share: 1, at: "x", within: 0.5, when: 7, sections: { x: "1" } },
      "/odd/": { share: 2, at: 3, within: -1, when: "x", sections: "y" },
      "/below/": { share: -0.1, within: 1.5, when: Infinity, sections: null },
      "/edge/": { share: 0, within: 1, when: -5 },
      "/text/": "read",
      "/null/": null,
    };
    localStorage.setItem("primer / reading.v1", JSON.stringify({ pages: records }));
    const read = Object.fromEntries(Object.keys(records).map((path) => [path, record_of(path)]));
    const shares = [0, 0.0199, 0.02, 0.07, 0.126, 0.4, 0.9699, 0.97, 1].map((share) => {
      store_record("/s/", { share });
      return [share_words("/s/"), is_read("/s/")];
    });
    const kept = record_of("/full/").at;
    forget_records();
    const damaged = ["{", "[]", "null", '{"pages": 3}', '{"pages": null}'].map((text) => {
      localStorage.setItem("primer / reading.v1", text);
      return record_of("/full/");
    });
    return { none, read, shares, kept, damaged };
  });
  assert.deepEqual(seen.none, [null, null, ""]);
  assert.deepEqual(seen.read, {
    "/full/": { share: 1, at: "x", within: 0.5, when: 7, sections: { x: "1" } },
    "/odd/": { share: 0, at: "", within: 0, when: 0, sections: {} },
    "/below/": { share: 0, at: "", within: 0, when: 0, sections: {} },
    "/edge/": { share: 0, at: "", within: 1, when: -5, sections: {} },
    "/text/": null,
    "/null/": null,
  });
  assert.deepEqual(
    seen.shares.map(([words]) => words),
    ["", "", "5 %", "5 %", "15 %", "40 %", "95 %", "read", "read"],
  );
  assert.deepEqual(
    seen.shares.map(([, is_read]) => is_read),
    [false, false, false, false, false, false, false, true, true],
  );
  assert.equal(seen.kept, "x");
  assert.deepEqual(seen.damaged, [null, null, null, null, null]);
});

test("sections: the words of a section are its digest; what lives and counts is not", async () => {
  const page = await open();
  const digests = (html) =>
    page.evaluate(async (markup) => {
      const { digests_of, headings_of } = await import("/runtime/reading/sections.js");
      const main = Object.assign(document.createElement("main"), { innerHTML: markup });
      document.body.replaceChildren(main);
      return {
        ...digests_of(main),
        headings: headings_of(main)
          .map(({ id }) => id)
          .join(),
      };
    }, html);
  const before = await digests(
    '<p>Before</p><h2 id="a">A</h2><p>One two <b>three</b></p><h3 id="b">B</h3><p>x</p><h2>No id</h2>',
  );
  assert.deepEqual(Object.keys(before).sort(), ["", "a", "b", "headings"]);
  assert.equal(before.headings, "a,b");
  assert.equal(new Set(Object.values(before)).size, 4, "different words, different digests");
  const same = await digests(
    '<p>Be fore</p><h2 id="a">A <span class="number">2</span></h2><p>One  two <b>th</b>ree' +
      "<svg><text>drawn</text></svg><output>9</output></p><form>guess</form>" +
      '<h3 id="b">B</h3><p>x<a href="p#fig-3">Figure 3</a></p><h2>No id</h2>',
  );
  assert.deepEqual(same, before);
  const other = await digests(
    '<p>Before</p><h2 id="a">A</h2><p>One two <b>four</b></p><h3 id="b">B</h3><p>x</p><h2>No id</h2>',
  );
  assert.notEqual(other.a, before.a);
  assert.deepEqual({ ...other, a: 0 }, { ...before, a: 0 });
});

const contents = `<details class="contents" open><summary>Contents</summary><nav><ol class="contents-list">
<li><a href="/read/">Read</a></li><li><a href="/begun/" aria-current="page">Begun</a></li>
<li><a href="/new/">New</a></li></ol><a href="#s3">Last</a></nav></details><main><h2 id="s3">Last</h2></main>`;
const reading_records = {
  pages: { "/read/": { share: 1 }, "/begun/": { share: 0.4 }, "/new/": { share: 0 } },
};
const remember = (page, records) =>
  page.evaluate((all) => {
    localStorage.setItem("primer / reading.v1", JSON.stringify(all));
  }, records);

test("contents: marks of what was read, and tools; a link into this page closes them", async () => {
  const page = await open({ html: contents });
  await remember(page, reading_records);
  const seen = await page.evaluate(async () => {
    const { fill_contents, mark_read } = await import("/runtime/reading/contents.js");
    const details = document.querySelector("details");
    let pressed = 0;
    const tools_in = { Search: () => ++pressed };
    await fill_contents(details, tools_in);
    await fill_contents(details, tools_in);
    await mark_read(document.querySelector(".contents-list"));
    const texts = (selector) =>
      [...document.querySelectorAll(selector)].map(({ textContent }) => textContent);
    const marks = texts(".contents-list > li");
    const titles = [...document.querySelectorAll(".read-share")].map(({ title }) => title);
    const tools = texts(".contents-tools button");
    document.querySelector(".contents-tools button").click();
    const open_after_tool = details.open;
    details.open = true;
    document.querySelector(".contents-list").click();
    const open_after_list = details.open;
    document.querySelector('nav a[href="#s3"]').click();
    return {
      ...{ marks, titles, tools, pressed, open_after_tool, open_after_list },
      open_after_link: details.open,
    };
  });
  assert.deepEqual(seen.marks, ["Read✓ (read)", "Begun◐ (40 %)", "New"]);
  assert.deepEqual(seen.titles, ["read", "40 %"]);
  assert.deepEqual(seen.tools, ["Search"]);
  assert.deepEqual(
    [seen.pressed, seen.open_after_tool, seen.open_after_list, seen.open_after_link],
    [1, false, true, false],
  );
});

const chapter = `<style>body{margin:0} h2{margin:0;height:50px} p{margin:0;height:750px}</style><main>
<h2 id="a">A</h2><p>one</p><h2 id="b">B</h2><p>two</p><h2 id="c">C</h2><p>three</p></main>`;
const followed = async (record, scroll = 0) => {
  const page = await open({ html: chapter });
  await page.setViewport({ width: 800, height: 600 });
  if (record) await remember(page, { pages: { "/page.html": record } });
  await page.evaluate(async (y) => {
    scrollTo(0, y);
    const { follow } = await import("/runtime/reading/reading.js");
    follow();
  }, scroll);
  return page;
};
const soon = (page, look) => page.waitForFunction(look, { polling: 20, timeout: 60_000 });
const stored_record = (page) =>
  page.evaluate(
    () => JSON.parse(localStorage.getItem("primer / reading.v1"))?.pages["/page.html"] ?? null,
  );

test("reading: the place is the section under the upper third, and how far into it", async () => {
  const before = Date.now();
  const page = await followed(null, 1000); // line at 1200 of 2400: 400 into B, which ends at 1600
  await soon(page, () => localStorage.getItem("primer / reading.v1") !== null);
  const record = await stored_record(page);
  assert.equal(record.at, "b");
  assert.ok(Math.abs(record.within - 0.5) < 0.01, `${record.within}`);
  assert.ok(Math.abs(record.share - 1600 / 2400) < 0.01, `${record.share}`);
  assert.deepEqual(Object.keys(record.sections), ["b"]);
  assert.ok(before <= record.when && record.when <= Date.now(), `${record.when}`);
  await page.evaluate(() => scrollTo(0, 600)); // the line is at the very start of B
  await soon(
    page,
    () => JSON.parse(localStorage.getItem("primer / reading.v1")).pages["/page.html"].within < 0.4,
  );
  const back = await stored_record(page);
  assert.deepEqual([back.at, back.within], ["b", 0]);
  assert.ok(Math.abs(back.share - 1600 / 2400) < 0.01, "what was read stays read");
});

test("reading: the header and the list next to the text show the current section", async () => {
  const page = await open({ html: chapter });
  await page.setViewport({ width: 800, height: 600 });
  const places = await page.evaluate(async () => {
    document.body.insertAdjacentHTML(
      "beforeend",
      `<p style="position:fixed" class="place-section"></p>
      <nav style="position:fixed" class="rail"><a href="#a">A</a><a href="#b">B</a></nav>`,
    );
    const { follow } = await import("/runtime/reading/reading.js");
    follow();
    const seen = [];
    for (const y of [0, 1000, 0]) {
      scrollTo(0, y);
      for (let frames = 0; frames < 3; ++frames)
        await new Promise((next) => requestAnimationFrame(next));
      seen.push([
        document.querySelector(".place-section").textContent,
        document.querySelector(".rail [aria-current]")?.textContent ?? "",
      ]);
    }
    return seen;
  });
  assert.deepEqual(places, [
    ["A", "A"],
    ["B", "B"],
    ["A", "A"],
  ]);
});

test("stopped: one link to a prefilled issue follows the section that is read", async () => {
  const report = "https://git.example/issues/new?template=mistake.yml&page=gpu%2F%23old&build=1";
  const page = await open({
    html: `<main><h2 id="a">1 A</h2><p>x</p><h2 id="b">2 B</h2><p>y</p>
<details class="fold"><summary><h2 id="c">3 C</h2></summary></details></main>
<a id="report" href="${report}">Report a mistake</a>`,
  });
  const places = await page.evaluate(async () => {
    const { place_stopped } = await import("/runtime/reading/stopped.js");
    const [a, b, c] = document.querySelectorAll("h2");
    const seen = [];
    for (const sections of [[a, b], [b, c], [c], [null, a]]) {
      place_stopped(...sections);
      const links = [...document.querySelectorAll(".stopped-here")];
      seen.push(links.map((link) => [link.nextElementSibling.tagName, link.href]).flat());
    }
    document.getElementById("report").remove();
    place_stopped(a, b);
    seen.push([...document.querySelectorAll(".stopped-here")]);
    return seen;
  });
  const issue = (page, title) =>
    `https://git.example/issues/new?template=mistake.yml&page=gpu%2F%23${page}&build=1&title=This+stopped+me+here%3A+${title}`;
  assert.deepEqual(places, [["H2", issue("a", "1+A")], ["DETAILS", issue("b", "2+B")], [], [], []]);
});

test("reading: a first visit at its beginning notes nothing and offers nothing", async () => {
  const page = await followed(null);
  await new Promise((resolve) => setTimeout(resolve, 600));
  assert.equal(await stored_record(page), null);
  assert.equal(await page.$(".reading-notice"), null);
});

test("reading: the next visit offers to go on, and leads there", async () => {
  const when = Date.UTC(2026, 4, 17, 12);
  const page = await followed({ share: 0.5, at: "b", within: 0.5, when, sections: {} });
  await soon(page, () => document.querySelector(".reading-notice button"));
  const words = await page.$eval(".reading-notice", ({ textContent }) => textContent);
  assert.match(words, /^On (May 17|17 May) you stopped at B\.Continue thereClose$/);
  await page.click(".reading-notice a");
  const seen = await page.evaluate(() => [
    Math.round(scrollY),
    document.activeElement.id,
    document.querySelector(".reading-notice") === null,
  ]);
  assert.deepEqual(seen, [1000, "b", true]);
});

test("reading: nothing is offered to who has read the page, or has gone on already", async () => {
  const record = { share: 0.5, at: "b", within: 0.5, when: 1, sections: {} };
  const is_quiet = async (before, scroll) => {
    const page = await followed(before, scroll);
    await new Promise((resolve) => setTimeout(resolve, 250));
    assert.equal(await page.$(".reading-notice"), null);
  };
  await is_quiet({ ...record, share: 0.99 });
  await is_quiet({ ...record, at: "gone" });
  await is_quiet(record, 100);
  await soon(await followed(record, 99), () => document.querySelector(".reading-notice"));
});

test("reading: sections that have changed are named until the notice is closed", async () => {
  const sections = { a: "0", b: "0", constructor: "0" };
  const page = await followed({ share: 1, at: "a", within: 0, when: 1, sections });
  await soon(page, () => document.querySelector(".reading-notice button"));
  const links = await page.$$eval(".reading-notice ul a", (all) => all.map((a) => a.textContent));
  assert.deepEqual(links, ["A", "B"]);
  await page.click(".reading-notice button");
  const { sections: now } = await stored_record(page);
  assert.ok(now.a !== "0" && now.b !== "0" && now.constructor === "0" && !("c" in now));
  assert.equal(await page.$(".reading-notice"), null);
});

const engine = `let calls = [];
export const destroy = () => {};
export const options = () => {};
export const init = () => {};
export const search = async (words) => {
  if (words) (globalThis.searched ??= []).push(words);
  if (words === "fail") throw new Error("it broke");
  const all = { none: 0, one: 1, four: 4, twenty: 20 }[words] ?? 2;
  return { results: Array.from({ length: all }, (_, i) => ({ id: words + i, data: async () => ({
    raw_url: i === 0 ? "/c/#s" : undefined, url: "/d/", excerpt: "a &lt;b&gt; <mark>hit</mark> &odd; &amp;",
    meta: { title: "T" + i, chapter: i === 1 ? "T1" : "Ch" } }) })) };
};`;
const searching = async (files = { "search/pagefind.js": engine }) => {
  const page = await open({ files });
  await page.evaluate(async () => {
    const { open_search } = await import("/runtime/reading/search.js");
    await open_search();
  });
  return page;
};
const asks = async (page, words) => {
  await page.evaluate((text) => {
    const input = document.querySelector("dialog input");
    input.value = text;
    input.dispatchEvent(new Event("input"));
  }, words);
  await page.waitForFunction(
    (w) => document.querySelector("dialog").dataset.answered === w,
    {},
    words,
  );
};
const status_is = (page, words) =>
  page.waitForFunction(
    (said) => document.querySelector("dialog .panel-status").textContent === said,
    { timeout: 60_000 },
    words,
  );

test("search: results with their chapter and the words found, four and then more", async () => {
  const page = await searching();
  await asks(page, "twenty");
  const items = await page.$$eval(".found li", (all) => all.map((one) => one.textContent));
  const excerpt = "a <b> hit &odd; &";
  assert.deepEqual(items, [
    `T0 Ch${excerpt}`,
    `T1${excerpt}`,
    ...[2, 3].map((i) => `T${i} Ch${excerpt}`),
    "10 more",
  ]);
  const links = await page.$$eval(".found a", (all) =>
    all.map(({ pathname, hash }) => pathname + hash),
  );
  assert.deepEqual(links.slice(0, 2), ["/c/#s", "/d/"]);
  assert.equal(await page.$eval(".found mark", ({ textContent }) => textContent), "hit");
  await status_is(page, "20 sections, the first 4 shown.");
  await page.click(".found button");
  await page.waitForFunction(() => document.querySelectorAll(".found a").length === 14);
  await page.waitForFunction(() => document.activeElement.textContent.startsWith("T4"));
  assert.equal(await page.$eval(".found button", ({ textContent }) => textContent), "6 more");
  await asks(page, "four");
  await status_is(page, "4 sections.");
  assert.equal(await page.$(".found button"), null);
  await asks(page, "one");
  await status_is(page, "One section.");
  await asks(page, "none");
  await status_is(page, "Nothing found.");
  await asks(page, "  ");
  await status_is(page, "");
});

test("search: arrows go through the results and stop at their ends", async () => {
  const page = await searching();
  await asks(page, "words");
  const where = () =>
    page.evaluate(() => document.activeElement.textContent.slice(0, 2) || "field");
  const keys = ["ArrowDown", "ArrowDown", "ArrowDown", "ArrowUp", "ArrowUp", "ArrowUp", "a"];
  const seen = [await where()];
  for (const key of keys) {
    await page.keyboard.press(key);
    seen.push(await where());
  }
  assert.deepEqual(seen, ["field", "T0", "T1", "T1", "T0", "field", "field", "field"]);
  await page.keyboard.press("Escape");
  assert.equal(await page.$eval("dialog", ({ open: is_open }) => is_open), false);
});

test("search: what one or two letters find is asked only when nothing follows", async () => {
  const page = await searching();
  await page.evaluate(() => {
    const input = document.querySelector("dialog input");
    for (const text of ["a", "ab", "abc"]) {
      input.value = text;
      input.dispatchEvent(new Event("input"));
    }
  });
  await page.waitForFunction(() => document.querySelector("dialog").dataset.answered === "abc");
  await new Promise((resolve) => setTimeout(resolve, 350));
  assert.deepEqual(await page.evaluate(() => globalThis.searched), ["abc"]);
  await asks(page, "ab");
  assert.deepEqual(await page.evaluate(() => globalThis.searched), ["abc", "ab"]);
});

test("search: a missing index and a failed search are reported", async () => {
  const page = await searching();
  await page.evaluate(() => {
    const input = document.querySelector("dialog input");
    input.value = "fail";
    input.dispatchEvent(new Event("input"));
  });
  await status_is(page, "Search failed: it broke.");
  const without = await searching({});
  await status_is(without, "Unavailable, because you are offline, or the search index is missing.");
});

const canonical = '<link rel="canonical" href="https://example.org/">';
const list = {
  text: { "a.html": [10, "x"], "b.html": [20, "y"], "0.txt": [0, "w"] },
  rest: { "c.wasm": [70, "z"] },
};
const published = { "offline.json": JSON.stringify(list) };
const answers = (page, name, ...words) =>
  page.evaluate(
    async (what, given) => {
      const offline = await import("/runtime/reading/offline.js");
      for (const key of await caches.keys()) if (globalThis.fresh) await caches.delete(key);
      try {
        return { value: (await offline[what](...given)) ?? null };
      } catch ({ message }) {
        return { error: message };
      }
    },
    name,
    words,
  );

test("offline: what is kept is counted by a list that can be believed, else by the network's", async () => {
  const page = await open({ html: canonical, files: published });
  const shelf = (name, text, ...paths) =>
    page.evaluate(
      async (cache_name, content, all) => {
        const cache = await caches.open(cache_name);
        if (content) await cache.put(new URL("offline.json", location), new Response(content));
        for (const path of all) await cache.put(new URL(path, location), new Response("x"));
      },
      name,
      text,
      paths,
    );
  const whole_bytes = 100;
  const none = { kept: false, whole: false, bytes: 0, whole_bytes };
  assert.deepEqual((await answers(page, "state")).value, none);
  await shelf("primer / isolation", published["offline.json"], "a.html");
  await shelf("other / shelf 1", published["offline.json"], "a.html");
  await shelf("primer / shelf 0", '{"text": {"a.html": [-1]}, "rest": {}}', "a.html");
  await shelf("primer / shelf 00", '{"text": {}}', "a.html");
  await shelf("primer / shelf 000", "{", "a.html");
  assert.deepEqual((await answers(page, "state")).value, none);
  await shelf("primer / shelf 1", published["offline.json"], "a.html", "c.wasm", "more.html");
  const part = { kept: true, whole: false, bytes: 80, whole_bytes };
  assert.deepEqual((await answers(page, "state")).value, part);
  await shelf("primer / shelf 1", "", "b.html", "0.txt");
  const whole = { kept: true, whole: true, bytes: 100, whole_bytes };
  assert.deepEqual((await answers(page, "state")).value, whole);
  const with_workshop = {
    ...list,
    workshop: { "tool.pack": [5, "x"], "tool.wasm": [50, "y"], "c.wasm": [5, "z"] },
  };
  await shelf("primer / shelf 1", JSON.stringify(with_workshop), "tool.pack");
  assert.deepEqual((await answers(page, "state")).value, { ...whole, bytes: 105 });
  // The setting for all cores and the data of other modules stay.
  await page.evaluate(() => localStorage.setItem("primer / x", "1"));
  await answers(page, "keep_nothing");
  const left = await page.evaluate(async () => [
    (await caches.keys()).sort(),
    localStorage.getItem("primer / offline"),
  ]);
  assert.deepEqual(left, [["other / shelf 1", "primer / isolation"], "off"]);
  await page.evaluate(async () => {
    for (const name of await caches.keys()) await caches.delete(name);
  });
  const unpublished = await open({ html: canonical });
  assert.equal(
    (await answers(unpublished, "state")).error,
    "this copy of the book cannot be saved",
  );
});

test("offline: a page keeps its text by itself only where it may", async () => {
  // A worker that answers like sw.js, and one that cannot.
  const worker = (answer) => `addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil(clients.claim()));
addEventListener("message", ({ data, ports: [port] }) => { ${answer} });`;
  const kept = worker("port.postMessage({ done: 1, of: 2 }); port.postMessage({ kept: true });");
  const files = { ...published, "sw.js": kept };
  const registered = (page) =>
    page.evaluate(async () => {
      const all = await navigator.serviceWorker.getRegistrations();
      for (const one of all) await one.unregister();
      return all.length;
    });
  const page = await open({ html: canonical, files });
  await answers(page, "keep_text");
  assert.equal(await registered(page), 1);
  const heard = await page.evaluate(async () => {
    const { keep_whole } = await import("/runtime/reading/offline.js");
    const reports = [];
    localStorage.setItem("primer / offline", "off");
    await keep_whole((one) => reports.push(one));
    return [reports, localStorage.getItem("primer / offline")];
  });
  assert.deepEqual(heard, [[{ done: 1, of: 2 }], null]);
  await answers(page, "keep_nothing");
  assert.equal(await registered(page), 0, "nothing else needs the worker");
  for (const [html, prepare] of [
    ["", () => {}],
    [canonical, () => localStorage.setItem("primer / offline", "off")],
    [
      canonical,
      () => Object.defineProperty(navigator, "connection", { value: { saveData: true } }),
    ],
    [
      canonical,
      () =>
        Object.defineProperty(globalThis, "localStorage", {
          get: () => {
            throw new Error("no");
          },
        }),
    ],
  ]) {
    const quiet = await open({ html, files });
    await quiet.evaluate(prepare);
    assert.deepEqual(await answers(quiet, "keep_text"), { value: null });
    assert.equal(await registered(quiet), 0);
  }
  const failing = await open({
    html: canonical,
    files: { ...published, "sw.js": worker('port.postMessage({ error: "no room" });') },
  });
  assert.equal((await answers(failing, "keep_text")).error, "no room");
  await registered(failing);
  const unlisted = await open({ html: canonical, files: { "sw.js": kept } });
  const { error } = await answers(unlisted, "keep_text");
  assert.equal(error, "this copy of the book has no list of its files");
  assert.equal(await registered(unlisted), 0);
});
