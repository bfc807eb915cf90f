// The parts of the lab alone, with machines and chips that the test provides.
import assert from "node:assert/strict";
import { test } from "node:test";

import { bare_pages } from "../../support/bare_pages.mjs";

const { open } = bare_pages();

const roof = (isa, value) => ({
  device: "cpu",
  class: { isa, threads: 1 },
  unit: "GFLOP/s",
  value,
});
const machine = (peak) => ({
  roofs: [
    roof("fma", peak),
    { device: "cpu", class: { level: "out", threads: 1 }, unit: "GB/s", value: 20 },
  ],
  results: [],
});
const played = {
  "runtime/page/page.js": `export const store = { load: () => ({ profile: globalThis.profile ?? null }) };
export const assets = new URL("./assets/", location);
export const chips = async () => [{ id: "a-chip", title: "A chip", bandwidth: 2e12, peaks: { fp16: 1e15 } }];
export const reference_profile = async () => globalThis.reference;
export const ask = async ({ spec }) => { globalThis.asked = spec; return { svg: "<svg></svg>" }; };
export const registry = async () => [], page_data = async () => ({}), once = (f) => f;
export const shown_profile = () => null;`,
};
const form_with = async (hash, values = {}) => {
  const page = await open({ files: played, hash });
  await page.evaluate(
    async (given, all) => {
      Object.assign(globalThis, all);
      const { kernel_form } = await import("/runtime/lab/kernel_form.js");
      document.body.append(kernel_form(given));
      await globalThis.settled();
    },
    hash,
    values,
  );
  return page;
};
const said = (page) => page.$eval(".lab-answer", ({ textContent }) => textContent);
const submit = (page, fields) =>
  page.evaluate(async (all) => {
    for (const [name, value] of Object.entries(all))
      document.querySelector(`[name="${name}"]`).value = value;
    document.querySelector("form").requestSubmit();
    await globalThis.settled();
  }, fields);

test("own kernel: the reference machine's roofs before a run, the reader's afterwards", async () => {
  const before = await form_with("", { reference: machine(100) });
  await submit(before, { flop: "20 G", bytes: "10 GB", seconds: "600 ms" });
  assert.match(
    await said(before),
    /ridge of the reference machine \(5\.00 FLOP\/B\).*83 % of that/s,
  );
  assert.equal((await before.evaluate(() => globalThis.asked.points[0])).intensity, "2 FLOP/B");
  const after = await form_with("", {
    reference: machine(100),
    profile: { ...machine(40), name: "Mine" },
  });
  await submit(after, { flop: "20 G", bytes: "10 GB", seconds: "600 ms" });
  assert.match(await said(after), /ridge of Mine \(2\.00 FLOP\/B\)/);
  const link = await after.$eval(".machine-link", ({ value }) => value.slice(value.indexOf("#")));
  assert.equal(link, "#k=2e10,1e10,0.6,fp32,1,machine");
});

test("own kernel: a link fills the form and is answered at once; a damaged one is refused", async () => {
  const values = { reference: machine(100) };
  const chip = await form_with("#k=1e15,1e12,1.25,fp16,1,a-chip", values);
  assert.match(await said(chip), /right of the ridge of A chip \(500 FLOP\/B\).*80 % of that/s);
  assert.equal(await chip.$eval('[name="under"]', ({ value }) => value), "a-chip");
  const unknown = await form_with("#k=1e15,1e12,1.25,fp16,1,no-chip", values);
  assert.match(await said(unknown), /its chip is not in this book\.$/);
  const damaged = await form_with("#k=1e15,<b>,1.25,fp16,1,a-chip", values);
  assert.equal(
    await said(damaged),
    "The kernel of this link cannot be shown: the link is damaged.",
  );
  assert.equal(await damaged.$eval('[name="flop"]', ({ value }) => value), "4 GFLOP");
});

test("own kernel: an invalid field is named, marked and focused; a type without a peak is reported", async () => {
  const page = await form_with("", { reference: machine(100) });
  await submit(page, { bytes: "many" });
  assert.match(await said(page), /^“Bytes that it must move” cannot be read: it is not a number/);
  const marked = () => document.querySelectorAll('[aria-invalid="true"]').length;
  assert.equal(await page.evaluate(marked), 1);
  assert.equal(await page.evaluate(() => document.activeElement.name), "bytes");
  await submit(page, { bytes: "2 GB", under: "a-chip" });
  assert.equal(await said(page), "The facts have no peak of fp32 for A chip.");
  assert.equal(await page.evaluate(marked), 0);
});

test("own kernel: every control has a name, and the keyboard reaches each and sends the form", async () => {
  const page = await form_with("", { reference: machine(100) });
  const names = await page.$$eval("input, select", (all) =>
    all.map((control) => control.labels[0]?.firstChild.textContent.trim()),
  );
  assert.ok(names.length === 6 && names.every(Boolean), names.join());
  const reached = [];
  for (let i = 0; i < 7; ++i) {
    await page.keyboard.press("Tab");
    reached.push(
      await page.evaluate(() => document.activeElement.name || document.activeElement.type),
    );
  }
  assert.deepEqual(reached, ["flop", "bytes", "seconds", "cores", "type", "under", "submit"]);
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.querySelector(".lab-answer p"));
});

test("lab: a part is loaded once it is unfolded, and tried again where it was not there", async () => {
  const files = {
    ...played,
    "runtime/lab/kernel_form.js":
      "export const kernel_form = (hash) => { globalThis.forms = (globalThis.forms ?? 0) + 1; return `form of ${hash}`; };",
  };
  const html =
    '<details id="own-kernel"><summary>Own</summary><div class="lab-part"></div></details>';
  const page = await open({ html, files, hash: "#k=x" });
  const fill = () =>
    page.evaluate(async () => {
      const { fill } = await import("/runtime/lab/lab.js");
      await fill(document.querySelector("details"));
      return [document.querySelector(".lab-part").textContent, globalThis.forms];
    });
  assert.deepEqual(await fill(), ["form of #k=x", 1]);
  assert.deepEqual(await fill(), ["form of #k=x", 1]);
  const gone = await open({ html, files: { ...files, "runtime/lab/kernel_form.js": "throw 1;" } });
  const [words, dataset] = await gone.evaluate(async () => {
    const { fill } = await import("/runtime/lab/lab.js");
    const details = document.querySelector("details");
    await fill(details);
    return [details.querySelector(".lab-part").textContent, { ...details.dataset }];
  });
  assert.match(words, /the book was updated/);
  assert.deepEqual(dataset, {});
});

const kernels = [
  { id: "gpu.peak", title: "GPU", unit: "GFLOP/s", params: [] },
  { id: "allreduce", title: "Team", unit: "GB/s", params: [], team: 2 },
  {
    id: "stream.read",
    title: "Read",
    unit: "GB/s",
    params: [{ name: "w", unit: "B", doc: "bytes", default: 64, min: 8, max: 99 }],
  },
  {
    ...{ id: "peak.fma", title: "Peak", unit: "GFLOP/s" },
    params: [{ name: "tile", unit: "", doc: "", default: 8, min: 8, max: 9, choices: [8, 9] }],
  },
];
/**
 * The form over a run that the test controls: globalThis.run has {wanted, read(), end(), fail()}.
 */
const repeating = async () => {
  const files = {
    ...played,
    "runtime/page/page.js": played["runtime/page/page.js"].replace(
      "registry = async () => []",
      `registry = async () => ${JSON.stringify(kernels)}`,
    ),
  };
  const page = await open({ files });
  await page.evaluate(async () => {
    const { repeat_form } = await import("/runtime/lab/repeat_form.js");
    const { Unavailable } = await import("/runtime/measure/measure.js");
    const asked = (wanted, { on_reading, stop }) =>
      new Promise((resolve, reject) => {
        const about = { module: "relaxed", browser: "B", engine: "E", os: "O", tick_ms: 0.005 };
        const end = () => resolve({ params: wanted.params, unit: "GFLOP/s", ...about });
        const fail = (words) => reject(new Unavailable(words));
        globalThis.run = { wanted, read: on_reading, end, fail };
        stop.addEventListener("abort", end);
      });
    document.body.append(await repeat_form(asked));
  });
  return page;
};
const press = (page) =>
  page.evaluate(async () => {
    document.querySelector("form").requestSubmit();
    await globalThis.settled();
  });
const status = (page) => page.$eval(".lab-status", ({ textContent }) => textContent);

test("repeat: a kernel with its parameters, its readings as they arrive, and the saved file", async () => {
  const page = await repeating();
  assert.deepEqual(
    await page.$$eval('[name="kernel"] option', (all) => all.map((o) => o.textContent)),
    ["stream.read: Read", "peak.fma: Peak"],
  );
  const label = () => document.querySelector(".lab-params label").firstChild.textContent;
  assert.equal(await page.evaluate(label), "tile");
  await page.select('[name="kernel"]', "0");
  assert.equal(await page.evaluate(label), "w (B)");
  await page.select('[name="kernel"]', "1");
  await page.select('[name="tile"]', "9");
  await press(page);
  assert.deepEqual(await page.evaluate(() => globalThis.run.wanted.params), { tile: 9 });
  assert.equal(await page.$eval("form button", (b) => b.textContent), "Stop");
  await page.evaluate(() => {
    for (let i = 1; i <= 300; ++i)
      globalThis.run.read({ at: i / 10, value: i > 100 ? 6 : 8, ghz: 2 });
  });
  assert.match(await status(page), /^Repeating: 8\.00 GFLOP\/s now\.$/);
  await press(page);
  assert.equal(await status(page), "Stopped; the result was checked.");
  assert.equal(await page.$eval("form button", (b) => b.textContent), "Repeat it");
  const rows = await page.$$eval(".lab-live tbody tr", (all) =>
    all.map((row) => [...row.children].map(({ textContent }) => textContent)),
  );
  assert.deepEqual(rows, [
    ["Now", "6.00", "3.00", "2.00"],
    ["Burst", "8.00", "4.00", "2.00"],
    ["Sustained", "6.00", "3.00", "2.00"],
  ]);
  assert.equal(
    await page.$eval(".lab-live svg", (svg) => svg.getAttribute("aria-label")),
    "Peak over 30 s",
  );
  assert.match(await said(page), /75\.0 % of the burst.*the work per cycle has changed/s);
  const saved = await page.evaluate(async () => {
    const made = [];
    URL.createObjectURL = (blob) => made.push(blob) && "#";
    HTMLAnchorElement.prototype.click = () => {};
    for (const button of document.querySelectorAll(".lab-answer button")) button.click();
    return Promise.all(made.map((blob) => blob.text()));
  });
  assert.match(saved[0], /^seconds,GFLOP\/s,ghz,GFLOP\/s \/ GHz\r\n0\.1,8,2,4\r\n/);
  const { kernel, readings, timer_us } = JSON.parse(saved[1]);
  assert.deepEqual([kernel, readings.length, timer_us], ["peak.fma", 300, 5]);
});

test("repeat: a kernel that cannot run has a reason, and the button restarts", async () => {
  const page = await repeating();
  await press(page);
  await page.evaluate(async () => {
    globalThis.run.fail("its result was wrong");
    await globalThis.settled();
  });
  assert.equal(await status(page), "Unavailable, because its result was wrong.");
  assert.equal(await page.$eval("form button", (b) => b.textContent), "Repeat it");
  await press(page);
  await page.evaluate(async () => {
    globalThis.run.end();
    await globalThis.settled();
  });
  assert.match(await said(page), /^Nothing was read\./);
});

/** The trials with results from the test, in a browser with the features of `found`. */
const trying = async (found, answers = {}) => {
  const page = await open({ files: played });
  await page.evaluate(
    async (can, given) => {
      const { trials_part } = await import("/runtime/lab/trials.js");
      const run = async (id, { on_progress, signal }) => {
        on_progress(0.5, "Half of it");
        if (!(id in given)) {
          await new Promise((resolve) => signal.addEventListener("abort", resolve));
          const { Cancelled } = await import("/runtime/measure/measure.js");
          throw new Cancelled("canceled");
        }
        if (typeof given[id] === "string") throw new Error(given[id]);
        return given[id];
      };
      document.body.append(trials_part(run, can));
    },
    { wasm: true, simd: true, relaxed: true, workers: true, cores: 4, ...found },
    answers,
  );
  return page;
};
const try_it = (page, name) =>
  page.evaluate(async (label) => {
    document.querySelector(`button[aria-label="${label}"]`).click();
    await globalThis.settled();
  }, name);
const trial_of = (page, i) =>
  page.$$eval(
    ".lab-trial",
    (all, at) => ({
      status: all[at].querySelector(".lab-status").textContent,
      rows: [...all[at].querySelectorAll("tbody tr")].map((row) =>
        [...row.children].map(({ textContent }) => textContent),
      ),
      said: [...all[at].querySelectorAll(".lab-answer p")].map(({ textContent }) => textContent),
    }),
    i,
  );

test("trials: what each finds is a table; what cannot run says why, and cancelling keeps nothing", async () => {
  const good = { status: "measured", verified: true };
  const page = await trying(
    { shared: true },
    {
      instructions: {
        results: [{ ...good, kernel: "op", title: "add", params: { chains: 1 }, per_cycle: 0.25 }],
      },
      cores: {
        results: [{ ...good, kernel: "core.pingpong", params: { partner: 1 }, median: 60 }],
      },
      load: {
        curve: [
          { gbs: 0, ns: 90 },
          { gbs: 20, ns: 180 },
        ],
      },
    },
  );
  await try_it(page, "Try it: Instructions");
  assert.deepEqual(await trial_of(page, 0), {
    status: "Done.",
    rows: [["add", "4.0", "0.25"]],
    said: [],
  });
  await try_it(page, "Try it: Core to core");
  assert.deepEqual((await trial_of(page, 2)).rows, [["a line from thread 1 to thread 2", "60.0"]]);
  await try_it(page, "Try it: Latency under load");
  const load = await trial_of(page, 3);
  assert.deepEqual(load.rows, [
    ["0", "90.0"],
    ["20.0", "180"],
  ]);
  assert.match(load.said[0], /2\.0 times as long/);
  await try_it(page, "Try it: Pages");
  assert.equal((await trial_of(page, 1)).status, "Half of it … 50 %");
  await try_it(page, "Cancel: Pages");
  assert.equal((await trial_of(page, 1)).status, "Canceled. Nothing was saved.");
  const failing = await trying({ shared: true }, { pages: "it was wrong" });
  await try_it(failing, "Try it: Pages");
  assert.equal((await trial_of(failing, 1)).status, "Unavailable, because it was wrong.");
});

test("trials: several cores need an isolated page and at least two, which is stated in advance", async () => {
  const disabled = (page) => page.$$eval("button", (all) => all.map((b) => b.disabled));
  const page = await trying({ shared: false });
  assert.deepEqual(await disabled(page), [false, false, true, true]);
  assert.match(
    (await trial_of(page, 2)).status,
    /need a cross-origin isolated page.*Press “All cores” above to isolate it\.$/,
  );
  const single = await trying({ shared: true, cores: 1 });
  assert.match((await trial_of(single, 3)).status, /because this browser reports one core\.$/);
  const old = await trying({ simd: false });
  assert.deepEqual(await disabled(old), [true, true, true, true]);
  assert.deepEqual(await disabled(await trying({ shared: true })), [false, false, false, false]);
});
