// The trials of the lab (trial_worker.js) as tasks for sampler.js. Pure.

import { complete_params, size_sweep } from "../kernels/tasks.js";
import { sorted_unique } from "../base/stats.js";

const page_bytes = 4096;
const line_bytes = 64;
const fewest_pages = 64;
const most_pages = 16384; // 64 MiB
export const most_threads = 8;

/** Every instruction of the module, with every number of chains that it allows. */
export function instruction_tasks(registry) {
  return registry
    .filter(({ id }) => id.startsWith("op."))
    .flatMap((kernel) => {
      const [{ choices }] = kernel.params;
      return choices.map((chains) => ({ kernel, params: { chains }, threads: 1 }));
    });
}

/**
 * For each number of pages, a chase through one line of each page, and one through as many adjacent
 * lines. Both need the same space in caches, but only the first needs a translation per page.
 */
export function page_tasks(registry, most = most_pages) {
  const kernel = registry.find(({ id, variant }) => id === "latency.chase" && !variant);
  if (!kernel) return [];
  const counts = size_sweep(fewest_pages * page_bytes, most * page_bytes, 2).map((bytes) =>
    Math.round(bytes / page_bytes),
  );
  const task = (given) => ({ kernel, params: complete_params(kernel, given), threads: 1 });
  return sorted_unique(counts).flatMap((pages) => [
    { ...task({ w: pages * page_bytes, order: 2, line: line_bytes }), pages, spread: true },
    { ...task({ w: pages * line_bytes, order: 1, line: line_bytes }), pages, spread: false },
  ]);
}

/**
 * A line that travels between the first thread and each other thread, and counters of all threads
 * at each distance.
 */
export function core_tasks_of(registry, threads) {
  const [pingpong, sharing] = ["core.pingpong", "core.sharing"].map((id) =>
    registry.find((kernel) => kernel.id === id),
  );
  const partners = Array.from({ length: threads - 1 }, (_, i) => i + 1);
  const [{ choices }] = sharing.params;
  return [
    ...partners.map((partner) => ({ kernel: pingpong, params: { partner }, threads })),
    ...choices.map((apart) => ({ kernel: sharing, params: { apart }, threads })),
  ];
}

/** The loads during a chase, from idle to full: the number of readers, and how long each pauses. */
export const loads = [
  { readers: 0, pause: 0 },
  ...[30_000, 10_000, 4000, 1500, 500, 150, 0].map((pause) => ({ readers: Infinity, pause })),
];
