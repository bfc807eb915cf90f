// The kernels in WGSL on Chromium's software adapter, each against the reference in webgpu.wasm, and
// what browsers without a GPU say. No real GPU here: times are not looked at.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";

import { open_browser, serve } from "../../../../scripts/lib/browsers.mjs";
import { profile_key, until } from "../../support/browser_page.mjs";
import { gzip_size, read_page, site } from "../../support/site.mjs";

const checked = /its answer was checked and is right/;

/** `measure(options)` is primer.measure on /machine/ of a site with files altered by `alter`. */
function session(kind, { args = [], alter } = {}) {
  const open = {};
  before(async () => {
    open.server = await serve(site, alter ? { alter } : {});
    open.browser = await open_browser(kind, { args });
    open.page = await open.browser.newPage();
    await open.page.goto(`${open.server.url}machine/`);
    await until(open.page, () => window.primer?.measure !== undefined);
  });
  after(async () => {
    await open.browser?.close();
    await open.server?.close();
  });
  open.measure = async (options) => {
    await open.page.bringToFront();
    return open.page.evaluate((wanted) => window.primer.measure(wanted), { quick: true, ...options });
  };
  return open;
}

const run = (kernel, params = {}) => ({ kernel, params });
const runs_only = (...runs) => ({ only: [], runs, roofs: false });
const name_of = ({ kernel, params }) => `${kernel} ${JSON.stringify(params)}`;
/** Edits a script, or the shaders whose names end like this. */
const text_of = ([name, from, to]) => (path, body) => {
  const edited = (text) => text.replaceAll(from, to);
  if (path.endsWith(name)) return Buffer.from(edited(String(body)));
  if (!name.endsWith(".wgsl") || !path.endsWith("/shaders.json")) return body;
  const is_meant = (shader) => `${shader}.wgsl`.endsWith(name);
  const shaders = Object.entries(JSON.parse(String(body)));
  return Buffer.from(
    JSON.stringify(Object.fromEntries(shaders.map(([n, text]) => [n, is_meant(n) ? edited(text) : text]))),
  );
};

test("what measures a GPU, shaders and scripts, is small", () => {
  const [, assets] = /data-assets="([^"]+)"/.exec(read_page(""));
  const size = (name) => gzip_size(readFileSync(join(site, assets, name)));
  const scripts = ["adapter", "kernels", "measure", "runner", "sampler", "transfer", "worker"];
  const sizes = scripts.map((name) => size(`runtime/gpu/${name}.js`));
  const all = sizes.reduce((a, b) => a + b, size("kernels/shaders.json"));
  assert.ok(all <= 14 * 1024, `${all} bytes`);
});

const software = ["--enable-unsafe-webgpu"]; // Debian's Chromium has SwiftShader behind this

describe("chromium with its software adapter", { timeout: 600_000 }, () => {
  const { measure } = session("chromium", { args: software });

  test("every kernel that the adapter can run gives the reference's answer", async () => {
    const { results, gpu, devices, roofs } = await measure({ only: ["gpu.*"] });
    assert.equal(gpu.state, "software");
    assert.equal(devices.find(({ kind }) => kind === "gpu").state, "software");
    assert.deepEqual(roofs, [], "a program makes no roofs");
    assert.ok(results.length >= 29);
    for (const result of results) {
      const needs_f16 = /f16$/.test(result.kernel);
      assert.equal(result.status, "unavailable", name_of(result));
      assert.match(result.reason, needs_f16 ? /shader-f16|checked/ : checked, name_of(result));
      if (!/shader-f16/.test(result.reason)) assert.equal(result.verified, true, name_of(result));
      assert.ok(result.flags.includes("software"));
    }
  });

  test("sizes that fit no block, and every parameter's other values", async () => {
    const odd = ["strided", "naive", "tiled", "regblock"].flatMap((rung) => [
      run(`gpu.matmul.${rung}`, { n: 65 }),
      run(`gpu.matmul.${rung}`, { n: 33, m: 7, k: 100 }),
    ]);
    const vectors = ["vec4", "tuned"].flatMap((rung) => [
      run(`gpu.matmul.${rung}`, { n: 100 }),
      run(`gpu.matmul.${rung}`, { n: 68, m: 3, k: 20 }),
    ]);
    const tiles = [404, 408, 804, 808, 416, 1604, 816, 1608].map((tile) =>
      run("gpu.matmul.tuned", { n: 128, tile }),
    );
    const others = [
      ...[1, 8, 32, 256].map((k) => run("gpu.width", { k })),
      ...[2, 3, 7, 64].map((s) => run("gpu.stride", { s })),
      ...[4, 32, 33].map((s) => run("gpu.wgmem", { s })),
      ...[2, 4, 8].map((loads) => run("gpu.inflight", { loads, lanes: 32 })),
      ...[65536, 94208].map((w) => run("gpu.sweep", { w })),
      run("gpu.chase", { w: 16384 }),
      run("gpu.read", { w: 65536 }),
    ];
    const asked = [...odd, ...vectors, ...tiles, ...others];
    const { results } = await measure(runs_only(...asked));
    assert.ok(results.length >= asked.length);
    for (const result of results) assert.match(result.reason, checked, name_of(result));
  });

  test("rows that are no whole vectors are refused in words", async () => {
    const { results } = await measure(runs_only(run("gpu.matmul.vec4", { n: 65 })));
    assert.match(results[0].reason, /whole vectors of four/);
  });

  test("measured on request, a program's numbers are flagged and make no roof", async () => {
    const asked = runs_only(run("gpu.read", { w: 1048576 }), run("gpu.launch", { variant: "trip" }));
    const measured = new Map();
    // Other programs can spoil the timer of a program: then it says so, and is asked again.
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

  test("few rows and sizes beyond a block are right in full, and one race chooses the block", async () => {
    const squares = [255, 257].map((n) => run("gpu.matmul.regblock", { n }));
    const rows = [run("gpu.matmul.tuned", { n: 128 }), run("gpu.matmul.tuned", { n: 128, m: 4 })];
    const asked = { ...runs_only(...squares, ...rows), even_software: true };
    let found = await measure(asked);
    const is_late = ({ status }) => status !== "measured";
    for (let turn = 0; turn < 3 && found.results.some(is_late); ++turn) {
      for (const { reason } of found.results.filter(is_late)) assert.match(reason, /timer is not usable|no block runs/);
      found = await measure(asked);
    }
    for (const result of found.results) assert.ok(result.verified, `${name_of(result)}: ${result.reason}`);
    const tiles = found.results.filter(({ choice }) => choice).map(({ choice }) => choice.tile);
    assert.equal(found.choices.length, 1);
    assert.deepEqual(tiles, [found.choices[0].tile, found.choices[0].tile]);
  });

  test("jitter is measured on both, and a program's only on request", async () => {
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

describe("chromium, a kernel whose answer is wrong", { timeout: 300_000 }, () => {
  const alter = text_of(["matmul_tiled.wgsl", "p < 16u", "p < 15u"]);
  const { measure } = session("chromium", { args: software, alter });

  test("is refused and never shown, and the others stand", async () => {
    const asked = runs_only(run("gpu.matmul.tiled"), run("gpu.matmul.naive"));
    const { results } = await measure(asked);
    const tiled = results.find(({ kernel }) => kernel === "gpu.matmul.tiled");
    assert.equal(tiled.status, "unavailable");
    assert.match(tiled.reason, /its result was wrong/);
    assert.equal(tiled.verified, false);
    assert.equal(tiled.median, undefined);
    assert.match(results.find(({ kernel }) => kernel === "gpu.matmul.naive").reason, checked);
  });
});

// The software adapter has no FP16, so these kernels run here with every f16 spelled f32: their loops
// and places are checked, their arithmetic is not.
describe("chromium, the kernels of FP16 in FP32", { timeout: 300_000 }, () => {
  const edits = [
    ["f16.wgsl", "enable f16;", ""],
    ["f16.wgsl", "f16>", "f32>"],
    ["f16.wgsl", "<f16,", "<f32,"],
    ["f16.wgsl", " f16(", " f32("],
    ["f16.wgsl", ">(f16(", ">(f32("],
    ["gpu/kernels.js", 'kind: "halves"', 'kind: "numbers"'],
    ["gpu/sampler.js", "requires && !", "!requires && !"],
  ].map(text_of);
  const alter = (path, body) => edits.reduce((text, edit) => edit(path, text), body);
  const { measure } = session("chromium", { args: software, alter });

  test("give the reference's answer", async () => {
    const asked = [run("gpu.peak.f16"), run("gpu.matmul.f16"), run("gpu.matmul.f16", { n: 68, m: 3, k: 20 })];
    const { results } = await measure(runs_only(...asked));
    for (const result of results) assert.match(result.reason, checked, name_of(result));
  });
});

describe("chromium, shaders that do not compile and no timestamps", { timeout: 300_000 }, () => {
  const broken = text_of(["copy.wgsl", "vec4f", "vec5f"]);
  const blind = text_of(["gpu/adapter.js", '"timestamp-query", ', ""]);
  const alter = (path, body) => blind(path, broken(path, body));
  const { measure } = session("chromium", { args: software, alter });

  test("the compiler's words are the reason, and time is taken from outside", async () => {
    const asked = runs_only(run("gpu.copy"), run("gpu.read", { w: 65536 }));
    const { results, devices } = await measure({ ...asked, even_software: true });
    const of = (id) => results.find(({ kernel }) => kernel === id);
    assert.match(of("gpu.copy").reason, /copy\.wgsl:\d+: .*vec5f/);
    assert.equal(of("gpu.read").status, "measured", of("gpu.read").reason);
    assert.equal(devices.find(({ kind }) => kind === "gpu").timing, "slope");
  });
});

describe("a profile that holds a GPU, in the chapter", { timeout: 300_000 }, () => {
  const open = session("chromium");
  const card = JSON.parse(readFileSync(new URL("../../../fixtures/profiles/gpu.json", import.meta.url), "utf8"));

  /** The chapter's roofline once the page has drawn it again with this profile; as published for null. */
  async function figure_with(profile) {
    const page = await open.browser.newPage();
    await page.evaluateOnNewDocument(
      (key, text) => {
        if (text) localStorage.setItem(key, text);
        else localStorage.removeItem(key);
        document.addEventListener("primer-results", () => (window.redrawn = true));
      },
      profile_key,
      profile && JSON.stringify(profile),
    );
    await page.goto(`${open.server.url}gpu/`);
    if (profile) await until(page, () => window.redrawn);
    const seen = await page.evaluate(() => {
      const figure = document.getElementById("fig-gpu-roofline");
      const texts = (selector) => [...figure.querySelectorAll(selector)].map((e) => e.textContent);
      return {
        from: figure.dataset.from,
        source: texts(".plot-source"),
        wide: texts(".plot-wide text"),
        narrow: texts(".plot-narrow text"),
        rows: texts(".plot-data td"),
      };
    });
    await page.close();
    return seen;
  }

  test("the roofline of the chapter has its roofs and products beside the H100", async () => {
    const { from, source, wide, narrow, rows } = await figure_with(card);
    assert.equal(from, "reader");
    assert.match(source[0], /^Only a GPU, over what others published/);
    for (const words of [wide, narrow]) {
      assert.ok(words.some((text) => text.startsWith("your GPU")), words.join(" | "));
      assert.ok(words.some((text) => text.startsWith("H100")), words.join(" | "));
      assert.ok(words.includes("tuned product"), words.join(" | "));
    }
    assert.ok(rows.includes("your GPU: ceiling, fp32"));
  });

  test("without one, or with a program in its place, it stays as published", async () => {
    const published = await figure_with(null);
    const program = structuredClone(card);
    program.devices[0].state = "software";
    program.gpu.state = "software";
    for (const result of program.results) result.flags = ["software"];
    const empty = { ...card, devices: [], levels: [], results: [], roofs: [], gpu: undefined };
    assert.deepEqual(await figure_with({ ...program, roofs: [] }), published);
    assert.deepEqual(await figure_with(program), published, "roofs that a stranger's file claims for it");
    assert.deepEqual(await figure_with(empty), published);
  });
});

for (const kind of ["chromium", "firefox"]) {
  describe(`${kind} without a GPU`, { timeout: 300_000 }, () => {
    const open = session(kind);

    test("everything is unavailable, and says why", async () => {
      const { results, gpu } = await open.measure({ only: ["gpu.read", "gpu.matmul.tuned"] });
      assert.match(gpu.state, /^(none|refused)$/);
      for (const { status, reason } of results) {
        assert.equal(status, "unavailable");
        assert.match(reason, /offers no WebGPU|gave no GPU/);
      }
    });

    test("/machine/ says so beside what the processor measured", async () => {
      await open.page.evaluate(() => {
        const buttons = [...document.querySelectorAll("main button")];
        buttons.find(({ textContent }) => textContent === "Measure the GPU").click();
      });
      await until(open.page, () => document.querySelector(".machine-gpu p") !== null);
      const words = await open.page.evaluate(() => document.querySelector(".machine-gpu").textContent);
      assert.match(words, /no WebGPU|gave us no GPU/);
    });
  });
}
