// What each case of each verdict claims in addition to its numbers, as a predicate over the
// machine: page → verdict → condition of the case → holds(t). `numbers` claims nothing else. t =
// {kind, machine, chains_needed, levels, holds(mib), value(expression)} (verdict_oracle.mjs). A
// case without a predicate fails the test. gpu_simulator/oracle.mjs judges sentences about GPUs.

const numbers = () => true;
/** Some cache, seen from one core, holds `mib`. */
const holds = (mib) => (t) => t.holds(mib);
// The 6 × 8 tile and its operands.
const fits_tile = ({ kind: { vector } }) => vector.registers_for_wasm >= 15;
const is_slow_phone = ({ machine }) => machine.class === "phone" || machine.class === "chromebook";
const siblings = ({ machine }) => {
  const [{ count, smt }] = machine.cores.groups;
  return count === 1 && smt > 1;
};
const unequal_or_slower = ({ machine, kind: { clock } }) =>
  machine.cores.groups[0].count === 1 ||
  clock.sustained_all_cores_ghz < clock.turbo_ghz ||
  machine.measuring_thread.share_of_time < 1;
const never = () => false; // for engines that no file has

export const claims = {
  home: { "verdict-home": { "value < 10 GFLOP/s": is_slow_phone, otherwise: numbers } },
  interlude: {
    "verdict-vector-add": {
      "value < 0.1 %": numbers,
      "value < 6 %": numbers,
      otherwise: (t) => t.holds(64) || t.value("ridge.fma.out / (1 FLOP/B)") < 2.8,
    },
  },
  machine: {
    "verdict-machine-ridge": {
      "value < 2 FLOP/B": numbers,
      "value < 12 FLOP/B": numbers,
      otherwise: numbers,
    },
    "verdict-machine-waits": {
      "value < 2": ({ kind }) => kind.misses_in_flight < 3,
      "value < 12": ({ kind }) => kind.misses_in_flight < 16,
      "value < 17.6": ({ kind }) => kind.misses_in_flight >= 10,
      otherwise: never, // sixteen chains are never more than sixteen times as fast
    },
    "verdict-machine-product": { "value < 0.5": never, "value < 0.8": numbers, otherwise: numbers },
    "verdict-machine-precision": {
      "value < 1.03": numbers,
      "value < 6": numbers,
      "value < 8.4": numbers,
      otherwise: holds(9), // of 36
    },
  },
  "many-chips": { "verdict-ring": { "value < 1": numbers, otherwise: numbers } },
  matmul: {
    "verdict-conv": { "value < 0.97": numbers, "value < 1.03": numbers, otherwise: numbers },
    "verdict-conv-packed": { "value < 0.97": numbers, "value < 1.03": numbers, otherwise: numbers },
    "verdict-block": { "value < 1.1": numbers, otherwise: numbers },
    "verdict-causal": { "value < 75 %": numbers, otherwise: numbers },
    "verdict-softmax": { "value < 3 %": numbers, otherwise: numbers },
    "verdict-ladder": {
      "value < 3": (t) => !fits_tile(t),
      "value < 12": numbers,
      otherwise: numbers,
    },
    "verdict-naive": { "value < 0.5": numbers, otherwise: numbers },
    "verdict-reordered": {
      "value < 0.97": numbers,
      "value < 1.03": numbers,
      "value < 3": numbers,
      otherwise: (t) => !t.holds(4),
    },
    "verdict-vector": { "value < 1.5": numbers, "value < 5": numbers, otherwise: never },
    "verdict-tiled": {
      "value < 0.97": (t) => !fits_tile(t),
      "value < 1.03": (t) => !fits_tile(t),
      "value < 1.5": numbers,
      otherwise: numbers,
    },
    "verdict-cache-tile": {
      "value < 0.97": numbers,
      "value < 1.1": numbers,
      otherwise: (t) => !t.holds(4),
    },
    "verdict-packed": { "value < 50 %": numbers, "value < 80 %": numbers, otherwise: numbers },
    "verdict-parallel": {
      "value < 1": numbers,
      "matmul.parallel{n=1024,threads=2} / matmul.packed{n=1024} < 1.15": siblings,
      "matmul.parallel{n=1024,threads=2} / matmul.packed{n=1024} < 1.75": unequal_or_slower,
      otherwise: numbers,
    },
    "verdict-unlucky": {
      "value < 0.87": numbers,
      "value < 1.15": numbers,
      "value < 2": numbers,
      otherwise: numbers,
    },
  },
  next: { "verdict-line": { "value < 0.5": numbers, otherwise: numbers } },
  "one-chip": {
    "verdict-fill": { "value < 1.5": numbers, otherwise: numbers },
    "verdict-fusion": { "value < 1.1": numbers, otherwise: numbers },
    "verdict-attention": { "value < 0.97": numbers, "value < 1.05": numbers, otherwise: numbers },
    "verdict-split": {
      "value < 1": numbers,
      "matmul.parallel{m=8,n=4096,k=4096,prepacked=1,split=1,threads=2} / matmul.parallel{m=8,n=4096,k=4096,prepacked=1,split=0,threads=2} < 1.05":
        numbers,
      otherwise: numbers,
    },
  },
  precision: {
    "verdict-levels": { "value < 1.3": holds(256), otherwise: numbers },
    "verdict-narrow": { "value < 1.2": numbers, otherwise: numbers },
    "verdict-zeros": { "value < 1": numbers, otherwise: numbers },
  },
  roofline: {
    "verdict-hidden-read": {
      "value < 0.97": numbers,
      "value < 1.15": numbers,
      "value < 2": numbers,
      otherwise: numbers,
    },
    "verdict-ridge": {
      "value < 1 FLOP/B": numbers,
      "value < 10 FLOP/B": numbers,
      otherwise: numbers,
    },
    "verdict-slopes": {
      "value < 0.77": numbers,
      "value < 1.3": numbers,
      "value < 3": numbers,
      otherwise: numbers,
    },
    "verdict-waits": {
      "value < 5.6 %": never, // a sixteenth is 6.25 %
      "value < 20 %": ({ kind }) => kind.misses_in_flight > 5,
      "value < 70 %": ({ kind }) => kind.misses_in_flight < 16,
      otherwise: ({ kind }) => kind.misses_in_flight < 2,
    },
    "verdict-ceilings": {
      "measured(P.fma) < 1": ({ has_relaxed }) => !has_relaxed,
      "value < 2": never,
      "P.fma / P.simd < 1.1": ({ kind: { vector } }) =>
        vector.unfused_pairs_per_cycle >= 0.9 * vector.fma_pipes,
      "value < 10": numbers,
      otherwise: never,
    },
    "verdict-chains": {
      "value < 2": (t) => t.chains_needed < 3,
      "value < 6": (t) => t.chains_needed < 8 || t.kind.vector.registers_for_wasm < 10,
      otherwise: (t) => t.chains_needed > 5,
    },
    "verdict-walk": { "value < 60 %": numbers, otherwise: numbers },
    "verdict-sweep": { "value < 1.15": numbers, "value < 2.2": numbers, otherwise: numbers },
    "verdict-near": { "value < 1.3": numbers, otherwise: (t) => !t.holds(256) },
    "verdict-precision": { "value < 1": never, "value < 3": numbers, otherwise: numbers },
  },
  tpu: {
    "verdict-bytes": {
      "value < 1.5": ({ kind }) => kind.vector.int8_dot.engine_uses === "three instructions",
      otherwise: numbers,
    },
    "verdict-promise": {
      // A dozen runs may all fall between two interruptions.
      "value < 1.02": ({ machine: { measuring_thread: seat } }) =>
        seat.share_of_time === 1 || seat.other === "stolen",
      otherwise: ({ machine }) => machine.measuring_thread.share_of_time < 1,
    },
    "verdict-rows": { "value < 1.2": numbers, otherwise: numbers },
  },
  workload: {
    "verdict-two-bills": {
      "value < 0.67": never,
      "value < 1.5": holds(64),
      "value < 3": numbers,
      otherwise: numbers,
    },
    "verdict-gemm-share": { "value < 0.75": numbers, "value < 1.05": numbers, otherwise: numbers },
    "verdict-attention": {
      "value < 0.97": numbers,
      "value < 1.03": numbers,
      "value < 1.5": numbers,
      otherwise: numbers,
    },
  },
};
