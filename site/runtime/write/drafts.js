// What was written and is not published: kept in this browser by IndexedDB, a draft for each file. Where the browser refuses that, as in
// some private windows, drafts last as long as the page.
import { key_of } from "../base/storage.js";

const store = "drafts";

const answer_of = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

async function open_database() {
  const request = indexedDB.open(key_of(store), 1);
  request.onupgradeneeded = () => request.result.createObjectStore(store, { keyPath: "file" });
  const database = await answer_of(request);
  const ask = (mode, action) =>
    answer_of(action(database.transaction(store, mode).objectStore(store)));
  return {
    lasting: true,
    load: (file) => ask("readonly", (all) => all.get(file)),
    keep: (file, text) => ask("readwrite", (all) => all.put({ file, text })),
    forget: (file) => ask("readwrite", (all) => all.delete(file)),
    all: () => ask("readonly", (all) => all.getAll()),
  };
}

function in_memory() {
  const kept = new Map();
  return {
    lasting: false,
    load: async (file) => kept.get(file),
    keep: async (file, text) => void kept.set(file, { file, text }),
    forget: async (file) => void kept.delete(file),
    all: async () => [...kept.values()],
  };
}

/** Keeps texts by their files; null forgets one. */
export async function keep_all(drafts, texts) {
  for (const [file, text] of Object.entries(texts))
    await (text === null ? drafts.forget(file) : drafts.keep(file, text));
}

/**
 * {lasting, load(file), keep(file, text), forget(file), all()}: promises; a draft is {file, text}. `lasting` is whether they survive the tab.
 */
export async function open_drafts() {
  try {
    return await open_database();
  } catch {
    return in_memory();
  }
}
