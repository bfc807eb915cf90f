// A model's driver alone, with a fake module: the requests of each control, the settings that a
// link may have, and the displayed answer.
import assert from "node:assert/strict";
import { test } from "node:test";

import { bare_pages } from "../../support/bare_pages.mjs";

const { open } = bare_pages();

const html = `<figure class="model" id="m" data-drag="size" data-model="lru" data-module="models-x.wasm">
<div class="plot-wide"><svg lang="en"><text>old</text></svg></div><div class="plot-narrow"><svg lang="en"><text>old</text></svg></div>
<p class="model-summary" data-longest="abc"><span class="model-notices"></span><span class="model-words"></span></p><p class="model-told"></p>
<div class="model-controls">
<label class="model-control"><input type="range" name="size" min="0" max="20000" value="5" data-unit="B"><output></output></label>
<label class="model-control"><input type="range" name="ways" min="0" max="6" value="2" data-doubling><output></output></label>
<label class="model-control"><select name="order"><option>rows</option><option>tiled</option></select></label>
<input type="range" name="at" min="0" max="4" value="0"><output name="where"></output>
<button name="step">Step</button><button name="play">Play</button><button name="again">Again</button><i>x</i>
<a class="model-link" href="?">Link to these settings</a></div>
<details class="plot-data"><table><tbody></tbody></table></details></figure>`;

const files = {
  "runtime/page/page.js": `globalThis.asked = [];
globalThis.answer = {};
export const once = (f) => f, ask = 0, registry = 0, shown_profile = 0;
export const page_data = async () => ({ facts: { f: 1 } });
const machine = (peak) => ({ roofs: [{ class: { isa: "fma" }, value: peak }, { class: { level: "out" }, value: 10 }], levels: [] });
export const reference_profile = async () => machine(50);
export const store = { load: () => ({ profile: globalThis.mine ? machine(70) : null }) };
export const module_of = async () => (request) => {
  globalThis.asked.push(request);
  if (request.params.size === 13) throw new Error("no such size");
  const length = 4;
  const step = request.step < 0 ? 1 : Math.min(request.step, length);
  return { svg: "<svg><text>" + step + "</text></svg>", step, length, where: step + " of 4", params: request.params, unused: [],
    notices: [], description: "At " + step, table: { rows: [[String(step)]] }, ...globalThis.answer };
};`,
};
const driven = async (before = () => {}) => {
  const page = await open({ html, files });
  await page.setViewport({ width: 1000, height: 700 });
  await page.evaluate(before);
  await page.evaluate(async () => {
    const { driver_of } = await import("/runtime/models/model.js");
    const figure = document.querySelector("figure");
    const [one, two] = await Promise.all([driver_of(figure), driver_of(figure)]);
    Object.assign(globalThis, { driver: one, is_one: one === two });
    const find = (name) => document.querySelector(`[name=${name}]`);
    globalThis.press = (name) => {
      find(name).click();
      return globalThis.asked.at(-1)?.step ?? null;
    };
    globalThis.set = (name, value) => {
      find(name).value = value;
      find(name).dispatchEvent(new Event("input", { bubbles: true }));
      return globalThis.asked.at(-1);
    };
  });
  return page;
};

test("machine: the roofs of one core, the best of them, and its caches", async () => {
  const page = await driven();
  const seen = await page.evaluate(async () => {
    const { machine_of } = await import("/runtime/models/model.js");
    const roof = (members, value) => ({ class: members, value });
    const all = [
      roof({ isa: "fma" }, 5),
      roof({ isa: "simd" }, 7),
      roof({ isa: "fma", threads: 4 }, 90),
      roof({ isa: "other" }, 99),
    ];
    const levels = [
      { name: "L1", bytes: 1 },
      { name: "L2", bytes: 2 },
      { name: "L3", bytes: 3 },
    ];
    return [
      machine_of(
        {
          roofs: [
            ...all,
            roof({ level: "out", threads: 1 }, 3),
            roof({ level: "out", threads: 2 }, 9),
          ],
          levels,
        },
        "x",
      ),
      machine_of({ roofs: [...all, roof({ level: "L3" }, 4)], levels }, "y"),
      machine_of({ roofs: [...all, roof({ level: "L2" }, 4)], levels }, "z"),
      machine_of({ roofs: [roof({ level: "out" }, 4), {}], levels }, "z"),
      machine_of(null, "z"),
    ];
  });
  const machine = { label: "x", peak: 7e9, bandwidth: 3e9, l1: 1, l2: 2 };
  assert.deepEqual(seen, [machine, { ...machine, label: "y", bandwidth: 4e9 }, null, null, null]);
});

test("a module knows the reader's machine, else the reference's, and the page's facts", async () => {
  for (const [before, label, peak] of [
    [() => {}, "reference machine", 50e9],
    [() => (globalThis.mine = true), "your machine", 70e9],
  ]) {
    const page = await driven(before);
    const { facts, machine, model, options } = await page.evaluate(() => globalThis.set("at", 2));
    assert.deepEqual([facts, machine.label, machine.peak, model], [{ f: 1 }, label, peak, "lru"]);
    assert.deepEqual([options.width, options.lang], ["column", "en"]);
    assert.equal(await page.evaluate(() => globalThis.is_one), true);
  }
});

test("controls: a value with its unit, a doubling, a choice; another run begins at its own first picture", async () => {
  const page = await driven();
  const seen = await page.evaluate(() => {
    const { set } = globalThis;
    const outputs = () =>
      [...document.querySelectorAll(".model-control output")].map((one) => one.textContent);
    const size = set("size", 12345);
    const said = outputs()[0];
    const ways = set("ways", 5);
    const order = set("order", "tiled");
    const at = set("at", 3);
    const picture = document.querySelector(".plot-wide").textContent;
    const narrow = document.querySelector(".plot-narrow").textContent;
    const small = (set("size", 9999), outputs());
    return {
      size,
      said,
      ways,
      order,
      at,
      picture,
      narrow,
      small,
      aria: document.querySelector("[name=size]").getAttribute("aria-valuetext"),
    };
  });
  assert.deepEqual(seen.size.params, { size: 12345, ways: 4, order: "rows" });
  assert.deepEqual([seen.size.step, seen.said], [-1, "12,345 B"]);
  assert.deepEqual(
    [seen.ways.params.ways, seen.order.params.order, seen.at.step],
    [32, "tiled", 3],
  );
  assert.deepEqual(
    [seen.picture, seen.narrow, seen.small, seen.aria],
    ["3", "old", ["9999 B", "32"], "9999 B"],
  );
});

test("step goes to the end and begins again; settings that make no sense say why and change nothing", async () => {
  const page = await driven();
  const seen = await page.evaluate(() => {
    const { press, set } = globalThis;
    const steps = [1, 2, 3, 4, 5].map(() => press("step"));
    press("step");
    const again = press("again");
    document.querySelector("i").click();
    const asked = globalThis.asked.length;
    const before = document.querySelector(".plot-wide").textContent;
    set("size", 13);
    return {
      steps,
      again,
      asked,
      before,
      after: document.querySelector(".plot-wide").textContent,
      said: document.querySelector(".model-notices").textContent,
    };
  });
  assert.deepEqual(seen.steps, [1, 2, 3, 4, 0]);
  assert.deepEqual(
    [seen.again, seen.asked, seen.before, seen.after, seen.said],
    [0, 7, "0", "0", "no such size"],
  );
});

test("play goes on to the end and stops, on a press too; a hidden page stops it", async () => {
  const page = await driven();
  const unplayed = await page.evaluate(() => {
    globalThis.set("at", 4);
    return document.querySelector("[name=play]").textContent;
  });
  assert.equal(unplayed, "Play", "nothing was played, so there is nothing to replay");
  const played = async (use) =>
    page.evaluate(async (how) => {
      const button = document.querySelector("[name=play]");
      globalThis.press("again");
      const frames = [];
      globalThis.requestAnimationFrame = (f) => frames.push(f);
      globalThis.cancelAnimationFrame = () => (frames.length = 0);
      const begin = performance.now();
      button.click();
      const words = [button.textContent];
      const steps = [];
      // 4 steps take 4 / 1.5 seconds.
      for (const ms of [100, 700, 1400, 2100, 2700, 3500]) {
        if (ms === 1400 && how === "press") button.click();
        if (ms === 1400 && how === "hide") {
          Object.defineProperty(document, "hidden", { value: true, configurable: true });
          document.dispatchEvent(new Event("visibilitychange"));
        }
        for (const f of frames.splice(0)) f(begin + ms);
        steps.push(globalThis.asked.at(-1).step);
      }
      return [...words, button.textContent, steps.join()];
    }, use);
  assert.deepEqual(await played("end"), ["Pause", "Replay", "0,1,2,3,4,4"]);
  assert.deepEqual(await played("press"), ["Pause", "Play", "0,1,1,1,1,1"]);
  assert.deepEqual(await played("hide"), ["Pause", "Play", "0,1,1,1,1,1"]);
  const at_end = await page.evaluate(() => {
    globalThis.set("at", 4);
    const before = globalThis.asked.length;
    document.querySelector("[name=play]").click();
    return [globalThis.asked.length - before, document.querySelector("[name=play]").textContent];
  });
  assert.deepEqual(at_end, [0, "Pause"], "from the end it begins again");
});

test("dragging on the drawing moves the main setting, its range as wide as the drawing", async () => {
  const page = await driven();
  const seen = await page.evaluate(async () => {
    const frame = document.querySelector(".plot-wide");
    const field = document.querySelector("[name=size]");
    frame.style.width = "200px";
    field.value = 5000; // of 0 to 20,000: 100 a pixel
    const send = (type, clientX, more = {}) =>
      frame.dispatchEvent(
        new PointerEvent(type, { bubbles: true, pointerId: 1, clientX, buttons: 1, ...more }),
      );
    const drawn = async () => {
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
      return globalThis.asked.at(-1)?.params.size;
    };
    send("pointerdown", 50, { button: 0 });
    const sizes = [];
    for (const [x, more] of [[60], [70, { pointerId: 2 }], [20], [-900], [900]]) {
      send("pointermove", x, more);
      sizes.push(await drawn());
    }
    const before = globalThis.asked.length;
    (send("pointermove", 55), send("pointermove", 56), send("pointermove", 57));
    sizes.push(await drawn(), globalThis.asked.length - before);
    send("pointerup", 57);
    send("pointermove", 80);
    sizes.push(await drawn());
    field.disabled = true;
    send("pointerdown", 50, { button: 0 });
    send("pointermove", 80);
    sizes.push(await drawn());
    return sizes;
  });
  assert.deepEqual(seen, [6000, 6000, 2000, 0, 20000, 5700, 1, 5700, 5700]);
});

test("a link sets what is a setting; what is none is said, three at most", async () => {
  const page = await driven();
  const applied = (text) =>
    page.evaluate((words) => {
      globalThis.driver.apply(words);
      const { params, step } = globalThis.asked.at(-1);
      return { ...params, step, said: document.querySelector(".model-notices").textContent };
    }, text);
  const usual = { size: 5, ways: 4, order: "rows", step: -1, said: "" };
  assert.deepEqual(await applied("order:tiled,size:7,at:3"), {
    ...usual,
    order: "tiled",
    size: 7,
    step: 3,
  });
  const now = { ...usual, order: "tiled", size: 7 };
  const odd = (pair) => `The link has an unknown setting: “${pair}”.`;
  assert.deepEqual(await applied("order:diagonal,at:-4"), {
    ...now,
    step: 0,
    said: `${odd("order:diagonal")} `,
  });
  assert.deepEqual(await applied("size:x,at:y,z:1,ways"), {
    ...now,
    said: `${["size:x", "at:y", "z:1"].map(odd).join(" ")} `,
  });
  const digits = "1".repeat(15);
  assert.equal((await applied(`size:${digits}`)).size, Number(digits));
});

test("the answer's notices, words, table, unused controls and link are shown", async () => {
  const page = await driven();
  const seen = await page.evaluate(async () => {
    globalThis.answer = { notices: ["It is clamped", "It is odd"], unused: ["ways"] };
    globalThis.set("at", 2);
    const summary = document.querySelector(".model-summary");
    const shown = summary.textContent;
    const fold = document.querySelector(".plot-data");
    const table = () => fold.querySelector("table").textContent;
    const folded = table();
    fold.open = true;
    await globalThis.settled();
    const unfolded = table();
    globalThis.set("at", 3);
    const link = document.querySelector(".model-link");
    const longest = summary.dataset.longest;
    globalThis.answer = { description: "x" };
    globalThis.set("at", 1);
    const kept = summary.dataset.longest === longest;
    const copied = [];
    navigator.clipboard.writeText = async (text) => copied.push(text);
    link.click();
    await globalThis.settled();
    const said = [link.textContent, copied[0] === location.href, location.search + location.hash];
    return {
      words: shown,
      longest, // notices overlap the words and take no room
      folded,
      unfolded,
      now: table(),
      disabled: document.querySelector("[name=ways]").disabled,
      kept,
      said,
      where: document.querySelector("[name=where]").textContent,
    };
  });
  assert.deepEqual(seen, {
    words: "It is clamped. It is odd. At 2",
    longest: "At 2",
    folded: "",
    unfolded: "2",
    now: "1",
    disabled: false,
    kept: true,
    said: ["Link copied", true, "?m=size:5,ways:4,order:rows,at:1#m"],
    where: "1 of 4",
  });
  const told = await page.evaluate(async () => {
    globalThis.answer = {};
    globalThis.set("at", 2);
    globalThis.set("at", 3);
    const at_once = document.querySelector(".model-told").textContent;
    return at_once;
  });
  assert.equal(told, "");
  await page.waitForFunction(() => document.querySelector(".model-told").textContent === "At 3");
  await page.waitForFunction(() => document.querySelector(".model-told").textContent === "");
  await page.evaluate(() => globalThis.set("size", 13));
  await page.waitForFunction(
    () => document.querySelector(".model-told").textContent === "no such size",
  );
});
