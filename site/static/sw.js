// The book's service worker, registered only when a reader asks for all cores. GitHub Pages sends
// no headers, and a browser lets pages share memory between workers only under three of them; so
// while the reader's wish is noted in the cache, pages and workers get them here.
//
// This file stays at this address for ever: browsers that registered it ask for it again. To retire
// it, publish it with `retired = true`: it then removes its caches and itself, on every machine.

const retired = false;

// Other books may share the origin, so names hold the address of this one.
const prefix = `primer ${new URL(registration.scope).pathname} `;
const wish_cache = `${prefix}isolation`;
const wish_url = new URL("use-all-cores", registration.scope).href;

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

/** The answer as it came, or with the headers when the reader wished for all cores. */
async function answer(request) {
  const [response, wished] = await Promise.all([fetch(request), is_wished().catch(() => false)]);
  const is_opaque = response.status === 0; // a redirect, which the browser follows by itself
  if (!wished || is_opaque) return response;
  const headers = new Headers(response.headers);
  for (const [name, value] of Object.entries(isolating)) headers.set(name, value);
  const { status, statusText } = response;
  return new Response(response.body, { status, statusText, headers });
}

const needs_headers = ({ mode, destination }) =>
  mode === "navigate" || destination === "worker" || destination === "sharedworker";

addEventListener("install", () => skipWaiting());

addEventListener("activate", (event) => {
  const retire = async () => {
    await remove_caches();
    await registration.unregister();
  };
  event.waitUntil(retired ? retire() : clients.claim());
});

addEventListener("fetch", (event) => {
  if (retired || !needs_headers(event.request)) return;
  event.respondWith(answer(event.request));
});
