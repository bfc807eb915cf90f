// Input from strangers (a profile, a link, a stored value) is data: it cannot reach the properties
// that every object has, produces only numbers and words of a list, and is short if it is text.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

import { browser_of, plain, system_of } from "../../../site/runtime/profile/machine_name.js";
import { heard, word } from "../../../site/runtime/base/language.js";
import { link_mark, profile_of_link } from "../../../site/runtime/profile/permalink.js";
import { machine_summary } from "../../../site/runtime/profile/machine_summary.js";
import {
  empty_profile,
  parse_profile,
  ProfileStore,
  storage_key,
} from "../../../site/runtime/profile/profile.js";
import { stored } from "../../../site/runtime/base/storage.js";
import {
  badge_of,
  machine_words,
  result_words,
} from "../../../site/runtime/profile/result_text.js";

const inherited = [
  "constructor",
  "toString",
  "__proto__",
  "hasOwnProperty",
  "{constructor}",
  "{toString}",
];
const result = (members = {}) => ({
  ...{
    kernel: "matmul.packed",
    params: { n: 512 },
    threads: 1,
    status: "measured",
    flags: [],
    unit: "GFLOP/s",
  },
  ...{ best: 45, median: 44, mad: 0.3, verified: true },
  ...members,
});
const profile = (members = {}) => ({ ...empty_profile("2026-01-01T00:00:00Z"), ...members });

test("flags, reasons and messages named like members of every object are words", () => {
  for (const name of inherited) {
    const { profile: parsed } = parse_profile(
      JSON.stringify(profile({ results: [result({ flags: [name] })] })),
    );
    assert.match(badge_of(parsed.results[0]).why, /^a flag that this book does not know$/);
    const refused = { kernel: "x", params: {}, status: "unavailable", reason: name };
    assert.equal(result_words(refused), `unavailable, because ${name}`);
    assert.equal(heard(name), name);
    assert.equal(word(name), name);
  }
  assert.match(badge_of(result({ flags: ["drift"] })).why, /clock moved/);
});

test("whatever a profile's members are, they are refused in words or harmless to all that is said of it", () => {
  const values = [{}, [], [{}], 7, true, null, "x".repeat(5000), { toString: null }];
  const places = {
    name: (v) => ({ name: v }),
    browser: (v) => ({ browser: v }),
    os: (v) => ({ os: v }),
    "a device's name": (v) => ({ devices: [{ kind: "cpu", name: v }] }),
    "a device's features": (v) => ({ devices: [{ kind: "cpu", features: v }] }),
    "a level's name": (v) => ({ levels: [{ device: "cpu", name: v }] }),
    "cores.why": (v) => ({ cores: { reported: 2, why: v } }),
    "cores.notes": (v) => ({ cores: { reported: 2, notes: v } }),
    "a roof's level": (v) => ({
      roofs: [{ device: "cpu", class: { level: v }, unit: "GB/s", value: 1 }],
    }),
    "a unit": (v) => ({ results: [result({ unit: v })] }),
    "a choice's reason": (v) => ({ choices: [{ device: "cpu", why: v }] }),
    clock: (v) => ({ clock_ghz: v }),
    jitter: (v) => ({ jitter: { gpu: v } }),
  };
  for (const [place, put] of Object.entries(places)) {
    for (const value of values) {
      const { profile: parsed, error } = parse_profile(JSON.stringify(profile(put(value))));
      if (error) assert.match(error, /is not an? |has bad features/, place);
      else
        for (const say of [machine_words, machine_summary])
          assert.doesNotMatch(String(say(parsed)), /object|function/, place);
    }
  }
  assert.match(
    parse_profile(JSON.stringify(profile({ name: {} }))).error,
    /"name" is not a text of at most 200/,
  );
});

test("a stranger's words are one line, short, and without what is not seen", () => {
  const sent = `\u202eLOGIN\u200b EXPIRED\n${"go to evil.example ".repeat(50)}`;
  assert.match(plain(sent), /^LOGIN EXPIRED go to/);
  assert.ok(plain(sent).length <= 100);
  for (const odd of [undefined, null, {}, 7]) assert.equal(plain(odd), "");
  assert.ok(machine_words({ name: sent }).length <= 100);
  assert.equal(machine_words({ name: "Mine", loaded: true }), "“Mine” (from a file)");
});

test("a browser and a system are of a list", () => {
  assert.equal(browser_of("Chromium 156.0.8078.79"), "Chromium 156");
  assert.equal(browser_of("Firefox 153.7.0esr"), "Firefox 153");
  assert.equal(browser_of("Google Chrome 156"), "Google Chrome 156");
  for (const odd of [
    "Chrome). LOGIN EXPIRED, go to evil.example",
    "Chrome 1 2",
    "",
    undefined,
    {},
    ["Chrome 1"],
  ])
    assert.equal(browser_of(odd), "unknown browser");
  assert.equal(system_of("Linux"), "Linux");
  for (const odd of ["Linux. Call 555", "", undefined, {}, ["Linux"]])
    assert.equal(system_of(odd), "");
});

test("a link cannot add words", async () => {
  const said = "LOGIN EXPIRED, go to evil.example";
  const sent = {
    ...{ browser: `Chrome). ${said}`, os: said, clock: 3, results: [], features: [said, "fused"] },
    roofs: [["fma", 1, 40]],
    levels: [
      [said, 1, 1, 1, 1, said],
      ["L1", 90, 1, 32768, 4096, said],
    ],
  };
  const hash = (value) =>
    `${link_mark}j${Buffer.from(JSON.stringify(value)).toString("base64url")}`;
  const { profile: shown } = await profile_of_link(hash(sent), [], { results: [] });
  assert.equal(shown.name, "someone else's machine (unknown browser)");
  assert.doesNotMatch(JSON.stringify(shown), /LOGIN|evil/);
  assert.deepEqual(
    shown.levels.map(({ name }) => name),
    ["L1"],
  );
  const { error } = await profile_of_link(hash({ ...sent, roofs: [[said, 1, 40]] }), [], {
    results: [],
  });
  assert.equal(error, "the link does not describe a machine");
});

function memory(initial) {
  const values = new Map(Object.entries(initial));
  const storage = {
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => values.set(key, value),
    removeItem: (key) => values.delete(key),
  };
  return [() => storage, values];
}

test("a profile under the name that all books shared is read where it is one, and goes when results are cleared", () => {
  const kept = profile({ results: [result()] });
  const [get, values] = memory({ "primer.profile.v1": JSON.stringify(kept) });
  const store = new ProfileStore(get);
  assert.deepEqual(store.load(), { profile: kept, problem: "" });
  assert.equal(store.save({ ...kept, name: "New" }), "");
  assert.deepEqual([...values.keys()].sort(), [storage_key, "primer.profile.v1"].sort());
  assert.equal(store.load().profile.name, "New");
  store.clear();
  assert.equal(values.size, 0);
  assert.equal(store.holds_something, false);
});

test("what cannot be read can be cleared", () => {
  for (const key of [storage_key, "primer.profile.v1"]) {
    const [get, values] = memory({ [key]: '{"schema":1,"results":[{"kernel":7}]}' });
    const store = new ProfileStore(get);
    assert.equal(store.load().profile, null);
    assert.equal(store.holds_something, true);
    store.clear();
    assert.equal(values.size, 0);
  }
});

test("refused storage holds nothing and throws nothing", () => {
  const refuse = () => {
    throw new Error("refused");
  };
  assert.equal(stored("theme", refuse), null);
  assert.equal(new ProfileStore(refuse).holds_something, false);
});

// A string from a profile, a link or storage may be looked up only with own(), Object.hasOwn or a
// Map.
const blank = (text) => text.replace(/[^\n]/g, "");
/** The lines of a script, without comments; for `is_bare` also without its strings. */
function code_of(source, is_bare) {
  const code = source.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*| \/\/ .*/gm, blank);
  return (
    is_bare
      ? code.replace(/"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g, (text) => `"${blank(text)}"`)
      : code
  ).split("\n");
}
const patterns = {
  "a lookup with a fallback": /[\w)\]]\[(?!["'`\d])[^\]]*\] *\?\?(?!=)/,
  "a call of what is looked up": /[\w)]\[(?!["'`\d])[^\]]*[a-z_]\]\(/,
  'the operator "in"': / in (?!navigator\b|globalThis\b|[\w.]*dataset\b)/,
  "text as markup":
    /\b(?:innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|srcdoc|createContextualFragment)\b/,
  "text as a program": /\b(?:eval|Function)\(|set(?:Timeout|Interval)\(["'`]/,
  "a worker's address":
    /new (?:Shared)?Worker\((?!(?:trusted_)?script\()|serviceWorker\.register\((?!address,)/,
  "a key that all books share": /["'`]primer\.(?!measure\b)/,
};
// Looked up by the program's own words or by numbers.
const allowed = {
  "a lookup with a fallback": [
    "profile/runs.js: result.params[name] ?? defaults[name]",
    "kernels/tasks.js: given[name] ?? fallback",
    "traps/worker.js: params[name] ?? value",
    "profile/profile.js: fresh[name] ?? null",
    "reading/search.js: [event.key]",
  ],
  "a call of what is looked up": [
    "reading/head.js: does[key]()",
    "kernels/pack_module.js: this.#exports[name](...values)",
  ],
  "text as markup": [
    'page/refresh.js: make("template", { innerHTML: drawing(text) })',
    "write/preview.js: frame.srcdoc = preview_page(page, script)",
    "write/frame.js: new DOMParser().parseFromString(", // the frame's origin is opaque
  ],
  "a key that all books share": [
    "base/storage.js: `primer.${name}`",
    "theme.js: localStorage.getItem(`primer.${name}`)",
    'write/worker.js: "primer.wasm"', // a file
  ],
};
for (const [what, pattern] of Object.entries(patterns)) {
  test(`nowhere in the page's scripts: ${what}`, () => {
    const is_allowed = (name, line) =>
      (allowed[what] ?? []).some((one) => {
        const [file, text] = one.split(": ");
        return file === name && line.includes(text);
      });
    const found = readdirSync("site/runtime", { recursive: true })
      .filter((name) => name.endsWith(".js"))
      .flatMap((name) => {
        const source = readFileSync(`site/runtime/${name}`, "utf8");
        const lines = source.split("\n");
        return code_of(source, what.includes("operator"))
          .map((code, i) => ({ code, at: `${name}:${i + 1}: ${lines[i].trim()}` }))
          .filter(({ code }) => pattern.test(code) && !is_allowed(name, code))
          .map(({ at }) => at);
      });
    assert.deepEqual(found, []);
  });
}
