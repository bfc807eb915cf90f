// The book's service worker. It has two jobs. It caches the book for reading offline (offline.js
// registers it on a published book). If the reader asked for all cores, it also adds the headers
// that isolate a page (isolation.js), because GitHub Pages sends no headers and browsers allow
// shared memory only with them.
//
// A shelf is a Cache with one publication: the files listed in its offline.json, each with the
// digest in that list. The list is stored last, so a shelf without a list is incomplete and is not
// used. A complete shelf replaces all others.
//
//   page        network, so that readers see the newest version; the shelf if the network fails,
//               is slow, or answers with a server error
//   asset       shelf, then network: its address contains a hash, so it never changes, and a page
//               uses only the assets that it was built with
//   other       network
//
// Every page of the origin can write to these caches, including pages of other books. The worker
// therefore trusts nothing in them. A list counts only if its digest is in `lists` below, which
// publishing fills in (scripts/offline.mjs) and which only the network can change. A file is hashed
// whenever it is used, and its type is derived from its name. A file that fails is deleted and
// fetched again.
//
// This file must stay at this address forever, because browsers that registered it check it for
// updates. To retire it, publish it with `retired = true`: it then deletes its caches and
// unregisters itself in every browser.

const retired = false;
const lists = []; // SHA-256 of offline.json: this publication, then earlier ones
const translations = {}; // of the strings in not_kept(), by language; filled in like `lists`

// Other books may share the origin, so cache names contain the path of this one. One of their pages
// may register this file for a part of the book; such a worker unregisters itself, too.
const { scope } = registration;
const leaves = retired || scope !== new URL("./", location).href;
const prefix = `primer ${new URL(scope).pathname} `;
const wish_cache = `${prefix}isolation`;
const wish_url = new URL("use-all-cores", scope).href;
const shelf_prefix = `${prefix}shelf `; // followed by the digest of the list
const list_url = new URL("offline.json", scope).href;
const assets_url = new URL("_/", scope).href;
const patience_ms = 5000; // for a network that does not answer, if there is a copy
const at_once = 4; // requests while a shelf is filled

const isolating = {
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Embedder-Policy": "require-corp",
  "Cross-Origin-Resource-Policy": "same-origin",
};

/** Deletes all caches with this book's prefix except those in `kept`. */
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

/** Parses a list. Returns null if its digest is not one of `lists`. */
const known_lists = new Map(); // digest → parsed list; other pages cannot write to this memory
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
 * The names of all possible shelves, newest first. Only these are opened, so the caches that other
 * pages of the origin create cost nothing.
 */
const shelf_names = lists.map((digest) => shelf_prefix + digest);

/** Returns {name, cache, list} of the newest complete shelf, or null. */
async function shelf() {
  for (const [i, name] of shelf_names.entries()) {
    // Unlike caches.open(), this does not create a missing cache.
    const stored = await caches.match(list_url, { cacheName: name });
    const list = stored && (await list_of(await stored.text()));
    if (list?.digest === lists[i]) return { name, cache: await caches.open(name), list };
  }
  return null;
}

/** Normalizes an address as in the list: no query, no fragment, no index.html. */
function address_of(url) {
  const address = new URL(url);
  address.search = address.hash = "";
  return address.href.replace(/\/index\.html$/, "/");
}

const entry_of = ({ text, rest, workshop }, url) => {
  const path = url.slice(scope.length);
  return text.get(path) ?? rest.get(path) ?? workshop.get(path);
};

/** SHA-256 in base64url. */
async function digest_of(bytes) {
  const hash = await crypto.subtle.digest("SHA-256", bytes);
  const base64 = btoa(String.fromCharCode(...new Uint8Array(hash)));
  return base64.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/**
 * Builds a response from bytes. It copies only the isolation headers of the original, which the
 * host may send.
 */
function response_of(url, bytes, headers) {
  const kept = Object.entries(isolating).filter(([name, value]) => headers?.get(name) === value);
  return new Response(bytes, { headers: [["Content-Type", type_of(url)], ...kept] });
}

/** Returns a copy of a response if its body has this digest, otherwise null. */
async function checked(response, url, digest) {
  if (!response) return null;
  const bytes = await response.arrayBuffer();
  return (await digest_of(bytes)) === digest ? response_of(url, bytes, response.headers) : null;
}

/** Returns a file of a complete shelf, or null. A file with the wrong digest is deleted. */
async function taken({ cache, list }, url) {
  const copy = await checked(await cache.match(url), url, entry_of(list, url)[1]);
  if (!copy) await cache.delete(url);
  return copy;
}

/** Stores a response on the shelf if it belongs to this publication. */
async function put_by({ cache, list }, url, response) {
  const copy = await checked(response, url, entry_of(list, url)[1]);
  if (copy) await cache.put(url, copy);
}

/**
 * Answers from the shelf or the network. `wait(promise)` keeps the worker alive while a response is
 * stored on the shelf.
 */
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

/**
 * Fetches a page. If that fails, takes too long or is a server error, returns the copy if it is
 * valid.
 */
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

/** The page for navigations that have neither a copy nor a network. */
function not_kept(url) {
  const is_in = (language) => url.startsWith(`${scope}${language}/`);
  const language = Object.keys(translations).find(is_in) ?? "en";
  const word = (text) => translations[language]?.[text] ?? text;
  const title = word("Not saved");
  const page = `<!DOCTYPE html><html lang="${language}"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><title>${title}</title><h1>${title}</h1><p>${word("This page is not saved in this browser, and you are offline.")}</p><p><a href="${scope}">${word("Go to the book")}</a></p></html>`;
  return new Response(page, { status: 503, headers: [["Content-Type", types.get("html")]] });
}

/** Answers a request, with isolation headers if the reader asked for all cores. */
async function answer(event) {
  const wish = needs_headers(event.request) && is_wished().catch(() => false);
  const [response, wished] = await Promise.all([
    response_to(event, (work) => event.waitUntil(work)).catch((error) => {
      if (event.request.mode !== "navigate") throw error;
      return not_kept(event.request.url);
    }),
    wish,
  ]);
  const is_opaque = response.status === 0; // a redirect, which the browser follows
  if (!wished || is_opaque) return response;
  const headers = new Headers(response.headers);
  for (const [name, value] of Object.entries(isolating)) headers.set(name, value);
  const { status, statusText } = response;
  return new Response(response.body, { status, statusText, headers });
}

/**
 * Returns a file from one of the caches `others`, whose content is untrusted, or from the network.
 * Throws Error if the server has another version.
 */
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

/**
 * Whether a page is in another language than the reader's. Pages in the book's source language are
 * not in a language folder.
 */
function is_foreign(path, { languages }, language) {
  const is_page = path === "" || path.endsWith("/");
  const own = languages.includes(language) ? language : "";
  return is_page && (languages.find((one) => path.startsWith(`${one}/`)) ?? "") !== own;
}

/**
 * Returns what to cache as [path, [bytes, digest]]: the text in the reader's language, and the rest
 * or the editor if the reader asks for it or if a shelf already has all of it.
 */
async function wanted_of(list, { whole, workshop, language }, shelves) {
  const has_more = whole || (await any_has_all("rest", shelves));
  const has_workshop = workshop || (await any_has_all("workshop", shelves));
  const wanted = new Map([
    ...[...list.text].filter(([path]) => has_more || !is_foreign(path, list, language)),
    ...(has_more ? list.rest : []),
    ...(has_workshop ? list.workshop : []),
  ]);
  return [...wanted]; // without duplicates, because the parts share files
}

/**
 * Fills the shelf of this publication. Calls `report` with {done, of} in bytes. Throws Error if the
 * published list is not the one of this worker.
 */
async function fill(wishes, report) {
  const listed = await fetch(list_url, { cache: "no-cache" });
  if (!listed.ok) throw new Error("this copy of the book has no list of its files");
  const words = await listed.text();
  const list = await list_of(words);
  if (list?.digest !== lists[0]) throw new Error("the book is being updated");
  const name = shelf_prefix + list.digest;
  const before = await shelf();
  const is_finished = before?.name === name; // its files are hashed when they are used
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

/** Opens the shelves of other publications, complete or not. */
async function shelves_but(name) {
  const there = [];
  for (const other of shelf_names) {
    if (other !== name && (await caches.has(other))) there.push(await caches.open(other));
  }
  return there;
}

/**
 * Whether a shelf has all files of a part of its list. The caches are untrusted, but this only
 * decides what to fetch.
 */
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

let filling = Promise.resolve(); // one at a time, even if several tabs ask

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
