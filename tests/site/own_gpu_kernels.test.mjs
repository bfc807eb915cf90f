// WGSL kernels of a book, on Chromium's software adapter, which checks results without timing them:
// the example of the reference, and hostile ones, each of which ends with a stated reason.
import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";

import { open_browser, serve } from "../../scripts/lib/browsers.mjs";
import { examples, KernelBook } from "../program/support/kernel_book.mjs";
import { complaints, open_watched, origin_of, run_bench } from "./support/browser_page.mjs";
import { checked, small_canary, software } from "./support/gpu_session.mjs";

const { manifest, source } = examples.wgsl;
const work = "y[id.x] = 2 * x[id.x] + y[id.x];";
const without = (from, to) => {
  assert.ok(source.includes(from), from);
  return source.replace(from, to);
};

const hostile = {
  idle: { text: without(work, "let idle = id.x;"), said: /its result was wrong/ },
  sure: {
    text: without("y[id.x] -= 2 * x[id.x] + 1;", "y[id.x] = 0;"),
    said: /the check of gpu\.own\.sure passes before the kernel has run/,
  },
  words: { text: without("vec3u", "vec3x"), said: /saxpy\.wgsl:\d+: .*vec3x/ },
  lies: { memory: "64", said: /its buffers are larger than the memory in its manifest/ },
  huge: {
    memory: "500 * n",
    gpu: { groups: ["1"], buffers: ["450 * n", "4 * n"] },
    check: { ...manifest.kernels[0].check, params: { n: 4194304 } },
    said: /it needs 1800 MiB in one array, and this GPU allows|the GPU refused the memory/,
  },
  groups: {
    gpu: { groups: ["1000000"], buffers: ["4 * n", "4 * n"] },
    said: /1000000|workgroup/i,
  },
  loop: {
    text: without(work, "loop { if (y[1] > 1e30) { break; } y[0] += 1e-30; }"),
    said: /gpu\.own\.loop did not finish in time|the GPU was lost/,
  },
};

describe("kernels in WGSL", { timeout: 600_000 }, () => {
  const book = new KernelBook();
  let server;

  before(async () => {
    const [kernel] = manifest.kernels;
    const ids = [];
    for (const [name, { text = source, said, ...members }] of Object.entries({
      saxpy: { said: checked },
      ...hostile,
    })) {
      const id = `gpu.own.${name}`;
      ids.push(id);
      const kernels = [{ ...kernel, id, ...members }];
      book.add(name, { ...manifest, kernels }, { "saxpy.wgsl": text });
    }
    book.add_copy();
    ids.push("own.copy");
    const bench = (id) =>
      `\`\`\`bench\nid: bench-${id.split(".").at(-1)}\nkernels: [${id}]\ntry: Measure.\n\`\`\`\n\n`;
    const listing = "```listing\nsource: kernels/saxpy/saxpy.wgsl#saxpy\n```\n\n";
    book.write_chapter(listing + ids.map(bench).join(""));
    const { status, said } = book.build();
    assert.equal(status, 0, said);
    // The page waits 15 seconds, the test five.
    const [assets] = readdirSync(join(book.site, "_"));
    const script = join(book.site, "_", assets, "runtime/measure/packs.js");
    const hurried = readFileSync(script, "utf8").replace(/\b15_?000\b|\b15e3\b/, "5000");
    assert.match(hurried, /\b5000\b|\b5e3\b/);
    writeFileSync(script, hurried);
    server = await serve(book.site, { alter: small_canary });
  });
  after(async () => {
    await server?.close();
    book.remove();
  });

  test("they are checked, and hostile ones end in a reason", async () => {
    const browser = await open_browser("chromium", { args: software });
    try {
      const watched = await open_watched(browser, `${server.url}first/`);
      const answer = async (name) => {
        const { status, reason } = await run_bench(watched.page, `bench-${name}`);
        return reason ?? status;
      };
      assert.match(await answer("saxpy"), checked);
      for (const [name, { said }] of Object.entries(hostile))
        assert.match(await answer(name), said, name);
      // The shader that never ends blocks this software GPU, but not the page.
      const { rows } = await run_bench(watched.page, "bench-copy");
      assert.match(rows[0].text, /^[\d.]+ (±|to) [\d.]+ GB\/s/);
      assert.deepEqual(await complaints(watched, origin_of(server)), []);
    } finally {
      await browser.close();
    }
  });

  test("on request, it is timed like the built-in ones", async () => {
    const browser = await open_browser("chromium", { args: software });
    try {
      const { page } = await open_watched(browser, `${server.url}first/`);
      const timed = () =>
        page.evaluate(async () => {
          const assets = new URL(document.documentElement.dataset.assets, document.baseURI).href;
          const script = (name) => import(`${assets}runtime/measure/${name}.js`);
          const [{ measure }, { with_packs }] = [await script("measure"), await script("bench")];
          const runs = [{ kernel: "gpu.own.saxpy", params: { n: 65536 }, threads: 1 }];
          const request = await with_packs({ runs, pace: "quick" });
          return (await measure({ ...request, even_software: true }, { assets })).results;
        });
      let [result] = await timed();
      for (let turn = 0; turn < 3 && result.status !== "measured"; ++turn) {
        assert.match(result.reason, /timer is not usable|did not finish in time/);
        [result] = await timed();
      }
      assert.equal(result.status, "measured", result.reason);
      assert.deepEqual([result.flops, result.bytes], [2 * 65536, 12 * 65536]);
      assert.ok(result.verified && result.median > 0 && result.samples >= 3);
      assert.ok(result.flags.includes("software"));
    } finally {
      await browser.close();
    }
  });

  test("without WebGPU, the page reports that", async () => {
    const browser = await open_browser("chromium", { args: ["--disable-features=WebGPU"] });
    try {
      const { page } = await open_watched(browser, `${server.url}first/`);
      const { status, reason } = await run_bench(page, "bench-saxpy");
      assert.match(reason ?? status, /this browser offers no WebGPU|the browser gave no GPU/);
    } finally {
      await browser.close();
    }
  });
});
