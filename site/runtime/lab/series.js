// Summarizes a repeated kernel: the burst rate (first seconds), the sustained rate (last seconds),
// and whether the clock explains the difference. Pure.

import { digits } from "../base/digits.js";
import { word } from "../base/language.js";
import { own } from "../base/own.js";
import { median } from "../base/stats.js";

const burst_s = 3;
const sustained_s = 10;
const long_enough_s = 20; // of a run, to tell its end from its beginning
const same = 0.03;

const rate_of = (readings) => median(readings.map(({ value }) => value));
const clock_of = (readings) => median(readings.map(({ ghz }) => ghz));
/** Work per cycle: a rate divided by the clock, or a latency in cycles. */
export const per_cycle = ({ value, ghz }, unit) => (unit === "ns" ? value * ghz : value / ghz);

/**
 * {burst, sustained, seconds}, each part {value, ghz, per_cycle}; `sustained` is null in the first
 * twenty seconds. `ratio` is the sustained over the burst speed, so below one is slower. `because`
 * is "steady", "clock" (work per cycle unchanged), "work" (clock unchanged) or "both".
 */
export function summary_of(readings, unit) {
  const seconds = readings.at(-1)?.at ?? 0;
  if (readings.length === 0) return { burst: null, sustained: null, seconds };
  const part = (list) => ({
    value: rate_of(list),
    ghz: clock_of(list),
    per_cycle: median(list.map((one) => per_cycle(one, unit))),
  });
  const burst = part(readings.filter(({ at }, i) => at <= burst_s || i === 0));
  if (seconds < long_enough_s) return { burst, sustained: null, seconds };
  const sustained = part(readings.filter(({ at }) => at >= seconds - sustained_s));
  const speed = sustained.value / burst.value;
  const ratio = unit === "ns" ? 1 / speed : speed;
  return { burst, sustained, seconds, ratio, because: reason(burst, sustained, ratio) };
}

function reason(burst, sustained, ratio) {
  if (Math.abs(ratio - 1) <= same) return "steady";
  const is_same = (name) => Math.abs(sustained[name] / burst[name] - 1) <= same;
  if (is_same("per_cycle")) return "clock";
  // A faster clock makes nothing slower
  const is_against = (sustained.ghz / burst.ghz - 1) * (ratio - 1) < 0;
  return is_same("ghz") || is_against ? "work" : "both";
}

const value_words = ({ value }, unit) => `${digits(value)} ${unit}`;

/** Sentences about the summary. */
export function series_sentences(summary, unit) {
  const { burst, sustained, ratio, because } = summary;
  if (!burst) return [word("Nothing was read.")];
  const first = word("Burst, the first {n} s: {value} at {ghz} GHz.", {
    n: burst_s,
    value: value_words(burst, unit),
    ghz: digits(burst.ghz),
  });
  if (!sustained)
    return [
      first,
      word("The sustained rate is known after {n} s: let it run longer.", { n: long_enough_s }),
    ];
  const last = word("Sustained, the last {n} s: {value} at {ghz} GHz, {share} of the burst.", {
    n: sustained_s,
    value: value_words(sustained, unit),
    ghz: digits(sustained.ghz),
    share: `${digits(100 * ratio)} %`,
  });
  const say = own(reason_words, because);
  return [first, last, say()];
}

const reason_words = {
  steady: () => word("It held its speed."),
  clock: () =>
    word(
      "The core's clock explains it: the work per cycle is the same as before (heat, a power " +
        "limit).",
    ),
  work: () =>
    word(
      "The core's clock is the same as before, but the work per cycle has changed: memory, or " +
        "other programs.",
    ),
  both: () => word("Both the core's clock and the work per cycle have changed."),
};

/** The series as a JSON object; site/static/schemas/repeat.json describes its members. */
export function series_file({ kernel, variant = "", params, unit, about, created, readings }) {
  const { burst, sustained, seconds } = summary_of(readings, unit);
  const rounded = (value) => Number(value.toPrecision(6));
  return {
    schema: 1,
    kind: "repeat",
    ...{ kernel, variant, params, unit, created, seconds: rounded(seconds) },
    ...about,
    burst,
    sustained,
    readings: readings.map(({ at, value, ghz }) => [at, value, ghz].map(rounded)),
  };
}

/** The series as comma-separated values, one line per reading. */
export function series_rows({ unit, readings }) {
  return [
    ["seconds", unit, "ghz", unit === "ns" ? "cycles" : `${unit} / GHz`],
    ...readings.map((one) => [one.at, one.value, one.ghz, per_cycle(one, unit)]),
  ];
}
