// Keeps a published book in this browser, by the book's service worker (sw.js): the text by itself
// once a page is quiet, the whole of it when the reader asks. main.js loads this.

import { book_url } from "../page/dialog.js";
import { forget, refuse_in_frame, set_stored, stored } from "../base/storage.js";
import { script } from "../base/trusted.js";

const refusal_name = "offline"; // "off": the reader wants nothing kept
const prefix = `primer ${book_url.pathname} `; // as sw.js names its caches
const shelf_prefix = `${prefix}shelf `;
const list_url = new URL("offline.json", book_url).href;

/** Only a published book has the list; a reader may want nothing kept, a browser may not be able to. */
export const can_keep = () =>
  isSecureContext &&
  "serviceWorker" in navigator &&
  "caches" in globalThis &&
  document.querySelector('link[rel="canonical"]') !== null;

function refused() {
  try {
    localStorage.length; // who refuses storage wants nothing kept
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
    // Storage is refused, and then nothing is kept either.
  }
}

/** Whether somebody pays for the line by the byte, or waits for it. Only Chromium tells. */
const is_dear = ({ saveData, effectiveType } = {}) =>
  saveData === true || /^(slow-2g|2g|3g)$/.test(effectiveType);

/** What a visit does by itself: the text in this language, unless the reader or a dear connection says no. */
export async function keep_text() {
  if (!can_keep() || refused() || is_dear(navigator.connection)) return;
  await fill({});
}

/** What /write/ does once its program is open: that opens without a network too, unless the reader or a dear connection says no. */
export async function keep_workshop() {
  if (!can_keep() || refused() || is_dear(navigator.connection)) return;
  await fill({ workshop: true });
}

/** The whole book; `report` hears {done, of} in bytes. Throws Error with the reason. */
export async function keep_whole(report) {
  refuse(false);
  await fill({ whole: true }, report);
}

/** Removes what was kept and keeps nothing more, until keep_whole. */
export async function keep_nothing() {
  refuse_in_frame();
  refuse(true);
  const names = await caches.keys();
  await Promise.all(names.filter((n) => n.startsWith(shelf_prefix)).map((n) => caches.delete(n)));
  if ((await caches.keys()).some((name) => name.startsWith(prefix))) return; // it serves all cores
  const registration = await navigator.serviceWorker.getRegistration(book_url.pathname);
  if (registration?.scope === book_url.href) await registration.unregister();
}

/**
 * {kept, whole, bytes, whole_bytes}: is the text kept, is all of it, how much that is, and how much
 * all of it would be. Throws Error when neither the network nor the shelf has the list.
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
  if (!response.ok) throw new Error("this copy of the book cannot be kept");
  return { kept: false, ...sums(await response.json(), new Set()) };
}

// Whatever lies in a cache may be somebody else's. The worker checks it; here it is no more than counted.
const is_list = (list) =>
  [list?.text, list?.rest, list?.workshop ?? {}].every(
    (part) => part && typeof part === "object" && Object.values(part).every((one) => one?.[0] >= 0),
  );

/** The workshop is no part of the book, but takes its place where it is kept; some of its files are of both. */
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

/** `wishes` are {whole, workshop}: what is kept beside the text. */
async function fill(wishes, report = () => {}) {
  // Without a list there is nothing to keep, and a retired worker is not called back.
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
  // The newest: a worker knows the lists of its own publication and of those before.
  await registration.update().catch(() => {});
  const worker = registration.installing ?? registration.waiting ?? registration.active;
  while (worker.state !== "activated") {
    if (worker.state === "redundant") throw new Error("its worker did not start");
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return worker;
}
