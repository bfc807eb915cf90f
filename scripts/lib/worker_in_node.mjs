// The beginning of each thread that page_in_node.mjs starts: a worker's globals, then its script.
import { parentPort, workerData } from "node:worker_threads";

import { become_worker } from "./page_in_node.mjs";

// What the page says before the script listens is kept for it.
const early = [];
const keep = (data) => early.push(data);
parentPort.on("message", keep);
become_worker(parentPort);
await import(workerData.script);
parentPort.off("message", keep);
for (const data of early) parentPort.emit("message", data);
