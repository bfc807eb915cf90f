// Caches a published book in this browser through its service worker (sw.js): the text once a page
// is idle, the whole book on request. place.js loads this.

import { book_url } from "../page/dialog.js";
import { forget, refuse_in_frame, set_stored, stored } from "../base/storage.js";
import { script } from "../base/trusted.js";

const refusal_name = "offline"; // "off": the reader does not want a cache
const prefix = `primer ${book_url.pathname} `; // prefix of sw.js's caches
const shelf_prefix = `${prefix}shelf `;
const list_url = new URL("offline.json", book_url).href;

/**
 * Whether caching is possible: the book is published, the reader allows it, and the browser
 * supports it.
 */
export const can_keep = () =>
  isSecureContext &&
  "serviceWorker" in navigator &&
  "caches" in globalThis &&
  document.querySelector('link[rel="canonical"]') !== null;

function refused() {
  try {
    localStorage.length; // a reader who denies storage wants no cache
    return stored(refusal_name) === "off";
  } catch {
    return true;
  }
}

function refuse(is_refused) {
  try {
    if (is_refused) set_stored(refusal_name, "off");
    else forget(refusal_name);
  } catch {
    // Storage is denied, so nothing is cached.
  }
}

/** Whether the connection is metered or slow. Only Chromium reports it. */
const is_dear = ({ saveData, effectiveType } = {}) =>
  saveData === true || /^(slow-2g|2g|3g)$/.test(effectiveType);

/**
 * The automatic part of a visit: caches the text in this language, unless the reader has refused or
 * the connection is metered.
 */
export async function keep_text() {
  if (!can_keep() || refused() || is_dear(navigator.connection)) return;
  await fill({});
}

/**
 * Called by /write/ once its program is open, so that it opens offline, too, unless the reader has
 * refused or the connection is metered.
 */
export async function keep_workshop() {
  if (!can_keep() || refused() || is_dear(navigator.connection)) return;
  await fill({ workshop: true });
}

/** Caches the whole book. Calls `report` with {done, of} in bytes. Throws Error with the reason. */
export async function keep_whole(report) {
  refuse(false);
  await fill({ whole: true }, report);
}

/** Removes all caches, and caches nothing until keep_whole() is called. */
export async function keep_nothing() {
  refuse_in_frame();
  refuse(true);
  const names = await caches.keys();
  await Promise.all(names.filter((n) => n.startsWith(shelf_prefix)).map((n) => caches.delete(n)));
  // Another cache means that the worker isolates pages for shared memory (isolation.js), so it
  // stays.
  if ((await caches.keys()).some((name) => name.startsWith(prefix))) return;
  const registration = await navigator.serviceWorker.getRegistration(book_url.pathname);
  if (registration?.scope === book_url.href) await registration.unregister();
}

/**
 * {kept, whole, bytes, whole_bytes}: whether the text and the whole book are cached, and their
 * sizes. Throws Error if neither the network nor the cache has the list.
 */
export async function state() {
  for (const name of await caches.keys()) {
    if (!name.startsWith(shelf_prefix)) continue;
    const cache = await caches.open(name);
    const list = await (await cache.match(list_url))?.json().catch(() => null);
    if (is_list(list))
      return { kept: true, ...sums(list, new Set((await cache.keys()).map((r) => r.url))) };
  }
  const response = await fetch(list_url);
  if (!response.ok) throw new Error("this copy of the book cannot be saved");
  return { kept: false, ...sums(await response.json(), new Set()) };
}

// A cache may contain anything. The worker validates it; here it is only counted.
const is_list = (list) =>
  [list?.text, list?.rest, list?.workshop ?? {}].every(
    (part) => part && typeof part === "object" && Object.values(part).every((one) => one?.[0] >= 0),
  );

/**
 * The browser editor is not part of the book, but counts if it is cached. Some files belong to
 * both.
 */
function sums({ text, rest, workshop }, kept) {
  const book = { ...text, ...rest };
  const files = Object.entries(book);
  const kept_of = (entries) => entries.filter(([path]) => kept.has(new URL(path, book_url).href));
  const sum = (entries) => entries.reduce((total, [, [bytes]]) => total + bytes, 0);
  const here = kept_of(files);
  const tools = kept_of(
    Object.entries(workshop ?? {}).filter(([path]) => !Object.hasOwn(book, path)),
  );
  return {
    whole: here.length === files.length,
    bytes: sum(here) + sum(tools),
    whole_bytes: sum(files),
  };
}

/** `wishes` are {whole, workshop}: what to cache in addition to the text. */
async function fill(wishes, report = () => {}) {
  // Without a list there is nothing to cache, and a retired worker is not started again.
  const listed = await fetch(list_url, { cache: "no-cache" });
  if (!listed.ok) throw new Error("this copy of the book has no list of its files");
  const worker = await active_worker();
  await new Promise((resolve, reject) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }) => {
      if (data.error) reject(new Error(data.error));
      else if (data.kept) resolve();
      else report(data);
    };
    worker.postMessage({ ...wishes, language: document.documentElement.lang }, [port2]);
  });
}

async function active_worker() {
  const address = script(new URL("sw.js", book_url));
  const registration = await navigator.serviceWorker.register(address, {
    scope: book_url.pathname,
  });
  // Update first, because a worker knows only the lists of its publication and of earlier ones.
  await registration.update().catch(() => {});
  const worker = registration.installing ?? registration.waiting ?? registration.active;
  while (worker.state !== "activated") {
    if (worker.state === "redundant") throw new Error("its service worker did not start");
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return worker;
}
