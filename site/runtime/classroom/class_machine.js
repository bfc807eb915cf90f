// One machine of a class: the two roofs of one core, who sent them and where they were measured, as
// {name, device, browser, system, date, compute, memory} with speeds in GFLOP/s and GB/s. Machines
// come from strangers, so each value is checked, and the first fault is the reason to refuse it.

import { digits } from "../base/digits.js";
import { word } from "../base/language.js";
import { median } from "../base/stats.js";
import { browser_of, plain, system_of } from "../profile/machine_name.js";
import { standing_of } from "../profile/standing.js";

export const longest_name = 40;
/** The kinds of device that a student can choose. */
export const devices = ["phone", "tablet", "laptop", "desktop", "server"];

const rates = { low: 0.01, high: 2000 }; // of any core that exists, in GFLOP/s and in GB/s
const date_form = /^(20\d\d-\d\d-\d\d)?$/;

const is_rate = (value) => typeof value === "number" && value >= rates.low && value <= rates.high;

/** The problem with a machine, in words; "" if there is none. */
function fault_in({ device, date, compute, memory }) {
  if (!devices.includes(device)) return "it names no kind of device";
  if (typeof date !== "string" || !date_form.test(date)) return "its date is not a date";
  if (!is_rate(compute)) return "its compute is not a number from 0.01 to 2000 GFLOP/s";
  if (!is_rate(memory)) return "its memory is not a number from 0.01 to 2000 GB/s";
  return "";
}

/** {machine} with its texts made harmless, or {error} in words. */
export function checked(values) {
  const error = fault_in(values);
  if (error) return { error };
  const { name, device, browser, system, date, compute, memory } = values;
  const texts = { name: plain(name, longest_name), device, date };
  const origin = { browser: browser_of(browser), system: system_of(system) };
  return { machine: { ...texts, ...origin, compute, memory } };
}

/** The kind of device that a system suggests. */
export function device_of(system) {
  if (system === "iPad") return "tablet";
  return /^(Android|iPhone)$/.test(system) ? "phone" : "laptop";
}

/** The day on which the newest roof was measured, or the profile made; "" if unknown. */
function day_of({ roofs = [], created }) {
  const days = [...roofs.map(({ run }) => run), created].map((text) => plain(text).slice(0, 10));
  const dated = days.filter((day) => day && date_form.test(day));
  return dated.sort().at(-1) ?? "";
}

/** {machine} of a profile, or {error} in words. `name` and `device` replace what it says. */
export function machine_of(profile, { name = profile.name, device } = {}) {
  const { state, ceiling, slope } = standing_of(profile);
  if (state !== "steady")
    return {
      error: "the roofs of its core are not steady: close other programs and measure again",
    };
  return checked({
    name,
    device: device ?? device_of(system_of(profile.os)),
    browser: profile.browser,
    system: profile.os,
    date: day_of(profile),
    compute: Number(digits(ceiling)),
    memory: Number(digits(slope)),
  });
}

/** FLOPs per byte at which the machine's two roofs meet. */
export const ridge_of = ({ compute, memory }) => compute / memory;

export const is_handheld = ({ device }) => device === "phone" || device === "tablet";

/** The machine with the median of each speed. */
export const middle_of = (machines) => ({
  compute: median(machines.map(({ compute }) => compute)),
  memory: median(machines.map(({ memory }) => memory)),
});

/** The machines by ridge, lowest first; those without a name are numbered. */
export function in_order(machines) {
  const named = machines.map((one, i) => ({
    ...one,
    name: one.name || word("machine {n}", { n: i + 1 }),
  }));
  return named.sort((a, b) => ridge_of(a) - ridge_of(b));
}
