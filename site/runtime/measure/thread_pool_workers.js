// The workers of a thread pool. The page starts them for the leader, because a `new Worker` inside
// a worker sometimes never returns in Firefox (153), about once in a hundred times.

import { script } from "../base/trusted.js";

/** Starts and ends the workers of a pool; one pool at a time. */
export class PoolWorkers {
  #workers = [];

  /**
   * Ends the previous pool and starts one worker per task. Resolves when all workers are ready for
   * orders; rejects with an Error, with a message for readers, as soon as one fails.
   */
  async start(tasks) {
    this.end();
    await Promise.all(tasks.map((task) => this.#start(task)));
  }

  end() {
    for (const worker of this.#workers.splice(0)) worker.terminate();
  }

  #start(task) {
    const worker = new Worker(script(new URL("thread_pool_member.js", import.meta.url)), {
      type: "module",
    });
    this.#workers.push(worker);
    return new Promise((resolve, reject) => {
      const heard = ({ data }) => (data.ready ? resolve() : reject(new Error(data.reason)));
      worker.addEventListener("message", heard, { once: true });
      worker.addEventListener("error", (event) => {
        event.preventDefault();
        reject(new Error(event.message || "a worker for a further core did not start"));
      });
      worker.postMessage(task);
    });
  }
}
