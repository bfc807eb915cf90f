// The entry point of the threads of page_in_node.mjs: defines a worker's globals, then imports its
// script.
import { parentPort, workerData } from "node:worker_threads";

import { become_worker } from "./page_in_node.mjs";

// Messages that arrive before the script listens are queued.
const early = [];
const keep = (data) => early.push(data);
parentPort.on("message", keep);
become_worker(parentPort);
await import(workerData.script);
parentPort.off("message", keep);
for (const data of early) parentPort.emit("message", data);
