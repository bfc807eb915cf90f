// Tests positions in a roofline drawing (questions/plot.js).
import assert from "node:assert/strict";
import { test } from "node:test";

import { axis_of, path_of, roof_of } from "../../../../site/runtime/questions/plot.js";

const [x, y] = [axis_of("1 100 0 100"), axis_of("1e9 1e13 400 0")];

test("an axis maps values to positions and back", () => {
  assert.equal(x.at(10), 50);
  assert.ok(Math.abs(x.value(50) - 10) < 1e-9);
  assert.ok(Math.abs(y.at(1e11) - 200) < 1e-9);
});

test("a roof begins at the edge that it meets first and bends at its ridge", () => {
  const path = (roof) => path_of(roof_of(roof, x, y));
  assert.equal(path({ rate: 1e11, bandwidth: 1e10 }), "M0.0,300.0L50.0,200.0L100.0,200.0");
  // One hundredth of the bandwidth: at 1 FLOP/B the roof is below the plot.
  assert.equal(path({ rate: 1e10, bandwidth: 1e8 }), "M50.0,400.0L100.0,300.0L100.0,300.0");
});
