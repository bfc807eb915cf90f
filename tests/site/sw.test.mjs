// The service worker alone, with caches that count their calls: caches of a neighbor on the origin
// do not slow down a page.
import assert from "node:assert/strict";
import { createHash, webcrypto } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import vm from "node:vm";

const scope = "https://example.org/book/";
const digest_of = (text) => createHash("sha256").update(text).digest("base64url");
const page = "<p>kept</p>";
const list = JSON.stringify({
  version: "1",
  text: { "": [page.length, digest_of(page)] },
  rest: {},
});

const es = JSON.parse(readFileSync("site/locales/es.json", "utf8"))["said by pages alone"];

/** A worker with these caches (name → {url: text}), and its observed calls. */
function worker_with(
  stored,
  { lists = [digest_of(list)], fetch = async () => Promise.reject(new Error("no network")) } = {},
) {
  const seen = { opened: [], listed: 0, events: {} };
  const response = (text) => new Response(text);
  const cache_of = (name) => ({
    match: async (url) => (url in stored[name] ? response(stored[name][url]) : undefined),
    put: async (url, from) => void (stored[name][url] = await from.text()),
    delete: async (url) => delete stored[name][url],
    keys: async () => Object.keys(stored[name]).map((url) => ({ url })),
  });
  const caches = {
    keys: async () => (++seen.listed, Object.keys(stored)),
    has: async (name) => name in stored,
    open: async (name) => (seen.opened.push(name), (stored[name] ??= {}), cache_of(name)),
    delete: async (name) => delete stored[name],
    match: async (url, { cacheName }) =>
      cacheName in stored ? cache_of(cacheName).match(url) : undefined,
  };
  const source = readFileSync("site/static/sw.js", "utf8")
    .replace(/^const lists = \[\];/m, `const lists = ${JSON.stringify(lists)};`)
    .replace(/^const translations = \{\};/m, `const translations = ${JSON.stringify({ es })};`);
  vm.runInNewContext(source, {
    URL,
    Map,
    Set,
    Response,
    Headers,
    TextEncoder,
    TextDecoder,
    Uint8Array,
    btoa,
    caches,
    fetch,
    setTimeout: (act, ms) => setTimeout(act, ms).unref(),
    crypto: webcrypto,
    location: new URL("sw.js", scope),
    registration: { scope, unregister: async () => true },
    clients: { claim: async () => undefined },
    skipWaiting: async () => undefined,
    addEventListener: (name, heard) => (seen.events[name] = heard),
  });
  return seen;
}

const shelf = (digest) => `primer /book/ shelf ${digest}`;
const strangers = Object.fromEntries(
  Array.from({ length: 400 }, (_, i) => [shelf(`z${i}`), { [`${scope}offline.json`]: list }]),
);
const own = () => ({ [shelf(digest_of(list))]: { [`${scope}offline.json`]: list, [scope]: page } });

async function heard(seen, name, event = {}) {
  const waits = [];
  let answer;
  seen.events[name]({
    ...event,
    waitUntil: (work) => waits.push(work),
    respondWith: (work) => (answer = work),
  });
  const response = await answer;
  await Promise.all(waits);
  return response;
}

test("a page is answered without a look at shelves that no publication of the book has", async () => {
  const seen = worker_with({ ...strangers, ...own() });
  const response = await heard(seen, "fetch", {
    request: { method: "GET", url: scope, mode: "cors", cache: "default" },
  });
  assert.equal(await response.text(), page);
  assert.equal(seen.listed, 0);
  assert.deepEqual([...new Set(seen.opened)], [shelf(digest_of(list))]);
});

test("a worker that begins removes what has the book's names and is not its own; other books' stays", async () => {
  const stored = {
    ...strangers,
    ...own(),
    "primer /book/ isolation": {},
    "primer /other/ shelf z": {},
    "primer /book/ x": {},
  };
  await heard(worker_with(stored), "activate");
  assert.deepEqual(
    Object.keys(stored).sort(),
    ["primer /book/ isolation", "primer /other/ shelf z", ...Object.keys(own())].sort(),
  );
});

test("a shelf under the name of one publication with the list of another is not taken", async () => {
  const newer = digest_of("newer");
  const stored = { [shelf(newer)]: Object.values(own())[0] };
  const seen = worker_with(stored, { lists: [newer, digest_of(list)] });
  const request = { method: "GET", url: scope, mode: "cors", cache: "default" };
  await assert.rejects(heard(seen, "fetch", { request }), /no network/);
});

test("a visit keeps the pages of its own language, and what all share; the whole book has both", async () => {
  const entry = [page.length, digest_of(page)];
  const paths = ["", "a/", "es/", "es/a/", "_/x/style.css"];
  const both = JSON.stringify({
    version: "2",
    languages: ["es"],
    text: Object.fromEntries(paths.map((path) => [path, entry])),
    rest: {},
  });
  const kept = async (data) => {
    const stored = {};
    const fetch = async (from) =>
      new Response(String(from.url ?? from).endsWith("offline.json") ? both : page);
    const seen = worker_with(stored, { fetch, lists: [digest_of(both)] });
    await heard(seen, "message", { data, ports: [{ postMessage: () => undefined }] });
    return Object.keys(Object.values(stored)[0])
      .map((url) => url.slice(scope.length))
      .sort();
  };
  const shared = ["_/x/style.css", "offline.json"];
  assert.deepEqual(await kept({ language: "en" }), ["", ...shared, "a/"].sort());
  assert.deepEqual(await kept({ language: "es" }), [...shared, "es/", "es/a/"].sort());
  assert.deepEqual(await kept({ whole: true, language: "en" }), [...paths, "offline.json"].sort());
});

test("without a network, an unsaved page shows a notice in its language, and other files fail", async () => {
  const request = (path, mode) => ({ method: "GET", url: scope + path, mode, cache: "default" });
  const answer = async (path, mode) =>
    heard(worker_with(own()), "fetch", { request: request(path, mode) });
  const response = await answer("gone/", "navigate");
  assert.equal(response.status, 503);
  assert.match(await response.text(), /not saved in this browser, and you are offline/);
  assert.match(await (await answer("es/gone/", "navigate")).text(), /lang="es".*no hay red/s);
  assert.match(await (await answer("fr/gone/", "navigate")).text(), /lang="en".*you are offline/s);
  await assert.rejects(answer("gone.json", "cors"), /no network/);
});

test("a visit fills the shelf of this publication and leaves no other", async () => {
  const stored = { ...strangers, "primer /book/ isolation": {} };
  const fetch = async (from) =>
    new Response(String(from.url ?? from).endsWith("offline.json") ? list : page);
  const seen = worker_with(stored, { fetch });
  const said = [];
  await heard(seen, "message", { data: {}, ports: [{ postMessage: (words) => said.push(words) }] });
  assert.equal(JSON.stringify(said.at(-1)), '{"kept":true}');
  assert.deepEqual(
    Object.keys(stored).sort(),
    ["primer /book/ isolation", ...Object.keys(own())].sort(),
  );
  assert.ok(seen.opened.every((name) => name === shelf(digest_of(list))));
});

test("the workshop is kept for who asks for it, and then the next publication's too", async () => {
  const entry = [page.length, digest_of(page)];
  const publication = (version, assets) =>
    JSON.stringify({
      version,
      text: { "": entry },
      rest: { "more.json": entry },
      workshop: { "write/book.pack": entry, [assets]: entry, "more.json": entry },
    });
  const [first, second] = [publication("1", "_/1/tool.js"), publication("2", "_/2/tool.js")];
  const without = JSON.stringify({ version: "3", text: { "": entry }, rest: {} });
  const stored = {};
  const told = [];
  const kept_after = async (all, data) => {
    const fetch = async (from) =>
      new Response(String(from.url ?? from).endsWith("offline.json") ? all[0] : page);
    const seen = worker_with(stored, { fetch, lists: all.map(digest_of) });
    await heard(seen, "message", { data, ports: [{ postMessage: (said) => told.push(said) }] });
    return Object.values(stored).flatMap((shelf) =>
      Object.keys(shelf).map((url) => url.slice(scope.length)),
    );
  };
  const text = ["", "offline.json"];
  assert.deepEqual((await kept_after([first], {})).sort(), text);
  const own = (assets) => ["", assets, "more.json", "offline.json", "write/book.pack"];
  assert.deepEqual((await kept_after([first], { workshop: true })).sort(), own("_/1/tool.js"));
  await kept_after([first], { workshop: true, whole: true });
  assert.equal(told.at(-2).of, 4 * page.length, "a file of two parts counts twice");
  assert.deepEqual((await kept_after([second, first], {})).sort(), own("_/2/tool.js"));
  assert.deepEqual((await kept_after([without, second, first], {})).sort(), text);
});
