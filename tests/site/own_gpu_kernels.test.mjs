// Kernels in WGSL that a book brings along, on Chromium's software adapter, which checks results
// without timing them: the example of the reference, and hostile ones, each of which ends in
// a stated reason.
import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";

import { open_browser, serve } from "../../scripts/lib/browsers.mjs";
import { examples, KernelBook } from "../program/support/kernel_book.mjs";
import { complaints, open_watched, origin_of, run_bench } from "./support/browser_page.mjs";
import { checked, software } from "./support/gpu_session.mjs";

const { manifest, source } = examples.wgsl;
const work = "y[id.x] = 2 * x[id.x] + y[id.x];";
const without = (from, to) => {
  assert.ok(source.includes(from), from);
  return source.replace(from, to);
};

const hostile = {
  idle: { text: without(work, ""), said: /its result was wrong/ },
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
    const bench = (id) =>
      `\`\`\`bench\nid: bench-${id.split(".").at(-1)}\nkernels: [${id}]\ntry: Measure.\n\`\`\`\n\n`;
    const listing = "```listing\nsource: kernels/saxpy/saxpy.wgsl#saxpy\n```\n\n";
    book.write_chapter(listing + ids.map(bench).join(""));
    const { status, said } = book.build();
    assert.equal(status, 0, said);
    // A reader waits 15 seconds, a test five.
    const [assets] = readdirSync(join(book.site, "_"));
    const script = join(book.site, "_", assets, "runtime/measure/packs.js");
    const hurried = readFileSync(script, "utf8").replace(/\b15_?000\b|\b15e3\b/, "5000");
    assert.match(hurried, /\b5000\b|\b5e3\b/);
    writeFileSync(script, hurried);
    server = await serve(book.site);
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
      assert.equal(await watched.page.title(), "First · Foreign");
      assert.deepEqual(await complaints(watched, origin_of(server)), []);
    } finally {
      await browser.close();
    }
  });

  test("without WebGPU, the page says so", async () => {
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
