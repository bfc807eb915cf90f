// A machine in an address: decoding returns what was encoded, and invalid addresses are rejected.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { link_mark, link_of, profile_of_link } from "../../../../site/runtime/profile/permalink.js";
import { machine_summary } from "../../../../site/runtime/profile/machine_summary.js";

const recorded = JSON.parse(
  readFileSync(
    new URL("../../../../figures/profiles/reference-chromium.json", import.meta.url),
    "utf8",
  ),
);

const reference = { ...recorded, protocol: 2 }; // as if it were recorded today: nothing is migrated

/**
 * The part of the registry that these tests need: every kernel of the profile, as it declares it.
 */
const registry = [...new Map(reference.results.map((r) => [named(r), kernel_of(r)])).values()];

function named({ kernel, params }) {
  return `${kernel} ${params.variant ?? ""}`;
}

function kernel_of({ kernel, params, unit, roof_class }) {
  const { variant = "", ...numbers } = params;
  const declared = Object.entries(numbers).map(([name, value]) => {
    return { name, default: value, min: 0, max: 2 ** 31 };
  });
  return { id: kernel, variant, unit, class: roof_class, params: declared };
}

const restore = (hash) => profile_of_link(hash, registry, reference);
const packed = (value) =>
  `${link_mark}j${Buffer.from(JSON.stringify(value)).toString("base64url")}`;
const machine = { browser: "B 1", os: "O", clock: 3, roofs: [], levels: [], results: [] };

test("a profile survives the way through a link, to three digits", async () => {
  const link = await link_of(reference);
  assert.ok(link.length < 4000, `${link.length} characters`);
  assert.match(link, /^#m=[zj][\w-]+$/);
  const { profile, error } = await restore(link);
  assert.equal(error, undefined);
  assert.match(profile.name, /^someone else's machine \(Chromium/);
  const product = ({ results }) =>
    results.find((r) => r.kernel === "matmul.packed" && r.params.n === 1000);
  assert.ok(Math.abs(product(profile).median / product(reference).median - 1) < 0.005);
  assert.equal(product(profile).flops, product(reference).flops);
  assert.deepEqual(
    profile.roofs.map((roof) => roof.class),
    reference.roofs.map((roof) => roof.class),
  );
  assert.equal(
    machine_summary(profile)[0],
    machine_summary({ ...reference, results: profile.results })[0],
  );
});

test("a result that a link should not show is not in it", async () => {
  const results = [{ ...reference.results.at(-1), flags: ["drift"] }];
  const { profile } = await restore(await link_of({ ...reference, results }));
  assert.deepEqual(profile.results, []);
});

const hostile = {
  "no data": [link_mark, /damaged/],
  "no base64": [`${link_mark}j%%%`, /damaged/],
  "no deflated data": [`${link_mark}zAAAA`, /damaged/],
  "no JSON": [`${link_mark}j${Buffer.from("{").toString("base64url")}`, /damaged/],
  "a list": [packed([]), /does not describe/],
  "roofs that are none": [packed({ ...machine, roofs: [["fma", 1, "<b>"]] }), /roof 0/],
  "a rate below nothing": [
    packed({ ...machine, results: [["matmul.packed", { n: 512 }, 1, -1, 0]] }),
    /not a number/,
  ],
  "half a thread": [
    packed({ ...machine, results: [["matmul.packed", { n: 512 }, 0.5, 1, 0]] }),
    /does not describe/,
  ],
  "a parameter out of range": [
    packed({ ...machine, results: [["matmul.packed", { n: -3 }, 1, 1, 0]] }),
    /does not describe/,
  ],
  "too much": [`${link_mark}j${"A".repeat(20_000)}`, /too long/],
};
for (const [what, [hash, words]] of Object.entries(hostile)) {
  test(`a link with ${what} is refused in words`, async () => {
    const { profile, error } = await restore(hash);
    assert.equal(profile, undefined);
    assert.match(error, words);
  });
}

test("a number of chains that is no longer tried is left out, and the rest is shown", async () => {
  const chains = { name: "chains", default: 12, min: 1, max: 24, choices: [8, 12, 24] };
  const peak = { id: "peak.fma", unit: "GFLOP/s", class: "fma", params: [chains] };
  const results = [5, 8].map((n) => ["peak.fma", { chains: n }, 1, 40, 0]);
  const hash = packed({ ...machine, results });
  const { profile } = await profile_of_link(hash, [peak], reference);
  assert.deepEqual(
    profile.results.map(({ params }) => params.chains),
    [8],
  );
});

test("a small link that unpacks to very much is refused", async () => {
  const much = new Blob(["[".repeat(3_000_000)]).stream();
  const bomb = much.pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = Buffer.from(await new Response(bomb).arrayBuffer());
  const hash = `${link_mark}z${bytes.toString("base64url")}`;
  assert.ok(hash.length < 16_000);
  assert.match((await restore(hash)).error, /damaged/);
});

test("kernels that this book does not know are left out", async () => {
  const results = [["matmul.magic", { n: 512 }, 1, 1, 0]];
  const { profile } = await restore(packed({ ...machine, results }));
  assert.deepEqual(profile.results, []);
});
