// The scripts that every page loads, main.js and theme.js, on pages from the test: keys, contents,
// forms, menus, and the modules loaded on request.
import assert from "node:assert/strict";
import { test } from "node:test";

import { bare_pages } from "../support/bare_pages.mjs";

const { open } = bare_pages();

/** Modules that record their calls: {"runtime/a.js": ["f", …]}. */
const noting = (exported) =>
  Object.fromEntries(
    Object.entries(exported).map(([name, functions]) => [
      `runtime/${name}`,
      functions
        .map(
          (f) =>
            `export const ${f} = async (...all) => { (globalThis.called ??= []).push("${f}"); globalThis.last = all; return globalThis.answer?.["${f}"]; };`,
        )
        .join("\n"),
    ]),
  );
const parts = noting({
  "reading/search.js": ["open_search"],
  "reading/options.js": ["open_options"],
  "reading/contents.js": ["fill_contents", "mark_read"],
  "reading/reading.js": ["follow"],
  "reading/offline.js": ["keep_text"],
  "measure/bench.js": ["toggle"],
  "measure/console.js": ["measure_here"],
  "machine/machine.js": ["show"],
  "traps/traps.js": ["show"],
  "measure/all.js": ["toggle_all"],
  "questions/worked.js": ["grade", "choose_machine", "restore"],
  "questions/predict.js": ["lock_in", "show_guess", "choose"],
  "questions/score.js": ["show_score"],
  "questions/problems.js": ["show"],
  "questions/quiz.js": ["attempt", "restore"],
  "page/tooltips.js": ["show"],
  "page/stops.js": ["arrange"],
  "page/figure_save.js": ["fill"],
  "page/refresh.js": ["refresh"],
  "models/model.js": ["driver_of"],
});
const ready = async (html, { before = () => {}, files = parts, hash = "", attributes } = {}) => {
  const page = await open({ html, files, hash, attributes });
  await page.evaluate(before);
  await page.evaluate(async () => {
    await import("/runtime/main.js");
    await globalThis.settled();
  });
  return page;
};
const called = (page) => page.evaluate(() => globalThis.called ?? []);

const frame = `<button class="search-open" hidden>Search</button>
<button class="theme-switch" data-system="C: system" data-light="C: light" data-dark="C: dark" hidden><span></span></button>
<details class="contents"><summary>Contents</summary><nav>list</nav></details><p id="outside">x</p>
<div class="turn"><a rel="prev" href="#prev">P</a><a rel="next" href="#next">N</a></div><input id="field">`;

test("the theme is the reader's choice, kept, or the system's", async () => {
  const page = await ready(frame);
  const seen = await page.evaluate(() => {
    const button = document.querySelector(".theme-switch");
    const state = () => [
      document.documentElement.dataset.theme ?? null,
      localStorage.getItem("primer / theme"),
      button.textContent,
    ];
    const states = [[button.hidden, button.title]];
    for (let presses = 0; presses < 3; ++presses) {
      button.click();
      states.push(state());
    }
    return states;
  });
  assert.deepEqual(seen, [
    [false, "C: system"],
    ["light", "light", "C: light"],
    ["dark", "dark", "C: dark"],
    [null, "system", "C: system"],
  ]);
  const dark = await ready(frame, { attributes: 'data-theme="dark"' });
  assert.equal(await dark.$eval(".theme-switch", ({ title }) => title), "C: dark");
  const first = async (stored, old = null) => {
    const early = await open({ files: {} });
    return early.evaluate(
      async (now, before) => {
        if (now) localStorage.setItem("primer / theme", now);
        if (before) localStorage.setItem("primer.theme", before);
        const script = document.createElement("script");
        await new Promise((loaded) => {
          script.onload = loaded;
          script.src = "/runtime/theme.js";
          document.head.append(script);
        });
        const { theme = null, ready: is_ready = null } = document.documentElement.dataset;
        return [theme, is_ready];
      },
      stored,
      old,
    );
  };
  assert.deepEqual(await first(null), [null, null]);
  assert.deepEqual(await first("light", "dark"), ["light", null]);
  assert.deepEqual(await first(null, "dark"), ["dark", null]);
  assert.deepEqual(await first("system"), [null, null]);
});

test("keys do what they say, unless they are switched off, taken, or typed into a field", async () => {
  const page = await ready(frame);
  const press = (key, more = {}) =>
    page.evaluate(
      async (name, { target = "#outside", taken = false, ...members }) => {
        globalThis.called = [];
        location.hash = "";
        const event = new KeyboardEvent("keydown", {
          key: name,
          bubbles: true,
          cancelable: true,
          ...members,
        });
        if (taken) event.preventDefault();
        document.querySelector(target).dispatchEvent(event);
        await globalThis.settled();
        const contents = document.querySelector(".contents");
        const done = [...globalThis.called, location.hash, contents.open ? "open" : ""].filter(
          Boolean,
        );
        contents.open = false;
        await globalThis.settled();
        return done.join();
      },
      key,
      more,
    );
  const all = {
    "?": "open_options",
    "/": "open_search",
    n: "#next",
    p: "#prev",
    c: "fill_contents,open",
    x: "",
  };
  for (const [key, does] of Object.entries(all)) assert.equal(await press(key), does, key);
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "Contents");
  for (const more of [
    { ctrlKey: true },
    { metaKey: true },
    { altKey: true },
    { taken: true },
    { target: "#field" },
  ])
    assert.equal(await press("?", more), "", JSON.stringify(more));
  assert.equal(await press("constructor"), "");
  await page.evaluate(() => localStorage.setItem("primer / keys", "off"));
  assert.equal(await press("?"), "");
  const without = await ready('<p id="outside">x</p>');
  const silent = await without.evaluate(async () => {
    document
      .getElementById("outside")
      .dispatchEvent(new KeyboardEvent("keydown", { key: "/", bubbles: true }));
    await globalThis.settled();
    return globalThis.called ?? [];
  });
  assert.deepEqual(silent, []);
});

test("contents: filled when opened, with their tools; Escape and a click outside close them", async () => {
  const page = await ready(frame);
  const seen = await page.evaluate(async () => {
    const contents = document.querySelector(".contents");
    const opened = async () => {
      contents.open = true;
      await globalThis.settled();
    };
    await opened();
    const tools = Object.keys(globalThis.last[1]);
    const press = (key) => dispatchEvent(new KeyboardEvent("keydown", { key }));
    press("a");
    const after_a = contents.open;
    press("Escape");
    const after_escape = [contents.open, document.activeElement.textContent];
    document.activeElement.blur();
    press("Escape");
    const closed = document.activeElement.localName;
    await opened();
    contents.querySelector("nav").click();
    const inside = contents.open;
    document.getElementById("outside").click();
    return {
      tools,
      after_a,
      after_escape,
      closed,
      inside,
      outside: contents.open,
      search: document.querySelector(".search-open").hidden,
    };
  });
  assert.deepEqual(seen, {
    tools: ["Search", "Reading options"],
    after_a: true,
    after_escape: [false, "Contents"],
    closed: "body",
    inside: true,
    outside: false,
    search: false,
  });
  const without = await ready(frame.replace("search-open", "none"));
  const tools = await without.evaluate(async () => {
    document.querySelector(".contents").open = true;
    await globalThis.settled();
    return Object.keys(globalThis.last[1]);
  });
  assert.deepEqual(tools, ["Reading options"]);
});

test("what was read is followed from the first scroll, or at once where something is remembered", async () => {
  const begun = () => localStorage.setItem("primer / reading.v1", "{}");
  const chapter =
    '<main class="chapter"><ol class="contents-list"></ol><div style="height:9000px">x</div></main>';
  const first = await ready(chapter);
  assert.deepEqual(await called(first), []);
  await first.evaluate(async () => {
    dispatchEvent(new Event("scroll"));
    await globalThis.settled();
    dispatchEvent(new Event("scroll"));
    await globalThis.settled();
  });
  assert.deepEqual(await called(first), ["follow"]);
  assert.deepEqual((await called(await ready(chapter, { before: begun }))).sort(), [
    "follow",
    "mark_read",
  ]);
  const home = await ready('<main><ol class="contents-list"></ol></main>', { before: begun });
  assert.deepEqual(await called(home), ["mark_read"]);
  assert.deepEqual(await called(await ready("<main></main>", { before: begun })), []);
});

const bench =
  '<primer-bench id="b"><p class="label">Measurement 1</p><div class="bench-act"><div class="bench-controls"></div><p class="bench-status"></p></div></primer-bench>';
const all_bar =
  '<div class="bench-all"><div class="bench-controls"></div><p class="bench-status"></p></div>';
const answers = () => localStorage.setItem("primer / answers.v1", "{}");
const row = '<div class="answer-row"></div>';
const answer_of = (id) =>
  `${row}<details class="answer"><summary id="${id}.answer">A</summary></details>`;
const asked = (kind, id, number, inside = "", unit = "") =>
  `<section class="${kind}" id="${id}"${unit && ` data-unit="${unit}"`}><p class="label">Question ${number}</p>
<div class="ask" id="${id}.ask">?</div>${inside}${kind === "quiz" ? "" : answer_of(id)}</section>`;
const worked = `<main>${asked("worked", "w", 1, '<select class="worked-machine" hidden><option>a</option><option>b</option></select>', "s")}
<fieldset class="guesses">${asked("predict", "p1", 2, "", "GB/s")}
${asked("predict", "p2", 3, '<ol class="choices"><li>One</li><li>Two <b tabindex="0">b</b></li></ol>')}
${asked("predict", "p3", 4)}<div class="lock-row"></div></fieldset>
${asked("quiz", "z", 5, '<details class="choice"><summary>One</summary></details><details class="choice"><summary>Two</summary></details><p class="quiz-result"></p>')}</main>`;

test("questions get their fields, and load what they need when they are answered", async () => {
  const page = await ready(worked);
  const seen = await page.evaluate(async () => {
    const submit = async (selector) => {
      document
        .querySelector(selector)
        .dispatchEvent(new Event("submit", { cancelable: true, bubbles: true }));
      await globalThis.settled();
    };
    const before = globalThis.called ?? [];
    await submit("#w form");
    const select = document.querySelector("#w select");
    select.dispatchEvent(new Event("change"));
    await globalThis.settled();
    await submit(".lock-row form");
    const group = globalThis.last[0].className;
    document.querySelectorAll("#p2 .pick")[1].click();
    await globalThis.settled();
    const chosen = [globalThis.last[0].id, globalThis.last[1]];
    const choices = document.querySelectorAll("#z details");
    choices[1].open = true;
    await globalThis.settled();
    choices[0].open = false;
    choices[0].open = true;
    await globalThis.settled();
    const field = (id) => document.querySelector(`#${id} input`);
    const named = (element) => [
      element.ariaLabel,
      element.getAttribute("aria-describedby"),
      element.form.className,
      element.nextSibling.className,
    ];
    return {
      before,
      called: globalThis.called,
      group,
      chosen,
      attempt: globalThis.last[1] === choices[1],
      open: [...choices].map((one) => one.open),
      select: [select.hidden, select.closest("form").className],
      picks: [...document.querySelectorAll("#p2 .pick")].map((pick) => [
        pick.textContent,
        pick.ariaPressed,
        pick.querySelectorAll("[tabindex]").length,
      ]),
      fields: ["w", "p1", "p3"].map((id) => named(field(id))),
      locks: [...document.querySelectorAll(".lock")].map((lock) => lock.ariaLabel),
      check: document.querySelector("#w button").ariaLabel,
    };
  });
  assert.deepEqual(seen.before, []);
  assert.deepEqual(seen.called, ["grade", "choose_machine", "lock_in", "choose", "attempt"]);
  assert.deepEqual([seen.attempt, seen.open], [true, [true, true]]);
  assert.deepEqual([seen.group, seen.chosen], ["guesses", ["p2", 1]]);
  assert.deepEqual(seen.select, [false, "worked-form"]);
  assert.deepEqual(seen.picks, [
    ["One", "false", 0],
    ["Two b", "false", 0],
  ]);
  assert.deepEqual(seen.fields, [
    ["Your answer, Question 1", "w.ask w.result", "worked-form", "unit"],
    ["Your guess, Question 2", "p1.ask p1.result", "predict-form", "unit"],
    ["Your guess, Question 4", "p3.ask p3.result", "predict-form", "predict-result"],
  ]);
  assert.deepEqual([seen.locks, seen.check], [["Lock in, Question 2"], "Check, Question 1"]);
  assert.deepEqual((await called(await ready(worked, { before: answers }))).sort(), [
    "restore",
    "restore",
    "show_guess",
    "show_guess",
    "show_guess",
  ]);
});

test("a guess by itself has its button in its row; what a table would give away can be shown", async () => {
  const rows =
    '<table><tr data-after="p1"><td class="reference">1</td></tr><tr><td>2</td></tr></table>';
  const page =
    await ready(`<main><div class="guesses">${asked("predict", "p1", 2)}</div>${bench.replace("</primer-bench>", `<div class="bench-table" tabindex="0">${rows}</div></primer-bench>`)}
${bench.replace('"b"', '"c"')}</main>`);
  const seen = await page.evaluate(() => {
    const show = document.querySelector("#b .bench-show");
    show.click();
    return {
      name: show.ariaLabel,
      veiled: document.querySelectorAll("[data-after]").length,
      focus: document.activeElement.className,
      other: document.querySelector("#c .bench-show"),
      lock: document.querySelector(".answer-row .lock") !== null,
    };
  });
  assert.deepEqual(seen, {
    name: "Show reference, Measurement 1",
    veiled: 0,
    focus: "bench-table",
    other: null,
    lock: true,
  });
});

test("the score of problems follows answers, and one button measures a chapter", async () => {
  const html = `<main><p class="score"></p>${all_bar}</main>`;
  const page = await ready(html);
  const seen = await page.evaluate(async () => {
    const before = [...(globalThis.called ?? [])];
    document.dispatchEvent(new Event("primer-answers"));
    await globalThis.settled();
    document.querySelector(".bench-all button").click();
    await globalThis.settled();
    return { before, called: globalThis.called, bar: globalThis.last[0].className };
  });
  assert.deepEqual(seen, { before: [], called: ["show_score", "toggle_all"], bar: "bench-all" });
  assert.deepEqual(await called(await ready(html, { before: answers })), ["show_score"]);
});

test("a problem page gets its tools, and n and p press its buttons", async () => {
  const buttons = ["next", "previous"].map((name) => `<button class="problem-${name}"></button>`);
  const page = await ready(`<main>${buttons.join("")}<div class="problems"></div></main>`);
  const pressed = await page.evaluate(() => {
    const pressed = [];
    addEventListener("click", ({ target }) => pressed.push(target.className));
    for (const key of ["n", "p"])
      document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
    return pressed;
  });
  assert.deepEqual(pressed, ["problem-next", "problem-previous"]);
  assert.deepEqual(await called(page), ["show"]);
});

test("a part that is missing on the server is reported where it was requested", async () => {
  const gone = "Unavailable, because the book was updated: reload the page.";
  const files = Object.fromEntries(Object.keys(parts).map((name) => [name, null]));
  const page = await ready(worked + bench + frame, { files });
  const seen = await page.evaluate(async () => {
    document.querySelector("#w form").dispatchEvent(new Event("submit", { cancelable: true }));
    document.querySelector("#b button").click();
    document.querySelector("#z details").open = true;
    document.querySelector(".search-open").click();
    await globalThis.settled();
    await globalThis.settled();
    const texts = [".worked-result", ".bench-status", ".quiz-result", "p.visit"];
    const bench_state = document.getElementById("b").getAttribute("state");
    return [...texts.map((one) => document.querySelector(one).textContent), bench_state];
  });
  assert.deepEqual(seen, [gone, gone, gone, gone, "unavailable"]);
});

test("what is below a drawing is called after it; tips are buttons, and no stops where the reader said so", async () => {
  const tip = '<span class="tipped" tabindex="0">t</span>';
  const html = `<h2><a href="#h">H</a></h2>${tip}<a href="#">${tip}</a>
<figure class="plot"><b class="label">Figure 3</b><details class="plot-data"><summary>Data</summary></details><a class="plot-link" href="#">Link</a></figure>
<figure class="model"><b class="label">Figure 4</b><div class="model-controls"><button>Play</button></div></figure>`;
  const seen = async () => {
    const page = await ready(html);
    return page.evaluate(async () => {
      const play = document.querySelector(".model-controls button");
      play.textContent = "Pause";
      await globalThis.settled();
      const tools = [...document.querySelectorAll("summary, .plot-link, button")];
      const tips = [...document.querySelectorAll(".tipped")].map((t) => [t.role, t.tabIndex]);
      localStorage.setItem("primer / tips", "off");
      const names = tools.map((one) => one.ariaLabel).filter(Boolean);
      return { names, tips, heading: document.querySelector("h2 a").tabIndex };
    });
  };
  const { names, tips, heading } = await seen();
  for (const name of ["Data, Figure 3", "Link, Figure 3", "Pause, Figure 4"])
    assert.ok(names.includes(name), `${name}: ${names.join("; ")}`);
  assert.deepEqual(
    [tips, heading],
    [
      [
        ["button", 0],
        [null, 0],
      ],
      -1,
    ],
  );
});

test("listings can be copied, claims of more than a year are old, figures can be saved", async () => {
  const days = (ago) => new Date(Date.now() - ago * 86400e3).toISOString();
  const html = `<div class="code"><pre><code>int x;</code><i>1</i></pre></div><div id="d"><pre>plain</pre></div>
<span data-as-of="${days(364)}">new</span><span data-as-of="${days(367)}">old</span>
<figure class="plot"><b class="label">Figure 3</b><details class="plot-data"></details></figure><figure class="plot"><details class="plot-data"></details></figure>
<span class="tipped" id="t" tabindex="0">t</span><span id="u" tabindex="0">u</span>
<a id="report" href="https://example.org/new?page=p%2F%23old&amp;x=1">Report</a>`;
  const page = await ready(html, { hash: "#here" });
  const seen = await page.evaluate(async () => {
    const copied = [];
    let refused = false;
    navigator.clipboard.writeText = async (text) => {
      if (refused) throw new Error("no");
      copied.push(text);
    };
    const [one, two] = document.querySelectorAll("button.copy");
    one.click();
    two.click();
    await globalThis.settled();
    const words = [one.textContent];
    refused = true;
    one.click();
    await globalThis.settled();
    words.push(one.textContent);
    const frames = [one, two].map((b) => b.parentElement.className || b.parentElement.id);
    const old = [...document.querySelectorAll("[data-as-of]")].map((b) => "old" in b.dataset);
    const menus = [...document.querySelectorAll(".figure-save summary")].map((s) => s.ariaLabel);
    document.querySelector(".figure-save").open = true;
    await globalThis.settled();
    document.getElementById("u").focus();
    document.getElementById("t").focus();
    await globalThis.settled();
    const report = document.getElementById("report");
    report.addEventListener("click", (event) => event.preventDefault());
    report.click();
    const all = { copied, words, frames, old, menus, called: globalThis.called };
    return {
      ...all,
      page: new URL(report.href).searchParams.get("page"),
      x: new URL(report.href).searchParams.get("x"),
    };
  });
  assert.deepEqual(seen, {
    copied: ["int x;", "plain"],
    words: ["Copied", "Not copied"],
    frames: ["code", "d"],
    old: [false, true],
    menus: ["Save Figure 3", "Save this figure"],
    called: ["fill", "show"],
    page: "p/#here",
    x: "1",
  });
});

const model = `<figure class="model" id="m"><div class="model-controls"><input><button>Play</button><i>x</i></div><p class="model-notices"></p></figure>`;

test("a model wakes on the first touch of a control, or by a link that names it", async () => {
  const driver = {
    ...parts,
    "runtime/models/model.js": `export const driver_of = async () => ({ catch_up: ({ type }) => { (globalThis.called ??= []).push(type); }, apply: (v) => { (globalThis.called ??= []).push("apply " + v); } });`,
  };
  const page = await ready(model, { files: driver });
  await page.evaluate(async () => {
    const fire = async (selector, type) => {
      document.querySelector(selector).dispatchEvent(new Event(type, { bubbles: true }));
      await globalThis.settled();
    };
    await fire("i", "click");
    globalThis.before = globalThis.called?.length ?? 0;
    await fire("button", "click");
    await fire("input", "input");
  });
  assert.deepEqual(
    [await page.evaluate(() => globalThis.before), await called(page)],
    [0, ["click"]],
  );
  const linked = await ready(model, {
    files: driver,
    before: () => history.replaceState(null, "", "?m=1,2"),
  });
  assert.deepEqual(await called(linked), ["apply 1,2"]);
});

test("results of an earlier visit are shown, /machine/ and /traps/ get theirs, a visit is left alone", async () => {
  const measured = () => localStorage.setItem("primer / profile.v1", "{}");
  assert.deepEqual(await called(await ready("")), []);
  assert.deepEqual(await called(await ready("", { before: measured })), ["refresh"]);
  assert.deepEqual(await called(await ready("", { before: measured, hash: "#m=x" })), []);
  const machine = await ready('<div id="bench-machine"></div>');
  assert.deepEqual(await called(machine), ["show"]);
  await machine.evaluate(() => globalThis.primer.measure({ n: 1 }));
  assert.deepEqual(await called(machine), ["show", "measure_here"]);
  const traps = await ready('<main><h2 id="untouched-pages">x</h2></main>');
  assert.deepEqual(await called(traps), ["show"]);
  assert.equal(await traps.evaluate(() => globalThis.primer), undefined);
});

test("a measurement's button is there once; a block that a preview brought is alive too", async () => {
  const page = await ready(`${bench}<div id="new"></div>`);
  const seen = await page.evaluate(async () => {
    const element = document.getElementById("b");
    document.body.append(element); // connected again
    const buttons = element.querySelectorAll("button").length;
    element.querySelector("button").click();
    await globalThis.settled();
    const block = document.getElementById("new");
    block.innerHTML = "<div><pre>later</pre></div>";
    block.dispatchEvent(new Event("primer-block", { bubbles: true }));
    return [
      buttons,
      globalThis.called,
      globalThis.last[0] === element,
      block.querySelectorAll("button.copy").length,
    ];
  });
  assert.deepEqual(seen, [1, ["toggle"], true, 1]);
  const { ready: is_ready } = await page.evaluate(() => ({ ...document.documentElement.dataset }));
  assert.equal(is_ready, "painted");
});

test("a published book keeps its text from the second page of a visit, or after half a minute; another does not", async () => {
  const fast = () => {
    globalThis.waits = [];
    const later = globalThis.setTimeout;
    globalThis.setTimeout = (f, ms = 0) => {
      if (ms >= 2000) globalThis.waits.push(ms);
      return later(f, ms / 1000);
    };
  };
  const second = () => {
    Object.defineProperty(document, "referrer", { value: `${location.origin}/roofline/` });
  };
  const kept = async (html, before) => {
    const page = await ready(html, { before });
    const is_called = () => globalThis.called?.includes("keep_text");
    if (html === published) await page.waitForFunction(is_called, { timeout: 60_000 });
    else await new Promise((resolve) => setTimeout(resolve, 150));
    return [await page.evaluate(() => globalThis.waits), await called(page)];
  };
  const published = '<link rel="canonical" href="https://example.org/">';
  assert.deepEqual(await kept(published, fast), [[30_000], ["keep_text"]]);
  assert.deepEqual(await kept(published, `(${fast})(); (${second})();`), [[2000], ["keep_text"]]);
  assert.deepEqual(await kept("", fast), [[], []]);
});

test("what does not come says why: its own reason, no network, or a book that was updated", async () => {
  const said = async (files, before) => {
    const page = await ready(bench, { files, before });
    return page.evaluate(async () => {
      document.querySelector("#b button").click();
      const at_once = document.querySelector(".bench-status").textContent;
      await globalThis.settled();
      await globalThis.settled();
      return [at_once, document.querySelector(".bench-status").textContent];
    });
  };
  const failing = {
    "runtime/measure/bench.js":
      "export const toggle = async () => { throw new Error('it is too late'); };",
  };
  assert.deepEqual(await said(failing), [
    "Loading the kernels",
    "Unavailable, because it is too late.",
  ]);
  const gone = { "runtime/measure/bench.js": null };
  assert.equal(
    (await said(gone))[1],
    "Unavailable, because the book was updated: reload the page.",
  );
  const offline = () => {
    const { fetch } = globalThis;
    globalThis.fetch = (url, options) =>
      options?.method === "HEAD" ? Promise.reject(new TypeError("no")) : fetch(url, options);
  };
  assert.equal((await said(gone, offline))[1], "Unavailable, because you are offline.");
});

test("contents: this page's sections are there before they open, so that nothing moves", async () => {
  const list = '<ol><li><a aria-current="page">Here</a></li><li><a id="below">Next</a></li></ol>';
  const text =
    '<main><h2 id="s1">First\n  section</h2><h3 id="s2">Below</h3><h2 id="s3">Last</h2></main>';
  const opened = async (html) => {
    const page = await ready(html);
    return page.evaluate(async () => {
      const summary = document.querySelector(".contents > summary");
      const top_of = () => document.getElementById("below").getBoundingClientRect().top;
      summary.click();
      const at_first = top_of();
      await globalThis.settled();
      const moved = top_of() - at_first;
      summary.click();
      summary.click();
      const links = [...document.querySelectorAll("nav li > ol a")];
      return { moved, sections: links.map((a) => [a.hash, a.textContent, a.closest("ol").lang]) };
    });
  };
  const page = frame.replace("list", list);
  const sections = [
    ["#s1", "First section", "en"],
    ["#s3", "Last", "en"],
  ];
  assert.deepEqual(await opened(page + text), { moved: 0, sections });
  const nowhere = page.replace(' aria-current="page"', "");
  assert.deepEqual(await opened(nowhere + text), { moved: 0, sections: [] });
  assert.deepEqual(await opened(page + "<main><h2>x</h2></main>"), { moved: 0, sections: [] });
});

test("the contents are put away when the focus goes on into the text, not inside them", async () => {
  const page = await ready(frame);
  const seen = await page.evaluate(async () => {
    const contents = document.querySelector(".contents");
    contents.querySelector("nav").innerHTML = '<a href="#x">x</a>';
    contents.open = true;
    contents.querySelector("summary").focus();
    contents.querySelector("nav a").focus();
    const inside = contents.open;
    document.getElementById("field").focus();
    return [inside, contents.open];
  });
  assert.deepEqual(seen, [true, false]);
});
