// The reader's profile: what this machine measured, kept in this browser and nowhere else. What is
// stored is hostile input: it may be damaged, from another version, or written by a stranger's
// script.

export const storage_key = "primer.profile.v1";
const longest = 4 * 2 ** 20;

const is_object = (v) => typeof v === "object" && v !== null && !Array.isArray(v);
const is_amount = (v) => typeof v === "number" && Number.isFinite(v) && v >= 0;
const is_text = (v) => typeof v === "string" && v.length <= 2000;

/** {profile} or {error} in words. Unknown members stay as they are. */
export function parse_profile(text) {
  if (text.length > longest) return { error: "it is longer than 4 MiB" };
  let profile;
  try {
    profile = JSON.parse(text);
  } catch {
    return { error: "it is not JSON" };
  }
  const error = fault_in(profile);
  return error ? { error } : { profile };
}

/** What is wrong with a profile, or an empty string. */
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
  return bad_roof >= 0 ? `roof ${bad_roof} has no class, unit or value` : "";
}

function fault_in_result(result) {
  if (!is_text(result.kernel)) return "no kernel";
  if (!is_object(result.params)) return "no parameters";
  const odd = Object.entries(result.params).find(([name, v]) =>
    name === "variant" ? !is_text(v) : !is_amount(v),
  );
  if (odd) return `parameter ${odd[0].slice(0, 30)} is not a number`;
  const { choice } = result;
  if (choice !== undefined && !(is_object(choice) && is_amount(choice.tile) && is_text(choice.why)))
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
  return { schema: 1, created, devices: [], levels: [], results: [], roofs: [] };
}

function identity({ kernel, params, threads = 1, device = "", module = "" }) {
  const sorted = Object.keys(params)
    .sort()
    .map((name) => `${name}=${params[name]}`);
  return JSON.stringify([kernel, sorted, threads, device, module]);
}

const roof_identity = (roof) => JSON.stringify([roof.device, Object.entries(roof.class).sort()]);

/** Entries of `fresh` replace those of `old` with the same identity; the others stay. */
function merge_lists(old = [], fresh = [], id) {
  const replaced = new Set(fresh.map(id));
  return [...old.filter((entry) => !replaced.has(id(entry))), ...fresh];
}

/**
 * `fresh` merged into `old`; members that this version does not know are kept. A fresh
 * "unavailable" does not displace a number measured earlier. Levels and roofs are replaced as a
 * whole per device and number of threads: half a roofline of one run and half of another would fit
 * no machine, but what all cores do leaves one core's results alone. What was loaded from a file may
 * be of another machine, and makes way.
 */
export function merge_profiles(old, fresh) {
  if (old.loaded) return fresh;
  const known = new Set((old.results ?? []).filter((r) => r.status === "measured").map(identity));
  const results = fresh.results.filter((r) => r.status === "measured" || !known.has(identity(r)));
  const group = ({ device, class: { threads = 1 } = {} }) => JSON.stringify([device, threads]);
  const renewed = new Set(fresh.roofs.map(group));
  const kept = (list) => (list ?? []).filter((entry) => !renewed.has(group(entry)));
  const known_of = (name) => (fresh[name] ?? null) === null ? { [name]: old[name] } : {};
  return {
    ...old,
    ...fresh,
    ...known_of("timer_us"),
    ...known_of("clock_ghz"),
    cores: { ...old.cores, ...fresh.cores },
    devices: merge_lists(old.devices, fresh.devices, (d) => d.id),
    results: merge_lists(old.results, results, identity),
    ...(old.jitter || fresh.jitter ? { jitter: { ...old.jitter, ...fresh.jitter } } : {}),
    choices: merge_lists(old.choices, fresh.choices, (c) => `${c.kernel} ${c.device} ${c.module}`),
    levels: [...kept(old.levels), ...fresh.levels],
    roofs: merge_lists(kept(old.roofs), fresh.roofs, roof_identity),
  };
}

/**
 * Keeps the profile in the browser's storage, or, where that is refused, in memory for this page.
 */
export class ProfileStore {
  #memory = null;
  #viewed = null;

  /** `get_storage` may throw, as reading `localStorage` does where storage is blocked. */
  constructor(get_storage = () => globalThis.localStorage) {
    this.get_storage = get_storage;
  }

  /** Shows somebody else's profile in place of the reader's, until the page is left. */
  view(profile) {
    this.#viewed = profile;
  }

  get is_viewing() {
    return this.#viewed !== null;
  }

  /**
   * {profile, problem}: profile is null when there is none; problem says what was wrong, in words.
   */
  load() {
    return this.#viewed ? { profile: this.#viewed, problem: "" } : this.load_own();
  }

  /** The reader's own, also while somebody else's is shown. */
  load_own() {
    if (this.#memory) return { profile: this.#memory, problem: "" };
    let text;
    try {
      text = this.get_storage().getItem(storage_key);
    } catch {
      return { profile: null, problem: "" };
    }
    if (text === null) return { profile: null, problem: "" };
    const { profile, error } = parse_profile(text);
    if (error)
      return {
        profile: null,
        problem: `Your stored results cannot be read (${error}) and are not used.`,
      };
    return { profile, problem: "" };
  }

  /** An empty string, or why the results will be gone when the page is left. */
  save(profile) {
    if (this.#viewed) return "Nothing was stored, because this page shows somebody else's machine.";
    try {
      this.get_storage().setItem(storage_key, JSON.stringify(profile));
      this.#memory = null;
      return "";
    } catch {
      this.#memory = profile;
      return "This browser refused to store the results; they are gone when you leave the page.";
    }
  }

  clear() {
    this.#memory = null;
    try {
      this.get_storage().removeItem(storage_key);
    } catch {
      // Nothing was stored where storage is refused.
    }
  }
}
