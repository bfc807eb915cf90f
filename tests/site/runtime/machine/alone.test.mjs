// /machine/ alone, with results, workers and files from the test: what is shown, stored, exported
// and rejected.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";

import { bare_pages } from "../../support/bare_pages.mjs";

const { open } = bare_pages();

const roofs = (arithmetic, memory, more = {}) => [
  { device: "cpu", class: { isa: "simd" }, value: arithmetic / 2, unit: "GFLOP/s" },
  { device: "cpu", class: { isa: "fma", threads: 4 }, value: 900, unit: "GFLOP/s" },
  { device: "gpu", class: { isa: "fma" }, value: 9000, unit: "GFLOP/s" },
  { device: "cpu", class: { isa: "fma" }, value: arithmetic, unit: "GFLOP/s" },
  { device: "cpu", class: { level: "out" }, value: memory, unit: "GB/s" },
  ...(more.list ?? []),
];
const one = (kernel, more = {}) => ({
  ...{ kernel, params: { w: 8 }, threads: 1, status: "measured", verified: true, flags: [] },
  ...{ unit: "GB/s", median: 5, mad: 0.1, per_cycle: 0 },
  ...more,
});
const texts = (page, selector) =>
  page.$$eval(selector, (all) => all.map(({ textContent }) => textContent));

test("results: one core's roofs next to those of recorded machines that have both", async () => {
  const page = await open();
  await page.evaluate(
    async (mine, theirs) => {
      const { comparison } = await import("/runtime/machine/results.js");
      document.body.replaceChildren(...comparison(mine, theirs));
    },
    { name: "Mine", roofs: roofs(100, 10) },
    [
      { name: "Theirs", roofs: roofs(50, 20) },
      { name: "No memory", roofs: roofs(50, 0) },
      { name: "No arithmetic", roofs: roofs(0, 5) },
      { name: "Nothing" },
    ],
  );
  assert.deepEqual(await texts(page, "tbody tr"), [
    "Mine100 GFLOP/s10.0 GB/s10 FLOP/B",
    "Theirs50.0 GFLOP/s (0.50 × yours)20.0 GB/s (2.0 × yours)2.5 FLOP/B",
  ]);
  const none = await page.evaluate(async () => {
    const { comparison } = await import("/runtime/machine/results.js");
    return comparison({ name: "Mine" }, []).length;
  });
  assert.equal(none, 0);
});

test("results: all measurements, sorted, with what makes each doubtful", async () => {
  const page = await open();
  await page.evaluate(
    async (all) => {
      const { table_of } = await import("/runtime/machine/results.js");
      document.body.replaceChildren(table_of(all));
    },
    [
      one("z", { per_cycle: 1.5, threads: 3 }),
      one("b", { flags: ["few-samples"], choice: { tile: "6x8" } }),
      one("a", { status: "unavailable", reason: "it was too large" }),
    ],
  );
  assert.deepEqual(await texts(page, "summary"), ["All 3 measurements"]);
  const cells = await page.$$eval("tbody tr", (rows) =>
    rows.map((row) => [...row.children].map(({ textContent }) => textContent)),
  );
  assert.deepEqual(cells, [
    ["a", "w = 8", "1", "unavailable, because it was too large", "–", "–"],
    [
      "b",
      "w = 8, fastest tile: 6x8",
      "1",
      "5.00 ± 0.3 GB/s",
      "–",
      "checked: fewer samples than usual",
    ],
    ["z", "w = 8", "3", "5.00 ± 0.3 GB/s", "1.50", "checked"],
  ]);
});

const store = `export const store = {
  load: () => ({ profile: globalThis.profile ?? null, problem: globalThis.problem ?? "" }),
  load_own: () => ({ profile: globalThis.own ?? null }),
  save: (one) => { globalThis.saved = one; return globalThis.refusal ?? ""; },
  view: (one) => { globalThis.viewed = one; },
  clear: () => { globalThis.cleared = true; },
  get holds_something() { return globalThis.holds ?? false; },
  get is_viewing() { return globalThis.viewing ?? false; },
};
export const shown_profile = () => store.load().profile;
export const once = (f) => f;
export const assets = new URL("./assets/", location);
`;
const played_page = (body = "") => ({ "runtime/page/page.js": store + body });

test("keep: a file replaces the stored profile, or is rejected with a message", async () => {
  const files = played_page(
    "export const ask = async () => ({ svg: '' }); export const page_data = async () => ({ figures: {} });",
  );
  const page = await open({ files });
  const seen = await page.evaluate(async () => {
    const { empty_profile } = await import("/runtime/profile/profile.js");
    const { load_file, tools } = await import("/runtime/machine/keep.js");
    const place = document.body.appendChild(document.createElement("div"));
    const result = {
      kernel: "k",
      params: {},
      threads: 1,
      device: "cpu",
      unit: "GB/s",
      roof_class: "out",
      status: "measured",
      flags: [],
      best: 1,
      median: 1,
      mad: 0,
      p90: 1,
      p99: 1,
      samples: 3,
      values: [1],
      verified: true,
      flops: 1,
      bytes: 1,
    };
    const text = (profile) => JSON.stringify({ ...empty_profile(), ...profile });
    globalThis.refusal = "full"; // a page that stored it would reload
    const load = async (content, size) => {
      delete globalThis.saved;
      place.textContent = "";
      const file = new File([content], "x.json");
      if (size) Object.defineProperty(file, "size", { value: size });
      await load_file(file, place);
      return [place.textContent, globalThis.saved?.name ?? null, globalThis.saved?.loaded ?? null];
    };
    const before = () => sessionStorage.getItem("primer / profile.before");
    const good = text({ name: "Box", results: [result] });
    const said = [
      await load("{"),
      await load(text({ results: [] })),
      await load(good, 4 * 2 ** 20 + 1),
      await load(good, 4 * 2 ** 20),
    ];
    const without = before();
    globalThis.profile = { ...empty_profile(), name: "Old", results: [result] };
    await load(good);
    const kept = JSON.parse(before())?.name;
    const buttons_of = (profile) =>
      tools(profile).flatMap((part) =>
        [...part.querySelectorAll("button")].map((b) => b.textContent),
      );
    const buttons = buttons_of({});
    const roof = (kind, value) => ({ device: "cpu", class: { ...kind, threads: 1 }, value });
    const steady = buttons_of({ roofs: [roof({ isa: "fma" }, 50), roof({ level: "out" }, 20)] });
    const in_menu = tools({})[0].querySelectorAll(".more button").length;
    sessionStorage.setItem("primer / profile.before", "{");
    const damaged = tools({})[0].querySelectorAll("button").length;
    return { said, without, kept, buttons, steady, in_menu, damaged };
  });
  assert.match(seen.said[0][0], /^Not loaded, because .*JSON/);
  assert.deepEqual(seen.said.slice(1), [
    ["Not loaded, because it holds no results.", null, null],
    ["Not loaded, because the file is longer than 4 MiB.", null, null],
    ["Not loaded, because this browser refuses to store it.", "Box", true],
  ]);
  assert.deepEqual([seen.without, seen.kept], [null, "Old"]);
  assert.deepEqual(seen.buttons, [
    "Link to it",
    "Restore what the file replaced",
    "Save as JSON",
    "Save as CSV",
    "Save the roofline as SVG",
    "Send to the gallery",
    "Load a saved profile",
  ]);
  assert.deepEqual(seen.steady, ["A card to share", ...seen.buttons], "a card needs both roofs");
  assert.equal(seen.in_menu, 5);
  assert.equal(seen.damaged, 6, "an unreadable profile cannot be restored");
});

test("keep: the gallery's entry says what was measured, and no more", async () => {
  const files = played_page("export const ask = 0, page_data = 0;");
  const page = await open({ files });
  const entries = await page.evaluate(
    async (full) => {
      const { entry_of } = await import("/runtime/machine/keep.js");
      return [entry_of(full), entry_of({})];
    },
    {
      ...{ browser: "Firefox `1`", os: "Linux", isolated: true, clock_ghz: 3.5 },
      cores: { reported: 8, usable: 6 },
      roofs: [
        { device: "gpu", class: { type: "f32" }, value: 100, unit: "GFLOP/s" },
        { device: "cpu", class: { isa: "fma", threads: 4 }, value: 50, unit: "GFLOP/s" },
        { device: "cpu", class: { level: "out", threads: 1 }, value: 10, unit: "GB/s" },
      ],
      levels: [
        { name: "L1", bytes: 32768, bytes_error: 0 },
        { name: "L2", bytes: 2 ** 20 },
        { name: "out", bytes: 0 },
      ],
      results: [one("a"), one("b", { flags: ["drift"] }), one("c", { flags: ["few-samples"] })],
    },
  );
  const lines = (entry) => entry.split("```")[1].trim().split("\n").slice(1);
  assert.deepEqual(lines(entries[0]), [
    "Browser: Firefox '1', Linux, isolated",
    "Clock: 3.50 GHz",
    "Cores: 8 reported, 6 usable",
    "Roof: GPU f32: 100 GFLOP/s",
    "Roof: fma, 4 threads: 50.0 GFLOP/s",
    "Roof: out: 10.0 GB/s",
    "Level: L1: between 32 KiB and 32 KiB",
    "Measurements: 2 checked and steady, of 3",
  ]);
  assert.deepEqual(lines(entries[1]), [
    "Browser: unknown browser",
    "Measurements: 0 checked and steady, of 0",
  ]);
});

test("keep: exported data is shown first, read-only and ready to copy", async () => {
  const files = played_page("export const ask = 0, page_data = 0;");
  const shown_by = async (attributes, profile) => {
    const page = await open({ files, attributes });
    return page.evaluate(async (one_profile) => {
      const { tools } = await import("/runtime/machine/keep.js");
      document.body.append(...tools(one_profile));
      const [row, place] = document.body.children;
      const press = async (within, words) => {
        const all = [...within.querySelectorAll("button")];
        all.find(({ textContent }) => textContent === words).click();
        await globalThis.settled();
      };
      const copied = [];
      let refused = false;
      navigator.clipboard.writeText = async (text) => {
        if (refused) throw new Error("no");
        copied.push(text);
      };
      await press(row, "Link to it");
      const [link] = place.querySelectorAll("input");
      const field = [link.readOnly, link.value.startsWith(`${location.href}#m=`)];
      await press(place, "Copy the link");
      refused = true;
      const words = [place.querySelector("button").textContent];
      await press(place, "Copied");
      words.push(place.querySelector("button").textContent);
      await press(row, "Send to the gallery");
      const area = place.querySelector("textarea");
      const open_at = place.querySelector("a")?.href ?? null;
      const said = place.textContent.startsWith("This is the whole entry.");
      refused = false;
      await press(place, "Copy the JSON to paste");
      const same = [copied[0] === link.value, JSON.parse(copied[1]).name === one_profile.name];
      const title = open_at && new URL(open_at).searchParams.get("title");
      return {
        field,
        words,
        entry: [area.readOnly, said],
        same,
        title,
        to: open_at?.split("?")[0] ?? null,
      };
    }, profile);
  };
  const profile = { name: "Box", browser: "Firefox 9", os: "Linux", results: [], devices: [] };
  const common = {
    field: [true, true],
    words: ["Copied", "Not copied: select it and copy by hand"],
    entry: [true, true],
    same: [true, true],
  };
  assert.deepEqual(await shown_by('data-repository="https://example.org/r"', profile), {
    ...common,
    title: "Machine: Firefox 9, Linux",
    to: "https://example.org/r/issues/new",
  });
  assert.deepEqual(await shown_by("", profile), { ...common, title: null, to: null });
});

const machine_files = (more = {}) => ({
  ...played_page(`export const registry = async () => { if (globalThis.no_registry) throw new Error("no network"); return []; };
export const reference_profile = async () => ({ results: [] });
export const recorded_machines = async () => globalThis.recorded ?? [];
export const ask = async () => ({ svg: "<svg></svg>" });
export const page_data = async () => ({ figures: {} });`),
  "runtime/measure/isolation.js": `const played = () => globalThis.isolation ?? { isolated: false, reason: "" };
export const isolation = () => played();
export const use_all_cores = async () => { if (globalThis.refused) throw new Error("it refused"); globalThis.asked_for_cores = true; };
export const use_one_core = async () => { globalThis.wish = false; };
export const wants_all_cores = async () => globalThis.wish ?? false;`,
  "runtime/measure/bench.js":
    "export const toggle = async (bench, request) => { globalThis.toggled = request; };",
  "runtime/machine/visit.js":
    'export const open_visit = async () => { globalThis.visited = true; if (globalThis.no_visit) throw new Error("it is not there"); };',
  ...more,
});
const bench = `<main><primer-bench id="bench-machine"><div class="bench-controls"><button>Measure</button></div>
<p class="bench-status"></p></primer-bench></main>`;
const shown = async (prepare, { hash = "", values = {}, files = machine_files() } = {}) => {
  const page = await open({ html: bench, files, hash });
  await page.evaluate(prepare, values);
  await page.evaluate(async () => {
    // A stored flag determines whether results are read at all.
    const { holds, problem, profile } = globalThis;
    if (holds || problem || profile) localStorage.setItem("primer.profile.v1", "{}");
    else localStorage.removeItem("primer.profile.v1");
    const { show } = await import("/runtime/machine/machine.js");
    await show(document.querySelector("primer-bench"));
    await globalThis.settled();
  });
  await page.waitForFunction(() =>
    document.querySelector(".machine-summary > *, p:not(.machine-tools) + .machine-tools"),
  );
  return page;
};
const press = (page, name) =>
  page.evaluate(async (words) => {
    [...document.querySelectorAll("button")].find((b) => b.textContent === words).click();
    await globalThis.settled();
    return document.querySelector(".bench-status").textContent;
  }, name);

test("machine: nothing measured, something damaged, and results with a way to clear them", async () => {
  const nothing = await shown(() => {});
  assert.deepEqual(await texts(nothing, ".machine-results button"), ["Load a saved profile"]);
  assert.deepEqual(await texts(nothing, ".machine-results p:not(.machine-tools)"), [
    "Nothing has been measured in this browser yet.",
  ]);
  const damaged = await shown(() =>
    Object.assign(globalThis, { problem: "It is damaged.", holds: true }),
  );
  assert.deepEqual(await texts(damaged, ".machine-results button"), [
    "Load a saved profile",
    "Clear",
  ]);
  assert.match((await texts(damaged, ".machine-results"))[0], /It is damaged\./);
  const values = {
    profile: { results: [one("k")], roofs: roofs(100, 10) },
    recorded: [{ name: "Theirs", roofs: roofs(50, 20) }],
  };
  const full = await shown((all) => Object.assign(globalThis, all, { holds: true }), { values });
  assert.equal((await texts(full, ".machine-results button")).at(-1), "Clear");
  assert.ok((await texts(full, ".machine-results button")).includes("Save as JSON"));
  assert.equal((await texts(full, ".machine-summary tbody tr")).length, 2);
  const visited = await shown(
    (all) =>
      Object.assign(globalThis, all, {
        holds: true,
        viewing: true,
        own: { ...all.profile, results: [] },
      }),
    { values },
  );
  assert.deepEqual(
    await texts(visited, ".machine-results button"),
    [],
    "a visitor's is not the reader's to clear",
  );
  assert.match((await texts(visited, ".machine-summary tbody"))[0], /Your own machine.*Theirs/);
});

test("machine: this machine's runs over time, with what changed, until they are cleared", async () => {
  const values = { profile: { results: [one("k")], roofs: roofs(100, 10) } };
  const line = (day, arithmetic, browser) => ({
    ...{ at: `2026-11-${day}T10:00:00Z`, arithmetic, memory: 10, clock: 3 },
    browser,
  });
  const lines = [
    line("01", 100, "Firefox 153"),
    line("02", 102, "Firefox 153"),
    line("03", 51, "<b>"),
  ];
  const page = await shown(
    (all) => {
      localStorage.setItem("primer / history.v1", JSON.stringify(all.lines));
      Object.assign(globalThis, all, { holds: true });
    },
    { values: { ...values, lines } },
  );
  const rows = await page.$$eval('[aria-label="This machine\'s runs over time"] tbody tr', (all) =>
    all.map((row) => [...row.children].slice(1).map(({ textContent }) => textContent)),
  );
  assert.deepEqual(rows, [
    ["unknown browser (different from before)", "51.0 GFLOP/s (−50 %)", "10.0 GB/s", "3.00 GHz"],
    ["Firefox 153", "102 GFLOP/s", "10.0 GB/s", "3.00 GHz"],
    ["Firefox 153", "100 GFLOP/s", "10.0 GB/s", "3.00 GHz"],
  ]);
  const dates = await page.$$eval("time", (all) => all.map(({ textContent }) => textContent));
  assert.ok(
    dates.length === 3 && dates.every((date) => /^2026-11-0\d \d\d:\d\d$/.test(date)),
    dates.join(),
  );
  const reloaded = page.waitForNavigation();
  await page.evaluate(() => {
    [...document.querySelectorAll("button")].find((b) => b.textContent === "Clear").click();
  });
  await reloaded;
  assert.equal(await page.evaluate(() => localStorage.getItem("primer / history.v1")), null);
});

test("machine: clearing can be undone until there are new results", async () => {
  const entries = { "profile.v1": "{}", "history.v1": "[]", "guess.v1": '{"rate":1}' };
  const cleared = (page) => page.evaluate(() => sessionStorage.getItem("primer / cleared"));
  const page = await shown(
    (all) => {
      for (const [name, text] of Object.entries(all))
        localStorage.setItem(`primer / ${name}`, text);
      Object.assign(globalThis, { holds: true });
    },
    { values: entries },
  );
  const press_and_load = async (name) => {
    const loaded = page.waitForNavigation();
    await page.evaluate((words) => {
      [...document.querySelectorAll("button")].find((b) => b.textContent === words).click();
    }, name);
    await loaded;
  };
  const held = () =>
    page.evaluate(
      (names) => names.map((name) => localStorage.getItem(`primer / ${name}`)),
      Object.keys(entries),
    );
  const show_again = () =>
    page.evaluate(async (html) => {
      document.body.innerHTML = html;
      const { show } = await import("/runtime/machine/machine.js");
      await show(document.querySelector("primer-bench"));
      await globalThis.settled();
      return document.querySelector(".machine-results").textContent;
    }, bench);
  await press_and_load("Clear");
  assert.deepEqual((await held()).slice(1), [null, null]);
  assert.match(await show_again(), /^Your results were deleted\. You can undo this until .*Undo/);
  await press_and_load("Undo");
  assert.deepEqual(await held(), Object.values(entries));
  assert.equal(await cleared(page), null);
  const after = await shown(
    (all) => {
      sessionStorage.setItem("primer / cleared", "{}");
      Object.assign(globalThis, { holds: true, ...all });
    },
    { values: { profile: { results: [one("k")], roofs: roofs(100, 10) } } },
  );
  assert.equal(await cleared(after), null, "new results are not replaced by old ones");
});

/** The next request, once it exists. */
const requested = async (page, name) => {
  await page.evaluate(() => (globalThis.toggled = null));
  await press(page, name);
  await page.waitForFunction(() => globalThis.toggled);
  return page.evaluate(() => ({
    ...globalThis.toggled,
    runs: globalThis.toggled.runs?.length ?? 0,
  }));
};
const says = (page, words) =>
  page.waitForFunction(
    (said) => document.querySelector(".bench-status").textContent === said,
    {},
    words,
  );

test("machine: the buttons of longer runs, and what stops them", async () => {
  const page = await shown(() => {});
  const buttons = ["Measure", "Measure everything", "All cores", "Measure the GPU"];
  assert.deepEqual(await texts(page, ".bench-controls button"), buttons);
  const everything = await requested(page, "Measure everything");
  assert.deepEqual(everything, { ...everything, roofs: true, pace: "full" });
  const gpu = await requested(page, "Measure the GPU");
  assert.deepEqual(gpu, { ...gpu, jitter: true, pace: "full" });
  assert.ok(gpu.runs > 0);
  await press(page, "All cores");
  await page.waitForFunction(() => globalThis.asked_for_cores);
  await page.evaluate(() => {
    Object.assign(globalThis, { refused: true, toggled: null, no_registry: true });
  });
  await press(page, "All cores");
  await says(page, "All cores are unavailable, because it refused.");
  await page.evaluate(() => (globalThis.isolation = { isolated: false, reason: "of a setting" }));
  await press(page, "All cores");
  await says(page, "All cores are unavailable, because of a setting.");
  await press(page, "Measure everything");
  await says(page, "Unavailable, because no network.");
  assert.equal(await page.evaluate(() => globalThis.toggled), null);
  await page.evaluate(() => (globalThis.isolation = { isolated: true, reason: "" }));
  assert.deepEqual(await requested(page, "All cores"), { cores: true, pace: "quick", runs: 0 });
  await page.evaluate(() => {
    globalThis.toggled = null;
    document.querySelector("primer-bench").setAttribute("state", "running");
  });
  await press(page, "All cores");
  assert.equal(await page.evaluate(() => globalThis.toggled), null, "one at a time");
});

test("machine: the sentences about cores", async () => {
  const said = async (values) => {
    const page = await shown((all) => Object.assign(globalThis, all), { values });
    return (await texts(page, ".machine-cores"))[0];
  };
  assert.equal(await said({}), "“All cores” reloads this page once and keeps your results.");
  assert.match(await said({ isolation: { isolated: true } }), /^This page can use several cores/);
  assert.equal(
    await said({
      isolation: { isolated: false, reason: "of a setting" },
      profile: { results: [], cores: { reported: 2 } },
    }),
    "Several cores are unavailable, because of a setting.",
  );
  const cores = { reported: 8, usable: 4, why: "the rest is slower", notes: ["Note."] };
  assert.equal(
    await said({ profile: { results: [], cores } }),
    "This page can use 4 cores; the browser reports 8. The rest is slower. Note.",
  );
  assert.equal(
    await said({ profile: { results: [], cores: { reported: 2, usable: 1 } }, wish: true }),
    "This page can use 1 core; the browser reports 2. Back to one core",
  );
  const page = await shown(() => (globalThis.wish = true));
  await press(page, "Back to one core");
  await says(page, "From the next page on, the book uses one core again.");
  assert.equal(await page.evaluate(() => globalThis.wish), false);
  assert.equal((await texts(page, ".machine-cores button")).length, 0);
});

test("machine: somebody else's machine is measured by nobody; one that is not there lets go", async () => {
  const disabled = (page) =>
    page.$$eval(".bench-controls button", (all) => all.map((b) => b.disabled));
  const visited = await shown(() => {}, { hash: "#with=x" });
  assert.deepEqual(await disabled(visited), [true, true, true, true]);
  const gone = await shown(() => (globalThis.no_visit = true), { hash: "#m=x" });
  assert.deepEqual(await disabled(gone), [false, false, false, false]);
  assert.deepEqual(await texts(gone, ".bench-status"), [
    "The shared machine cannot be shown: it is not there.",
  ]);
  const own = await shown(() => {}, { hash: "#your-results" });
  assert.equal(await own.evaluate(() => globalThis.visited ?? false), false);
});

test("visit: the gallery's machine by its name, and a reason where there is none", async () => {
  const files = {
    ...played_page(
      "export const registry = async () => []; export const reference_profile = async () => ({ results: [] });",
    ),
    "runtime/page/refresh.js":
      "export const refresh = async () => { globalThis.refreshed = true; };",
  };
  const visit = async (hash, text) => {
    const page = await open({
      files: { ...files, ...(text ? { "machines/box.json": text } : {}) },
      hash,
    });
    return page.evaluate(async () => {
      const { open_visit } = await import("/runtime/machine/visit.js");
      const said = await open_visit().then(
        () => "",
        ({ message }) => message,
      );
      return [
        said,
        globalThis.viewed?.name ?? null,
        document.querySelector(".visit")?.textContent ?? null,
        "visit" in document.documentElement.dataset,
      ];
    });
  };
  const page = await open({ files });
  const text = await page.evaluate(async () => {
    const { empty_profile } = await import("/runtime/profile/profile.js");
    return JSON.stringify({ ...empty_profile(), name: "Box" });
  });
  assert.deepEqual(await visit("#with=box", text), [
    "",
    "Box",
    "You are looking at Box. On this page, “your machine” is that machine. Nothing about it is saved here. Back to your machine",
    true,
  ]);
  const none = ["the gallery has no machine of that name", null, null, false];
  assert.deepEqual(await visit("#with=box"), none);
  assert.deepEqual(await visit("#with=../box", text), none);
  const [said, viewed] = await visit("#with=box", "{");
  assert.ok(said !== "" && viewed === null);
});

test("passport: a GPU's limits, named as far as the browser tells, and no figure without roofs", async () => {
  const page = await open({
    files: played_page(
      "export const ask = async () => ({ svg: '<svg></svg>' }), page_data = 0, registry = 0;",
    ),
  });
  const gpu = (device) => ({
    ...{ gpu: { state: "hardware" }, results: [], roofs: [], levels: [], cores: {} },
    devices: [
      { id: "cpu", kind: "cpu" },
      ...(device ? [{ id: "gpu", kind: "gpu", state: "hardware", ...device }] : []),
    ],
  });
  const table = async (profile) => {
    const rows = await page.evaluate(async (one_profile) => {
      const { passport } = await import("/runtime/machine/gpu_passport.js");
      const parts = await passport(one_profile).catch(({ message }) => [message]);
      document.body.replaceChildren(...parts);
      const cells = [...document.querySelectorAll("tr")].map((row) =>
        [...row.children].map((c) => c.textContent),
      );
      return {
        rows: Object.fromEntries(cells),
        figures: document.querySelectorAll("figure").length,
      };
    }, profile);
    return rows;
  };
  const limits = { maxBufferSize: 2 ** 30, maxStorageBufferBindingSize: 2 ** 27, largest: 2 ** 26 };
  const all = {
    ...limits,
    maxComputeWorkgroupStorageSize: 32768,
    maxComputeInvocationsPerWorkgroup: 256,
  };
  const { rows, figures } = await table(
    gpu({ vendor: "v", architecture: "a", features: ["f16", "x_y"], limits: all }),
  );
  assert.equal(figures, 0);
  assert.deepEqual(rows, {
    name: "v a",
    "vendor, architecture": "v, a",
    "largest buffer": "1024 MiB",
    "largest buffer that a kernel sees": "128 MiB",
    "largest buffer used here": "64.0 MiB",
    "workgroup memory": "32.0 KiB",
    "lanes in a workgroup": "256",
    "features used": "f16",
  });
  const bare = (await table(gpu({ name: "", limits: all }))).rows;
  assert.deepEqual(
    [bare.name, bare["vendor, architecture"], bare["features used"]],
    ["not reported", "not reported", "none"],
  );
  assert.equal((await table(gpu({ name: "Card", limits: all }))).rows.name, "Card");
  assert.deepEqual((await table(gpu(null))).rows, {});
});

test("another language: no sentence of a machine stays English, and one that a race told is heard", async () => {
  const why =
    "6 × 8 won with 44.0 GFLOP/s: there are registers for its 12 sums; 4 × 8 reached 40.0";
  const levels = [
    { name: "L1", device: "cpu", bytes: 40000, bytes_error: 9000, latency_ns: 1.2, read_gbs: 99 },
    { name: "out", device: "cpu", latency_ns: 90, read_gbs: 10, reached: "memory" },
    { name: "near", device: "gpu", bytes: 4e6, bytes_error: 1e5, read_gbs: 900 },
  ];
  const chase = (chains, median) =>
    one("parallelism.chase", { params: { w: 2 ** 26, order: 1, line: 64, chains }, median });
  const of_matrix = (kernel, median) =>
    one(kernel, { device: "cpu", unit: "GFLOP/s", median, flops: 9e4, bytes: 100 });
  const profile = {
    ...{ first_edition: true, os: "Windows", clock_ghz: 3, clock_sustained_ghz: 2.5, levels },
    roofs: [...roofs(100, 10), { device: "gpu", class: { type: "f32" }, value: 900 }],
    choices: [{ device: "cpu", why }],
    results: [of_matrix("best", 90), of_matrix("worst", 5), chase(1, 90), chase(8, 20)],
    gpu: {
      state: "unclear",
      width: { value: 32 },
      banks: { reason: "more rows make it slower again" },
    },
    devices: [
      { kind: "cpu", features: ["fused"] },
      { kind: "gpu", vendor: "v", features: [], timing: "timestamp", sustained: 0.5 },
    ],
  };
  const { "said at first": first, ...others } = JSON.parse(
    await readFile("site/locales/es.json", "utf8"),
  );
  const words = JSON.stringify({ ...first, ...others });
  const said = async (lang) => {
    const files = { "runtime/words.es.js": `export default ${words}` };
    const page = await open({ html: `<main lang="${lang}"></main>`, files });
    return page.evaluate(async (mine) => {
      await (await import("/runtime/base/language.js")).load_strings();
      const { machine_summary } = await import("/runtime/profile/machine_summary.js");
      const { gpu_sentences } = await import("/runtime/gpu/sentences.js");
      const { gpu_method } = await import("/runtime/gpu/kernels.js");
      const devices = mine.devices.map((device) => ({ ...device, method: gpu_method }));
      const { comparison, table_of } = await import("/runtime/machine/results.js");
      document.querySelector("main").append(...comparison(mine, []), table_of(mine.results));
      const heads = [...document.querySelectorAll("thead th, summary")].map((e) => e.textContent);
      return [...machine_summary(mine), ...gpu_sentences({ ...mine, devices }), ...heads];
    }, profile);
  };
  const [english, spanish] = [await said("en"), await said("es")];
  assert.ok(english.length > 25, `only ${english.length} are said`);
  const kept = spanish.filter((text) => english.includes(text));
  assert.deepEqual(kept, ["Kernel"]);
  const race = spanish.find((text) => text.includes("6 × 8"));
  assert.match(
    race,
    /: ganó 6 × 8 con 44\.0 GFLOP\/s: hay registros para sus 12 sumas; 4 × 8 alcanzó 40\.0\.$/,
  );
  assert.ok(spanish.every((text) => !/\{\w+\}/.test(text)));
});

test("card: a picture of 1200 by 630 with the reader's numbers and whose they are, sharable where the system can", async () => {
  const files = {
    "runtime/page/page.js": `export const page_data = async () => ({ figures: { r: { spec: { kind: "roofline" } } } });
export const ask = async () => ({ value: 295.2, svg: '<svg xmlns="http://www.w3.org/2000/svg" width="920" height="460" viewBox="0 0 920 460"><path d="M0 460L400 100H920" stroke="#123456" stroke-width="9"/></svg>' });
export const assets = document.baseURI, fetch_ok = async () => new Response("font"), store = { load: () => ({}) };`,
  };
  const page = await open({
    html: '<header class="page-head"><a class="book" aria-label="A & B">x</a></header>',
    files,
  });
  const seen = await page.evaluate(
    async (profile) => {
      const { card_of, card_png, card_words, shareable, with_guess } =
        await import("/runtime/machine/card.js");
      const png = await card_png(profile);
      const { width, height } = await createImageBitmap(png);
      const without = await card_words(profile);
      localStorage.setItem("primer / guess.v1", JSON.stringify({ rate: 1e11, bandwidth: 2e10 }));
      const words = await card_words(profile);
      const drawing = '<svg width="920" height="460" viewBox="0 0 920 460"></svg>';
      const text = card_of({ ...words, drawing, faces: "", device: ["1 < 2", "A & B"] });
      const card = new DOMParser().parseFromString(text, "image/svg+xml");
      const lines = [...card.querySelectorAll("text")].map((one) => one.textContent);
      const [x, w, h] = ["x", "width", "height"].map((name) =>
        Number(card.querySelector("svg svg").getAttribute(name)),
      );
      const slot =
        '<svg><g class="guess" data-x="1 100 0 100" data-y="1e9 1e13 400 0"><path/><g><text/></g></g></svg>';
      const guesses = [null, { rate: 1e11, bandwidth: 1e10 }].map((one) => with_guess(slot, one));
      navigator.canShare = undefined;
      const none = shareable(png, words);
      navigator.canShare = ({ files: [file] }) => file.type === "image/png";
      const some = shareable(png, words);
      const shared = [some.files[0].name, some.text];
      return {
        size: [width, height, png.type],
        without,
        lines,
        placed: [x, w, h],
        guesses,
        none,
        shared,
      };
    },
    {
      name: "Mine",
      browser: "Firefox 153",
      os: "Linux",
      created: "2026-11-21T00:00:00Z",
      roofs: roofs(100, 10),
      results: [],
    },
  );
  assert.deepEqual(seen.size, [1200, 630, "image/png"]);
  assert.deepEqual([seen.without.guess, seen.without.device], ["", ["Mine", "Firefox 153, Linux"]]);
  const address = seen.shared[1].match(/http:\/\/([\d.:]+)\/$/)[1];
  assert.deepEqual(seen.lines, [
    "10 FLOPs per byte.",
    "An H100 needs 295.",
    "I guessed 5.0.",
    "100 GFLOP/s · 10 GB/s",
    "1 < 2",
    "A & B",
    `A & B · ${address}`,
    "November 21, 2026",
  ]);
  assert.deepEqual(seen.placed, [452, 708, 354]);
  assert.equal(seen.guesses[0], "<svg></svg>", "a guess that was never made is not drawn");
  assert.match(seen.guesses[1], /<path d="M0\.0,300\.0L50\.0,200\.0L100\.0,200\.0"/);
  assert.equal(seen.none, null);
  assert.equal(seen.shared[0], "my-roofline.png");
  assert.match(seen.shared[1], /^10 FLOPs per byte\. An H100 needs 295\. http/);
});

test("share: opens the share sheet if it accepts images, otherwise the card with a link to save it", async () => {
  const files = {
    "runtime/machine/card.js": `export const file_name = "card.png";
export const card_png = async () => new Blob(["x"], { type: "image/png" });
export const card_words = async () => ({ headline: "2 FLOPs per byte." });
export const shareable = () => globalThis.data ?? null;`,
    "runtime/profile/permalink.js": 'export const link_of = async () => "#m=1";',
  };
  const page = await open({
    html: '<div class="chip-panel"><a href="/machine/#x">M</a></div>',
    files,
  });
  const seen = await page.evaluate(async () => {
    const { share_card } = await import("/runtime/machine/share.js");
    const found = [];
    const outcome = async (name) => {
      let shared = 0;
      navigator.share = async () => {
        shared += 1;
        if (name) throw new DOMException("", name);
      };
      await share_card({});
      const dialog = document.querySelector("dialog");
      const actions = [...(dialog?.querySelectorAll(".card-actions > *") ?? [])];
      found.push([shared, actions.map(({ textContent }) => textContent).join()]);
      dialog?.close();
      await globalThis.settled();
    };
    globalThis.data = { files: [] };
    await outcome("");
    await outcome("AbortError");
    await outcome("NotAllowedError");
    globalThis.data = null;
    await outcome("");
    const left = document.querySelectorAll("dialog").length;
    await share_card({});
    const copied = [];
    navigator.clipboard.writeText = async (text) =>
      copied.push(new URL(text).pathname + text.slice(-4));
    const [copy] = [...document.querySelectorAll("dialog .card-actions button")];
    copy.click();
    await globalThis.settled();
    const save = document.querySelector("dialog a");
    return {
      found,
      left,
      copied,
      said: copy.textContent,
      save: [save.download, document.activeElement === save],
    };
  });
  assert.deepEqual(seen.found, [
    [1, ""],
    [1, ""],
    [1, "Save the card,Share the card,Copy the link"],
    [0, "Save the card,Copy the link"],
  ]);
  assert.equal(seen.left, 0, "a closed dialog is removed");
  assert.deepEqual([seen.copied, seen.said], [["/machine/#m=1"], "Copied"]);
  assert.deepEqual(seen.save, ["card.png", true]);
});

test("more_menu: it closes after a choice and with Escape, which returns the focus", async () => {
  const page = await open();
  const seen = await page.evaluate(async () => {
    const { more_menu } = await import("/runtime/machine/more_menu.js");
    let pressed = 0;
    const one = Object.assign(document.createElement("button"), { textContent: "One" });
    one.addEventListener("click", () => ++pressed);
    const menu = more_menu(one);
    document.body.append(menu);
    menu.open = true;
    one.click();
    const chosen = [pressed, menu.open];
    menu.open = true;
    one.focus();
    one.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true }));
    return [...chosen, menu.open, document.activeElement.textContent];
  });
  assert.deepEqual(seen, [1, false, false, "More"]);
});
