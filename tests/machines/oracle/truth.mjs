// The truth about a machine, from its file only: the profile that a measurement without noise, heat
// or cold caches would give, at the fastest and the slowest clock of the core within a run. Pure.

import { clock_at, fetched_first, fused_cycles } from "../simulator/closed_forms.mjs";
import { usual_stretch_ms } from "../simulator/core_time.mjs";
import { plan_of } from "../simulator/kernel_plans.mjs";
import { run_ns } from "../simulator/simulated_pool.mjs";

const run_s = 60; // the longest duration of a run, with its pauses
const line = 64;
const most_chains = 32;
const lift = 1.02; // of kernels/roofs.js
const calls_cost = 0.93; // worst remaining share of a small set's rate after call overhead

/** The machine for an ideal probe: each node of a chase is on a separate line. */
const with_lines = (machine) => ({
  ...machine,
  memory: { ...machine.memory, fetch_bytes: line },
  kinds: Object.fromEntries(
    Object.entries(machine.kinds).map(([name, kind]) => [
      name,
      { ...kind, levels: kind.levels.map((level) => ({ ...level, line_bytes: line })) },
    ]),
  ),
});

/** The kinds of core that one core's results may come from. */
export function kinds_measured({ measuring_thread: { kind, share_of_time, other }, kinds }) {
  return share_of_time < 1 && other in kinds ? [kind, other] : [kind];
}

/** The slowest and the fastest clock of a kind of core within a run, in GHz. */
export function clocks_of({ clock }) {
  const seconds = Array.from({ length: run_s }, (_, i) => i + 1);
  const one = seconds.map((load_s) => clock_at(clock, { load_s, threads: 1, cores: 1 }));
  return [Math.min(...one), Math.max(...one)];
}

function value_of(unit, ns, { flops, bytes }) {
  if (unit === "GB/s") return bytes / ns;
  return unit === "ns" ? ns / (flops || 1) : flops / ns;
}

const race_shape = { n: 240, m: 240, k: 256 }; // of measure/race.js
const tie = 1.04; // tiles whose rates differ less may both win

export class Truth {
  #counter;
  #ideal;

  /** `counter` is a counting module (simulator/simulate.mjs). */
  constructor(machine, counter) {
    this.machine = machine;
    this.#counter = counter;
    this.#ideal = with_lines(machine);
  }

  #counted(kernel, params, threads) {
    const team = kernel.team ? threads : 1;
    const has_it = this.#counter.registry.includes(kernel);
    const counter = has_it ? this.#counter : this.#counter.further;
    counter.select(kernel, params, team);
    const counted = {
      flops: counter.flops(kernel),
      bytes: counter.bytes(kernel),
      memory: counter.memory_needed(kernel),
    };
    return { kernel, params, team, counted };
  }

  /**
   * The tiles that may win the race on a core of `kind`; the parameters unchanged if none is open.
   */
  #raced(kernel, params, kind) {
    const tiles = kernel.params.find(({ name }) => name === "tile")?.choices ?? [];
    if (params.tile !== 0) return [params];
    const packed = this.#counter.registry.find(({ id }) => id === "matmul.packed");
    const ns = (tile) => {
      const shape = { ...params, ...race_shape, tile };
      return plan_of(this.#ideal, kind, this.#counted(packed, shape, 1)).ns(1, 0);
    };
    const named = tiles.filter((tile) => tile > 0).map((tile) => ({ tile, ns: ns(tile) }));
    const best = Math.min(...named.map((one) => one.ns));
    return named.filter((one) => one.ns <= tie * best).map(({ tile }) => ({ ...params, tile }));
  }

  /**
   * The rate or time of a task on `threads` threads, with the core at `ghz` (several threads: after
   * `load_s` of load). If several tiles may have won a race, `pick` chooses one value.
   */
  value({ kernel, params, threads = 1 }, { kind, ghz, load_s, pick = Math.max }) {
    const cores = this.machine.cores.groups.reduce((sum, { count }) => sum + count, 0);
    const values = this.#raced(kernel, params, kind).map((one) => {
      const selected = this.#counted(kernel, one, threads);
      const { flops, bytes } = selected.counted;
      const counted = (copies) => ({ flops: copies * flops, bytes: copies * bytes });
      if (threads === 1)
        return value_of(kernel.unit, plan_of(this.#ideal, kind, selected).ns(ghz, 0), counted(1));
      const ghz_of = (name) => clock_at(this.machine.kinds[name].clock, { load_s, threads, cores });
      const ns = run_ns(this.#ideal, selected, threads)(ghz_of);
      return value_of(kernel.unit, ns, counted(kernel.team ? 1 : threads));
    });
    return pick(...values);
  }

  /** The profile of `tasks` on a core of `kind` at `ghz`, in the page's format. */
  profile(tasks, at) {
    const results = tasks.map((task) => {
      const { kernel, params, threads = 1 } = task;
      const value = this.value(task, at);
      const { flops, bytes } = this.#counted(kernel, params, threads).counted;
      const tail = this.#tail(task, at, value, flops);
      const seconds = kernel.unit === "GB/s" ? bytes / value / 1e9 : flops / value / 1e9;
      return {
        ...{ kernel: kernel.id, threads, device: "cpu", unit: kernel.unit, flags: [] },
        params: { ...params, ...(kernel.variant ? { variant: kernel.variant } : {}) },
        ...{ status: "measured", verified: true, roof_class: kernel.class, samples: 15 },
        ...{ best: value, median: value, mad: value / 1e3, p90: seconds, p99: tail * seconds },
        ...{ flops, bytes },
      };
    });
    const { levels, roofs } = this.#roofs(at);
    return {
      ...{ schema: 1, created: "", clock_ghz: at.ghz, levels, roofs, results },
      devices: [{ id: "cpu", kind: "cpu", state: "hardware", memory: "own" }],
    };
  }

  /**
   * How many times longer than usual the slowest runs of a task take: on the other kind of core, or
   * while another program has the core. A dozen runs may not be hit at all (`pick` of the slowest
   * clock), or may be hit by an interruption three times as long as a typical one.
   */
  #tail(task, at, value, flops) {
    const { measuring_thread: seat, kinds } = this.machine;
    if (seat.share_of_time === 1 || task.kernel.id !== "matmul.packed") return 1;
    if (seat.other === "stolen") {
      const longest_ms = 3 * (seat.stretch_ms ?? usual_stretch_ms.stolen);
      const run_ms = flops / value / 1e6;
      return at.pick === Math.min ? 1 : 1 + longest_ms / run_ms;
    }
    const slow = Math.min(
      ...kinds_measured(this.machine).map((kind) =>
        this.value(task, { ...at, kind, ghz: clocks_of(kinds[kind])[0] }),
      ),
    );
    return value / slow;
  }

  #roofs({ kind, ghz, pick }) {
    const worst = pick === Math.min ? calls_cost : 1;
    const own = this.machine.kinds[kind];
    const visible = own.levels.filter((level) => level.visible);
    const fastest = 16 * Math.min(own.load.ports_128, own.vector.add_pipes) * ghz;
    const rates = visible.map(({ read_gbs_one_core, shared_by_cores }) =>
      Math.min(
        fastest,
        read_gbs_one_core * (shared_by_cores === 1 ? ghz / own.clock.turbo_ghz : 1),
      ),
    );
    const levels = [...rates.map((rate) => rate * worst), own.memory_read_gbs_one_core].map(
      (read_gbs, i) => ({
        ...{ device: "cpu", read_gbs },
        name: i < rates.length ? `L${i + 1}` : "out",
        ...(i === rates.length ? { reached: "memory" } : {}),
      }),
    );
    const isas = this.#counter.registry.filter(({ id }) => id.startsWith("peak."));
    const arithmetic = isas.map((kernel) => {
      const value = Math.max(
        ...Array.from({ length: most_chains }, (_, i) =>
          this.#chains(kernel, i + 1, { kind, ghz }),
        ),
      );
      return { class: { isa: kernel.id.slice(5), threads: 1 }, unit: kernel.unit, value };
    });
    // A kernel that exceeds a roof lifts it, and some memory can write at the same time as it
    // reads.
    const { copy_over_read, store_fetches_line_first } = this.machine.memory;
    const copy = { bytes: 2, stored: 1, held: 0 };
    const gain = copy_over_read / (store_fetches_line_first ? fetched_first(copy) : 1);
    const lifted = gain > lift ? gain : 1;
    const memory = levels.map(({ name, read_gbs }) => ({
      class: { level: name, threads: 1 },
      ...{ unit: "GB/s", value: name === "out" ? lifted * read_gbs : read_gbs },
    }));
    const roofs = [...arithmetic, ...memory].map((roof) => ({ device: "cpu", from: "", ...roof }));
    return { levels, roofs };
  }

  /** A probe with any number of chains, even more than the module offers. */
  #chains(kernel, chains, { kind, ghz }) {
    const { counted } = this.#counted(kernel, { chains: 1 }, 1);
    const flops = counted.flops * chains;
    const selected = { kernel, params: { chains }, counted: { ...counted, flops } };
    return flops / plan_of(this.#ideal, kind, selected).ns(ghz, 0);
  }

  /** The fewest chains that reach 97 % of the fused roof of `kind`. */
  chains_needed(kind) {
    const { vector, load } = this.machine.kinds[kind];
    const rate = (chains) => chains / fused_cycles(chains, vector, load.ports_128);
    const all = Array.from({ length: most_chains }, (_, i) => i + 1);
    const best = Math.max(...all.map(rate));
    return all.find((chains) => rate(chains) >= 0.97 * best);
  }
}
