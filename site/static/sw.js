// The book's service worker. It keeps the book for reading without a network (offline.js registers
// it on a published book), and it gives pages the headers for all cores while the reader wishes for
// them (isolation.js): GitHub Pages sends no headers, and a browser lets pages share memory between
// workers only under three of them.
//
// A shelf is a cache with one publication: the files that its list, offline.json, names, each of the
// digest that stands there. The list is put on it last, so a shelf without one is not finished and
// nothing is taken from it. A finished shelf replaces all others. Pages come from the network while
// there is one, so that readers see the newest; whatever lies under an address with a hash is the
// same for ever and comes from the shelf. A page asks for the assets of its own publication only, so
// old and new never meet in one.
//
// Every page of the origin, other books' and strangers' too, can write to these caches. So nothing on a
// shelf is believed: a list counts if its digest stands below, where publications put it
// (scripts/offline.mjs) and only the network can change it; a file is hashed whenever it is taken, its type
// comes from its name, and what fails is dropped and fetched anew.
//
// This file stays at this address for ever: browsers that registered it ask for it again. To retire
// it, publish it with `retired = true`: it then removes its caches and itself, on every machine.

const retired = false;
const lists = []; // SHA-256 of offline.json: this publication's and those before it

// Other books may share the origin, so names hold the address of this one. A page of theirs may register
// this file for a part of the book; such a worker goes like a retired one.
const { scope } = registration;
const leaves = retired || scope !== new URL("./", location).href;
const prefix = `primer ${new URL(scope).pathname} `;
const wish_cache = `${prefix}isolation`;
const wish_url = new URL("use-all-cores", scope).href;
const shelf_prefix = `${prefix}shelf `; // and the publication
const list_url = new URL("offline.json", scope).href;
const assets_url = new URL("_/", scope).href;
const patience_ms = 5000; // with a network that does not answer, where there is a copy
const at_once = 4; // requests, while a shelf is filled

const isolating = {
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Embedder-Policy": "require-corp",
  "Cross-Origin-Resource-Policy": "same-origin",
};

/** Of all caches with this book's names, whoever made them, those that are not in `kept` go. */
async function remove_caches(kept = []) {
  const names = await caches.keys();
  const others = names.filter((name) => name.startsWith(prefix) && !kept.includes(name));
  await Promise.all(others.map((name) => caches.delete(name)));
}

const types = new Map([
  ["html", "text/html; charset=utf-8"],
  ["js", "text/javascript; charset=utf-8"],
  ["css", "text/css; charset=utf-8"],
  ["json", "application/json"],
  ["wasm", "application/wasm"],
  ["woff2", "font/woff2"],
  ["svg", "image/svg+xml"],
  ["png", "image/png"],
  ["jpg", "image/jpeg"],
  ["jpeg", "image/jpeg"],
  ["webp", "image/webp"],
]);

const type_of = (url) => {
  const name = url.endsWith("/") ? "index.html" : url;
  return types.get(name.slice(name.lastIndexOf(".") + 1)) ?? "application/octet-stream";
};

async function is_wished() {
  return (await caches.match(wish_url, { cacheName: wish_cache })) !== undefined;
}

/** The list of a publication by its text, or null where none of ours has that text. */
const known_lists = new Map(); // digest → list: this memory is the worker's own
async function list_of(text) {
  const digest = await digest_of(new TextEncoder().encode(text));
  if (!lists.includes(digest)) return null;
  if (!known_lists.has(digest)) {
    const { text: kept, rest, workshop = {}, languages = [] } = JSON.parse(text);
    const [text_files, rest_files, workshop_files] = [kept, rest, workshop].map(
      (part) => new Map(Object.entries(part)),
    );
    const files = { text: text_files, rest: rest_files, workshop: workshop_files };
    known_lists.set(digest, { digest, ...files, languages });
  }
  return known_lists.get(digest);
}

/**
 * Names of all shelves that there can be, the newest first. Only these are looked for and opened: whoever shares the
 * origin can make any number of others, and none of them costs a page anything.
 */
const shelf_names = lists.map((digest) => shelf_prefix + digest);

/** {name, cache, list} of the newest finished shelf, or null. */
async function shelf() {
  for (const [i, name] of shelf_names.entries()) {
    const stored = await caches.match(list_url, { cacheName: name }); // makes no cache where there is none
    const list = stored && (await list_of(await stored.text()));
    if (list?.digest === lists[i]) return { name, cache: await caches.open(name), list };
  }
  return null;
}

/** A page's address has neither a question nor a fragment nor a file name. */
function address_of(url) {
  const address = new URL(url);
  address.search = address.hash = "";
  return address.href.replace(/\/index\.html$/, "/");
}

const entry_of = ({ text, rest, workshop }, url) => {
  const path = url.slice(scope.length);
  return text.get(path) ?? rest.get(path) ?? workshop.get(path);
};

/** SHA-256 as letters of addresses. */
async function digest_of(bytes) {
  const hash = await crypto.subtle.digest("SHA-256", bytes);
  const base64 = btoa(String.fromCharCode(...new Uint8Array(hash)));
  return base64.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** These bytes under that name; of what else was said of them, `headers`, no more than a host's isolation. */
function response_of(url, bytes, headers) {
  const kept = Object.entries(isolating).filter(([name, value]) => headers?.get(name) === value);
  return new Response(bytes, { headers: [["Content-Type", type_of(url)], ...kept] });
}

/** What is there under `url`, if its digest is this one; else null. */
async function checked(response, url, digest) {
  if (!response) return null;
  const bytes = await response.arrayBuffer();
  return (await digest_of(bytes)) === digest ? response_of(url, bytes, response.headers) : null;
}

/** A file of the finished shelf, or null; one that is not what the list says is dropped. */
async function taken({ cache, list }, url) {
  const copy = await checked(await cache.match(url), url, entry_of(list, url)[1]);
  if (!copy) await cache.delete(url);
  return copy;
}

/** Puts what was used on the shelf, if it is this publication's. */
async function put_by({ cache, list }, url, response) {
  const copy = await checked(response, url, entry_of(list, url)[1]);
  if (copy) await cache.put(url, copy);
}

/** From the shelf or the network; what is used and belongs to the shelf is put there. */
async function response_to({ request }, wait) {
  const kept = await shelf().catch(() => null);
  const url = address_of(request.url);
  if (!kept || !entry_of(kept.list, url)) return fetch(request);
  const copy = () => taken(kept, url).catch(() => null);
  const is_asset = url.startsWith(assets_url);
  if (is_asset) {
    const asset = await copy();
    if (asset) return asset;
  } else if (await kept.cache.match(url)) {
    return fresh_or(copy, request);
  }
  const response = await fetch(request);
  // The disk may be full.
  if (response.ok && response.type === "basic")
    wait(put_by(kept, url, response.clone()).catch(() => {}));
  return response;
}

/** From the network; where that fails or is late, the copy, if it is right. */
async function fresh_or(copy, request) {
  const fresh = fetch(request);
  const late = pause(patience_ms).then(() => null);
  const first = await Promise.race([fresh.catch(() => null), late]);
  if (first && first.status < 500) return first;
  return (await copy()) ?? fresh;
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

const needs_headers = ({ mode, destination }) =>
  mode === "navigate" || destination === "worker" || destination === "sharedworker";

/** In place of the browser's own words for a page that is neither kept nor to be had. */
function not_kept(url) {
  const [language, title, words, home] = url.startsWith(`${scope}es/`)
    ? [
        "es",
        "No guardada",
        "Esta página no está guardada en este navegador, y no hay red.",
        "Al libro",
      ]
    : [
        "en",
        "Not kept",
        "This page is not kept in this browser, and there is no network.",
        "To the book",
      ];
  const page = `<!DOCTYPE html><html lang="${language}"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><title>${title}</title><h1>${title}</h1><p>${words}</p><p><a href="${scope}">${home}</a></p></html>`;
  return new Response(page, { status: 503, headers: [["Content-Type", types.get("html")]] });
}

/** The answer as it came, or with the headers when the reader wished for all cores. */
async function answer(event) {
  const wish = needs_headers(event.request) && is_wished().catch(() => false);
  const [response, wished] = await Promise.all([
    response_to(event, (work) => event.waitUntil(work)).catch((error) => {
      if (event.request.mode !== "navigate") throw error;
      return not_kept(event.request.url);
    }),
    wish,
  ]);
  const is_opaque = response.status === 0; // a redirect, which the browser follows by itself
  if (!wished || is_opaque) return response;
  const headers = new Headers(response.headers);
  for (const [name, value] of Object.entries(isolating)) headers.set(name, value);
  const { status, statusText } = response;
  return new Response(response.body, { status, statusText, headers });
}

/** A file of the list from one of `caches`, which may hold anything, or from the network. */
async function take(url, digest, others) {
  for (const other of others) {
    const copy = await checked(await other.match(url), url, digest).catch(() => null);
    if (copy) return copy;
  }
  const response = await fetch(url, { cache: "no-cache" });
  const fresh = response.ok && (await checked(response, url, digest));
  if (!fresh) throw new Error("the book is being updated");
  return fresh;
}

/** Whether a page is of another language than the reader's; those of the book's own lie in no folder of a language. */
function is_foreign(path, { languages }, language) {
  const is_page = path === "" || path.endsWith("/");
  const own = languages.includes(language) ? language : "";
  return is_page && (languages.find((one) => path.startsWith(`${one}/`)) ?? "") !== own;
}

/** What is wanted of a list: the text in a language; who wants more, or had it of the publication before, gets it too. */
async function wanted_of(list, { whole, workshop, language }, shelves) {
  const has_more = whole || (await any_has_all("rest", shelves));
  const has_workshop = workshop || (await any_has_all("workshop", shelves));
  const wanted = new Map([
    ...[...list.text].filter(([path]) => has_more || !is_foreign(path, list, language)),
    ...(has_more ? list.rest : []),
    ...(has_workshop ? list.workshop : []),
  ]);
  return [...wanted]; // each once: parts share files
}

/** Fills the shelf of this publication; `report` hears the bytes done and the bytes in all. */
async function fill(wishes, report) {
  const listed = await fetch(list_url, { cache: "no-cache" });
  if (!listed.ok) throw new Error("this copy of the book has no list of its files");
  const words = await listed.text();
  const list = await list_of(words);
  if (list?.digest !== lists[0]) throw new Error("the book is being updated");
  const name = shelf_prefix + list.digest;
  const before = await shelf();
  const is_finished = before?.name === name; // then files are hashed when they are taken
  const cache = await caches.open(name);
  const others = await shelves_but(name);
  const wanted = await wanted_of(list, wishes, [cache, ...others]);
  const of = wanted.reduce((sum, [, [bytes]]) => sum + bytes, 0);
  let done = 0;
  const left = wanted.values();
  const one_after_the_other = async () => {
    for (const [path, [bytes, digest]] of left) {
      const url = new URL(path, scope).href;
      const there = await cache.match(url);
      const is_right = there && (is_finished || (await checked(there, url, digest)));
      if (!is_right) await cache.put(url, await take(url, digest, others));
      report({ done: (done += bytes), of });
    }
  };
  await Promise.all(Array.from({ length: at_once }, one_after_the_other));
  await cache.put(list_url, response_of(list_url, new TextEncoder().encode(words)));
  await remove_caches([name, wish_cache]);
}

/** What there is of other publications, finished or not. */
async function shelves_but(name) {
  const there = [];
  for (const other of shelf_names) {
    if (other !== name && (await caches.has(other))) there.push(await caches.open(other));
  }
  return there;
}

/** Who kept a part of the list keeps the next one's too. It is a hint: what lies there is hashed in any case. */
async function any_has_all(part, shelves) {
  for (const cache of shelves) {
    const list = await (await cache.match(list_url))?.json().catch(() => null);
    const kept = new Set((await cache.keys()).map(({ url }) => url));
    const paths = Object.keys(list?.[part] ?? {});
    if (paths.length > 0 && paths.every((path) => kept.has(new URL(path, scope).href))) return true;
  }
  return false;
}

addEventListener("install", () => skipWaiting());

addEventListener("activate", (event) => {
  const retire = async () => {
    await remove_caches();
    await registration.unregister();
  };
  const begin = async () => {
    await clients.claim();
    await remove_caches([wish_cache, ...shelf_names]);
  };
  event.waitUntil(leaves ? retire() : begin());
});

let filling = Promise.resolve(); // one after the other, also for several tabs

addEventListener("message", (event) => {
  const [port] = event.ports;
  if (leaves || !port) return;
  const report = (words) => port.postMessage(words);
  const { whole, workshop, language } = event.data ?? {};
  const wishes = { whole: whole === true, workshop: workshop === true, language };
  filling = filling
    .then(() => fill(wishes, report))
    .then(() => report({ kept: true }))
    .catch((error) => report({ error: error.message }));
  event.waitUntil(filling);
});

addEventListener("fetch", (event) => {
  const { method, url, cache } = event.request;
  const is_ours = method === "GET" && url.startsWith(scope) && cache !== "no-store";
  if (leaves || !is_ours) return;
  event.respondWith(answer(event));
});
