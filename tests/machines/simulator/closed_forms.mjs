// What a simulated machine takes for a piece of work: the closed forms of ../README.md, one
// function each. Pure. Sizes are bytes, times ns, clocks GHz (so cycles / GHz is ns), rates GB/s
// (so bytes / rate is ns).

/** The value at `x` of a curve [[x, value], …]: linear between its points, constant outside. */
export function at_curve(curve, x) {
  const next = curve.findIndex(([at]) => at > x);
  if (next === 0) return curve[0][1];
  if (next < 0) return curve.at(-1)[1];
  const [[x0, y0], [x1, y1]] = [curve[next - 1], curve[next]];
  return y0 + ((y1 - y0) * (x - x0)) / (x1 - x0);
}

export const powers = { chase: 2, stream: 3 };
const filled = 0.95; // of a cache, before a set falls out of it

/**
 * The share of a set of `bytes` that each of `levels` ({bytes}) or one nearer the core holds; never
 * less in an outer one. `others` is what other data have gone through the caches since the set's
 * last visit.
 */
export function held_shares(levels, bytes, power, others = 0) {
  let inner = 0;
  return levels.map((level) => {
    const fits = Math.min(1, ((filled * level.bytes) / bytes) ** power);
    inner = Math.max(inner, fits * Math.max(0, 1 - others / level.bytes));
    return inner;
  });
}

/** A sum over what each level serves, and what memory does: `shares` as held_shares gives them. */
function weighted(shares, of_level, of_memory) {
  let inner = 0;
  let sum = 0;
  shares.forEach((share, i) => {
    sum += (share - inner) * of_level[i];
    inner = share;
  });
  return sum + (1 - inner) * of_memory;
}

/** Reading `bytes` in order: each level at its rate, and never faster than the core's units add. */
export function stream_ns({ bytes, shares, rates, memory_gbs, bytes_per_cycle, ghz }) {
  const slow = weighted(
    shares,
    rates.map((rate) => bytes / rate),
    bytes / memory_gbs,
  );
  return Math.max(slow, bytes / (bytes_per_cycle * ghz));
}

/**
 * How many times as long moving `bytes` takes if each line that is stored to (`stored` bytes) is
 * fetched first, unless it is in an inner cache (`held`, a share).
 */
export const fetched_first = ({ bytes, stored, held }) =>
  Math.min(1.5, 1 + ((1 - held) * stored) / bytes);

/** Bytes that a core can take from its nearest cache and add up, each cycle. */
export function read_bytes_per_cycle({ ports, add_pipes, add_latency, chains }) {
  return 16 * Math.min(ports, add_pipes, chains / add_latency);
}

/**
 * One step of a chase. A miss brings in `units[i]` bytes into the level that missed (i = 0 is the
 * nearest), so that only spacing / unit of the steps pay for the level beyond; the others find the
 * node there. `waits` has a latency for each level and one for memory.
 */
export function chase_ns({ shares, waits, units, spacing }) {
  const served = waits.map((wait, i) => {
    if (i === 0) return wait;
    const paying = Math.min(1, spacing / units[i - 1]);
    return paying * wait + (1 - paying) * waits[i - 1];
  });
  return weighted(shares, served.slice(0, -1), served.at(-1));
}

/** The share of pages that a translation buffer of `entries` does not hold. */
export const unheld_pages = (entries, pages) => Math.max(0, 1 - entries / pages);

/** What translating adds to each step through `pages` at random, never more than `most_ns`. */
export function translation_ns({ pages, tlb, ghz, most_ns }) {
  const second = (unheld_pages(tlb.l1_entries, pages) * tlb.l2_hit_extra_cycles) / ghz;
  return Math.min(most_ns, second + unheld_pages(tlb.l2_entries, pages) * tlb.walk_ns);
}

/**
 * A load of several chases at once: as many wait together as the core allows, and lines have a
 * rate.
 */
export function parallel_chase_ns({ step_ns, chains, misses_in_flight, line, memory_gbs }) {
  const together = step_ns / Math.min(chains, misses_in_flight);
  return chains === 1 ? step_ns : Math.max(together, line / memory_gbs);
}

/**
 * What `chains` chains beyond the registers cost a step: a store and a load for each, and a cycle.
 */
function spilled_cycles(chains, registers, load_ports) {
  const spilled = Math.max(0, chains + 1 - registers);
  return (2 * spilled) / load_ports + spilled;
}

/** Cycles of a step of fused chains. */
export function fused_cycles(chains, vector, load_ports) {
  const busy = Math.max(
    chains / vector.fma_pipes,
    vector.fma_accumulate_latency,
    (chains + 2) / vector.issue_width,
  );
  return busy + spilled_cycles(chains, vector.registers_for_wasm, load_ports);
}

/** Cycles of a step of chains that multiply and add apart. */
export function apart_cycles(chains, vector, load_ports) {
  const busy = Math.max(
    chains / vector.unfused_pairs_per_cycle,
    vector.add_latency + vector.mul_latency,
    (2 * chains + 2) / vector.issue_width,
  );
  return busy + spilled_cycles(chains, vector.registers_for_wasm, load_ports);
}

/** Cycles of a step of chains of dot products of bytes, of 32 operations a chain. */
export function dot_cycles(chains, vector) {
  return (32 * chains) / Math.min(vector.int8_dot.ops_per_cycle, (32 * chains) / 4);
}

/** Cycles for each step of k of a tile of the packed product, `wide` vectors of four columns. */
export function tile_cycles(rows, columns, { vector, load }) {
  const wide = columns / 4;
  const sums = rows * wide;
  const busy = Math.max(
    sums / vector.fma_pipes,
    ((wide + rows) * 16) / load.bytes_per_cycle_128,
    (sums + wide + rows + 5) / vector.issue_width,
    vector.fma_accumulate_latency,
  );
  return busy * (sums + wide + 1 > vector.registers_for_wasm ? 1.5 : 1);
}

/** Cycles of a whole product: rows and columns rounded up to the tile. */
export function product_cycles({ m, n, k, rows, columns }, kind) {
  return Math.ceil(m / rows) * Math.ceil(n / columns) * k * tile_cycles(rows, columns, kind);
}

/** Bytes that packing and the sums of a product move: packing twice, C for each 256 of k. */
export function product_bytes({ m, n, k, prepacked = 0 }) {
  const packed = 2 * 4 * m * k + (prepacked ? 1 : 2) * 4 * k * n;
  return packed + 2 * 4 * m * n * Math.ceil(k / 256);
}

/** Arithmetic and what of the bytes' time exceeds a quarter of it. */
export const product_ns = (arithmetic_ns, bytes_ns) =>
  arithmetic_ns + Math.max(0, bytes_ns - arithmetic_ns / 4);

/** Arithmetic beside memory: the longer, and a tenth of the shorter. */
export const mixed_ns = (a, b) => Math.max(a, b) + 0.1 * Math.min(a, b);

/** Seconds of load that are left of `load_s` after `idle_s` of rest. */
export const rested = (load_s, idle_s, recover_s) => load_s * Math.exp(-idle_s / recover_s);

/**
 * How `threads` sit on `groups` ({kind, count, smt}, the faster first): [{kind, cores, siblings}],
 * siblings those of
 * `cores` that share a core. What exceeds all of them adds nothing.
 */
export function seats(groups, threads) {
  let left = threads;
  const taken = groups.map(({ kind, count }) => {
    const cores = Math.min(left, count);
    left -= cores;
    return { kind, cores, siblings: 0 };
  });
  groups.forEach(({ count, smt }, i) => {
    taken[i].siblings = Math.min(left, count * (smt - 1));
    left -= taken[i].siblings;
  });
  return taken;
}

/** A core's clock after `load_s` seconds of load, with `threads` of all `cores` at work. */
export function clock_at({ curve_one_core, curve_all_cores }, { load_s, threads, cores }) {
  const one = at_curve(curve_one_core, load_s);
  if (threads === 1 || cores === 1) return one;
  const all = at_curve(curve_all_cores, load_s);
  return one + ((all - one) * (Math.min(threads, cores) - 1)) / (cores - 1);
}
