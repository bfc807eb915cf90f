// The sentences about a race of blocks on a GPU.
import assert from "node:assert/strict";
import { test } from "node:test";

import { why_it_won } from "../../../../site/runtime/gpu/choosing.js";

const said = (...entrants) => why_it_won(entrants.map(([tile, value]) => ({ tile, value })));

test("a block's lead is reported, and a tie is reported as none", () => {
  assert.equal(said([808, 107], [804, 100]), "8 × 8 a lane was 1.07 times as fast as 8 × 4");
  assert.equal(said([808, 99], [804, 100]), "8 × 8 a lane was as fast as 8 × 4");
  assert.equal(said([404, 1]), "4 × 4 a lane was the only block that ran");
});
