// The race against a module whose kernels run at invented rates: who takes turns with whom, that
// every program computes every row, and that a wrong result ends the race.
import assert from "node:assert/strict";
import { test } from "node:test";

import { programs, race } from "../../../../site/runtime/ladder/turns.js";

const count = (name, fallback, choices) => ({
  ...{ name, unit: "", default: fallback, min: 0, max: 4096 },
  ...(choices ? { choices } : {}),
});
const kernels = programs.map(({ kernel, variant = "" }, index) => ({
  ...{ id: kernel, variant, index },
  params: [
    ...["n", "m", "k"].map((name) => count(name, 0)),
    ...(kernel === "matmul.packed" ? [count("tile", 0, [0, 408, 608])] : []),
  ],
}));

/** A module whose kernel i runs at `rates[i]` GFLOP/s and writes which rows of A it was given. */
function track({ rates, wrong = -1, memory = 2 ** 30 }) {
  let t = 0;
  let chosen;
  const floats = new Map();
  const tiles = new Set();
  const rows_of = ({ n, m }) => m || n;
  return {
    tiles,
    now: () => t,
    module: {
      registry: kernels,
      heap_base: 65536,
      select: (_, params) => {
        chosen = params;
        if (params.tile !== undefined) tiles.add(params.tile);
      },
      memory_needed: () => 4 * (2 * rows_of(chosen) * chosen.n + chosen.n ** 2),
      reserve: (bytes) => bytes <= memory,
      prepare: () => {},
      floats: (base, length) => {
        if (!floats.has(base)) floats.set(base, new Float32Array(length));
        return floats.get(base);
      },
      run: ({ index }) => {
        t += (2 * rows_of(chosen) * chosen.n ** 2) / (rates[index] * 1e6);
      },
      verify: ({ index }) => ({ error: index === wrong ? 1 : 0, tolerance: 0 }),
    },
  };
}

const rates = [2, 4, 16, 14, 40, 50];
async function raced(how, n = 1000) {
  const { module, now, tiles } = track({ rates, ...how });
  const told = [];
  const tell = (one) => told.push(one);
  await race({ module, n, tile: how.tile, now, pause: async () => {}, tell });
  return { told, tiles };
}

test("every program ends with the last row, and the fastest ones end first", async () => {
  const { told } = await raced({});
  const turns = told.filter(({ done }) => done !== undefined);
  const ends = turns.filter(({ done }) => done === 1000).map(({ lane }) => lane);
  assert.deepEqual(ends, [5, 4, 2, 3, 1, 0]);
  for (const lane of programs.keys()) {
    const own = turns.filter((turn) => turn.lane === lane).map(({ done }) => done);
    assert.deepEqual(
      own,
      [...new Set(own)].sort((a, b) => a - b),
    );
    assert.ok(own.length >= 8, `${own.length} bands`);
  }
});

test("while all compute, none is ahead by more than a turn", async () => {
  const { told } = await raced({});
  const first_end = told.findIndex(({ done }) => done === 1000);
  const done = programs.map((_, lane) =>
    Math.max(...told.slice(0, first_end).map((one) => (one.lane === lane ? one.done : 0))),
  );
  const ms = done.map((rows, i) => (2 * rows * 1000 ** 2) / (rates[i] * 1e6));
  assert.ok(Math.max(...ms) - Math.min(...ms) <= 9, String(ms));
});

test("the times are those of whole matmuls alone", async () => {
  const { told } = await raced({});
  const times = told.filter(({ alone_ms }) => alone_ms !== undefined);
  assert.deepEqual(
    times.map(({ lane, alone_ms }) => [lane, Math.round(alone_ms)]),
    rates.map((rate, lane) => [lane, Math.round(2000 / rate)]),
  );
});

test("packed uses the tile of this machine, otherwise the kernel's own", async () => {
  assert.deepEqual([...(await raced({ tile: 408 })).tiles], [408]);
  assert.deepEqual([...(await raced({})).tiles], [0]);
});

test("a wrong result or too little memory ends the race", async () => {
  await assert.rejects(raced({ wrong: 3 }), { message: "its result was wrong" });
  await assert.rejects(raced({ memory: 2 ** 23 }), {
    message: "it needs more memory than this page gets",
  });
});

test("the smallest size has bands, too", async () => {
  const { told } = await raced({}, 64);
  assert.equal(told.filter(({ done }) => done === 64).length, programs.length);
});
