// The lab's parts by themselves, under machines and chips that the test makes.
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
export const registry = async () => [], page_data = async () => ({}), once = (f) => f;`,
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
    /corner of the reference machine \(5\.00 FLOP\/B\).*83 % of that/s,
  );
  assert.equal((await before.evaluate(() => globalThis.asked.points[0])).intensity, "2 FLOP/B");
  const after = await form_with("", {
    reference: machine(100),
    profile: { ...machine(40), name: "Mine" },
  });
  await submit(after, { flop: "20 G", bytes: "10 GB", seconds: "600 ms" });
  assert.match(await said(after), /corner of Mine \(2\.00 FLOP\/B\)/);
  const link = await after.$eval(".machine-link", ({ value }) => value.slice(value.indexOf("#")));
  assert.equal(link, "#k=2e10,1e10,0.6,fp32,1,machine");
});

test("own kernel: a link fills the form and is answered at once; a damaged one is refused", async () => {
  const values = { reference: machine(100) };
  const chip = await form_with("#k=1e15,1e12,1.25,fp16,1,a-chip", values);
  assert.match(await said(chip), /right of the corner of A chip \(500 FLOP\/B\).*80 % of that/s);
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

test("own kernel: what cannot be read is named, marked and focused; a type without a peak is said", async () => {
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
