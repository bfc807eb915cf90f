// What this book keeps in the browser. Other books and sites may share its origin, so each name holds
// the book's address; until November 2026 they did not, and what lies under such an old name is read
// while there is nothing under the new one.

const root = globalThis.document?.documentElement;
const base = root ? new URL(root.dataset.root ?? "./", document.baseURI).pathname : "/";

/** The name under which this book keeps `name`, as "primer /repo/ theme". */
export const key_of = (name) => `primer ${base} ${name}`;
const old_key_of = (name) => `primer.${name}`;

/** What is kept under `name`, or null; storage that refuses holds nothing. */
export function stored(name, get_storage = () => localStorage) {
  try {
    const storage = get_storage();
    return storage.getItem(key_of(name)) ?? storage.getItem(old_key_of(name));
  } catch {
    return null;
  }
}

/** Throws where storage is refused or full. */
export function set_stored(name, text, get_storage = () => localStorage) {
  get_storage().setItem(key_of(name), text);
}

export function forget(name, get_storage = () => localStorage) {
  try {
    for (const key of [key_of(name), old_key_of(name)]) get_storage().removeItem(key);
  } catch {
    // Where storage is refused nothing was kept.
  }
}

/**
 * What removes or replaces the reader's results asks for a page of its own: another site may have laid
 * this one, unseen, below what the reader believes to press. Throws Error with words.
 */
export function refuse_in_frame() {
  if (globalThis.top !== globalThis.self)
    throw new Error("this page is inside another one: open it by itself");
}
