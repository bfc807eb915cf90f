// The page's end of the worker: requests as promises. Of a program that says nothing for long, the promise is kept: a first page
// takes seconds.
import { script } from "../base/trusted.js";

/**
 * Starts the program and opens the book at `address`: {book, ask(request), end()}. `report(bytes)` hears how many have been loaded. Rejects in
 * words. `ask` rejects in words too; after end() nothing is answered.
 */
export async function start_program(address, report) {
  const worker = new Worker(script(new URL("worker.js", import.meta.url)), { type: "module" });
  const waiting = new Map();
  let count = 0;
  const fail = (why) => {
    for (const { reject } of waiting.values()) reject(new Error(why));
    waiting.clear();
  };
  worker.addEventListener("error", () => fail("the program did not start"));
  worker.addEventListener("message", ({ data }) => {
    if (data.loaded !== undefined) return report(data.loaded);
    const { resolve, reject } = waiting.get(data.id) ?? {};
    waiting.delete(data.id);
    if (data.error !== undefined) reject?.(new Error(data.error));
    else resolve?.(data.answer);
  });
  const ask = (request) =>
    new Promise((resolve, reject) => {
      const id = ++count;
      waiting.set(id, { resolve, reject });
      worker.postMessage({ id, ...request });
    });
  const end = () => {
    worker.terminate();
    fail("the program was ended");
  };
  try {
    return { book: await ask({ address }), ask, end };
  } catch (error) {
    end();
    throw error;
  }
}
