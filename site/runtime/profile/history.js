// The history of this machine: one line of numbers per run that found roofs, in this browser only,
// at most fifty. Stored data is untrusted, like a profile.

import { forget, set_stored, stored } from "../base/storage.js";

const name = "history.v1";
const most = 50;
const longest = 50_000; // in characters

const amounts = ["arithmetic", "memory", "clock", "cores_arithmetic"];
const of_cpu = (list) => (list ?? []).filter(({ device }) => device !== "gpu");
const is_rate = (value) => typeof value === "number" && value > 0 && value < 1e8;
const is_short = (value) => typeof value === "string" && value.length <= 100;

/** The line of a fresh run; null unless it has both roofs of one core. */
export function line_of({ created, browser, os, clock_ghz, cores, roofs }) {
  const all = of_cpu(roofs);
  const best = (is_it) => Math.max(0, ...all.filter(is_it).map(({ value }) => value));
  const is_float = ({ class: { isa } }) => isa === "fma" || isa === "simd";
  const threads = ({ class: { threads: count = 1 } }) => count;
  const arithmetic = best((roof) => is_float(roof) && threads(roof) === 1);
  const memory = best((roof) => roof.class.level === "out" && threads(roof) === 1);
  if (!(arithmetic > 0 && memory > 0)) return null;
  const together = best((roof) => is_float(roof) && threads(roof) > 1);
  return {
    ...{ at: created, browser, os, arithmetic, memory },
    ...(clock_ghz > 0 ? { clock: clock_ghz } : {}),
    ...(together > 0 ? { cores_arithmetic: together } : {}),
    ...(cores?.usable > 0 ? { cores: cores.usable } : {}),
  };
}

/** A validated stored line, or null. */
function checked(line) {
  if (typeof line !== "object" || line === null || !is_short(line.at)) return null;
  if (!Number.isFinite(Date.parse(line.at))) return null;
  if (!is_rate(line.arithmetic) || !is_rate(line.memory)) return null;
  const kept = Object.fromEntries(
    amounts.filter((key) => is_rate(line[key])).map((key) => [key, line[key]]),
  );
  const named = Object.fromEntries(
    ["browser", "os"].filter((key) => is_short(line[key])).map((key) => [key, line[key]]),
  );
  return { at: line.at, ...named, ...kept };
}

/** All lines, oldest first; empty if storage is denied or invalid. */
export function history(get_storage) {
  try {
    const text = stored(name, get_storage) ?? "[]";
    const lines = text.length <= longest ? JSON.parse(text) : [];
    return Array.isArray(lines) ? lines.slice(-most).map(checked).filter(Boolean) : [];
  } catch {
    return [];
  }
}

/** Adds the line of a fresh run. Does nothing if storage is denied. */
export function remember(fresh, get_storage) {
  const line = line_of(fresh);
  if (!line) return;
  try {
    const lines = [...history(get_storage), line].slice(-most);
    set_stored(name, JSON.stringify(lines), get_storage);
  } catch {
    // Storage is denied or full.
  }
}

export const forget_history = (get_storage) => forget(name, get_storage);

const unchanged = 0.03;

/**
 * Adds `change` to each line: per number, the relative difference from the previous run (none for
 * the first; 0 if it is within three percent). `moved` is true if the browser or the system has
 * changed.
 */
export function with_changes(lines) {
  return lines.map((line, i) => {
    const before = lines[i - 1];
    if (!before) return { ...line, change: {}, moved: false };
    const change = {};
    for (const key of amounts) {
      if (!(line[key] > 0 && before[key] > 0)) continue;
      const share = line[key] / before[key] - 1;
      change[key] = Math.abs(share) <= unchanged ? 0 : share;
    }
    const moved = before.browser !== line.browser || before.os !== line.os;
    return { ...line, change, moved };
  });
}
