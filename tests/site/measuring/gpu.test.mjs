// Timing of the WGSL kernels on Chromium's software adapter: results are flagged, and never a roof.
// Other programs disturb the timer of a software adapter, so this runs alone.
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { sampled } from "../../rounds.mjs";
import {
  name_of,
  run,
  runs_only,
  session,
  small_canary,
  software,
  text_of,
} from "../support/gpu_session.mjs";

describe("chromium with its software adapter", { timeout: 600_000 }, () => {
  const test_some = sampled(test, 2);
  const { measure } = session("chromium", { args: software, alter: small_canary });

  test_some("measured on request, a program's numbers are flagged and make no roof", async () => {
    const asked = runs_only(
      run("gpu.read", { w: 1048576 }),
      run("gpu.launch", { variant: "trip" }),
    );
    const measured = new Map();
    // Other programs can disturb the timer of a software adapter. It then reports that, and the
    // test asks again.
    for (let turn = 0; turn < 4 && measured.size < asked.runs.length; ++turn) {
      const { results, roofs } = await measure({ ...asked, even_software: true });
      for (const { kernel, status, reason, verified, flags, median, samples } of results) {
        assert.ok(flags.includes("software"));
        if (status !== "measured") {
          assert.match(reason, /timer is not usable/, kernel);
          continue;
        }
        assert.ok(verified && median > 0 && samples >= 3, `${kernel}: ${median}, ${samples}`);
        measured.set(kernel, median);
      }
      assert.deepEqual(roofs, []);
    }
    assert.deepEqual([...measured.keys()].sort(), asked.runs.map(({ kernel }) => kernel).sort());
  });

  test_some(
    "few rows and sizes beyond a block are right in full, and one race chooses the block",
    async () => {
      const squares = [255, 257].map((n) => run("gpu.matmul.regblock", { n }));
      const rows = [run("gpu.matmul.tuned", { n: 128 }), run("gpu.matmul.tuned", { n: 128, m: 4 })];
      const asked = { ...runs_only(...squares, ...rows), even_software: true };
      let found = await measure(asked);
      const is_late = ({ status }) => status !== "measured";
      for (let turn = 0; turn < 3 && found.results.some(is_late); ++turn) {
        for (const { reason } of found.results.filter(is_late))
          assert.match(reason, /timer is not usable|no block runs/);
        found = await measure(asked);
      }
      for (const result of found.results)
        assert.ok(result.verified, `${name_of(result)}: ${result.reason}`);
      const tiles = found.results.filter(({ choice }) => choice).map(({ choice }) => choice.tile);
      assert.equal(found.choices.length, 1);
      assert.deepEqual(tiles, [found.choices[0].tile, found.choices[0].tile]);
    },
  );

  test_some("jitter is measured on both, and a program's only on request", async () => {
    const asked = { ...runs_only(run("gpu.launch", { variant: "trip" })), jitter: true };
    const { jitter } = await measure({ ...asked, even_software: true });
    for (const device of ["cpu", "gpu"]) {
      const { p50, p90, p99 } = jitter[device];
      assert.ok(p50 > 0 && p90 >= p50 && p99 >= p90, JSON.stringify(jitter));
    }
    assert.deepEqual([jitter.cpu.samples, jitter.gpu.samples], [300, 20]);
    const { jitter: unasked } = await measure(asked);
    assert.ok(unasked.cpu.samples === 300 && unasked.gpu === undefined);
  });
});

describe("chromium, shaders that do not compile and no timestamps", { timeout: 300_000 }, () => {
  const broken = text_of(["copy.wgsl", "vec4f", "vec5f"]);
  const blind = text_of(["gpu/adapter.js", '"timestamp-query", ', ""]);
  const alter = (path, body) => blind(path, broken(path, small_canary(path, body)));
  const { measure } = session("chromium", { args: software, alter });

  test("the compiler's words are the reason, and time is taken from outside", async () => {
    const asked = runs_only(run("gpu.copy"), run("gpu.read", { w: 65536 }));
    let found = await measure({ ...asked, even_software: true });
    const of = (id) => found.results.find(({ kernel }) => kernel === id);
    // As above: a disturbed timer is reported.
    for (let turn = 0; turn < 3 && of("gpu.read").status !== "measured"; ++turn) {
      assert.match(of("gpu.read").reason, /timer is not usable/);
      found = await measure({ ...asked, even_software: true });
    }
    const { devices } = found;
    assert.match(of("gpu.copy").reason, /copy\.wgsl:\d+: .*vec5f/);
    assert.equal(of("gpu.read").status, "measured", of("gpu.read").reason);
    assert.equal(devices.find(({ kind }) => kind === "gpu").timing, "slope");
  });
});
