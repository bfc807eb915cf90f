// The WGSL kernels on Mesa's lavapipe, through Dawn in Node: a second driver in addition to
// Chromium's SwiftShader, and one that has FP16. Only in full runs, because the driver is a
// download of 65 MB and compiles for 15 seconds.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, before, describe, test } from "node:test";

import { is_full } from "../rounds.mjs";

const timeout = 600_000;
const checked = /its answer was checked and is right/;
const name_of = ({ kernel, params }) => `${kernel} ${JSON.stringify(params)}`;
const folder = mkdtempSync(join(tmpdir(), "dawn-"));
after(() => rmSync(folder, { recursive: true, force: true }));

/** The profile that a program writes. The program must succeed and report no problem. */
function profile_by(program, all, options = {}) {
  const out = join(folder, "profile.json");
  rmSync(out, { force: true });
  const ended = spawnSync(program, [...all, "--out", out], {
    ...{ encoding: "utf8", timeout },
    ...options,
  });
  assert.equal(ended.status, 0, ended.stderr + ended.stdout);
  assert.match(ended.stdout, / 0 wrong, /);
  const valid = spawnSync("build/release/generator/primer", ["profile", "validate", out]);
  assert.equal(valid.status, 0, String(valid.stderr));
  return JSON.parse(readFileSync(out, "utf8"));
}

const device_of = ({ devices }) => devices.find(({ kind }) => kind === "gpu");

describe("lavapipe", { skip: !is_full && "in scripts/test --full", timeout: 3 * timeout }, () => {
  test("every kernel gives the reference's answer, those of FP16 too", () => {
    const profile = profile_by("scripts/webgpu", ["--only", "gpu.*"]);
    const device = device_of(profile);
    assert.match(device.name, /^llvmpipe/);
    assert.equal(profile.gpu.state, "software");
    for (const name of ["shader-f16", "timestamp-query"]) assert.ok(device.features.includes(name));
    assert.ok(profile.results.length >= 29);
    for (const result of profile.results) {
      assert.match(result.reason, checked, name_of(result));
      assert.equal(result.verified, true, name_of(result));
    }
  });

  test("a device of default limits runs all that needs no feature", () => {
    const profile = profile_by("scripts/webgpu", ["--default-limits", "--only", "gpu.*"]);
    const device = device_of(profile);
    assert.deepEqual(device.features, []);
    assert.equal(device.timing, "slope");
    assert.equal(device.limits.maxStorageBufferBindingSize, 128 * 2 ** 20);
    assert.equal(device.limits.maxComputeInvocationsPerWorkgroup, 256);
    assert.ok(profile.results.length >= 29);
    for (const result of profile.results) {
      const lacks = { f16: /shader-f16/, i8dot: /no 8-bit dot product/ };
      const [, feature] = /(f16|i8dot)$/.exec(result.kernel) ?? [];
      assert.match(result.reason, lacks[feature] ?? checked, name_of(result));
      assert.equal(result.verified, feature ? undefined : true, name_of(result));
    }
  });

  test("in samples of a clock, a profile has numbers, flagged as a program's", () => {
    const profile = profile_by("scripts/webgpu", [
      ...["--even-software", "--pace", "quick"],
      ...["--only", "gpu.wgmem", "--only", "gpu.upload"],
    ]);
    for (const result of profile.results) {
      assert.equal(result.status, "measured", name_of(result));
      assert.ok(result.median > 0, name_of(result));
      assert.ok(result.flags.includes("software"), name_of(result));
    }
  });
});

describe(
  "the archive",
  { skip: !is_full && "in scripts/test --full", timeout: 2 * timeout },
  () => {
    const archive = join(folder, "webgpu.tar.gz");
    const env = { PATH: "/usr/bin:/bin" };

    before(() => {
      const packed = spawnSync("scripts/webgpu", ["--pack", archive], {
        encoding: "utf8",
        timeout,
      });
      assert.equal(packed.status, 0, packed.stderr);
      assert.ok(readFileSync(archive).length < 64 * 2 ** 20);
      assert.equal(spawnSync("tar", ["-xzf", archive, "-C", folder]).status, 0);
    });

    test("measures where it was unpacked, with the machine's driver and nothing of the project", () => {
      const driver = resolve("build/lavapipe/usr/share/vulkan/icd.d/lvp_icd.json");
      const all = ["--driver", driver, "--only", "gpu.peak.f16", "--only", "gpu.triad"];
      const profile = profile_by(join(folder, "webgpu/run"), all, { env });
      assert.deepEqual(profile.results.map(({ kernel, verified }) => [kernel, verified]).sort(), [
        ["gpu.peak.f16", true],
        ["gpu.triad", true],
      ]);
    });

    test("holds none of the software driver, whose place the machine's takes", () => {
      for (const name of ["libvulkan_lvp.so", "libLLVM.so.19.1"])
        assert.ok(!existsSync(join(folder, "webgpu/lib", name)), name);
      assert.ok(existsSync(join(folder, "webgpu/lib/libvulkan.so.1")));
    });
  },
);
