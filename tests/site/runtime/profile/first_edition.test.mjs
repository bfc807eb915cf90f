// A profile from the book's first edition: wrong parts are removed, correct parts are preserved.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { link_mark, link_of, profile_of_link } from "../../../../site/runtime/profile/permalink.js";
import { machine_summary } from "../../../../site/runtime/profile/machine_summary.js";
import {
  merge_profiles,
  empty_profile,
  parse_profile,
} from "../../../../site/runtime/profile/profile.js";

const level = (name) => ({ device: "cpu", name, read_gbs: 90, bytes: 46341, bytes_error: 16384 });
const roof = (name) => ({
  ...{ device: "cpu", unit: "GB/s", value: 90, from: "stream.read" },
  class: { level: name, threads: 1 },
});
const chase = (w, kernel = "latency.chase") => ({
  ...{ kernel, params: { w, order: 0, line: 64 }, threads: 1, unit: "ns", status: "measured" },
  ...{ best: 50, median: 50, mad: 1, verified: true, flags: [], device: "cpu" },
});
const names = ["L1", "L2", "L3", "out"];
const old = {
  schema: 1,
  levels: names.map(level),
  roofs: names.map(roof),
  results: [2 ** 14, 2 ** 18, 2 ** 22, 2 ** 26].map((w) => chase(w)),
  cores: {
    reported: 2,
    notes: ["Reading (32 MiB for each thread) stops gaining.", "One product."],
  },
};

test("caches that were guessed, cold chases and reads of a cache are left out, in words", () => {
  const { profile } = parse_profile(JSON.stringify(old));
  assert.deepEqual(
    profile.levels.map(({ name }) => name),
    ["L1", "out"],
  );
  assert.deepEqual(
    profile.roofs.map((one) => one.class.level),
    ["L1", "out"],
  );
  assert.deepEqual(
    profile.results.map(({ params }) => params.w),
    [2 ** 14, 2 ** 18, 2 ** 26],
  );
  assert.deepEqual(profile.cores.notes, ["One product."]);
  assert.match(machine_summary(profile)[0], /first edition.*left out: measure everything again/);
  assert.deepEqual(parse_profile(JSON.stringify(profile)).profile, profile);
});

test("a profile measured by today's rules does not change, and a merged one names its old parts", () => {
  const today = { ...empty_profile("2026"), levels: names.map(level), results: old.results };
  assert.deepEqual(parse_profile(JSON.stringify(today)).profile, today);
  const merged = merge_profiles(parse_profile(JSON.stringify(old)).profile, today);
  assert.equal(parse_profile(JSON.stringify(merged)).profile.results.length, 4);
  assert.equal(merged.first_edition, true);
});

test("the recorded machines can be read, too", () => {
  for (const name of ["chromium", "firefox"]) {
    const url = new URL(`../../../../figures/profiles/reference-${name}.json`, import.meta.url);
    const { profile, error } = parse_profile(readFileSync(url, "utf8"));
    assert.equal(error, undefined);
    assert.ok(profile.results.length > 100);
  }
});

test("a link of the first edition loses the same, one of today nothing", async () => {
  const reference = { results: [] };
  const today = { ...empty_profile("2026"), levels: names.map(level), roofs: names.map(roof) };
  for (const [profile, kept] of [
    [today, names],
    [{ ...today, protocol: undefined }, ["L1", "out"]],
  ]) {
    const link = await link_of({ ...profile, browser: "Chromium 156", os: "Linux" });
    assert.ok(link.startsWith(link_mark));
    const opened = await profile_of_link(link, [], reference);
    assert.deepEqual(
      opened.profile.levels.map(({ name }) => name),
      kept,
    );
  }
});
