// A machine in an address: the part of a profile that /machine/ needs, short enough for a link, in
// the fragment, which browsers do not send. A link is untrusted: it is parsed as data, names are
// looked up in the registry, and the result passes the same validation as a stored profile.

import { browser_of, system_of } from "./machine_name.js";
import { protocol } from "./first_edition.js";
import { parse_profile } from "./profile.js";
import { kernel_of, task_key, task_of } from "../kernels/tasks.js";
import { from_base64, to_base64 } from "../base/base64.js";
import { digits } from "../base/digits.js";
import { badge_of } from "./result_text.js";

export const link_mark = "#m=";
const longest_link = 16_000; // in characters
const longest_text = 200_000; // maximum after decompression

// The results that the page shows. A link with all results would be four times as long.
const shown =
  /^(peak\.fma|peak\.simd|stream\.(read|add|triad)|latency\.chase|parallelism\.chase|matmul\.|matvec\.|attention\.tiled)/;

const of_cpu = (list) => (list ?? []).filter(({ device }) => device !== "gpu");
const short = (value) => Number(digits(value));

/** The fragment of an address for a profile: "#m=…". */
export async function link_of(profile) {
  const kept = (profile.results ?? []).filter(
    (r) => shown.test(r.kernel) && badge_of(r).kind !== "bad",
  );
  const summary = {
    protocol: profile.protocol,
    browser: profile.browser,
    os: profile.os,
    clock: profile.clock_ghz && short(profile.clock_ghz),
    cores: profile.cores && [profile.cores.reported, profile.cores.usable ?? 0],
    features: profile.devices?.find(({ kind }) => kind === "cpu")?.features,
    roofs: of_cpu(profile.roofs).map((r) => [
      r.class.isa ?? r.class.level,
      r.class.threads ?? 1,
      short(r.value),
    ]),
    levels: of_cpu(profile.levels).map((l) => [
      l.name,
      ...[l.read_gbs, l.latency_ns, l.bytes, l.bytes_error].map((v) => (v > 0 ? short(v) : 0)),
      l.reached ?? "",
    ]),
    results: kept.map((r) => [r.kernel, r.params, r.threads ?? 1, short(r.median), short(r.mad)]),
  };
  return link_mark + (await pack(JSON.stringify(summary)));
}

/**
 * {profile} from the fragment of an address, or {error} in words. Operations and bytes are taken
 * from `reference` if it has the same measurement.
 */
export async function profile_of_link(hash, registry, reference) {
  if (hash.length > longest_link) return { error: "the link is too long" };
  let summary;
  try {
    summary = JSON.parse(await unpack(hash.slice(link_mark.length)));
  } catch {
    return { error: "the link is damaged" };
  }
  try {
    return parse_profile(JSON.stringify(rebuilt(summary, registry, reference)));
  } catch {
    return { error: "the link does not describe a machine" };
  }
}

// The words that a link may contain. Others are dropped, and a roof with another name makes the
// link invalid.
const known_features = new Set(["simd", "relaxed", "shared", "fused", "unfused"]);
const known_isas = new Set(["scalar", "simd", "fma", "i8dot"]);
const known_levels = new Set(["L1", "L2", "L3", "L4", "L5", "L6", "out"]);
const known_ends = new Set(["memory", "cache", "unclear"]);

function class_of(name) {
  if (known_isas.has(name)) return { isa: name };
  if (known_levels.has(name)) return { level: name };
  throw new RangeError("roof");
}

function rebuilt(summary, registry, reference) {
  const { browser, os, clock, cores, features, roofs, levels, results } = summary;
  const where = [browser_of(browser), system_of(os)].filter(Boolean).join(", ");
  const known = new Map(reference.results.map((r) => [task_key(r), r]));
  return {
    schema: 1,
    ...(summary.protocol === protocol ? { protocol } : {}),
    created: "",
    name: `someone else's machine (${where})`,
    browser: browser_of(browser),
    os: system_of(os),
    clock_ghz: clock > 0 ? clock : null,
    cores: cores && { reported: cores[0], ...(cores[1] > 0 ? { usable: cores[1] } : {}) },
    devices: [
      {
        id: "cpu",
        kind: "cpu",
        features: (features ?? []).filter((one) => known_features.has(one)),
      },
    ],
    choices: [],
    levels: levels
      .filter(([name]) => known_levels.has(name))
      .map(([name, read_gbs, latency_ns, bytes, bytes_error, reached]) => ({
        device: "cpu",
        name,
        ...positive({ read_gbs, latency_ns, bytes, bytes_error }),
        ...(known_ends.has(reached) ? { reached } : {}),
      })),
    roofs: roofs.map(([name, threads, value]) => ({
      device: "cpu",
      class: { ...class_of(name), threads },
      unit: known_levels.has(name) ? "GB/s" : name === "i8dot" ? "Gop/s" : "GFLOP/s",
      value,
      from: "link",
    })),
    results: results.flatMap((entry) => result_of(entry, registry, known)),
  };
}

/**
 * Whether this version no longer makes such a run, for example because it tries other numbers of
 * chains.
 */
const is_gone = (kernel, params) =>
  kernel?.params.some(
    ({ name, min, max, choices }) =>
      choices && params[name] >= min && params[name] <= max && !choices.includes(params[name]),
  );

function result_of([kernel, params, threads, median, mad], registry, known) {
  if (!Number.isInteger(threads) || threads < 1 || threads > 1024) throw new RangeError("threads");
  const run = { kernel, params, threads };
  if (is_gone(kernel_of(registry, run), params)) return [];
  const task = task_of(registry, run);
  if (!task) return [];
  const { unit, class: roof_class } = task.kernel;
  const { flops, bytes } = known.get(task_key({ kernel, params })) ?? {};
  const given = {
    ...task.params,
    ...(task.kernel.variant ? { variant: task.kernel.variant } : {}),
  };
  const numbers = { best: median, median, mad, samples: 3, flops, bytes };
  const said = { status: "measured", verified: true, flags: [], device: "cpu" };
  return [{ kernel, params: given, threads, unit, roof_class, ...numbers, ...said }];
}

const positive = (members) => Object.fromEntries(Object.entries(members).filter(([, v]) => v > 0));

// "z": deflated; "j": uncompressed, for browsers that cannot deflate; then base64url.

/** Packs a text for an address: letters, digits, "-" and "_". */
export async function pack(text) {
  const bytes = new TextEncoder().encode(text);
  if (!globalThis.CompressionStream) return `j${to_base64(bytes)}`;
  const packed = new Blob([bytes]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  return `z${to_base64(new Uint8Array(await new Response(packed).arrayBuffer()))}`;
}

/** The text that pack() packed. Throws Error or RangeError if it is damaged or too long. */
export async function unpack(text) {
  const bytes = from_base64(text.slice(1));
  if (text[0] === "j") return new TextDecoder().decode(bytes);
  const parts = [];
  let length = 0;
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  for (const reader = stream.getReader(); ;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > longest_text) throw new RangeError("too long");
    parts.push(value);
  }
  return new Blob(parts).text();
}
