// The page's side of a measurement, each module alone, with fake workers: requests and their parts,
// progress, cancelling, and isolation.
import assert from "node:assert/strict";
import { test } from "node:test";

import { bare_pages } from "../../support/bare_pages.mjs";

const { open } = bare_pages();

// A worker that follows the request's `play`, in order: messages to post, "throw", or "quiet".
const played_worker = `addEventListener("message", ({ data }) => {
  if (!data.play) return postMessage({ type: "failed", reason: "told " + JSON.stringify(data) });
  for (const step of data.play) {
    if (step === "throw") throw new Error("");
    if (step === "request") postMessage({ type: "done", suite: { ...suite, asked: data } });
    else if (step !== "quiet") postMessage(step);
  }
});
const suite = { results: [], tick_ms: null, cores: {}, clock_ghz: 2, largest: 1, choices: [] };`;
const worker_files = { "runtime/measure/worker.js": played_worker };
/**
 * The result of measure(): {profile} or {name, message}; `on` is called in the page with its
 * controller immediately.
 */
const measured = (page, request, how = {}) =>
  page.evaluate(
    async (wanted, { patience_ms = 60_000, abort = false, hide = false }) => {
      const { measure, ...classes } = await import("/runtime/measure/measure.js");
      const controller = new AbortController();
      const heard = [];
      const on_progress = (fraction, text) => heard.push([fraction, text]);
      if (abort === "before") controller.abort();
      const assets = new URL("./assets/", location);
      const running = measure(wanted, {
        assets,
        on_progress,
        signal: controller.signal,
        patience_ms,
      });
      if (abort === "later") setTimeout(() => controller.abort(), 50);
      if (hide) {
        await new Promise((resolve) => setTimeout(resolve, 50));
        Object.defineProperty(document, "hidden", { value: true, configurable: true });
        document.dispatchEvent(new Event("visibilitychange"));
      }
      return running.then(
        (profile) => ({ profile, heard }),
        (error) => ({
          kind: Object.keys(classes).find((name) => error.constructor === classes[name]),
          message: error.message,
        }),
      );
    },
    request,
    how,
  );

test("measure: a worker's answer, its progress, its failure, its silence, and its end", async () => {
  const page = await open({ files: worker_files });
  const progress = { type: "progress", fraction: 0.5, text: "half" };
  const suite = {
    results: [],
    tick_ms: 0.1,
    cores: { usable: 2 },
    clock_ghz: 3,
    largest: 9,
    choices: [],
  };
  const done = { type: "done", suite };
  const good = await measured(page, { play: [progress, { type: "other" }, done] });
  assert.deepEqual(good.heard, [[0.5, "half"]]);
  assert.deepEqual(
    [good.profile.timer_us, good.profile.cores.usable, good.profile.jitter],
    [100, 2, undefined],
  );
  const coarse = { ...suite, tick_ms: null, jitter: { p50: 2 } };
  const { profile } = await measured(page, { play: [{ type: "done", suite: coarse }] });
  assert.deepEqual([profile.timer_us, profile.jitter], [null, { cpu: { p50: 2 } }]);
  assert.deepEqual(await measured(page, { play: [{ type: "failed", reason: "no" }] }), {
    kind: "Unavailable",
    message: "no",
  });
  const gone = "an update of the book replaced the measuring code: reload the page";
  const thrown = await measured(page, { play: ["throw"] });
  assert.equal(thrown.kind, "Unavailable");
  assert.match(thrown.message, /Error/);
  assert.deepEqual(await measured(page, { play: ["quiet"] }, { patience_ms: 200 }), {
    kind: "Unavailable",
    message: "the browser ended the measuring worker",
  });
  const cancelled = { kind: "Cancelled", message: "canceled" };
  assert.deepEqual(await measured(page, { play: ["quiet"] }, { abort: "before" }), cancelled);
  assert.deepEqual(await measured(page, { play: ["quiet"] }, { abort: "later" }), cancelled);
  // When this worker must stop with the results so far, it has none.
  const hidden = { kind: "Hidden", message: 'told {"stop":true}' };
  assert.deepEqual(await measured(page, { play: ["quiet"] }, { hide: true }), hidden);
  assert.deepEqual(await measured(page, { play: ["quiet"] }), {
    kind: "Hidden",
    message: "the page is hidden",
  });
  const without = await open({ files: { "runtime/measure/worker.js": null } });
  assert.deepEqual(await measured(without, {}), { kind: "Unavailable", message: gone });
});

test("measure: sets that may still be in a cache are flagged, and browser features are reported", async () => {
  const page = await open({ files: worker_files });
  const read = (w, best) => {
    const numbers = { best, median: best, mad: 0, p90: 1, p99: 1, samples: 5, values: [best] };
    const kernel = {
      kernel: "stream.read",
      params: { w },
      threads: 1,
      device: "cpu",
      unit: "GB/s",
    };
    return {
      ...kernel,
      ...numbers,
      roof_class: "memory",
      status: "measured",
      verified: true,
      flags: [],
    };
  };
  // The rate falls until the end, so the largest set may be in a cache.
  const falling = Array.from({ length: 12 }, (_, i) => read(8192 * 2 ** i, 100 * 0.7 ** i));
  const other = { ...falling.at(-1), kernel: "stream.add" };
  const play = [
    {
      type: "done",
      suite: {
        results: [...falling, other],
        tick_ms: 1,
        cores: {},
        clock_ghz: 2,
        largest: 9,
        choices: [],
      },
    },
  ];
  const { profile } = await measured(page, { play });
  const flagged = profile.results.filter(({ flags }) => flags.includes("in-cache"));
  assert.deepEqual(
    flagged.map(({ kernel, params }) => [kernel, params.w]),
    [["stream.read", falling.at(-1).params.w]],
  );
  const [{ features, limits }] = profile.devices;
  assert.ok(features.includes("simd") && !features.includes("shared"));
  const rounding = features.filter((one) => /fused$/.test(one));
  assert.equal(rounding.length, features.includes("relaxed") ? 1 : 0);
  assert.equal(limits.memory, 9);
});

test("measure: two at a time are refused, the next one is not", async () => {
  const page = await open({ files: worker_files });
  const seen = await page.evaluate(async () => {
    const { measure } = await import("/runtime/measure/measure.js");
    const controller = new AbortController();
    const assets = new URL("./assets/", location);
    const said = (promise) =>
      promise.then(
        () => "measured",
        ({ message }) => message,
      );
    const first = said(measure({ play: ["quiet"] }, { assets, signal: controller.signal }));
    await globalThis.settled();
    const second = await said(measure({ play: ["request"] }, { assets }));
    controller.abort();
    return [await first, second, await said(measure({ play: ["request"] }, { assets }))];
  });
  assert.deepEqual(seen, [
    "canceled",
    "another tab is measuring: wait until it has finished",
    "measured",
  ]);
});

test("measure: the GPU worker runs GPU kernels, the CPU worker the rest, each only on request", async () => {
  const files = {
    "runtime/measure/worker.js": `addEventListener("message", ({ data }) => { const { runs, only } = data;
      postMessage({ type: "progress", fraction: 1, text: "cpu" });
      postMessage({ type: "done", suite: { results: [], tick_ms: 1, cores: { runs, only }, clock_ghz: 1, largest: 1, choices: [] } }); });`,
    "runtime/gpu/measure.js": `export const measure_gpu = async ({ runs, only }, { on_progress }) => { on_progress(0, "gpu");
      const { empty_profile } = await import("../profile/profile.js"); globalThis.gpu = { runs, only };
      return { ...empty_profile(), devices: [{ id: "gpu", kind: "gpu" }] }; };`,
  };
  const asked = async (request) => {
    const page = await open({ files });
    const { profile, heard, message } = await measured(page, request);
    assert.equal(message, undefined);
    const gpu = await page.evaluate(() => globalThis.gpu ?? null);
    const { runs, only } = profile.cores ?? {};
    return { cpu: runs ? { runs, only } : null, gpu, heard };
  };
  const [c, g] = [{ kernel: "stream.add" }, { kernel: "gpu.read" }];
  const part = (runs, only = []) => ({ runs, only });
  assert.deepEqual(await asked({ runs: [c] }), { cpu: part([c]), gpu: null, heard: [[1, "cpu"]] });
  assert.deepEqual(await asked({ runs: [g] }), { cpu: null, gpu: part([g]), heard: [[0, "gpu"]] });
  const both = {
    cpu: part([c]),
    gpu: part([g]),
    heard: [
      [0.5, "cpu"],
      [0.5, "gpu"],
    ],
  };
  assert.deepEqual(await asked({ runs: [g, c] }), both);
  assert.deepEqual((await asked({ only: ["gpu.read", "matmul.*"] })).cpu, part([], ["matmul.*"]));
  assert.deepEqual((await asked({ runs: [g], roofs: true })).cpu, part([]));
  assert.deepEqual((await asked({ runs: [g], cores: false, jitter: true })).cpu, part([]));
  assert.deepEqual((await asked({})).cpu, part([]));
});

test("measure: several cores are refused in words where the page is not isolated", async () => {
  const page = await open({ files: worker_files });
  assert.deepEqual(await measured(page, { cores: true, play: ["request"] }), {
    kind: "Unavailable",
    message: "several cores need a cross-origin isolated page",
  });
  await page.evaluate(() => (globalThis.Worker = undefined));
  assert.deepEqual(await measured(page, { play: ["request"] }), {
    kind: "Unavailable",
    message: "this browser has no workers, and measuring here would freeze the page",
  });
});

test("console: any kernel, all matches of a pattern, and errors that name the problem", async () => {
  const kernels = [
    { id: "a.one", params: [{ name: "n" }] },
    { id: "a.two", params: [] },
    { id: "b.one", params: [{ name: "m" }] },
  ];
  const files = {
    "runtime/page/page.js": `export const assets = "assets"; export const registry = async () => (${JSON.stringify(kernels)});`,
    "runtime/measure/measure.js": `export const measure = async (request, how) => ({ request, how });
      export const add_to_profile = async (known, fresh) => ({ known, ...fresh });`,
  };
  const page = await open({ files });
  const asked = (options) =>
    page.evaluate(async (given) => {
      const { measure_here } = await import("/runtime/measure/console.js");
      return measure_here(given).then(
        ({ known, request }) => ({ known, ...request }),
        (error) => `${error.name}: ${error.message}`,
      );
    }, options);
  const usual = {
    known: null,
    params: {},
    runs: [],
    threads: 1,
    pace: "full",
    even_software: false,
    jitter: false,
  };
  assert.deepEqual(await asked(undefined), { ...usual, only: ["*"], roofs: true });
  assert.deepEqual(await asked({ only: ["a.*"], params: { n: 4 }, quick: true }), {
    ...usual,
    ...{ only: ["a.*"], params: { n: 4 }, roofs: false, pace: "quick" },
  });
  assert.equal(await asked({ only: ["a.one", "c.*"] }), 'RangeError: no kernel matches "c.*"');
  assert.equal(
    await asked({ only: ["a.*"], params: { m: 4 } }),
    'RangeError: none of the selected kernels has a parameter "m"',
  );
});

const bench_html = `<primer-bench id="b"><p class="label">Measurement 1</p><div class="bench-controls"><button class="bench-button">Measure</button>
<button class="more">All</button></div><p class="bench-status"></p></primer-bench>`;
const bench_files = {
  "runtime/page/page.js": `export const assets = new URL("assets/", location); export const once = (f) => f;
export const page_data = async () => ({ benches: [{ id: "other", runs: [1] }, { id: "b", runs: [2], quick: globalThis.quick }] });
export const registry = async () => globalThis.kernels ?? [];
export const ask = async ({ expression }) => ({ value: Function("return " + expression)() });
export const store = { load: () => ({ profile: globalThis.profile ?? null }), save: () => globalThis.refused ?? "" };`,
  "runtime/page/refresh.js": "export const refresh = async () => globalThis.problems ?? [];",
  "runtime/measure/measure.js": `export class Cancelled extends Error {}
export class Hidden extends Error {}
export const add_to_profile = async (known, fresh) => fresh;
export const measure = (request, { signal, on_progress }) => new Promise((resolve, reject) => {
  Object.assign(globalThis, { asked: request, resolve, reject, on_progress, Hidden });
  signal.addEventListener("abort", () => reject(new Cancelled("by the reader")));
});`,
};
const bench_page = async (more = "") => {
  const page = await open({ html: bench_html + more, files: bench_files });
  await page.evaluate(async () => {
    const { toggle } = await import("/runtime/measure/bench.js");
    const element = document.getElementById("b");
    const pause = () => globalThis.settled();
    Object.assign(globalThis, {
      begin: async (request) => {
        toggle(element, request);
        await pause();
      },
      end: async (use) => {
        use();
        await pause();
        const names = ["state", "reason", "progress"];
        return [
          element.querySelector(".bench-status").textContent,
          element.querySelector("button").textContent,
          ...names.map((name) => element.getAttribute(name)),
        ];
      },
    });
  });
  return page;
};

test("bench: the home page's button says the reader's numbers where it was pressed, and nobody else's", async () => {
  const numbers = (from) =>
    `<figure class="plot"></figure><ul><li><data class="live" data-from="${from}">45 GFLOP/s</data> arithmetic</li><li><data class="live" data-from="${from}">10 GB/s</data> memory</li></ul>`;
  const said = async (from) => {
    const page = await bench_page(numbers(from));
    return page.evaluate(async () => {
      document.getElementById("b").className = "hero";
      await globalThis.begin();
      const [words] = await globalThis.end(() =>
        globalThis.resolve({ results: [{ status: "measured" }] }),
      );
      return words;
    });
  };
  const done = "Done: 1 measurement, each checked against a known result.";
  assert.deepEqual(
    [await said("reader"), await said("reference")],
    [`45 GFLOP/s · 10 GB/s. ${done}`, done],
  );
});

test("bench: the outcome is reported (measured, cancelled, refused, impossible), and the button offers the next step", async () => {
  const page = await bench_page();
  const good = { status: "measured" };
  const seen = await page.evaluate(async (one) => {
    const { begin, end } = globalThis;
    const all = {};
    await begin();
    all.running = await end(() => {});
    all.asked = globalThis.asked;
    all.one = await end(() => globalThis.resolve({ results: [one] }));
    Object.assign(globalThis, {
      refused: "It was not stored.",
      problems: ["A figure failed."],
      profile: { choices: [7] },
      quick: false,
    });
    await begin();
    all.choices = globalThis.asked;
    all.two = await end(() =>
      globalThis.resolve({
        results: [one, { ...one, flags: ["drift", "throttled"] }, { status: "unavailable" }],
      }),
    );
    await begin({ cores: true });
    all.given = globalThis.asked;
    all.cancelled = await end(() => document.getElementById("b") && begin());
    await begin();
    all.hidden = await end(() => globalThis.reject(new globalThis.Hidden("the page was hidden")));
    await begin();
    all.failed = await end(() => globalThis.reject(new Error("no workers")));
    document.getElementById("b").id = "gone";
    await begin();
    all.unknown = await end(() => {});
    return all;
  }, good);
  assert.deepEqual(seen.running, ["Loading the kernels", "Cancel", "running", null, "0"]);
  assert.deepEqual(seen.asked, { runs: [2], roofs: false, pace: "quick", last_cache: 0 });
  const checked = "each checked against a known result";
  assert.deepEqual(seen.one, [
    `Done: 1 measurement, ${checked}.`,
    "Measure again",
    "done",
    null,
    null,
  ]);
  assert.deepEqual(seen.choices, {
    ...{ runs: [2], roofs: false, pace: "full", choices: [7], last_cache: 0 },
  });
  assert.equal(
    seen.two[0],
    `Done: 2 measurements, ${checked}; 1 unavailable; 1 doubtful. It was not stored. A figure failed.`,
  );
  assert.deepEqual(seen.given, { cores: true, choices: [7], last_cache: 0 });
  assert.deepEqual(seen.cancelled, [
    "Canceled. Nothing was saved.",
    "Measure again",
    "idle",
    null,
    null,
  ]);
  assert.equal(seen.hidden[0], "Not measured: the page was hidden.");
  assert.deepEqual(seen.failed, [
    "Unavailable, because no workers.",
    "Measure again",
    "unavailable",
    "no workers",
    null,
  ]);
  assert.match(seen.unknown[0], /^Unavailable, because this page has no data for this measurement/);
});

test("bench: kernels of the book are asked for apart, with what their manifest says of each run", async () => {
  const page = await bench_page();
  const asked = await page.evaluate(async () => {
    const check = {
      kind: "checksum",
      params: { n: 4 },
      at: "4 * n",
      bytes: "n",
      value: "00000000",
    };
    const pack = {
      ...{ module: "packs/a.wasm", integrity: "sha256-", pages: 2, most_pages: 9, index: 3 },
      ...{ flops: "2e0 * n + 0 * e0", bytes: "3 * n * m", memory: "max(m, 8 * n)", check },
    };
    const params = [
      { name: "n", default: 10, min: 1, max: 100 },
      { name: "m", default: 1, min: 1, max: 1000 },
      { name: "e0", default: 7, min: 7, max: 7 },
    ];
    globalThis.max = Math.max;
    globalThis.kernels = [
      { id: "own.a", variant: "", params, pack },
      { id: "a.one", variant: "", params: [] },
    ];
    const runs = [{}, { n: 20 }, { m: 500 }, { n: 101 }].map((given) => ({
      ...{ kernel: "own.a", params: given },
    }));
    await globalThis.begin({ runs: [{ kernel: "a.one" }, ...runs] });
    while (!globalThis.asked) await globalThis.settled();
    return globalThis.asked;
  });
  assert.deepEqual(asked.runs, [{ kernel: "a.one" }]);
  const [{ pack, runs, refused }] = asked.packs;
  assert.equal(asked.packs.length, 1);
  assert.deepEqual([runs.length, pack.kernels.length, pack.pages], [3, 1, 2]);
  const [{ number, works, check }] = pack.kernels;
  assert.equal(number, 3);
  assert.deepEqual(works, {
    "10 1 7": { flops: 20, bytes: 30, memory: 80 },
    "20 1 7": { flops: 40, bytes: 60, memory: 160 },
    "10 500 7": { flops: 20, bytes: 15000, memory: 500 },
  });
  assert.deepEqual([check.params, check.at, check.bytes], [{ n: 4, m: 1, e0: 7 }, 16, 4]);
  assert.match(pack.module, /^http.*packs\/a\.wasm$/);
  assert.match(refused[0].reason, /n = 101 is outside 1 … 100/);
});

test("bench: the pressed button cancels, the others are disabled, and named progress is next to it", async () => {
  const page = await bench_page();
  const seen = await page.evaluate(async () => {
    const { toggle } = await import("/runtime/measure/bench.js");
    const element = document.getElementById("b");
    const [own, more] = element.querySelectorAll("button");
    const state = () => {
      const bar = element.querySelector("progress");
      return [
        [own.textContent, own.disabled],
        [more.textContent, more.disabled],
        bar && [bar.ariaLabel, bar.value, bar.max, bar.nextElementSibling.className],
      ];
    };
    toggle(element, { cores: true }, more);
    await globalThis.settled();
    globalThis.on_progress(0.5, "kernel");
    const running = state();
    toggle(element, null, more);
    await globalThis.settled();
    const cancelled = state();
    toggle(element, { cores: true }, more);
    await globalThis.settled();
    const why = "several cores need a cross-origin isolated page";
    globalThis.resolve({ results: [{ status: "unavailable", reason: why }] });
    await globalThis.settled();
    return {
      running,
      cancelled,
      done: [...state(), element.querySelector("p.bench-status").textContent],
    };
  });
  assert.deepEqual(seen.running, [
    ["Measure", true],
    ["Cancel", false],
    ["Progress of Measurement 1", 0.5, 1, "bench-status"],
  ]);
  assert.deepEqual(seen.cancelled, [["Measure", false], ["All", false], null]);
  assert.deepEqual(seen.done, [
    ["Measure again", false],
    ["All", false],
    null,
    "Nothing measured: several cores need a cross-origin isolated page.",
  ]);
});

const all_files = {
  "runtime/page/page.js": `export const page_data = async () => ({ benches: [{ id: "a", seconds: 3 }, { id: "b", seconds: 1 }, { id: "gone", seconds: 9 }] });`,
  "runtime/measure/bench.js": `import { make } from "../base/element.js";
export const progress_bar = () => make("progress", { max: 1, value: 0 });
export const measure_in = async (panel, { controller, on_progress }) => {
  on_progress(0.5);
  const { value } = document.querySelector("progress");
  (globalThis.seen ??= []).push([panel.id, value, document.querySelector(".bench-status").textContent]);
  if (globalThis.cancel === panel.id) document.querySelector(".bench-button").click();
  panel.setAttribute("state", controller.signal.aborted ? "idle" : "unavailable");
};`,
};
test("all: a chapter's measurements one after the other, cancelled together", async () => {
  const panel = (id, name) =>
    `<primer-bench id="${id}"><p class="label">${name}</p></primer-bench>`;
  const html = `<div class="bench-all"><div class="bench-controls"><button class="bench-button">Measure all of this chapter</button></div>
<p class="bench-status"></p></div>${panel("a", "Measurement 1")}${panel("b", "Measurement 2")}`;
  const page = await open({ html, files: all_files });
  const run = (cancel) =>
    page.evaluate(async (id) => {
      const { toggle_all } = await import("/runtime/measure/all.js");
      Object.assign(globalThis, { seen: [], cancel: id });
      const bar = document.querySelector(".bench-all");
      const button = bar.querySelector("button");
      button.onclick = () => toggle_all(bar);
      button.textContent = "Measure all of this chapter";
      const running = toggle_all(bar);
      const meanwhile = button.textContent;
      await running;
      const said = bar.querySelector(".bench-status").textContent;
      return {
        meanwhile,
        seen: globalThis.seen,
        said,
        button: button.textContent,
        bars: bar.querySelectorAll("progress").length,
      };
    }, cancel);
  assert.deepEqual(await run(null), {
    meanwhile: "Cancel",
    seen: [
      ["a", 0.375, "Measurement 1, 1 of 2. About 3 s left."],
      ["b", 0.875, "Measurement 2, 2 of 2. About 1 s left."],
    ],
    said: "Done: all 2 measurements.",
    button: "Measure all again",
    bars: 0,
  });
  const cancelled = await run("a");
  assert.deepEqual(cancelled.seen.length, 1);
  assert.equal(cancelled.said, "Ended after 0 of 2 measurements. Their results are saved.");
});

test("bench: how far a run is, in words once a second, aloud at the quarters of a long one", async () => {
  const page = await bench_page();
  const seen = await page.evaluate(async () => {
    let now = 0;
    performance.now = () => now;
    await globalThis.begin();
    const status = document.querySelector(".bench-status");
    return [
      [999, 0.1],
      [1000, 0.1],
      [1999, 0.14],
      [2000, 0.15],
      [12_000, 0.25],
      [13_000, 0.26],
      [30_000, 0.5],
      [40_000, 0.84],
      [50_000, 0.9],
    ].map(([ms, fraction]) => {
      now = ms;
      globalThis.on_progress(fraction, "kernel");
      return [
        status.textContent,
        status.getAttribute("aria-live"),
        document.getElementById("b").getAttribute("progress"),
      ];
    });
  });
  assert.deepEqual(seen, [
    ["Loading the kernels", "polite", "0.10"],
    ["kernel … ", "off", "0.10"],
    ["kernel … ", "off", "0.14"],
    ["kernel … About 10 s left.", "off", "0.15"],
    ["kernel … About 35 s left.", "polite", "0.25"],
    ["kernel … About 35 s left.", "off", "0.26"],
    ["kernel … About 30 s left.", "polite", "0.50"],
    ["kernel … About 10 s left.", "off", "0.84"],
    ["kernel … A few seconds left.", "off", "0.90"],
  ]);
});

test("isolation: why a page is not isolated, and what one reload has shown", async () => {
  const said = async (prepare, attributes = "") => {
    const page = await open({ attributes });
    await page.evaluate(prepare);
    return page.evaluate(async () => {
      const { isolation, use_all_cores, wants_all_cores } =
        await import("/runtime/measure/isolation.js");
      const { isolated, reason } = isolation();
      const refusal =
        reason || isolated
          ? await use_all_cores().then(
              () => "",
              ({ message }) => message,
            )
          : null;
      const noted = (() => {
        try {
          return sessionStorage.length;
        } catch {
          return null;
        }
      })();
      return { isolated, reason, refusal, noted, wish: await wants_all_cores() };
    });
  };
  const possible = { isolated: false, reason: "", refusal: null, noted: 0, wish: false };
  assert.deepEqual(await said(() => {}), possible);
  const define = (name, value) =>
    `Object.defineProperty(globalThis, "${name}", { get: () => ${value}, configurable: true })`;
  const https = "a page that is not loaded over https cannot share memory";
  assert.deepEqual(await said(define("isSecureContext", "false")), {
    ...possible,
    reason: https,
    refusal: https,
  });
  const none = "this browser has no service workers here (a private window may be why)";
  assert.deepEqual(await said(define("caches", "undefined")), {
    ...possible,
    reason: none,
    refusal: none,
  });
  assert.deepEqual(
    await said('Object.defineProperty(navigator, "serviceWorker", { value: undefined })'),
    { ...possible, reason: none, refusal: none },
  );
  const tried = 'sessionStorage.setItem("primer / isolation.tried", "1");';
  const { reason } = await said(`${tried}${define("isSecureContext", "false")}`);
  assert.match(reason, /^the page was reloaded and this browser did not isolate it/);
  assert.deepEqual(await said(`${tried}${define("crossOriginIsolated", "true")}`), {
    ...possible,
    isolated: true,
    refusal: "",
  });
  assert.deepEqual(await said(define("sessionStorage", '(() => { throw new Error("no"); })()')), {
    ...possible,
    noted: null,
  });
  const refused = await open();
  const words = await refused.evaluate(async () => {
    const { use_all_cores } = await import("/runtime/measure/isolation.js");
    const message = await use_all_cores().catch((error) => error.message);
    return [message.slice(0, 46), sessionStorage.length];
  });
  assert.deepEqual(words, ["this browser could not isolate the page (Faile", 0]);
});

test("isolation: back to one core forgets the wish, and keeps the worker that keeps the book", async () => {
  const worker = 'addEventListener("install", () => skipWaiting());';
  const left = async (cache_names) => {
    const page = await open({ files: { "sw.js": worker } });
    return page.evaluate(async (names) => {
      await navigator.serviceWorker.register("sw.js");
      for (const name of names)
        await (await caches.open(name)).put("use-all-cores", new Response("1"));
      const { use_one_core, wants_all_cores } = await import("/runtime/measure/isolation.js");
      const wished = await wants_all_cores();
      await use_one_core();
      const workers = await navigator.serviceWorker.getRegistrations();
      const kept = await caches.keys();
      for (const one of workers) await one.unregister();
      for (const name of kept) await caches.delete(name);
      return [wished, await wants_all_cores(), kept, workers.length];
    }, cache_names);
  };
  assert.deepEqual(await left(["primer / isolation", "other / shelf 1"]), [
    true,
    false,
    ["other / shelf 1"],
    0,
  ]);
  assert.deepEqual(await left(["primer / isolation", "primer / shelf 1"]), [
    true,
    false,
    ["primer / shelf 1"],
    1,
  ]);
});

test("thread pool: its workers begin together, or end with the first one's words", async () => {
  const member = `addEventListener("message", ({ data }) => { if (data.throws) throw new Error("");
postMessage(data.fails ? { reason: "it broke" } : { ready: true }); postMessage({ reason: "later" }); });`;
  const started = async (tasks, files = { "runtime/measure/thread_pool_member.js": member }) => {
    const page = await open({ files });
    return page.evaluate(async (all) => {
      const { PoolWorkers } = await import("/runtime/measure/thread_pool_workers.js");
      let ended = 0;
      const terminate = Worker.prototype.terminate;
      Worker.prototype.terminate = function () {
        ++ended;
        terminate.call(this);
      };
      const pool = new PoolWorkers();
      const said = await pool.start(all).then(
        () => "ready",
        ({ message }) => message,
      );
      pool.end();
      pool.end();
      return [said, ended];
    }, tasks);
  };
  assert.deepEqual(await started([{}, {}]), ["ready", 2]);
  assert.deepEqual(await started([{ fails: true }]), ["it broke", 1]);
  assert.match((await started([{ throws: true }]))[0], /Error/);
  const none = { "runtime/measure/thread_pool_member.js": null };
  assert.deepEqual(await started([{}], none), ["a worker for a further core did not start", 1]);
});

test("repeat: readings as they come, until the reader stops it or the page is hidden", async () => {
  const worker = `addEventListener("message", ({ data }) => {
  if (data.stop) return postMessage({ type: "done", suite: { params: { n: 8 }, unit: "ns", tick_ms: 1, readings: 2 } });
  globalThis.job = data;
  for (const value of [1, 2]) postMessage({ type: "reading", reading: { at: value, value, ghz: 3 } });
  if (data.kernel === "bad") postMessage({ type: "failed", reason: "its result was wrong" });
});`;
  const page = await open({ files: { "runtime/measure/repeat_worker.js": worker } });
  const repeated = (kernel, end) =>
    page.evaluate(
      async (id, how) => {
        const { repeat } = await import("/runtime/measure/repeat.js");
        const stop = new AbortController();
        const heard = [];
        const assets = new URL("./assets/", location);
        const on_reading = ({ value }) => {
          heard.push(value);
          if (value === 2 && how === "stop") stop.abort();
          if (value !== 2 || how !== "hide") return;
          Object.defineProperty(document, "hidden", { value: true, configurable: true });
          document.dispatchEvent(new Event("visibilitychange"));
        };
        const running = repeat({ kernel: id }, { assets, on_reading, stop: stop.signal });
        const done = await running.catch(({ message }) => ({ message }));
        delete document.hidden;
        return { heard, ...done };
      },
      kernel,
      end,
    );
  for (const end of ["stop", "hide"]) {
    const { heard, params, unit, module, browser } = await repeated("good", end);
    assert.deepEqual([heard, params, unit], [[1, 2], { n: 8 }, "ns"]);
    assert.ok(["relaxed", "simd128"].includes(module) && /^\w+ [\d.]+$/.test(browser));
  }
  assert.equal((await repeated("bad", "")).message, "its result was wrong");
});
