// Drafts in IndexedDB, one per file. If the browser denies storage, as some private windows do,
// drafts are in memory and last until the page is closed.
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
    keep: (file, text, published) => ask("readwrite", (all) => all.put({ file, text, published })),
    forget: (file) => ask("readwrite", (all) => all.delete(file)),
    all: () => ask("readonly", (all) => all.getAll()),
  };
}

function in_memory() {
  const kept = new Map();
  return {
    lasting: false,
    load: async (file) => kept.get(file),
    keep: async (file, text, published) => void kept.set(file, { file, text, published }),
    forget: async (file) => void kept.delete(file),
    all: async () => [...kept.values()],
  };
}

/**
 * Saves texts by file name, with their published versions if they are given; deletes the draft of a
 * file whose text is null.
 */
export async function keep_all(drafts, texts, published = {}) {
  for (const [file, text] of Object.entries(texts))
    await (text === null ? drafts.forget(file) : drafts.keep(file, text, published[file]));
}

/**
 * Returns {lasting, load(file), keep(file, text), forget(file), all()}. The functions return
 * promises, and a draft is {file, text, published}: `published` is the text that it changes, only
 * for files of facts and references. `lasting`: the drafts survive the tab.
 */
export async function open_drafts() {
  try {
    return await open_database();
  } catch {
    return in_memory();
  }
}
