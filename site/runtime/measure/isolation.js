// Several cores need shared memory, which browsers give only to isolated pages. If the host does
// not send the headers for that, the book's service worker (sw.js) adds them once the reader has
// asked for all cores. Only this file reloads the page, and only after a click, so reloads cannot
// loop.

import { frame_fault, key_of } from "../base/storage.js";
import { script } from "../base/trusted.js";

const base = new URL(document.documentElement.dataset.root ?? "./", document.baseURI);
const wish_cache = `primer ${base.pathname} isolation`; // the same name as in sw.js
const shelf_prefix = `primer ${base.pathname} shelf `; // also as in sw.js
const wish_url = new URL("use-all-cores", base).href;
const tried_key = key_of("isolation.tried");
const patience_ms = 40_000; // a busy machine is slow to start a service worker

/**
 * Whether this page can share memory: {isolated, reason}. `reason` says in words why it never can;
 * if it is empty, use_all_cores() may help.
 */
export function isolation() {
  if (crossOriginIsolated) {
    forget_trial();
    return { isolated: true, reason: "" };
  }
  if (was_tried()) {
    const reason =
      "the page was reloaded and this browser did not isolate it (a reload with Shift, or a " +
      "setting, prevents that)";
    return { isolated: false, reason };
  }
  return { isolated: false, reason: frame_fault() || obstacle() };
}

function obstacle() {
  if (!isSecureContext) return "a page that is not loaded over https cannot share memory";
  if (!navigator.serviceWorker || !globalThis.caches)
    return "this browser has no service workers here (a private window may be why)";
  return "";
}

function was_tried() {
  try {
    return sessionStorage.getItem(tried_key) !== null;
  } catch {
    return false;
  }
}

function forget_trial() {
  try {
    sessionStorage.removeItem(tried_key);
  } catch {
    // Storage is denied, so nothing was stored.
  }
}

/**
 * Stores the reader's wish, registers the service worker at the book's base and reloads the page
 * once. Throws Error with a message for readers if this browser cannot isolate the page.
 */
export async function use_all_cores() {
  if (crossOriginIsolated) return;
  const reason = obstacle();
  if (reason) throw new Error(reason);
  try {
    sessionStorage.setItem(tried_key, "1");
    await Promise.race([take_control(), patience()]);
  } catch (error) {
    forget_trial();
    throw new Error(`this browser could not isolate the page (${error.message})`);
  }
  location.reload();
}

async function take_control() {
  const cache = await caches.open(wish_cache);
  await cache.put(wish_url, new Response("1"));
  const address = script(new URL("sw.js", base));
  const registration = await navigator.serviceWorker.register(address, { scope: base.pathname });
  while (registration.active?.state !== "activated") await pause(50);
}

/** Rejects after `patience_ms`, because browsers do not limit how long these steps take. */
async function patience() {
  await pause(patience_ms);
  throw new Error("its service worker did not start");
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Whether the wish is stored, which means that pages are isolated from their next load on. */
export async function wants_all_cores() {
  try {
    return (await caches.match(wish_url, { cacheName: wish_cache })) !== undefined;
  } catch {
    return false;
  }
}

/**
 * Deletes the wish, so pages are no longer isolated from their next load on. Also unregisters the
 * service worker, unless it serves the book for offline reading.
 */
export async function use_one_core() {
  forget_trial();
  await globalThis.caches?.delete(wish_cache);
  const names = (await globalThis.caches?.keys()) ?? [];
  if (names.some((name) => name.startsWith(shelf_prefix))) return;
  const registration = await navigator.serviceWorker?.getRegistration(base.pathname);
  if (registration?.scope === base.href) await registration.unregister();
}
