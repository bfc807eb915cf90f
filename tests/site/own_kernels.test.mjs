// Kernels of a book, measured on its page: those of the reference, and hostile ones, each of which
// ends with a stated reason and does not affect the other kernels.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";

import { browser_kinds, open_browser, serve } from "../../scripts/lib/browsers.mjs";
import { sample } from "../rounds.mjs";
import { command_of, examples, KernelBook } from "../program/support/kernel_book.mjs";
import { complaints, open_watched, origin_of, run_bench } from "./support/browser_page.mjs";

/** The module of an example, built by the command in the reference; null without its compiler. */
function compiled(name, source, program) {
  const folder = mkdtempSync(join(tmpdir(), "primer-compiled-"));
  try {
    writeFileSync(join(folder, name), source);
    execFileSync("sh", ["-c", command_of(program)], {
      ...{ cwd: folder, stdio: "pipe" },
      env: { ...process.env, PATH: `/usr/bin:/bin:${process.env.PATH}` },
    });
    return readFileSync(join(folder, "saxpy.wasm"));
  } catch (error) {
    const said = String(error.stderr ?? error);
    if (/not found|can't find crate|may not be installed|unable to execute|No such file/.test(said))
      return null;
    throw new Error(said);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
const built = {
  c: compiled("saxpy.c", examples.c.source, "clang"),
  rust: compiled("saxpy.rs", examples.rust.source, "rustc"),
};

const copy = examples.copy.source;
const run = copy.slice(copy.indexOf('(func (export "run")'));
/** The module of the reference with another function instead of its `run`. */
const with_run = (body) =>
  copy.replace(
    run,
    `(func (export "run") (param $kernel i32) (param $base i32) (param $reps i32) ${body}))`,
  );
const verify = (body) =>
  copy.replace(run, `(func (export "verify") (param i32 i32) (result f64) ${body}) ${run}`);

const hostile = {
  loop: { text: with_run("(loop $l (br $l))"), said: /own\.loop did not finish in time/ },
  grow: {
    // A module that allocates all memory: the page stops it long before 100 times 256 MiB.
    text: with_run(
      "(loop $l (if (i32.eq (memory.grow (i32.const 4096)) (i32.const -1)) (then unreachable)) (br $l))",
    ),
    said: /own\.grow stopped in run: .*unreachable/i,
  },
  idle: { text: with_run(""), said: /its result was wrong/ },
  sure: {
    text: verify("(f64.const 0)"),
    kernel: { check: { kind: "reference" } },
    said: /the check of own\.sure passes before the kernel has run/,
  },
  trap: {
    text: copy.replace("(memory.fill", "unreachable (memory.fill"),
    said: /own\.trap stopped in prepare/,
  },
  lies: {
    text: copy,
    kernel: { memory: "64" },
    said: /own\.lies stopped in prepare: .*(bounds|range)/i,
  },
  args: { text: copy.replace("(i32.const 0))", "(i32.const 3))"), said: /args\(\) of its module/ },
};
const mark = "<img src=x onerror=alert(1)> & memory.copy";

describe("kernels of a book", { timeout: 600_000 }, () => {
  const book = new KernelBook();
  let server;

  before(async () => {
    book.add_copy({ kernel: { title: mark } });
    const good = ["own.copy"];
    for (const [name, module] of Object.entries(built)) {
      if (!module) continue;
      const [kernel] = examples[name].manifest.kernels;
      const manifest = { ...examples[name].manifest, kernels: [{ ...kernel, id: `own.${name}` }] };
      book.add(name, manifest, { "saxpy.wasm": module });
      good.push(`own.${name}`);
    }
    for (const [name, { text, kernel = {} }] of Object.entries(hostile))
      book.add_copy({ name, text, kernel: { id: `own.${name}`, ...kernel } });
    const bench = (id, kernels) =>
      `\`\`\`bench\nid: bench-${id}\nkernels: [${kernels.join(", ")}]\ntry: Measure.\n\`\`\`\n\n`;
    const alone = Object.keys(hostile).map((name) => bench(name, [`own.${name}`]));
    const text = [
      bench("good", good),
      bench("mixed", ["own.trap", "own.copy", "stream.add"]),
      ...alone,
    ];
    book.write_chapter(text.join(""));
    const { status, said } = book.build();
    assert.equal(status, 0, said);
    // The page waits 15 seconds, the test two.
    const [assets] = readdirSync(join(book.site, "_"));
    const script = join(book.site, "_", assets, "runtime/measure/packs.js");
    const hurried = readFileSync(script, "utf8").replace(/\b15_?000\b|\b15e3\b/, "2000");
    assert.match(hurried, /\b2000\b/);
    writeFileSync(script, hurried);
    server = await serve(book.site);
  });
  after(async () => {
    await server?.close();
    book.remove();
  });

  /** A part of the hostile ones per commit, fewer of them in the second browser. */
  const measure_all = async (browser, is_first) => {
    const watched = await open_watched(browser, `${server.url}first/`);
    const measured = async (id) => run_bench(watched.page, `bench-${id}`);
    const good = await measured("good");
    assert.equal(good.state, "done", good.reason);
    for (const { text } of good.rows) assert.match(text, /^[\d.]+ (±|to) [\d.]+ GB\/s/);
    const name = await watched.page.evaluate(
      () => document.querySelector("#bench-good .bench-name").textContent,
    );
    assert.equal(name, mark);
    for (const [id, { said }] of sample(Object.entries(hostile), is_first ? 2 : 4)) {
      const { status, reason } = await measured(id);
      assert.match(reason ?? status, said, id);
    }
    const mixed = await measured("mixed");
    assert.match(mixed.rows[0].text, /own\.trap stopped in prepare|^–|unavailable/);
    for (const { text } of mixed.rows.slice(1)) assert.match(text, /GB\/s/);
    assert.deepEqual(await complaints(watched, origin_of(server)), []);
  };

  for (const kind of browser_kinds) {
    test(`${kind}: they are measured, and hostile ones end in a reason`, async (context) => {
      for (const [name, module] of Object.entries(built))
        if (!module) context.diagnostic(`no compiler for the example in ${name}`);
      const browser = await open_browser(kind);
      try {
        await measure_all(browser, kind === browser_kinds[0]);
      } finally {
        await browser.close();
      }
    });
  }
});
