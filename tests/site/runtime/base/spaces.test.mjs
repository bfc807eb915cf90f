// The numbers that scripts write into a page have the same spaces as the generator's. Needs
// build/site, or SITE.
import assert from "node:assert/strict";
import { test } from "node:test";

import { with_narrow_spaces } from "../../../../site/runtime/base/spaces.js";
import { english_pages, read_page } from "../../support/site.mjs";

test("the tables of all figures are set by scripts as they were by the generator", () => {
  const tables = english_pages.flatMap((page) =>
    [...read_page(page).matchAll(/<details class="plot-data".*?<\/details>/gs)].map(([all]) => all),
  );
  const cells = tables.flatMap((table) =>
    [...table.matchAll(/<td>([^<]*)<\/td>/g)].map(([, text]) => text),
  );
  assert.ok(cells.filter((text) => text.includes("\u202F")).length > 200);
  const differing = cells.filter(
    (text) => with_narrow_spaces(text.replaceAll("\u202F", " ")) !== text,
  );
  assert.deepEqual(differing, []);
});

test("words, names of machines and plain numbers keep their space", () => {
  for (const text of ["8 H100", "12 Backups", "3 times", "512 GPUs", "4 sockets", "1 + 2 s"])
    assert.equal(with_narrow_spaces(text).replace("2\u202Fs", "2 s"), text);
  assert.equal(with_narrow_spaces("at 59 GFLOP/s, 3 %."), "at 59\u202FGFLOP/s, 3\u202F%.");
});
