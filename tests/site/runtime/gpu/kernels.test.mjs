// The WGSL kernels on Chromium's software adapter, each compared with the reference in webgpu.wasm,
// and the messages of browsers without a GPU. There is no real GPU here;
// tests/site/measuring/gpu.test.mjs tests times.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";

import { any_browser, profile_key, until } from "../../support/browser_page.mjs";
import {
  checked,
  name_of,
  run,
  runs_only,
  session,
  software,
  text_of,
} from "../../support/gpu_session.mjs";
import { sample } from "../../../rounds.mjs";
import { gzip_size, read_page, site } from "../../support/site.mjs";

test("what measures a GPU, shaders and scripts, is small", () => {
  const [, assets] = /data-assets="([^"]+)"/.exec(read_page(""));
  const size = (name) => gzip_size(readFileSync(join(site, assets, name)));
  const scripts = "adapter choosing kernels measure runner sampler suite timing transfer worker";
  const sizes = scripts.split(" ").map((name) => size(`runtime/gpu/${name}.js`));
  const all = sizes.reduce((a, b) => a + b, size("kernels/shaders.json"));
  assert.ok(all <= 18 * 1024, `${all} bytes`);
});

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
      ...[4096, 65536, 94208].map((w) => run("gpu.sweep", { w })),
      run("gpu.sweep", { w: 94208, laps: 3 }),
      ...[5, 16].map((laps) => run("gpu.stride", { s: 16, laps })),
      run("gpu.width", { k: 8, trips: 700 }),
      ...[4, 16].flatMap((chains) =>
        ["f32", "i8dot"].map((type) => run(`gpu.peak.${type}`, { chains })),
      ),
      run("gpu.chase", { w: 16384 }),
      run("gpu.read", { w: 65536 }),
    ];
    const asked = sample([...odd, ...vectors, ...tiles, ...others], 3);
    const { results } = await measure(runs_only(...asked));
    assert.ok(results.length >= asked.length);
    for (const result of results) assert.match(result.reason, checked, name_of(result));
  });

  test("rows that are not whole vectors are refused in words", async () => {
    const { results } = await measure(runs_only(run("gpu.matmul.vec4", { n: 65 })));
    assert.match(results[0].reason, /whole vectors of four/);
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

// The software adapter has no FP16, so these kernels run here with f32 instead of f16. This tests
// their loops and indices, but not their arithmetic.
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
    const asked = [
      ...[4, 8, 16].map((chains) => run("gpu.peak.f16", { chains })),
      run("gpu.matmul.f16"),
      run("gpu.matmul.f16", { n: 68, m: 3, k: 20 }),
    ];
    const { results } = await measure(runs_only(...asked));
    for (const result of results) assert.match(result.reason, checked, name_of(result));
  });
});

describe("a profile that holds a GPU, in the chapter", { timeout: 300_000 }, () => {
  const open = session("chromium");
  const card = JSON.parse(
    readFileSync(new URL("../../../fixtures/profiles/gpu.json", import.meta.url), "utf8"),
  );

  /**
   * The chapter's roofline after the page has drawn it again with this profile; as published for
   * null.
   */
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
        rows: texts(".plot-data :is(th[scope=row], td)"),
      };
    });
    await page.close();
    return seen;
  }

  test("the roofline of the chapter has its roofs and matmuls next to the H100", async () => {
    const { from, source, wide, narrow, rows } = await figure_with(card);
    assert.equal(from, "reader");
    assert.match(source[0], /^Only a GPU, over what others published/);
    for (const words of [wide, narrow]) {
      assert.ok(
        words.some((text) => text.startsWith("your GPU")),
        words.join(" | "),
      );
      assert.ok(
        words.some((text) => text.startsWith("H100")),
        words.join(" | "),
      );
      assert.ok(words.includes("tuned matmul"), words.join(" | "));
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
    assert.deepEqual(
      await figure_with(program),
      published,
      "roofs that a stranger's file claims for it",
    );
    assert.deepEqual(await figure_with(empty), published);
  });
});

for (const kind of any_browser) {
  describe(`${kind} without a GPU`, { timeout: 300_000 }, () => {
    const open = session(kind);

    test("everything is unavailable, and says why", async () => {
      const { results, gpu } = await open.measure({ only: ["gpu.read", "gpu.matmul.tuned"] });
      assert.match(gpu.state, /^(none|refused)$/);
      for (const { status, reason } of results) {
        assert.equal(status, "unavailable");
        assert.match(reason, /does not support WebGPU|gave no GPU/);
      }
    });

    test("/machine/ reports that next to the processor's results", async () => {
      await open.page.evaluate(() => {
        const buttons = [...document.querySelectorAll("main button")];
        buttons.find(({ textContent }) => textContent === "Measure the GPU").click();
      });
      await until(open.page, () => document.querySelector(".machine-gpu p") !== null);
      const words = await open.page.evaluate(
        () => document.querySelector(".machine-gpu").textContent,
      );
      assert.match(words, /does not support WebGPU|found no GPU/);
    });
  });
}
