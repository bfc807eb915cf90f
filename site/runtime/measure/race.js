// The tile race. The fastest register tile of a matmul depends on the number of vector registers
// and on the engine's compiler, and no tile wins everywhere. So all tiles run in turn once, for a
// quarter of a second (a second with a coarse clock), and the winner replaces "tile = 0" on this
// machine. `now` is a clock in milliseconds and `pause(ms)` a promise, as in sampler.js.

import { clock_error, measure_tick, time_edges } from "../kernels/clock.js";
import { plateau, ranked } from "../base/stats.js";
import { complete_params } from "../kernels/tasks.js";
import { digits } from "../base/digits.js";

const raced_id = "matmul.packed";
const shape = { n: 240, m: 240, k: 256 }; // multiples of every tile
const warm_passes = 3;
const warm_calls = 2;
const heats = 2; // rounds of all tiles; slow tiles drop out afterwards
const finals = 6; // rounds of the remaining tiles
// With a clock of 1 ms, a short window has an error of a few percent, as much as tiles differ by.
const coarse_ms = 0.5;
const coarse_final_ms = 40;
const left_behind = 0.75;
const wide_gain = 1.25;
const x86_registers = 16;

/** Whether this task leaves its tile to the race. */
export function leaves_tile({ kernel, params }) {
  return params.tile === 0 && kernel.params.some(({ name }) => name === "tile");
}

/**
 * The stored choice for this `module` and `browser`, or null. `kept` is the list of choices of a
 * profile, and untrusted.
 */
export function known_choice(kept, registry, { module, browser }) {
  const kernel = raced_kernel(registry);
  const is_ours = (c) =>
    c?.kernel === raced_id && c.module === module && c.browser === browser && c.tile > 0;
  const found = Array.isArray(kept) ? kept.find(is_ours) : undefined;
  const is_known = found && tiles_of(kernel).includes(found.tile) && typeof found.why === "string";
  return is_known ? found : null;
}

/**
 * Races the tiles: {tile, why, rates: [{tile, value}]} in GFLOP/s, the winner first. Null if there
 * is nothing to race, not enough memory, or no correct tile. `x86`: whether the tiles must fit into
 * the registers of an x86 processor.
 */
export async function race_tiles({ module, x86, now, pause }) {
  const kernel = raced_kernel(module.registry);
  const entrants = tiles_of(kernel).map((tile) => entrant(module, kernel, tile));
  const room = Math.max(0, ...entrants.map(({ bytes }) => bytes));
  if (entrants.length === 0 || !module.reserve(module.heap_base + room)) return null;

  const clock = { now, tick_ms: measure_tick(now, 50, 10) };
  await warm_up(entrants, pause);
  const window_ms = Math.min(12, Math.max(2, 6 * clock.tick_ms));
  run_rounds(entrants, heats, window_ms, clock);
  const best = Math.max(...entrants.map(rate_of));
  const finalists = entrants.filter((one) => rate_of(one) >= left_behind * best);
  const is_coarse = clock.tick_ms >= coarse_ms;
  if (is_coarse) finalists.forEach(forget_heats);
  run_rounds(finalists, finals, is_coarse ? coarse_final_ms : window_ms, clock);

  const right = entrants.filter((one) => one.is_right());
  const rates = ranked(right.map((one) => ({ tile: one.tile, value: rate_of(one) })));
  return rates.length === 0 ? null : { tile: rates[0].tile, why: why_it_won(rates, x86), rates };
}

function raced_kernel(registry) {
  return registry.find((kernel) => kernel.id === raced_id && !kernel.variant);
}

function tiles_of(kernel) {
  const tile = kernel?.params.find(({ name }) => name === "tile");
  return (tile?.choices ?? []).filter((choice) => choice > 0);
}

/** One tile in the race: how to run it, its operations, its bytes, and a check of its result. */
function entrant(module, kernel, tile) {
  const params = complete_params(kernel, { ...shape, tile });
  const select = () => module.select(kernel, params);
  select();
  return {
    tile,
    flops: module.flops(kernel),
    bytes: module.memory_needed(kernel),
    rates: [],
    errors: [],
    prepare: () => {
      select();
      module.prepare(kernel, module.heap_base);
    },
    run: (reps) => {
      select();
      module.run(kernel, module.heap_base, reps);
    },
    is_right() {
      this.prepare();
      this.run(1);
      const { error, tolerance } = module.verify(kernel, module.heap_base);
      return error <= tolerance;
    },
  };
}

/**
 * Calls every tile, with pauses for the compiler, until the engine has replaced its first, quickly
 * compiled code.
 */
async function warm_up(entrants, pause) {
  for (let pass = 0; pass < warm_passes; ++pass) {
    for (const one of entrants) {
      one.prepare();
      for (let call = 0; call < warm_calls; ++call) one.run(1);
    }
    await pause(20);
  }
}

function forget_heats(one) {
  one.rates.length = 0;
  one.errors.length = 0;
}

function run_rounds(entrants, rounds, window_ms, { now, tick_ms }) {
  for (let round = 0; round < rounds; ++round) {
    for (const one of entrants) {
      const { ms, units } = time_edges(now, one.run, 1, window_ms, tick_ms);
      one.rates.push((one.flops * units) / (ms * 1e6));
      one.errors.push(clock_error({ ms, edges: true }, tick_ms, ms / units));
    }
  }
}

/** The high plateau of the rates, because every disturbance makes a sample slower. */
const rate_of = ({ rates, errors }) => plateau(rates, Math.min(...errors));
const rows = (tile) => Math.floor(tile / 100);
const columns = (tile) => tile % 100;
const sums = (tile) => (rows(tile) * columns(tile)) / 4;
const registers = (tile) => sums(tile) + columns(tile) / 4 + 1;
const called = (tile) => `${rows(tile)} × ${columns(tile)}`;

/**
 * Whether the engine seems to join pairs of 128-bit vectors: the winner needs more registers than
 * an x86 processor has for such vectors, and still wins clearly.
 */
function is_joined([winner, ...others], x86) {
  if (!x86 || registers(winner.tile) <= x86_registers) return false;
  const fitting = others.filter(({ tile }) => registers(tile) <= x86_registers);
  return fitting.length > 0 && fitting.every(({ value }) => winner.value > wide_gain * value);
}

/** Why the winner, the first of `rates`, was fastest, in words. */
export function why_it_won(rates, x86) {
  const [winner, second] = rates;
  const last = rates[rates.length - 1];
  const count = sums(winner.tile);
  const reason = is_joined(rates, x86)
    ? `your engine joins two neighboring vectors of 128 bits into one of 256, so that its ${count} sums take ${count / 2} registers`
    : registers(winner.tile) <= x86_registers
      ? `its ${count} sums and what it multiplies fill ${registers(winner.tile)} vector registers`
      : `there are registers for its ${count} sums`;
  const others = second
    ? `; ${called(second.tile)} reached ${digits(second.value)}` +
      (last === second ? "" : ` and the slowest, ${called(last.tile)}, ${digits(last.value)}`)
    : "";
  return `${called(winner.tile)} won with ${digits(winner.value)} GFLOP/s: ${reason}${others}`;
}
