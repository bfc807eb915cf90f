// The reader's profile: the measurements of this machine, stored only in this browser. Stored data
// is untrusted: it may be damaged, from another version, or written by another script.

import { own } from "../base/own.js";
import { has_range } from "./interval.js";
import { migrated, protocol } from "./first_edition.js";
import { forget, key_of, set_stored, stored } from "../base/storage.js";

const stored_name = "profile.v1";
export const storage_key = key_of(stored_name);
const longest = 4 * 2 ** 20;

const is_object = (v) => typeof v === "object" && v !== null && !Array.isArray(v);
const is_amount = (v) => typeof v === "number" && Number.isFinite(v) && v >= 0;
const is_text = (v) => typeof v === "string" && v.length <= 2000;

// The types of the members that the page uses, if present. A function checks one kind of value.
const text = (v) => is_text(v);
const short = (v) => is_text(v) && v.length <= 200;
const flag = (v) => v === null || typeof v === "boolean";
const number = (v) => v === null || (typeof v === "number" && Number.isFinite(v));

/**
 * A number in this range, or null. The ranges are those of site/static/schemas/profile.json (a test
 * compares them).
 */
const within = (minimum, maximum) =>
  Object.assign((v) => v === null || (number(v) && v >= minimum && v <= maximum), {
    minimum,
    maximum,
  });
const rate = within(0, 1e8);
const amount = within(0, 1e12);
const bytes = within(0, 1e15);
const nanoseconds = within(0, 1e9);
const work = within(0, 1e18);
const seconds = within(0, 1e6);
const threads = within(1, 4096);
const tile = within(101, 9999);
const cores = within(0, 1e6);
const is_range = (v) => v === null || (is_object(v) && rate(v.low) && rate(v.high));
const ranges = (v) => v === null || (is_object(v) && is_range(v.arithmetic) && is_range(v.memory));
const kinds = new Map([
  [text, "a text of at most 2000 characters"],
  [short, "a text of at most 200 characters"],
  [flag, "true or false"],
  [number, "a number"],
  [ranges, "two ranges"],
]);
const finding = { value: number, expected: number, latency_ns: number, reason: text };
const findings = ["width", "fetch", "in_flight", "divergence", "banks", "staircase", "batch"];
const tail = { p50: number, p99: number, samples: number };
export const shape = {
  ...{
    name: short,
    browser: short,
    engine: short,
    os: short,
    created: short,
    date: short,
    note: text,
  },
  ...{ protocol: within(1, 1000), isolated: flag },
  ...{ timer_us: within(0, 1e9), clock_ghz: within(0, 1000), clock_sustained_ghz: within(0, 1000) },
  lost_share: within(0, 1),
  disturbed: ranges,
  cores: { reported: cores, usable: cores, flags: [short], why: text, notes: [text] },
  gpu: { reason: text, ...Object.fromEntries(findings.map((name) => [name, finding])) },
  jitter: { cpu: tail, gpu: tail },
  devices: [
    {
      ...{ id: short, kind: short, name: short, vendor: short, architecture: short, timing: short },
      ...{ state: short, memory: short, features: [short] },
      limits: {
        ...{ maxBufferSize: number, maxStorageBufferBindingSize: number, largest: number },
        ...{ maxComputeWorkgroupStorageSize: number, maxComputeInvocationsPerWorkgroup: number },
      },
    },
  ],
  levels: [
    {
      ...{ device: short, name: short, reached: short },
      ...{ bytes, bytes_error: bytes, latency_ns: nanoseconds, read_gbs: rate },
    },
  ],
  results: [
    {
      ...{ device: short, module: short, unit: short, run: short, threads, verified: flag },
      ...{
        best: amount,
        median: amount,
        mad: amount,
        low: amount,
        high: amount,
        sustained: amount,
        p90: seconds,
        p99: seconds,
      },
      ...{ flops: work, bytes: work, per_cycle: number },
    },
  ],
  roofs: [
    {
      ...{ device: short, from: short, value: rate, run: short, clock_ghz: within(0, 1000) },
      ...{ low: rate, high: rate },
      class: { isa: short, type: short, level: short, threads },
    },
  ],
  choices: [
    { ...{ kernel: short, device: short, module: short, browser: short, why: text }, tile },
  ],
};

const words_of = (kind) => kinds.get(kind) ?? `a number from ${kind.minimum} to ${kind.maximum}`;

/**
 * Checks `value`, which is at the path `where`, against the types `wanted`. Returns the path and
 * the problem of the first part with a wrong type, in words; "" if there is none.
 */
function misfit(value, wanted, where) {
  if (value === undefined) return "";
  if (typeof wanted === "function")
    return wanted(value) ? "" : `${where} is not ${words_of(wanted)}`;
  if (Array.isArray(wanted)) {
    if (!Array.isArray(value)) return `${where} is not a list`;
    return first_misfit(value, (one, i) => misfit(one, wanted[0], `${where} entry ${i}`));
  }
  if (!is_object(value)) return `${where} is not an object`;
  const members = Object.entries(wanted);
  const path = where === "it" ? "" : `${where}: `;
  return first_misfit(members, ([name, part]) =>
    misfit(own(value, name), part, `${path}"${name}"`),
  );
}

function first_misfit(list, of) {
  for (const [i, one] of list.entries()) {
    const words = of(one, i);
    if (words) return words;
  }
  return "";
}

/**
 * {profile}, or {error} in words. Unknown members stay; wrong numbers of the first edition are
 * dropped.
 */
export function parse_profile(text) {
  if (text.length > longest) return { error: "it is longer than 4 MiB" };
  let profile;
  try {
    profile = JSON.parse(text);
  } catch {
    return { error: "it is not JSON" };
  }
  const error = fault_in(profile);
  return error ? { error } : { profile: migrated(profile) };
}

/** The problem with a profile, in words; "" if it is valid. */
function fault_in(profile) {
  if (!is_object(profile)) return "it is not an object";
  if (profile.schema !== 1)
    return `its schema is ${JSON.stringify(profile.schema)?.slice(0, 20)}, not 1`;
  for (const list of ["devices", "levels", "results", "roofs", "choices"]) {
    if (profile[list] === undefined) continue;
    if (!Array.isArray(profile[list]) || profile[list].length > 5000)
      return `"${list}" is not a list of at most 5000`;
    const bad = profile[list].findIndex((entry) => !is_object(entry));
    if (bad >= 0) return `"${list}" entry ${bad} is not an object`;
  }
  const { gpu } = profile;
  if (gpu !== undefined && !(is_object(gpu) && is_text(gpu.state))) return "its gpu has no state";
  const bad_device = (profile.devices ?? []).findIndex(
    ({ features, limits }) =>
      !(features === undefined || Array.isArray(features)) ||
      !(limits === undefined || is_object(limits)),
  );
  if (bad_device >= 0) return `device ${bad_device} has bad features or limits`;
  const results = profile.results ?? [];
  const bad_result = results.findIndex((result) => fault_in_result(result));
  if (bad_result >= 0) return `result ${bad_result}: ${fault_in_result(results[bad_result])}`;
  const bad_roof = (profile.roofs ?? []).findIndex(
    (r) => !is_object(r.class) || !is_amount(r.value) || !is_text(r.unit),
  );
  if (bad_roof >= 0) return `roof ${bad_roof} has no class, unit or value`;
  return misfit(profile, shape, "it");
}

function fault_in_result(result) {
  if (!is_text(result.kernel)) return "no kernel";
  if (!is_object(result.params)) return "no parameters";
  const odd = Object.entries(result.params).find(([name, v]) =>
    name === "variant" ? !is_text(v) : !is_amount(v) || v > 1e15,
  );
  if (odd) return `parameter ${odd[0].slice(0, 30)} is not a number`;
  const { choice } = result;
  if (
    choice !== undefined &&
    !(is_object(choice) && is_amount(choice.tile) && tile(choice.tile) && is_text(choice.why))
  )
    return "a choice without a tile and a reason";
  if (result.flags !== undefined && !(Array.isArray(result.flags) && result.flags.every(is_text)))
    return "bad flags";
  if (result.status === "unavailable")
    return is_text(result.reason) ? "" : "unavailable without a reason";
  if (result.status !== "measured") return "no status";
  const bad = ["best", "median", "mad"].find((name) => !is_amount(result[name]));
  return bad ? `${bad} is not a number` : "";
}

export function empty_profile(created = new Date().toISOString()) {
  return { schema: 1, protocol, created, devices: [], levels: [], results: [], roofs: [] };
}

function identity({ kernel, params, threads = 1, device = "", module = "" }) {
  const sorted = Object.keys(params)
    .sort()
    .map((name) => `${name}=${params[name]}`);
  return JSON.stringify([kernel, sorted, threads, device, module]);
}

const roof_identity = (roof) => JSON.stringify([roof.device, Object.entries(roof.class).sort()]);

/** Entries of `fresh` replace those of `old` with the same identity; other entries stay. */
function merge_lists(old = [], fresh = [], id) {
  const replaced = new Set(fresh.map(id));
  return [...old.filter((entry) => !replaced.has(id(entry))), ...fresh];
}

const clock_drift = 0.05; // between two runs of the same machine in the same state

/**
 * Whether `fresh` lacks the cache sizes that `old` has, as a quick run does after a full run at the
 * same clock.
 */
function knows_less(fresh, old) {
  const has_sizes = ({ levels = [] }) => levels.some(({ bytes }) => bytes > 0);
  if (!has_sizes(old) || has_sizes(fresh)) return false;
  const [before, now] = [old.clock_ghz, fresh.clock_ghz];
  return !(before > 0 && now > 0) || Math.abs(now / before - 1) <= clock_drift;
}

const has_core_roofs = ({ roofs }) =>
  roofs.some(({ device, class: { threads = 1 } }) => device === "cpu" && threads === 1);

const without_levels = (profile) => ({
  ...profile,
  levels: [],
  roofs: profile.roofs.filter(({ class: { level } }) => level === undefined),
});

/**
 * `fresh` merged into `old`. Members that this version does not know are preserved. A fresh
 * "unavailable" does not replace an earlier number, and neither does a range.
 * Levels and roofs are replaced as a whole per device and number of threads, because half a
 * roofline of one run and half of another would fit no machine. For the same reason, results of all
 * cores do not change those of one core. A quick run at the same clock preserves the caches that a
 * full run found. If `old` was loaded from a file, it may describe another machine, so `fresh`
 * replaces it.
 */
export function merge_profiles(old, fresh) {
  if (old.loaded) return fresh;
  const of_old = (old.results ?? []).filter((r) => r.status === "measured");
  const known = new Set(of_old.map(identity));
  const trusted = new Set(of_old.filter((r) => !has_range(r)).map(identity));
  const results = fresh.results.filter((r) =>
    has_range(r) ? !trusted.has(identity(r)) : r.status === "measured" || !known.has(identity(r)),
  );
  const is_less = knows_less(fresh, old);
  const offered = is_less ? without_levels(fresh) : fresh;
  const group = ({ device, class: { threads = 1, level } = { level: true } }) =>
    JSON.stringify([device, threads, is_less && Boolean(level)]);
  const renewed = new Set(offered.roofs.map(group));
  const kept = (list) => (list ?? []).filter((entry) => !renewed.has(group(entry)));
  const known_of = (name) => ((fresh[name] ?? null) === null ? { [name]: old[name] } : {});
  return {
    ...old,
    ...fresh,
    ...known_of("timer_us"),
    ...known_of("clock_ghz"),
    disturbed: fresh.disturbed ?? (has_core_roofs(fresh) ? null : (old.disturbed ?? null)),
    cores: { ...old.cores, ...fresh.cores },
    devices: merge_lists(old.devices, fresh.devices, (d) => d.id),
    results: merge_lists(old.results, results, identity),
    ...(old.jitter || fresh.jitter ? { jitter: { ...old.jitter, ...fresh.jitter } } : {}),
    choices: merge_lists(old.choices, fresh.choices, (c) => `${c.kernel} ${c.device} ${c.module}`),
    levels: [...kept(old.levels), ...offered.levels],
    roofs: merge_lists(kept(old.roofs), offered.roofs, roof_identity),
  };
}

/** The profile as the text of a file, in the format of scripts/measure and the gallery. */
export const json_of = (profile) =>
  `${JSON.stringify({ ...profile, loaded: undefined }, null, 1)}\n`;

/** Stores the profile in the browser's storage or, if that is denied, in memory for this page. */
export class ProfileStore {
  #memory = null;
  #viewed = null;

  /** `get_storage` may throw, as reading `localStorage` does if storage is blocked. */
  constructor(get_storage = () => globalThis.localStorage) {
    this.get_storage = get_storage;
  }

  /** Shows another machine's profile in place of the reader's until the page is left. */
  view(profile) {
    this.#viewed = profile;
  }

  get is_viewing() {
    return this.#viewed !== null;
  }

  /** {profile, problem}: profile is null if there is none; problem describes an error, in words. */
  load() {
    return this.#viewed ? { profile: this.#viewed, problem: "" } : this.load_own();
  }

  /** The reader's own profile, even while another one is shown. */
  load_own() {
    if (this.#memory) return { profile: this.#memory, problem: "" };
    const text = stored(stored_name, this.get_storage);
    if (text === null) return { profile: null, problem: "" };
    const { profile, error } = parse_profile(text);
    if (error)
      return {
        profile: null,
        problem: `Your stored results cannot be read (${error}) and are not used.`,
      };
    return { profile, problem: "" };
  }

  /** Whether there is a stored profile to clear, even an unreadable one. */
  get holds_something() {
    return this.#memory !== null || stored(stored_name, this.get_storage) !== null;
  }

  /**
   * Stores `profile`. Returns "", or a message that the results will be lost when the page is left.
   */
  save(profile) {
    if (this.#viewed) return "Nothing was saved, because this page shows another person's machine.";
    try {
      set_stored(stored_name, JSON.stringify(profile), this.get_storage);
      this.#memory = null;
      return "";
    } catch {
      this.#memory = profile;
      return "This browser refused to store the results. They will be lost when you leave the page.";
    }
  }

  clear() {
    this.#memory = null;
    forget(stored_name, this.get_storage);
  }
}
