// The page's side of the worker: requests as promises. There is no timeout, because the first page
// takes seconds.
import { script } from "../base/trusted.js";

/**
 * Starts the program and opens the book at `address`: {book, ask(request), end()}. Calls
 * `report(bytes)` with the number of bytes loaded. It and `ask` reject with a message for the
 * author. After end(), requests are not answered.
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
    fail("the program was stopped");
  };
  try {
    return { book: await ask({ address }), ask, end };
  } catch (error) {
    end();
    throw error;
  }
}
