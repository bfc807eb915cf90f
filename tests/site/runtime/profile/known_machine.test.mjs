// The values that a quick run takes from the existing profile.
import assert from "node:assert/strict";
import { test } from "node:test";

import { known_machine } from "../../../../site/runtime/profile/known_machine.js";

const probe = (more = {}) => ({
  ...{ kernel: "peak.simd", params: { chains: 12 }, threads: 1 },
  ...{ status: "measured", per_cycle: 16, ...more },
});
const profile = {
  ...{ choices: [{ tile: 608 }], clock_ghz: 3.6, results: [probe()] },
  levels: [
    { device: "gpu", name: "out", read_gbs: 900 },
    { device: "cpu", name: "out", read_gbs: 20 },
  ],
};

test("the core that numbers are told of: its clock, its operations a cycle, its memory", () => {
  const { choices, last_cache, home } = known_machine(profile);
  assert.deepEqual(home, { ghz: 3.6, wide: 16, memory_gbs: 20 });
  assert.deepEqual([choices, last_cache], [profile.choices, 0]);
  assert.equal(known_machine({ ...profile, levels: [] }).home.memory_gbs, 0);
  const roof = (isa, threads, ghz) => ({ device: "cpu", class: { isa, threads }, clock_ghz: ghz });
  const roofs = [roof("simd", 2, 2.9), roof("fma", 1, 4), roof("simd", 1, 3.4)];
  // A later run may have had another clock.
  assert.equal(known_machine({ ...profile, roofs }).home.ghz, 3.4);
});

test("nothing is known of a core whose probe did not run, on one core and with as many chains", () => {
  for (const results of [
    [],
    [probe({ status: "unavailable" })],
    [probe({ threads: 2 })],
    [probe({ params: { chains: 8 } })],
  ])
    assert.ok(!("home" in known_machine({ ...profile, results })));
  assert.ok(!("home" in known_machine({ ...profile, clock_ghz: null })));
  assert.deepEqual(known_machine(), { choices: undefined, last_cache: 0 });
});
