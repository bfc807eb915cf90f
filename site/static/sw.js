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
// This file stays at this address for ever: browsers that registered it ask for it again. To retire
// it, publish it with `retired = true`: it then removes its caches and itself, on every machine.

const retired = false;

// Other books may share the origin, so names hold the address of this one.
const { scope } = registration;
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

async function remove_caches() {
  const names = await caches.keys();
  await Promise.all(names.filter((n) => n.startsWith(prefix)).map((n) => caches.delete(n)));
}

async function is_wished() {
  return (await caches.match(wish_url, { cacheName: wish_cache })) !== undefined;
}

/** {name, cache, list} of the finished shelf, or null. */
async function shelf() {
  for (const name of await caches.keys()) {
    if (!name.startsWith(shelf_prefix)) continue;
    const cache = await caches.open(name);
    const list = await cache.match(list_url);
    if (list) return { name, cache, list: await list.json() };
  }
  return null;
}

/** A page's address has neither a question nor a fragment nor a file name. */
function address_of(url) {
  const address = new URL(url);
  address.search = address.hash = "";
  return address.href.replace(/\/index\.html$/, "/");
}

const entry_of = ({ text, rest }, url) => {
  const path = url.slice(scope.length);
  return text[path] ?? rest[path];
};

async function digest_of(response) {
  const bytes = await crypto.subtle.digest("SHA-256", await response.arrayBuffer());
  return [...new Uint8Array(bytes, 0, 8)].map((b) => b.toString(16).padStart(2, "0")).join("");
}

/** Puts what was used on the shelf, if it is this publication's. */
async function put_by({ cache, list }, url, response) {
  const [, digest] = entry_of(list, url) ?? [];
  if (digest && (await digest_of(response.clone())) === digest) await cache.put(url, response);
}

/** From the shelf or the network; what is used and belongs to the shelf is put there. */
async function response_to(event) {
  const { request } = event;
  const kept = await shelf().catch(() => null);
  if (!kept) return fetch(request);
  const url = address_of(request.url);
  const copy = await kept.cache.match(url);
  if (copy && url.startsWith(assets_url)) return copy;
  if (copy) return fresh_or(copy, request);
  const response = await fetch(request);
  if (response.ok && response.type === "basic" && entry_of(kept.list, url)) {
    const used = response.clone();
    event.waitUntil(put_by(kept, url, used).catch(() => {})); // the disk may be full
  }
  return response;
}

function fresh_or(copy, request) {
  const fresh = fetch(request).then((response) => (response.status >= 500 ? copy : response));
  const late = pause(patience_ms).then(() => copy);
  return Promise.race([fresh.catch(() => copy), late]);
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

const needs_headers = ({ mode, destination }) =>
  mode === "navigate" || destination === "worker" || destination === "sharedworker";

/** The answer as it came, or with the headers when the reader wished for all cores. */
async function answer(event) {
  const wish = needs_headers(event.request) && is_wished().catch(() => false);
  const [response, wished] = await Promise.all([response_to(event), wish]);
  const is_opaque = response.status === 0; // a redirect, which the browser follows by itself
  if (!wished || is_opaque) return response;
  const headers = new Headers(response.headers);
  for (const [name, value] of Object.entries(isolating)) headers.set(name, value);
  const { status, statusText } = response;
  return new Response(response.body, { status, statusText, headers });
}

/** Fetches a file of the list, or takes it from the shelf before, and checks that it is the one. */
async function take(url, digest, before) {
  const same = before && entry_of(before.list, url)?.[1] === digest;
  const copy = same && (await before.cache.match(url));
  if (copy) return copy;
  const response = await fetch(url, { cache: "no-cache" });
  if (!response.ok || (await digest_of(response.clone())) !== digest)
    throw new Error("the book is being updated");
  return response;
}

/** Fills the shelf of the newest publication; `report` hears the bytes done and the bytes in all. */
async function fill(whole, report) {
  const listed = await fetch(list_url, { cache: "no-cache" });
  if (!listed.ok) throw new Error("this copy of the book has no list of its files");
  const list = await listed.clone().json();
  const name = shelf_prefix + list.version;
  const before = await shelf();
  const cache = await caches.open(name);
  const has_more = whole || (before && (await has_all(before)));
  const wanted = Object.entries(has_more ? { ...list.text, ...list.rest } : list.text);
  const of = wanted.reduce((sum, [, [bytes]]) => sum + bytes, 0);
  let done = 0;
  const left = wanted.values();
  const one_after_the_other = async () => {
    for (const [path, [bytes, digest]] of left) {
      const url = new URL(path, scope).href;
      if (!(await cache.match(url))) await cache.put(url, await take(url, digest, before));
      report({ done: (done += bytes), of });
    }
  };
  await Promise.all(Array.from({ length: at_once }, one_after_the_other));
  await cache.put(list_url, listed);
  for (const other of await caches.keys())
    if (other.startsWith(shelf_prefix) && other !== name) await caches.delete(other);
}

/** Who kept the whole book keeps the next one whole. */
async function has_all({ cache, list }) {
  const kept = new Set((await cache.keys()).map(({ url }) => url));
  return Object.keys(list.rest).every((path) => kept.has(new URL(path, scope).href));
}

addEventListener("install", () => skipWaiting());

addEventListener("activate", (event) => {
  const retire = async () => {
    await remove_caches();
    await registration.unregister();
  };
  event.waitUntil(retired ? retire() : clients.claim());
});

let filling = Promise.resolve(); // one after the other, also for several tabs

addEventListener("message", (event) => {
  const [port] = event.ports;
  if (retired || !port) return;
  const report = (words) => port.postMessage(words);
  filling = filling
    .then(() => fill(event.data.whole === true, report))
    .then(() => report({ kept: true }))
    .catch((error) => report({ error: error.message }));
  event.waitUntil(filling);
});

addEventListener("fetch", (event) => {
  const { method, url, cache } = event.request;
  const is_ours = method === "GET" && url.startsWith(scope) && cache !== "no-store";
  if (retired || !is_ours) return;
  event.respondWith(answer(event));
});
