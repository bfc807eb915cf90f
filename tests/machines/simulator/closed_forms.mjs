// The time that a simulated machine takes for a piece of work: the closed forms of ../README.md,
// one function each. Pure. Sizes are bytes, times ns, clocks GHz (so cycles / GHz is ns), rates
// GB/s (so bytes / rate is ns).

/** The value at `x` of a curve [[x, value], …]: linear between its points, constant outside. */
export function at_curve(curve, x) {
  const next = curve.findIndex(([at]) => at > x);
  if (next === 0) return curve[0][1];
  if (next < 0) return curve.at(-1)[1];
  const [[x0, y0], [x1, y1]] = [curve[next - 1], curve[next]];
  return y0 + ((y1 - y0) * (x - x0)) / (x1 - x0);
}

export const powers = { chase: 2, stream: 3 };
const filled = 0.95; // of a cache, before a set no longer fits

/**
 * The share of a set of `bytes` that is in each of `levels` ({bytes}) or nearer to the core; it
 * never decreases outward. `others` is the amount of other data that passed through the caches
 * since the set's last visit.
 */
export function held_shares(levels, bytes, power, others = 0) {
  let inner = 0;
  return levels.map((level) => {
    const fits = Math.min(1, ((filled * level.bytes) / bytes) ** power);
    inner = Math.max(inner, fits * Math.max(0, 1 - others / level.bytes));
    return inner;
  });
}

/**
 * A sum over the contributions of each level and of memory; `shares` as returned by held_shares.
 */
function weighted(shares, of_level, of_memory) {
  let inner = 0;
  let sum = 0;
  shares.forEach((share, i) => {
    sum += (share - inner) * of_level[i];
    inner = share;
  });
  return sum + (1 - inner) * of_memory;
}

/** Reads `bytes` in order: each level at its rate, and never faster than the core can add. */
export function stream_ns({ bytes, shares, rates, memory_gbs, bytes_per_cycle, ghz }) {
  const slow = weighted(
    shares,
    rates.map((rate) => bytes / rate),
    bytes / memory_gbs,
  );
  return Math.max(slow, bytes / (bytes_per_cycle * ghz));
}

/**
 * How many times longer moving `bytes` takes if each stored line (`stored` bytes) is fetched first,
 * unless it is in an inner cache (`held`, a share).
 */
export const fetched_first = ({ bytes, stored, held }) =>
  Math.min(1.5, 1 + ((1 - held) * stored) / bytes);

/** Bytes per cycle that a core can load from its nearest cache and add. */
export function read_bytes_per_cycle({ ports, add_pipes, add_latency, chains }) {
  return 16 * Math.min(ports, add_pipes, chains / add_latency);
}

/**
 * One step of a chase. A miss brings `units[i]` bytes into the level that missed (i = 0 is the
 * nearest), so only spacing / unit of the steps pay for the next level; the other steps find their
 * node in the line. `waits` has a latency per level and one for memory.
 */
export function chase_ns({ shares, waits, units, spacing }) {
  const served = waits.map((wait, i) => {
    if (i === 0) return wait;
    const paying = Math.min(1, spacing / units[i - 1]);
    return paying * wait + (1 - paying) * waits[i - 1];
  });
  return weighted(shares, served.slice(0, -1), served.at(-1));
}

/** The share of pages that a TLB with `entries` entries does not cover. */
export const unheld_pages = (entries, pages) => Math.max(0, 1 - entries / pages);

/** The cost of translation per step through `pages` pages at random, never more than `most_ns`. */
export function translation_ns({ pages, tlb, ghz, most_ns }) {
  const second = (unheld_pages(tlb.l1_entries, pages) * tlb.l2_hit_extra_cycles) / ghz;
  return Math.min(most_ns, second + unheld_pages(tlb.l2_entries, pages) * tlb.walk_ns);
}

/**
 * One load in several concurrent chases: the core limits how many are in flight, and lines have a
 * maximum rate.
 */
export function parallel_chase_ns({ step_ns, chains, misses_in_flight, line, memory_gbs }) {
  const together = step_ns / Math.min(chains, misses_in_flight);
  return chains === 1 ? step_ns : Math.max(together, line / memory_gbs);
}

/**
 * The cost per step of `chains` chains that do not fit in registers: a store, a load and a cycle
 * for each.
 */
function spilled_cycles(chains, registers, load_ports) {
  const spilled = Math.max(0, chains + 1 - registers);
  return (2 * spilled) / load_ports + spilled;
}

/** Cycles per step of fused chains. */
export function fused_cycles(chains, vector, load_ports) {
  const busy = Math.max(
    chains / vector.fma_pipes,
    vector.fma_accumulate_latency,
    (chains + 2) / vector.issue_width,
  );
  return busy + spilled_cycles(chains, vector.registers_for_wasm, load_ports);
}

/** Cycles per step of chains that multiply and add separately. */
export function apart_cycles(chains, vector, load_ports) {
  const busy = Math.max(
    chains / vector.unfused_pairs_per_cycle,
    vector.add_latency + vector.mul_latency,
    (2 * chains + 2) / vector.issue_width,
  );
  return busy + spilled_cycles(chains, vector.registers_for_wasm, load_ports);
}

/** Cycles per step of chains of byte dot products, with 32 operations per chain. */
export function dot_cycles(chains, vector) {
  return (32 * chains) / Math.min(vector.int8_dot.ops_per_cycle, (32 * chains) / 4);
}

/** Cycles per step of k for a tile of the packed matmul, `wide` vectors of four columns. */
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

/** Cycles of a whole matmul, with rows and columns rounded up to the tile. */
export function product_cycles({ m, n, k, rows, columns }, kind) {
  return Math.ceil(m / rows) * Math.ceil(n / columns) * k * tile_cycles(rows, columns, kind);
}

/** Bytes moved by packing and by the sums of a matmul: packing twice, C once per 256 of k. */
export function product_bytes({ m, n, k, prepacked = 0 }) {
  const packed = 2 * 4 * m * k + (prepacked ? 1 : 2) * 4 * k * n;
  return packed + 2 * 4 * m * n * Math.ceil(k / 256);
}

/** The arithmetic, plus the part of the bytes' time that exceeds a quarter of it. */
export const product_ns = (arithmetic_ns, bytes_ns) =>
  arithmetic_ns + Math.max(0, bytes_ns - arithmetic_ns / 4);

/** Arithmetic and memory overlap: the longer, plus a tenth of the shorter. */
export const mixed_ns = (a, b) => Math.max(a, b) + 0.1 * Math.min(a, b);

/** Seconds of `load_s` that remain after `idle_s` of rest. */
export const rested = (load_s, idle_s, recover_s) => load_s * Math.exp(-idle_s / recover_s);

/**
 * How `threads` are assigned to `groups` ({kind, count, smt}, the faster first): [{kind, cores,
 * siblings}], where siblings is the number of threads that share one of `cores` with another.
 * Threads beyond that add nothing.
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

/** A core's clock after `load_s` seconds of load, if `threads` of all `cores` are busy. */
export function clock_at({ curve_one_core, curve_all_cores }, { load_s, threads, cores }) {
  const one = at_curve(curve_one_core, load_s);
  if (threads === 1 || cores === 1) return one;
  const all = at_curve(curve_all_cores, load_s);
  return one + ((all - one) * (Math.min(threads, cores) - 1)) / (cores - 1);
}
