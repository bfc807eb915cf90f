// Evaluates the experiments of the lab: rows for tables and sentences. Pure.

import { word } from "../base/language.js";
import { digits } from "../base/digits.js";

const is_good = ({ status, verified }) => status === "measured" && verified;

/**
 * Per instruction: {title, cycles (latency of a step in a chain), per_cycle (the maximum per
 * cycle), chains}, in the order of the registry.
 */
export function instruction_rows(results) {
  const by_kernel = Map.groupBy
    ? Map.groupBy(results.filter(is_good), ({ kernel }) => kernel)
    : grouped(results.filter(is_good), ({ kernel }) => kernel);
  return [...by_kernel.values()].flatMap((all) => {
    const one = all.find(({ params }) => params.chains === 1);
    const best = all.reduce((a, b) => (b.per_cycle > a.per_cycle ? b : a));
    if (!(one?.per_cycle > 0)) return [];
    return [
      {
        title: one.title,
        cycles: 1 / one.per_cycle,
        per_cycle: best.per_cycle,
        chains: best.params.chains,
      },
    ];
  });
}

function grouped(list, key_of) {
  const groups = new Map();
  for (const one of list) groups.set(key_of(one), [...(groups.get(key_of(one)) ?? []), one]);
  return groups;
}

/**
 * Per number of pages: {pages, spread, packed, extra}: ns per step, and the cost of address
 * translation.
 */
export function page_rows(results) {
  const good = results.filter(is_good);
  const value = (pages, spread) =>
    good.find((r) => r.pages === pages && r.spread === spread)?.median;
  const counts = [...new Set(good.map(({ pages }) => pages))].sort((a, b) => a - b);
  return counts.flatMap((pages) => {
    const [spread, packed] = [value(pages, true), value(pages, false)];
    return spread > 0 && packed > 0 ? [{ pages, spread, packed, extra: spread - packed }] : [];
  });
}

// More than at the previous point, if a smaller TLB no longer holds the pages
const knee_cycles = 2;
const lasting = 0.7; // of the increase that the next point must keep

/**
 * Where the cost of address translation rises: [{from, to, ns}], the numbers of pages before and
 * after, and the increase. `ghz` converts to cycles.
 */
export function page_knees(rows, ghz) {
  const knees = [];
  for (let i = 1; i + 1 < rows.length; ++i) {
    const climb = rows[i].extra - rows[i - 1].extra;
    const stays = rows[i + 1].extra - rows[i - 1].extra >= lasting * climb;
    if (climb * ghz < knee_cycles || !stays) continue;
    const last = knees.at(-1);
    if (last && last.to === rows[i - 1].pages) {
      last.to = rows[i].pages; // one increase over several points
      last.ns += climb;
    } else knees.push({ from: rows[i - 1].pages, to: rows[i].pages, ns: climb });
  }
  return knees;
}

export function page_sentences(rows, ghz) {
  const knees = page_knees(rows, ghz);
  if (rows.length === 0) return [];
  if (knees.length === 0)
    return [
      word(
        "No knee: translating addresses costs the same for {n} pages as for few. The system may use large pages here.",
        { n: rows.at(-1).pages },
      ),
    ];
  return knees.map(({ from, to, ns }) =>
    word(
      "Between {from} and {to} pages of 4 KiB translations begin to cost more: a TLB, or a cache beyond it, no longer holds them. Each load waits {ns} ns longer.",
      { from, to, ns: digits(ns, 2) },
    ),
  );
}

/** {pairs: [{partner, ns}], counters: [{apart, ns}]} from the experiment with cores. */
export function core_rows(results) {
  const of = (id) => results.filter((result) => is_good(result) && result.kernel === id);
  return {
    pairs: of("core.pingpong").map(({ params, median: ns }) => ({ partner: params.partner, ns })),
    counters: of("core.sharing").map(({ params, median: ns }) => ({ apart: params.apart, ns })),
  };
}

export function core_sentences({ pairs, counters }) {
  const sentences = [];
  const waits = pairs.map(({ ns }) => ns);
  if (waits.length === 1)
    sentences.push(
      word("A line goes from one thread to the other in {ns} ns.", { ns: digits(waits[0]) }),
    );
  if (waits.length > 1)
    sentences.push(
      word(
        "A line goes from one thread to another in {low} to {high} ns. A page cannot see which " +
          "cores they ran on, and the system may move them.",
        { low: digits(Math.min(...waits)), high: digits(Math.max(...waits)) },
      ),
    );
  const near = counters.find(({ apart }) => apart === 4)?.ns;
  const far = counters.find(({ apart }) => apart === 256)?.ns;
  if (near > 0 && far > 0)
    sentences.push(
      word(
        "Counting in a shared line costs each thread {times} times as much as counting in its " +
          "own line, although no thread reads another's number: false sharing.",
        { times: digits(near / far, 2) },
      ),
    );
  return sentences;
}

export function load_sentences(curve) {
  const [idle] = curve;
  const most = curve.reduce((a, b) => (b.gbs > a.gbs ? b : a));
  if (!(idle?.ns > 0) || !(most.gbs > 0)) return [];
  return [
    word(
      "Idle, a load from 64 MiB waits {idle} ns; while others read {gbs} GB/s, {loaded} ns: {times} times as long.",
      {
        idle: digits(idle.ns),
        gbs: digits(most.gbs),
        loaded: digits(most.ns),
        times: digits(most.ns / idle.ns, 2),
      },
    ),
  ];
}
