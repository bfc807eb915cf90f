// This book's entries in the browser's storage. Other books and sites may share the origin, so each
// name contains the address of the book. Until November 2026 names did not; an entry with such an
// old name is read if there is none with the new name.

const root = globalThis.document?.documentElement;
const base = root ? new URL(root.dataset.root ?? "./", document.baseURI).pathname : "/";

/** The name of an entry of this book, for example "primer /repo/ theme". */
export const key_of = (name) => `primer ${base} ${name}`;
const old_key_of = (name) => `primer.${name}`;

/** The entry `name`, or null. Null if the browser denies storage, too. */
export function stored(name, get_storage = () => localStorage) {
  try {
    const storage = get_storage();
    return storage.getItem(key_of(name)) ?? storage.getItem(old_key_of(name));
  } catch {
    return null;
  }
}

/** Throws if storage is denied or full. */
export function set_stored(name, text, get_storage = () => localStorage) {
  get_storage().setItem(key_of(name), text);
}

export function forget(name, get_storage = () => localStorage) {
  try {
    for (const key of [key_of(name), old_key_of(name)]) get_storage().removeItem(key);
  } catch {
    // Storage is denied, so there is no entry to remove.
  }
}

/**
 * Call before removing or replacing the reader's results. Refuses in a frame, because another site
 * may have placed this page invisibly under what the reader means to press (clickjacking). Throws
 * Error with a message for readers.
 */
export function refuse_in_frame() {
  const fault = frame_fault();
  if (fault) throw new Error(fault);
}

/** Why a page in a frame refuses something; empty outside of frames. */
export const frame_fault = () =>
  globalThis.top === globalThis.self ? "" : "this page is in a frame: open it directly";
