import assert from "node:assert/strict";
import { test } from "node:test";

import { core_of, found_in, share_below } from "../../../../site/runtime/gallery/find.js";

test("a share of machines is read off their percentiles", () => {
  const percentiles = Array.from({ length: 101 }, (_, i) => 10 + i);
  assert.equal(share_below(9, percentiles), 0);
  assert.equal(share_below(10, percentiles), 0);
  assert.equal(share_below(80.5, percentiles), 71);
  assert.equal(share_below(111, percentiles), 100);
});

test("one core's rates come from its roofs, not from a GPU's or several threads'", () => {
  const roof = (kind, value, device = "cpu") => ({ device, class: kind, value });
  const roofs = [
    roof({ isa: "simd", threads: 1 }, 20),
    roof({ isa: "fma" }, 40),
    roof({ isa: "fma", threads: 8 }, 300),
    roof({ level: "out", threads: 1 }, 12),
    roof({ level: "out" }, 900, "gpu"),
  ];
  assert.deepEqual(core_of({ roofs }), { arithmetic: 40e9, memory: 12e9 });
  assert.deepEqual(core_of({}), { arithmetic: 0, memory: 0 });
});

test("a search wants all words, wherever they stand", () => {
  const machines = [
    ["a", "Ryzen 7, Firefox 120", "Firefox 120, Linux", "2026-01-01", 8, 1, 1],
    ["b", "Ryzen 5, Chromium 121", "Chromium 121, Windows", "2026-02-01", 6, 1, 1],
  ];
  const names = (query) => found_in(machines, query).map(([name]) => name);
  assert.deepEqual(names("ryzen"), ["a", "b"]);
  assert.deepEqual(names("LINUX ryzen"), ["a"]);
  assert.deepEqual(names("2026-02"), ["b"]);
  assert.deepEqual(names("xeon"), []);
});
