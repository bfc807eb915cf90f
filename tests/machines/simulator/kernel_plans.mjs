// The time of a run of each kernel on a kind of core: the work of the kernel, applied to the closed
// forms. A plan is {bytes, way, ns(ghz, others)}: the region that a run works on, how far it walks
// around it, and the time of one run on a core with that clock if `others` bytes passed through the
// caches since. Kernels that the forms do not name have a share of the fused roof, or a number of
// cycles per operation, as in the two recorded profiles.

import {
  apart_cycles,
  chase_ns,
  dot_cycles,
  fetched_first,
  fused_cycles,
  held_shares,
  mixed_ns,
  parallel_chase_ns,
  powers,
  product_bytes,
  product_cycles,
  product_ns,
  read_bytes_per_cycle,
  stream_ns,
  translation_ns,
} from "./closed_forms.mjs";

const usual_call_ns = 25; // for a kernel that does little
const group_bytes = { 0: 64 * 4096, 3: 8 * 4096 }; // for chases that stay near, by order
const page = 4096;
const huge_page = 2 ** 21;
const usual_tile = 608;
const step_ns = 260; // for a team that passes parts on

/**
 * Levels, rates and latencies of a kind of core for one of `threads` threads in its cluster.
 * `siblings` also share a core, and `memory_gbs` is the part of the memory's rate that remains for
 * one.
 */
function view_of(machine, kind, { threads = 1, siblings = false, memory_gbs = Infinity }) {
  const own = machine.kinds[kind];
  const turbo = own.clock.turbo_ghz;
  const { memory } = machine;
  const levels = own.levels.map((level) => ({
    bytes:
      (level.kib * 1024) / Math.max(siblings ? 2 : 1, Math.min(threads, level.shared_by_cores)),
  }));
  const scaled = (level, ghz) => (level.shared_by_cores === 1 ? ghz / turbo : 1);
  const last_line = Math.max(own.levels.at(-1).line_bytes, memory.fetch_bytes);
  return {
    ...{ own, memory, levels },
    rates: (ghz) => own.levels.map((l) => l.read_gbs_one_core * scaled(l, ghz)),
    waits: (ghz) => own.levels.map((l) => l.latency_ns / scaled(l, ghz)),
    units: own.levels.map(({ line_bytes }, i) =>
      i === own.levels.length - 1 ? last_line : line_bytes,
    ),
    memory_gbs: Math.min(memory_gbs, own.memory_read_gbs_one_core),
    memory_ns: memory.latency_ns_page_local + own.memory_extra_ns,
  };
}

/** Reads `bytes` of a set of `set` bytes in order, with `chains` sums. */
function reading(view, { bytes, set, chains = 12 }) {
  const { own } = view;
  const bytes_per_cycle = read_bytes_per_cycle({
    ports: own.load.ports_128,
    add_pipes: own.vector.add_pipes,
    add_latency: own.vector.add_latency,
    chains,
  });
  return (ghz, others) =>
    stream_ns({
      ...{ bytes, bytes_per_cycle, ghz, memory_gbs: view.memory_gbs },
      shares: held_shares(view.levels, set, powers.stream, others),
      rates: view.rates(ghz),
    });
}

/** Copy and similar kernels: `bytes` moved, `stored` of them written. */
function moving(view, { bytes, set, stored }) {
  const read = reading(view, { bytes, set });
  const { copy_over_read: gain, store_fetches_line_first: fetches } = view.memory;
  const inner = Math.min(2, view.levels.length);
  return (ghz, others) => {
    const held = held_shares(view.levels, set, powers.stream, others)[inner - 1];
    const fetched = fetches ? fetched_first({ bytes, stored, held }) : 1;
    return Math.max(
      (read(ghz, others) / gain) * fetched,
      stored / (view.own.load.store_bytes_per_cycle * ghz),
    );
  };
}

/** The argument `learned` of ns() is the share of the walk whose order a prefetcher has learned. */
function chase(view, { params, steps, bytes, chains = 1 }) {
  const spacing = params.order === 2 ? page : params.line;
  const { memory } = view;
  const group = group_bytes[params.order] ?? Infinity;
  const is_near = group < Infinity;
  const page_size = memory.huge_pages ? huge_page : Math.max(page, memory.page_bytes);
  const most_ns = Math.max(0, memory.latency_ns_anywhere - memory.latency_ns_page_local);
  const units = is_near ? view.units : view.units.map(() => spacing);
  const seen = Math.max(1, Math.min(bytes, group) / page_size);
  const { latency_share: left = 1 } = memory.repeated_chase_learned_by_prefetcher ?? {};
  const ns = (ghz, others, learned = 0) => {
    const shares = held_shares(view.levels, bytes, powers.chase, others);
    const waits = [...view.waits(ghz), view.memory_ns * (1 - learned * (1 - left))];
    const step_ns =
      chase_ns({ shares, waits, units, spacing }) +
      translation_ns({ pages: seen, tlb: memory.tlb, ghz, most_ns });
    const { misses_in_flight } = view.own;
    const fetched = Math.min(spacing, view.units.at(-1)); // per node
    const outer = (1 - shares.at(-1)) * fetched; // in caches a line has no such cost
    return (
      steps *
      parallel_chase_ns({
        ...{ step_ns, chains, misses_in_flight },
        ...{ line: outer, memory_gbs: view.memory_gbs },
      })
    );
  };
  return { bytes, way: (steps / chains) * spacing, ns };
}

/** Cycles per operation at the fused roof, with the best number of chains. */
function roof_cycles({ vector, load }) {
  const per_operation = (chains) => fused_cycles(chains, vector, load.ports_128) / (8 * chains);
  return Math.min(...[4, 8, 12, 15, 16, 24].map(per_operation));
}

const product_of = ({ n, m, k, tile, prepacked }) => {
  const named = tile > 0 ? tile : usual_tile;
  return {
    ...{ n, m: m || n, k: k || n, prepacked },
    rows: Math.floor(named / 100),
    columns: named % 100,
  };
};

function packed(view, { params }) {
  const product = product_of(params);
  const cycles = product_cycles(product, view.own);
  const moved = product_bytes(product);
  const set = 4 * (product.m * product.k + product.k * product.n + product.m * product.n);
  const read = reading(view, { bytes: moved, set });
  return { bytes: set, way: set, ns: (ghz, others) => product_ns(cycles / ghz, read(ghz, others)) };
}

/**
 * Cycles per operation: a fraction of the fused roof, or a chain of one number at a time.
 */
const of_roof = (share) => (own) => roof_cycles(own) / share;
const of_bytes_roof = (share) => (own) => 1 / (share * own.vector.int8_dot.ops_per_cycle);
const waiting = (own) => own.vector.add_latency / 2;
/** This many cycles per operation, unless the units take longer. */
const each = (cycles) => (own) => Math.max(cycles, roof_cycles(own));
const each_apart = (cycles) => (own) =>
  Math.max(cycles, 1 / (2 * own.vector.unfused_pairs_per_cycle));

const arithmetic = {
  "roof.sweep": of_roof(0.98),
  "matmul.naive": waiting,
  "matmul.reordered": each_apart(0.87),
  "matmul.vector": each(0.196),
  "matmul.tiled": of_roof(0.77),
  "matmul.tiled:cache": each(0.262),
  "elementwise.unfused": of_roof(0.3),
  "elementwise.fused": of_roof(0.3),
  "matvec.f32": of_roof(0.76),
  "matvec.bf16": of_roof(0.75),
  "matvec.i8": of_bytes_roof(0.8),
  "matvec.i4": of_bytes_roof(0.54),
  "mlp.unfused": of_roof(0.95),
  "mlp.fused": of_roof(0.95),
  "attention.naive": (own, { stages }) => roof_cycles(own) / [0.8, 0.57, 0.71][stages - 1],
  "attention.tiled": of_roof(0.7),
  "conv.direct": waiting,
  "conv.blocked": of_roof(0.63),
  "conv.im2col": of_roof(0.8),
  "conv.packed": of_roof(0.87),
  "attention.heads": of_roof(0.8),
  "block.gpt2": of_roof(0.76),
  "matmul.i8": of_bytes_roof(0.9),
  "matmul.i8:plain": waiting,
  "matmul.i4": of_bytes_roof(0.48),
  "sparse.csr": each_apart(1.35),
  "sparse.bitmap": each_apart(1.2),
  "sparse.2to4": each(0.62),
};

// By class, for kernels that are not named above. Add an entry there once a recorded profile has
// the kernel.
const usual_arithmetic = {
  scalar: waiting,
  simd: each_apart(0),
  fma: of_roof(0.75),
  i8dot: of_bytes_roof(0.75),
  memory: of_roof(1),
  "": of_roof(0.75),
};

const reported = new Set(); // kernels whose default plan was printed
function usual_cycles(name, { class: kind }) {
  if (!reported.has(name)) console.log(`# the kernel ${name} has the default plan of ${kind}`);
  reported.add(name);
  return usual_arithmetic[kind] ?? usual_arithmetic[""];
}

const chains_of = {
  "peak.scalar": { cycles: apart_cycles, operations: 2 },
  "peak.simd": { cycles: apart_cycles, operations: 8 },
  "peak.fma": { cycles: fused_cycles, operations: 8 },
  "peak.i8dot": { cycles: (c, vector) => dot_cycles(c, vector), operations: 32 },
};

const stored_share = {
  "stream.write": 1,
  "stream.add": 1 / 3,
  "stream.copy": 1 / 2,
  "stream.triad": 1 / 3,
  "stream.memcopy": 1 / 2,
};

function probe(own, chains, flops, { cycles, operations }) {
  const all = cycles(chains, own.vector, own.load.ports_128) * (flops / (operations * chains));
  return { bytes: 4096, way: 4096, ns: (ghz) => all / ghz };
}

/** A team's sum of buffers: its steps, and the bytes that one member moves in them. */
function reduction(view, { id, params, team }) {
  const is_ring = id === "allreduce.ring";
  const steps = is_ring ? 2 * (team - 1) : 2 * Math.ceil(Math.log2(team));
  const moved = steps * (is_ring ? params.bytes / team : params.bytes);
  const read = reading(view, { bytes: moved, set: 2 * params.bytes });
  const set = 2 * params.bytes;
  return { bytes: set, way: set, ns: (ghz, others) => steps * step_ns + read(ghz, others) };
}

/**
 * The plan of one run on one core of `kind`. `kernel` is an entry of the registry, `counted` =
 * {flops, bytes, memory} comes from the module, `team` is the number of threads of a team kernel,
 * `seat` as in view_of. A kernel without a plan has the default plan of its class.
 */
export function plan_of(machine, kind, { kernel, params, counted, team = 1 }, seat = {}) {
  const view = view_of(machine, kind, seat);
  const { id } = kernel;
  const { call_ns = usual_call_ns } = view.own.load;
  const name = kernel.variant ? `${id}:${kernel.variant}` : id;
  if (id in chains_of) return probe(view.own, params.chains, counted.flops, chains_of[id]);
  if (id === "stream.read") {
    const read = reading(view, { bytes: params.w, set: params.w, chains: params.chains });
    return { bytes: params.w, way: params.w, ns: (ghz, others) => call_ns + read(ghz, others) };
  }
  if (id in stored_share) {
    const bytes = counted.bytes || params.w;
    const move = moving(view, { bytes, set: params.w, stored: stored_share[id] * bytes });
    return { bytes: params.w, way: params.w, ns: (ghz, others) => call_ns + move(ghz, others) };
  }
  if (id.endsWith(".chase") || kernel.class === "latency") {
    const { chains = 1, w = counted.memory } = params;
    const walk = { order: 1, line: 64, ...params };
    return chase(view, { params: walk, chains, steps: counted.flops, bytes: w });
  }
  if (id === "matmul.packed" || id === "matmul.parallel") return packed(view, { params });
  if (id.startsWith("allreduce.")) return reduction(view, { id, params, team });
  const cycles_of = arithmetic[name] ?? usual_cycles(name, kernel);
  const cycles = cycles_of(view.own, params) * counted.flops;
  const set = counted.memory;
  const read = reading(view, { bytes: counted.bytes, set });
  return {
    ...{ bytes: set, way: set },
    ns: (ghz, others) => call_ns + mixed_ns(cycles / ghz, read(ghz, others)),
  };
}
