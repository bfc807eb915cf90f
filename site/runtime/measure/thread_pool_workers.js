// The workers of a thread pool, seen from the page, which starts them for the leader: in Firefox (153) a
// `new Worker` inside a worker sometimes never returns, about once in a hundred.

import { script } from "../base/trusted.js";

/** {start(tasks), end()}; one pool at a time. */
export class PoolWorkers {
  #workers = [];

  /**
   * One worker per task; resolves when all are ready for orders, and rejects with an Error in words
   * when one fails first. Ends the pool before.
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
