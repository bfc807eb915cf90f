// scripts/profiles: profiles as rows of Parquet in an object store, and the summary that /machines/
// shows.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";

import { most } from "../../scripts/gallery/summary.mjs";
import { plausible_profile, random_from } from "../../scripts/lib/plausible_profiles.mjs";
import { core_of } from "../../site/runtime/gallery/find.js";

const repository = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const primer = join(repository, "build/release/generator/primer");
const root = mkdtempSync(join(tmpdir(), "profiles-"));
after(() => rmSync(root, { recursive: true, force: true }));

const skip =
  !existsSync(join(repository, "scripts/gallery/node_modules/.package-lock.json")) &&
  "DuckDB is not installed: scripts/profiles installs it at its first use";

/** {status, said} of a program, while this process continues to answer. */
async function run(command, args, cwd = root) {
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, XDG_CACHE_HOME: join(root, "cache") },
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (said += text));
  const [status] = await once(child, "close");
  return { status, said };
}

async function profiles(...args) {
  const { status, said } = await run(join(repository, "scripts/profiles"), args);
  assert.equal(status, 0, said);
  return said;
}

/** An object store on this machine. It accepts and returns files if the signature is right. */
async function object_store() {
  const objects = new Map();
  const server = createServer(async (request, response) => {
    const { pathname, search } = new URL(request.url, "http://x");
    if (search !== "?signature=good") return response.writeHead(403).end();
    if (request.method === "PUT") {
      const parts = [];
      for await (const part of request) parts.push(part);
      objects.set(pathname, Buffer.concat(parts));
      return response.end();
    }
    const object = objects.get(pathname);
    return object ? response.end(object) : response.writeHead(404).end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  after(() => server.close());
  return { objects, address: `http://127.0.0.1:${server.address().port}` };
}

const plausible = (count, seed) => {
  const random = random_from(seed);
  return Array.from({ length: count }, () => plausible_profile(random));
};

function write_all(directory, list) {
  mkdirSync(directory, { recursive: true });
  list.forEach((profile, i) =>
    writeFileSync(join(directory, `m${i}.json`), JSON.stringify(profile)),
  );
}

test("a summary of rows in an object store says what their values are", { skip }, async () => {
  const { objects, address } = await object_store();
  const place = `${address}/rows.parquet?signature=good`;
  const said = await profiles("pack", place, "--plausible", "700", "--seed", "3");
  assert.equal(said, `${address}/rows.parquet: 700 rows\n`);
  const bytes = objects.get("/rows.parquet");
  assert.equal(bytes.subarray(0, 4).toString(), "PAR1");
  assert.ok(bytes.length < 700 * 150, `${bytes.length} bytes`);
  const out = join(root, "gallery.json");
  await profiles("summarise", place, "--out", out);
  const summary = JSON.parse(readFileSync(out, "utf8"));
  assert.equal(summary.machines, 700);
  assert.deepEqual(summary.left_out, {});
  for (const name of ["arithmetic", "memory"]) {
    const values = plausible(700, 3)
      .map((profile) => core_of(profile)[name])
      .sort((a, b) => a - b);
    const { percentiles, bars } = summary[name];
    percentiles.forEach((value, i) => {
      const at = Math.round((i / 100) * 699);
      const near = [values[Math.max(at - 1, 0)], values[Math.min(at + 1, 699)]];
      assert.ok(value >= near[0] * 0.9999 && value <= near[1] * 1.0001, `${name} ${i} %: ${value}`);
    });
    const step = Math.log(values[699] / values[0]) / 30;
    const expected = Array(30).fill(0);
    for (const value of values)
      ++expected[Math.min(29, Math.floor(Math.log(value / values[0]) / step))];
    const moved = bars.reduce((sum, count, i) => sum + Math.abs(count - expected[i]), 0);
    assert.ok(moved <= 2, `${bars}\n${expected}`); // on the edge of a bar
    assert.equal(
      bars.reduce((sum, count) => sum + count),
      700,
    );
  }
});

test("impossible results and duplicates are left out and reported", { skip }, async () => {
  const list = plausible(5, 1);
  const twin = { ...list[0], name: "Under another name" };
  const [fast, moving, many, none] = plausible(4, 2);
  for (const roof of fast.roofs) if (roof.class.isa === "fma") roof.value = 45_000;
  for (const roof of moving.roofs) if (roof.class.level === "out") roof.value = 2_000;
  many.cores.usable = 100_000;
  none.roofs = [];
  write_all(join(root, "given"), [...list, twin, fast, moving, many, none]);
  const out = join(root, "left.json");
  await profiles("pack", join(root, "a.parquet"), join(root, "given"));
  await profiles("pack", join(root, "b.parquet"), join(root, "given"));
  const said = await profiles(
    "summarise",
    join(root, "a.parquet"),
    join(root, "b.parquet"),
    "--out",
    out,
  );
  const { machines, left_out } = JSON.parse(readFileSync(out, "utf8"));
  assert.equal(machines, 5);
  assert.deepEqual(left_out, {
    "measured twice": 7,
    "more cores than a page can use": 2,
    "no core computes as much": 2,
    "no core moves as much": 2,
    "no rate of one core": 2,
  });
  assert.match(said, /2 left out: no core computes as much/);
});

test("a missing place is reported without its signature", { skip }, async () => {
  const { address } = await object_store();
  for (const [search, status] of [
    ["?signature=secret", 403],
    ["?signature=good", 404],
  ]) {
    const { status: rc, said } = await run(join(repository, "scripts/profiles"), [
      "summarise",
      `${address}/none.parquet${search}`,
      "--out",
      join(root, "none.json"),
    ]);
    assert.equal(rc, 1);
    assert.match(said, new RegExp(`none.parquet answers ${status}`));
    assert.doesNotMatch(said, /signature/);
  }
  assert.ok(!existsSync(join(root, "none.json")));
});

test("the build shows the summary, and its page grows by no machine of it", { skip }, async () => {
  const book = join(root, "book");
  mkdirSync(join(book, "chapters/en"), { recursive: true });
  writeFileSync(join(book, "chapters/book.yaml"), "title: Gallery\nchapters: [one]\n");
  writeFileSync(join(book, "chapters/en/one.md"), "---\ntitle: One\n---\nText.\n");
  write_all(join(book, "figures/profiles"), plausible(60, 5));
  const page = join(book, "build/site/machines/index.html");
  const build = async () => {
    const bare = ["--modules", "none", "--fonts", "none", "--minified", "none"];
    const { status, said } = await run(primer, ["build", ...bare], book);
    assert.equal(status, 0, said);
    return readFileSync(page, "utf8");
  };
  assert.ok((await build()).includes("computes, on 60 machines"));
  const before = statSync(page).size;
  await profiles("pack", join(root, "c.parquet"), "--plausible", "12000");
  await profiles("summarise", join(root, "c.parquet"), "--out", join(book, "figures/gallery.json"));
  const html = await build();
  assert.ok(html.includes("computes, on 12,000 machines"), html.slice(0, 3000));
  const place = /<div id="gallery".*?>/.exec(html)[0];
  assert.match(place, /data-machines="12000" data-list="list\/all.json" .* data-listed="60"/);
  assert.ok(statSync(page).size < before + 1500, `${before} and ${statSync(page).size} bytes`);
});

test("the limits are those of the build", () => {
  const source = readFileSync(
    join(repository, "generator/core/load/profile_validation.cpp"),
    "utf8",
  );
  const of = (name) => Number(new RegExp(`${name} = ([\\d.]+)`).exec(source)[1]);
  assert.deepEqual(most, {
    cores: of("most_cores"),
    gflops: of("most_gflops"),
    memory_gbs: of("most_memory_gbs"),
    clock_ghz: of("most_clock_ghz"),
    flop_a_cycle: of("most_flop_a_cycle"),
  });
});
