// The basis of every page's scripts, each module alone: storage, the only functions that create
// markup and workers, dialogs, tooltips, and the reader's results instead of the reference
// machine's, with a machine from the test.
import assert from "node:assert/strict";
import { test } from "node:test";

import { bare_pages } from "../../support/bare_pages.mjs";

const { open } = bare_pages();

test("storage: a name of this book first, the old name after it; refused storage holds nothing", async () => {
  const page = await open({ attributes: 'data-root="../"' });
  const seen = await page.evaluate(async () => {
    const { stored, set_stored, forget, key_of } = await import("/runtime/base/storage.js");
    const before = stored("x");
    localStorage.setItem("primer.x", "old");
    const old = stored("x");
    set_stored("x", "new");
    const now = [key_of("x"), stored("x"), localStorage.getItem("primer / x")];
    forget("x");
    const gone = [stored("x"), localStorage.length];
    const refused = () => {
      throw new Error("refused");
    };
    forget("x", refused);
    let thrown = "";
    try {
      set_stored("x", "", refused);
    } catch ({ message }) {
      thrown = message;
    }
    return { before, old, now, gone, thrown, none: stored("x", refused) };
  });
  assert.deepEqual(seen, {
    before: null,
    old: "old",
    now: ["primer / x", "new", "new"],
    gone: [null, 0],
    thrown: "refused",
    none: null,
  });
});

test("storage: replacing results is refused in a frame, and only there", async () => {
  const page = await open();
  const seen = await page.evaluate(async () => {
    const refused = async (wanted) =>
      (await wanted.eval?.('import("/runtime/base/storage.js")'))?.refuse_in_frame;
    const frame = document.body.appendChild(document.createElement("iframe"));
    await new Promise((loaded) => {
      frame.onload = loaded;
      frame.src = "empty.html";
    });
    const said = async (wanted) => {
      try {
        (await refused(wanted))();
        return "";
      } catch ({ message }) {
        return message;
      }
    };
    return [await said(window), await said(frame.contentWindow)];
  });
  assert.deepEqual(seen, ["", "this page is in a frame: open it directly"]);
});

test("trusted: the renderer's elements are markup, the book's scripts are workers, nothing else is", async () => {
  const page = await open();
  const seen = await page.evaluate(async () => {
    const { drawing, script } = await import("/runtime/base/trusted.js");
    const said = (use, text) => {
      try {
        return String(use(text)) === text ? "taken" : "changed";
      } catch (error) {
        return error instanceof TypeError ? error.message : String(error);
      }
    };
    const pictures = [
      "<svg><g><path d=''/></g></svg>",
      " <svg></svg>",
      "<svg><script/></svg>",
      "<p>",
    ];
    const here = location.origin;
    const addresses = [`${here}/sw.js`, `${here}/runtime/measure/worker.js`];
    const foreign = [`${here}/other.js`, `${here}/sw.js?x`, "https://example.org/runtime/a.js"];
    return {
      pictures: pictures.map((text) => said(drawing, text)),
      scripts: [...addresses, ...foreign].map((text) => said(script, text)),
    };
  });
  const not_drawn = "a figure could not be redrawn";
  assert.deepEqual(seen.pictures, ["taken", not_drawn, not_drawn, not_drawn]);
  const not_ours = "this is none of the book's scripts";
  assert.deepEqual(seen.scripts, ["taken", "taken", not_ours, not_ours, not_ours]);
});

test("dialog: a click outside and its button close it, one inside does not; focus is released", async () => {
  const page = await open();
  await page.setViewport({ width: 800, height: 600 });
  await page.evaluate(async () => {
    const { make_dialog, load_style } = await import("/runtime/page/dialog.js");
    await load_style();
    const field = document.createElement("input");
    const dialog = make_dialog("Name", field);
    Object.assign(dialog.style, { margin: 0, left: "100px", top: "100px", padding: "30px" });
    Object.assign(dialog.style, {
      width: "200px",
      height: "100px",
      border: 0,
      boxSizing: "border-box",
    });
    dialog.style.maxHeight = "none";
    dialog.style.position = "fixed";
    dialog.showModal();
    field.focus();
    globalThis.dialog = dialog;
  });
  const box = await page.evaluate(() => {
    const { left, right, top, bottom } = globalThis.dialog.getBoundingClientRect();
    return { left, right, top, bottom };
  });
  const middle = { x: (box.left + box.right) / 2, y: (box.top + box.bottom) / 2 };
  const open_after = (x, y) =>
    page.evaluate(
      (at) => {
        const { dialog } = globalThis;
        if (!dialog.open) dialog.showModal();
        const event = { clientX: at.x, clientY: at.y, bubbles: true };
        dialog.dispatchEvent(new MouseEvent("click", event));
        return dialog.open;
      },
      { x, y },
    );
  // The edges belong to the dialog.
  for (const x of [box.left, middle.x, box.right])
    assert.equal(await open_after(x, middle.y), true);
  for (const y of [box.top, box.bottom]) assert.equal(await open_after(middle.x, y), true);
  for (const [x, y] of [
    [box.left - 1, middle.y],
    [box.right + 1, middle.y],
    [middle.x, box.top - 1],
    [middle.x, box.bottom + 1],
  ])
    assert.equal(await open_after(x, y), false, `${x}, ${y}`);
  const rest = await page.evaluate(async () => {
    const { dialog } = globalThis;
    dialog.showModal();
    const inner = new MouseEvent("click", { clientX: 0, clientY: 0, bubbles: true });
    dialog.querySelector("input").dispatchEvent(inner);
    const after_field = dialog.open;
    dialog.querySelector("input").focus();
    const closed = new Promise((heard) => dialog.addEventListener("close", heard));
    dialog.querySelector(".panel-close").click();
    await closed;
    return [after_field, dialog.open, dialog.contains(document.activeElement)];
  });
  assert.deepEqual(rest, [true, false, false]);
});

test("dialog: a style sheet that failed to load is requested again", async () => {
  const page = await open({ files: { "runtime/page/dialog.css": null } });
  const seen = await page.evaluate(async () => {
    const { load_style } = await import("/runtime/page/dialog.js");
    const tries = [load_style(), load_style()];
    const said = await Promise.allSettled(tries);
    const links = document.querySelectorAll("link[rel=stylesheet]").length;
    return [said.map(({ reason }) => reason?.message), links];
  });
  const words = "the style sheet did not load";
  assert.deepEqual(seen, [[words, words], 0]);
});

test("tooltips: none leaves the window, Escape alone puts one away until it is shown again", async () => {
  const tip = (style) =>
    `<span class="tipped" tabindex="0" style="position:absolute;top:10px;${style}">x<span class="tip"
     style="position:absolute;left:0;top:0;width:100px">tip</span></span>`;
  const page = await open({
    html: `<style>body{margin:0}</style>${tip("left:50px")}${tip("left:350px")}${tip("left:292px")}${tip("left:4px;right:0")}`,
  });
  await page.setViewport({ width: 400, height: 300 });
  const seen = await page.evaluate(async () => {
    const { show } = await import("/runtime/page/tooltips.js");
    const all = [...document.querySelectorAll(".tipped")];
    for (const tipped of all) show(tipped);
    const shifts = all.map((one) => one.querySelector(".tip").style.translate);
    const wide = all[1].querySelector(".tip");
    wide.style.width = "600px";
    show(all[1]);
    const widest = wide.style.translate;
    const [first, second] = all;
    first.focus();
    const press = (key) => dispatchEvent(new KeyboardEvent("keydown", { key }));
    press("a");
    const after_a = "dismissed" in first.dataset;
    press("Escape");
    const after = ["dismissed" in first.dataset, "dismissed" in second.dataset];
    show(first);
    return { shifts, widest, after_a, after, shown: !("dismissed" in first.dataset) };
  });
  assert.deepEqual(seen.shifts, ["", "-58px", "", ""]);
  assert.equal(seen.widest, "-342px", "its beginning stays in the window");
  assert.deepEqual([seen.after_a, seen.after, seen.shown], [false, [true, false], true]);
});

test("tooltips: from right to left they begin at the right, and move to the right", async () => {
  const tip = (style) =>
    `<span class="tipped" style="position:absolute;top:10px;${style}">x<span class="tip"
     style="position:absolute;inset-inline-start:0;top:0;width:100px">tip</span></span>`;
  const page = await open({
    html: `<style>body{margin:0}</style><div dir="rtl">${tip("right:50px")}${tip("right:350px")}
      <div class="table"><span class="tipped" style="position:absolute;right:60px">y<span class="tip"
      style="position:absolute">tip</span></span></div></div>`,
  });
  await page.setViewport({ width: 400, height: 300 });
  const seen = await page.evaluate(async () => {
    const { show } = await import("/runtime/page/tooltips.js");
    const all = [...document.querySelectorAll(".tipped")];
    for (const tipped of all) show(tipped);
    const shifts = all.map((one) => one.querySelector(".tip").style.translate);
    const [of, at] = [all[2], all[2].querySelector(".tip")].map((one) =>
      one.getBoundingClientRect(),
    );
    return [shifts, at.right - of.right];
  });
  assert.deepEqual(seen, [["", "58px", ""], 0]);
});

test("tooltips: one in a table hangs below its words in the window, where no frame cuts it", async () => {
  const page = await open({
    html: `<style>body{margin:0}.tipped{position:relative}.tip{position:absolute;left:0;top:100%;width:100px}</style>
      <div class="table" style="position:relative;margin:40px 20px;height:20px;overflow:auto"><span class="tipped">x<span class="tip">tip</span></span></div>
      <p style="height:2000px"></p>`,
  });
  const seen = await page.evaluate(async () => {
    const { show } = await import("/runtime/page/tooltips.js");
    const [tipped, tip] = document.querySelectorAll(".tipped, .tip");
    const places = [];
    for (const y of [0, 15]) {
      scrollTo(0, y);
      show(tipped);
      const [of, at] = [tipped, tip].map((one) => one.getBoundingClientRect());
      places.push([
        at.left - of.left,
        at.top - of.bottom,
        document.elementFromPoint(at.left + 9, at.bottom - 2) === tip,
      ]);
    }
    return places;
  });
  assert.deepEqual(seen, [
    [0, 0, true],
    [0, 0, true],
  ]);
});

test("tooltips: a pressed button hides its tip and shows it again, and is called by its own words", async () => {
  const page = await open({
    html: `<span class="tipped" tabindex="0" role="button"><b>348</b> ns <span class="tip">why</span></span><span class="tipped" tabindex="0">x<span class="tip">y</span></span>`,
  });
  const seen = await page.evaluate(async () => {
    const { show } = await import("/runtime/page/tooltips.js");
    const [button, plain] = document.querySelectorAll(".tipped");
    for (const one of [button, plain]) show(one);
    const press = (one, key) => {
      const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true });
      one.dispatchEvent(event);
      return ["dismissed" in one.dataset, event.defaultPrevented];
    };
    const presses = ["a", " ", "Enter", "Enter"].map((key) => press(button, key));
    return { presses, plain: press(plain, " "), names: [button.ariaLabel, plain.ariaLabel] };
  });
  assert.deepEqual(seen.names, ["348 ns", null]);
  assert.deepEqual(seen.presses, [
    [false, false],
    [true, true],
    [false, true],
    [true, true],
  ]);
  assert.deepEqual(seen.plain, [false, false]);
});

test("at_first: an element is as it was, with what it had and without what it had not", async () => {
  const page = await open({
    html: '<data id="d" value="3" title="t" data-from="none">3 s</data><b id="b">x</b>',
  });
  const seen = await page.evaluate(async () => {
    const { keep_first, restore } = await import("/runtime/page/at_first.js");
    const [d, b] = ["d", "b"].map((id) => document.getElementById(id));
    const before = [d.outerHTML, b.outerHTML];
    restore(b); // never changed
    for (const [text, from] of [
      ["4 s", "reader"],
      ["5 s", "other"],
    ]) {
      keep_first(d);
      keep_first(b);
      Object.assign(d, { value: text, title: text, textContent: text });
      d.dataset.from = from;
      b.textContent = text;
      b.dataset.from = from;
    }
    restore(d);
    restore(b);
    const after = [d.outerHTML, b.outerHTML];
    d.textContent = "6 s";
    restore(d);
    return { before, after: [after[0], after[1].replace(' title=""', "")], last: d.textContent };
  });
  assert.deepEqual(seen.after, seen.before);
  assert.equal(seen.last, "6 s");
});

const svg = (text) => `<svg><g><text>${text}</text></g></svg>`;
const frames = (id) => `<figure id="${id}"><div class="plot-wide">${svg("old")}</div>
<div class="plot-narrow">${svg("old")}</div><p class="plot-source">the book's</p>
<div class="plot-data"><table><tbody><tr><td>0</td></tr></tbody></table></div></figure>`;
const reader_page = `<data id="l1" value="1">one</data><data id="l2" data-from="none">two</data><data id="l3" value="3">three</data>
<p id="v1">As published.</p><p id="v2">As published.</p>${frames("f1")}${frames("f2")}
<primer-bench id="b1" state="idle"><p class="bench-cost">1 s</p><table><tr data-run="0" data-unit="GB/s" data-reference="2.5" data-after="q"><td><svg class="strip"><line class="tick" x1="0"/></svg></td><td class="yours">–</td></tr><tr data-run="1"><td class="yours">–</td></tr>
<tr data-run="2"><td class="yours">–</td></tr></table></primer-bench>`;
const played = `import { word } from "../base/language.js";
const state = (globalThis.played ??= { profile: null, problem: "", mine: true });
export const store = { load: () => ({ profile: state.profile, problem: state.problem }) };
export const registry = async () => [{ id: "k", params: [] }];
export const shown_profile = () => state.profile;
export const once = (f) => f;
const live = ["l1", "l2", "l3", "gone"].map((id) => ({ id, expression: id, unit: "s", digits: 2 }));
export const page_data = async () => ({ live,
  verdicts: [{ id: "v1", on: "a", cases: [], runs: [] }, { id: "v2", on: "b", cases: [], runs: [] },
    { id: "gone" }],
  figures: { f1: { spec: { kind: "roofline", mine: true } }, f2: { spec: { kind: "bars" } }, gone: { spec: {} } },
  benches: [{ id: "b1", runs: [{ kernel: "k" }, { kernel: "k", threads: 2 }, { kernel: "k", threads: 3 }] }, { id: "gone" }] });
export async function ask(request) {
  const mine = state.mine && !("reader" in request);
  if (request.op === "evaluate") {
    if (request.expression === "l2") throw new Error("no GPU");
    if (request.expression === "l3") throw new Error("it broke");
    return mine ? { from: "reader", value: 9, text: "nine" } : { from: "reference" };
  }
  if (request.op === "verdict") return { from: request.on === "a" && mine ? "reader" : "reference", say: "As measured." };
  const words = request.spec.mine && mine ? "mine" : "book";
  state.drawn = (state.drawn ?? 0) + 1;
  return { from: words === "mine" ? "reader" : "reference", svg: "<svg><g><text>" + words + "</text></g></svg>", table: { rows: [[words, "1"]] } };
}`;
const results = [
  {
    kernel: "k",
    params: {},
    threads: 1,
    run: "2026-11-20T10:00:00Z",
    status: "measured",
    verified: true,
    unit: "GB/s",
    median: 5,
    mad: 0.1,
  },
  { kernel: "k", params: {}, threads: 2, status: "unavailable", reason: "no cores", flags: [] },
];

test("refresh: the reader's results take the place of the reference machine's, and give it back", async () => {
  const page = await open({ html: reader_page, files: { "runtime/page/page.js": played } });
  const seen = await page.evaluate(async (measured) => {
    const { refresh } = await import("/runtime/page/refresh.js");
    const { played: state } = globalThis;
    let events = 0;
    document.addEventListener("primer-results", () => ++events);
    const texts = () =>
      ["l1", "l2", "v1", "v2"].map((id) => document.getElementById(id).textContent);
    const figure = (id) => {
      const one = document.getElementById(id);
      const words = [...one.querySelectorAll("text, th[scope=row], td")].map(
        ({ textContent }) => textContent,
      );
      return [words.join(), one.querySelector(".plot-source").textContent, one.dataset.from ?? ""];
    };
    const cells = () =>
      [...document.querySelectorAll(".yours")].map((c) => [c.textContent, c.dataset.state ?? ""]);
    const all = () => ({ texts: texts(), f1: figure("f1"), f2: figure("f2"), cells: cells() });
    const nothing = [await refresh(), events];
    state.problem = "damaged";
    const damaged = [await refresh(), events];
    state.problem = "";
    state.profile = { results: measured, name: "Box" };
    const problems = await refresh();
    const panel = document.getElementById("b1");
    const strip = () => {
      const [tick, dot] = ["line", "circle"].map((name) => panel.querySelector(name));
      return [tick.getAttribute("x1"), dot?.getAttribute("cx") ?? null];
    };
    const stripped = [
      strip(),
      panel.querySelectorAll("[data-after]").length,
      panel.getAttribute("state"),
      panel.querySelector(".bench-cost").textContent,
    ];
    const mine = {
      ...all(),
      events,
      drawn: state.drawn,
      title: document.getElementById("l2").title,
      from: document.getElementById("v1").dataset.from,
    };
    state.mine = false;
    state.profile = { results: [] };
    await refresh();
    const after = [
      strip(),
      panel.getAttribute("state"),
      panel.querySelector(".bench-cost").textContent,
    ];
    return { nothing, damaged, problems, mine, stripped, after, back: all() };
  }, results);
  // 2.5 and 5 GB/s on a logarithmic scale from 1.25 to 10.
  assert.deepEqual(seen.stripped, [["33.3%", "66.7%"], 0, "old", "Measured on 2026-11-20."]);
  assert.deepEqual(seen.after, [["50.0%", null], "idle", "1 s"]);
  assert.deepEqual(seen.nothing, [[], 0]);
  assert.deepEqual(seen.damaged, [["damaged"], 0]);
  assert.deepEqual(seen.problems, ["Unavailable, because it broke."], "and stops nothing else");
  assert.deepEqual(seen.mine, {
    texts: ["nine", "two", "As measured.", "As published."],
    f1: ["mine,mine,mine,1", "Box, over the reference machine", "reader"],
    f2: ["book,book,book,1", "the book's", ""],
    cells: [
      ["5.00 ± 0.3 GB/s 2.00× checked", "measured"],
      ["unavailableunavailable, because no cores", "unavailable"], // a word and its tip
      ["–", ""],
    ],
    events: 1,
    drawn: 4, // two figures at two widths, once each
    title: "Unavailable, because no GPU.",
    from: "reader",
  });
  assert.deepEqual(seen.back.texts, ["one", "two", "As published.", "As published."]);
  assert.deepEqual(seen.back.f1, ["book,book,book,1", "the book's", ""]);
  assert.deepEqual(seen.back.cells, [
    ["–", ""],
    ["–", ""],
    ["–", ""],
  ]);
});

test("stops: what belongs together is one for the Tab key, arrows lead on, and the last is come back to", async () => {
  const tip = (id) => `<span class="tipped" tabindex="0" id="${id}">${id}</span>`;
  const page = await open({
    html: `<p>${tip("a")} ${tip("b")}</p><div class="table"><table><tr><td>${tip("c")}</td><td>${tip("d")}</td></tr></table></div>
<ul class="choices"><li><button class="pick" id="e">E</button></li><li><button class="pick" id="f">F</button></li></ul>
<details><summary id="g">G</summary><p>${tip("h")} ${tip("i")}</p></details><p>${tip("j")}</p>
<nav class="rail"><a href="#a" id="k">K</a> <a href="#b" id="l">L</a></nav>`,
  });
  await page.evaluate(() => import("/runtime/page/stops.js"));
  const press = async (...keys) => {
    const found = [];
    for (const key of keys) {
      if (key === "back") await page.keyboard.down("Shift");
      await page.keyboard.press(key === "back" ? "Tab" : key);
      if (key === "back") await page.keyboard.up("Shift");
      found.push(await page.evaluate(() => document.activeElement.id));
    }
    return found.join("");
  };
  assert.equal(await press("Tab", "Tab", "Tab", "Tab", "Tab", "Tab"), "acegjk");
  assert.equal(await press("ArrowRight", "back"), "lj");
  assert.equal(await press("back", "back", "ArrowRight", "ArrowRight", "ArrowLeft"), "gefef");
  assert.equal(await press("back", "ArrowRight", "Tab", "back"), "cdfd");
  await page.evaluate(() => (document.querySelector(".table").dir = "rtl"));
  assert.equal(await press("ArrowRight", "ArrowLeft"), "cd", "arrows are where the words are");
  await page.evaluate(() => {
    document.querySelector("details").open = true;
    localStorage.setItem("primer / tips", "off");
    for (const one of document.querySelectorAll(".tipped")) one.tabIndex = -1;
  });
  assert.equal(await press("Tab", "Tab", "back"), "fgf");
});

test("refresh: a value of the reader's explains itself in a tip, which goes with it", async () => {
  const page = await open({ html: reader_page, files: { "runtime/page/page.js": played } });
  const seen = await page.evaluate(async (measured) => {
    const { refresh } = await import("/runtime/page/refresh.js");
    const { played: state } = globalThis;
    const before = document.getElementById("l1").outerHTML;
    state.problem = "";
    state.profile = { results: measured, name: "Box" };
    const tips = () =>
      [...document.querySelectorAll("[id='l1.tip']")].map((tip) => {
        const { role, tabIndex } = tip.parentElement;
        const describes = tip.parentElement.getAttribute("aria-describedby") === tip.id;
        return [tip.textContent, role, tabIndex, describes];
      });
    await refresh();
    const once = tips();
    await refresh();
    const twice = tips();
    state.mine = false;
    await refresh();
    const { outerHTML, parentElement } = document.getElementById("l1");
    const back = [
      outerHTML.replace(/ (title|data-reference)="[^"]*"/g, ""),
      parentElement.localName,
    ];
    localStorage.setItem("primer / tips", "off");
    state.mine = true;
    await refresh();
    return { before, once, twice, back, left_out: tips()[0][2] };
  }, results);
  const said = ["Measured on your machine; the reference machine: one", "button", 0, true];
  assert.deepEqual([seen.once, seen.twice], [[said], [said]]);
  assert.deepEqual(seen.back, [seen.before, "body"]);
  assert.equal(seen.left_out, -1);
});

test("refresh: a row with a ridge never mixes the reader's numbers with the reference machine's", async () => {
  const row = (a, b) => `<tr><td><data class="live" id="${a}">${a} of R</data></td>
    <td><data class="live" id="${b}">${b} of R</data></td></tr>`;
  const own = `${played
    .replace('["l1", "l2", "l3", "gone"]', '["P.fma", "ridge.fma.out", "other"]')
    .replace(
      "return mine ? {",
      "return mine && !globalThis.missing?.includes(request.expression) ? {",
    )}`;
  const page = await open({
    html: `<table>${row("P.fma", "ridge.fma.out")}</table><p><data class="live" id="other">O</data></p>`,
    files: { "runtime/page/page.js": own },
  });
  const seen = await page.evaluate(async () => {
    const { refresh } = await import("/runtime/page/refresh.js");
    globalThis.played.profile = { results: [] };
    const words = () =>
      [...document.querySelectorAll(".live")].map(({ textContent, dataset }) => [
        textContent,
        dataset.from ?? "",
      ]);
    const found = [];
    for (const missing of [[], ["ridge.fma.out"], ["P.fma"]]) {
      globalThis.missing = missing;
      await refresh();
      found.push(words());
    }
    return { found, tips: document.querySelectorAll("table .tip").length };
  });
  const mine = ["nine", "reader"];
  const theirs = [
    ["P.fma of R", ""],
    ["ridge.fma.out of R", ""],
  ];
  assert.deepEqual(seen.found, [
    [mine, mine, mine],
    [...theirs, mine],
    [...theirs, mine],
  ]);
  assert.equal(seen.tips, 0);
});

test("refresh: with a GPU of the reader's a figure that draws one names what others published", async () => {
  const page = await open({
    html: frames("f1"),
    files: {
      "runtime/page/page.js": played.replace(
        "mine: true } }, f2",
        "mine: true, profile: { gpu: 1 } } }, f2",
      ),
    },
  });
  const words = await page.evaluate(async () => {
    const { refresh } = await import("/runtime/page/refresh.js");
    const sources = [];
    const gpu = (name) => ({ device: "gpu", class: { [name === "out" ? "level" : "type"]: name } });
    for (const roofs of [
      [gpu("f32"), gpu("out")],
      [gpu("f32")],
      [gpu("f32"), { ...gpu("out"), device: "cpu" }],
    ]) {
      globalThis.played.profile = { results: [], roofs };
      await refresh();
      sources.push(document.querySelector(".plot-source").textContent);
    }
    return sources;
  });
  assert.deepEqual(words, [
    "your machine, over what others published",
    "your machine, over the reference machine",
    "your machine, over the reference machine",
  ]);
});

test("refresh: a flag has a separate tip; only the differing parts of a figure are replaced", async () => {
  const page = await open({ html: reader_page, files: { "runtime/page/page.js": played } });
  const seen = await page.evaluate(async ([measured]) => {
    const { refresh, show_svg, parse_svg, fill_table } = await import("/runtime/page/refresh.js");
    globalThis.played.profile = { results: [{ ...measured, flags: ["few-samples"] }] };
    await refresh();
    const tipped = document.querySelector(".yours .tipped");
    const tip = document.getElementById(tipped.getAttribute("aria-describedby"));
    const frame = document.createElement("div");
    frame.innerHTML = '<svg><g fill="red"><text>a</text><text>b</text></g><path d="m"/></svg>';
    const [a, b] = frame.querySelectorAll("text");
    show_svg(frame, '<svg><g fill="blue"><text>a</text><text>c</text><text>d</text></g></svg>');
    const kept = [a === frame.querySelectorAll("text")[0], b === frame.querySelectorAll("text")[1]];
    let refused = "";
    try {
      parse_svg("<svg2></svg2>");
    } catch ({ message }) {
      refused = message;
    }
    const table = document.createElement("table");
    fill_table(table, { rows: [["x"]] });
    table.innerHTML = "<tbody><tr><td>y</td></tr></tbody>";
    fill_table(table, {});
    return {
      id: tip.id,
      said: tip.textContent,
      picture: frame.innerHTML,
      kept,
      refused,
      table: table.textContent,
    };
  }, results);
  assert.deepEqual(seen, {
    id: "b1-why-0",
    said: "fewer samples than usual",
    picture: '<svg><g fill="blue"><text>a</text><text>c</text><text>d</text></g></svg>',
    kept: [true, true],
    refused: "a figure could not be redrawn",
    table: "y",
  });
});

test("machine_chip: whose numbers these are, and the choice between two machines'", async () => {
  const page = await open({
    html: `<details class="machine-chip" open><summary><span>reference: R</span></summary>
      <div class="chip-panel"><p>From R.</p><p><a href="#">Measure</a></p></div></details>`,
    files: {
      "runtime/page/page.js": `globalThis.state = { profile: null };
        export const choice = "numbers";
        export const store = { load: () => state, get is_viewing() { return state.viewing ?? false; } };
        export const shows_reference = () => localStorage.getItem("primer / numbers") === "reference";`,
      "runtime/page/refresh.js": `export const refresh = async () => { state.asked = (state.asked ?? 0) + 1; };`,
    },
  });
  const seen = await page.evaluate(async () => {
    const { show_chip } = await import("/runtime/page/machine_chip.js");
    const { state } = globalThis;
    const chip = document.querySelector(".machine-chip");
    const said = () => {
      show_chip();
      const chosen = chip.querySelector("input:checked")?.value ?? "";
      return [chip.querySelector("span").textContent, chip.dataset.from ?? "", chosen];
    };
    const panel = () => [
      chip.querySelector(".chip-result")?.textContent ?? "",
      chip.querySelector("a").textContent,
    ];
    const panels = [panel()];
    const roofs = [
      { class: { isa: "simd", threads: 1 }, value: 40 },
      { class: { isa: "fma", threads: 1 }, value: 56.2 },
      { class: { level: "out", threads: 1 }, value: 26.9 },
    ];
    const all = [said()];
    state.profile = { roofs: [] };
    all.push(said());
    state.profile = { roofs };
    all.push(said());
    panels.push(panel());
    chip.querySelector('[value="reference"]').click();
    all.push(said());
    panels.push(panel());
    chip.querySelector('[value="reader"]').click();
    all.push(said());
    state.viewing = true;
    all.push(said());
    Object.assign(state, { profile: null, viewing: false });
    all.push(said());
    return { all, panels, asked: state.asked, kept: localStorage.getItem("primer / numbers") };
  });
  assert.deepEqual(seen.all, [
    ["reference: R", "", ""],
    ["reference: R", "", ""],
    ["yours: 56 GFLOP/s · 27 GB/s", "reader", "reader"],
    ["reference: R", "", "reference"],
    ["yours: 56 GFLOP/s · 27 GB/s", "reader", "reader"],
    ["shown: 56 GFLOP/s · 27 GB/s", "reader", ""],
    ["reference: R", "", ""],
  ]);
  assert.deepEqual([seen.asked, seen.kept], [2, null]);
  assert.deepEqual(seen.panels, [
    ["", "Measure"],
    ["56 GFLOP/s · 27 GB/s · ridge 2.1 FLOP/B", "Share or save your result"],
    ["", "Measure"],
  ]);
});

test("page: each thing is fetched once, a failure is forgotten, and what is missing says why", async () => {
  const page = await open({
    attributes: 'data-page="page.1.json"',
    files: { "page.1.json": '{"live": [1]}', "assets/reference.json": '{"name": "R"}' },
  });
  const seen = await page.evaluate(async () => {
    const { once } = await import("/runtime/base/once.js");
    const { page_data, registry, reference_profile, module_of } =
      await import("/runtime/page/page.js");
    const said = (promise) =>
      promise.then(
        () => "came",
        ({ message }) => message,
      );
    let tries = 0;
    const second = once(async () => {
      if (++tries === 1) throw new Error("first");
      return tries;
    });
    const outcomes = [await said(second()), await second(), await second()];
    return {
      outcomes,
      data: await page_data(),
      name: (await reference_profile()).name,
      missing: [await said(registry()), await said(module_of("page.wasm"))],
    };
  });
  assert.deepEqual(seen.outcomes, ["first", 2, 2]);
  assert.deepEqual([seen.data.live, seen.data.worked, seen.name], [[1], [], "R"]);
  const gone = "the book was updated: reload the page";
  assert.deepEqual(seen.missing, [gone, gone]);
});
