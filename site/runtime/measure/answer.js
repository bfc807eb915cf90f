// Decides how a run ended, for the status line:
//
//  measured   trustworthy numbers
//  partial    some numbers; the words name the missing roof and the reason
//  range      other programs had the core, or its clock moved: ranges, the reason and the remedy
//  doubtful   numbers, but none is trustworthy, and the reason with its remedy
//  nothing    no numbers, and the reason
//
// Pure, except that the words are in the page's language.

import { busy_share } from "../kernels/lost_time.js";
import { heard, word } from "../base/language.js";
import { has_range } from "../profile/interval.js";
import { flag_words } from "../profile/summary.js";
import { is_doubtful, range_words, untrusted } from "../profile/result_text.js";
import { corner_of } from "../profile/machine_summary.js";
import { plain } from "../profile/machine_name.js";

const percent = (share) => Math.round(100 * share);

/**
 * The end of the run that gave the profile `fresh`: {state, words}. `roofs`: the run was meant to
 * measure both roofs of one core.
 */
export function answer_of(fresh, { roofs = false } = {}) {
  const measured = fresh.results.filter(({ status }) => status === "measured");
  if (measured.length === 0) return nothing(fresh.results);
  if (fresh.lost_share > busy_share) return { state: "range", words: busy_words(fresh) };
  const doubtful = measured.filter(is_doubtful);
  if (doubtful.length === measured.length)
    return doubtful.some(has_range)
      ? { state: "range", words: moved_words(fresh) }
      : { state: "doubtful", words: doubtful_words(doubtful) };
  if (roofs && fresh.disturbed) return { state: "partial", words: moved_words(fresh) };
  const missing = roofs ? missing_of(fresh) : "";
  if (missing) {
    const why = doubtful.length > 0 ? reason_of(doubtful) : word("too little was measured");
    const words = word("There is no number for {what}: {why}. Measure again.", {
      what: missing,
      why,
    });
    return { state: "partial", words };
  }
  return { state: "measured", words: "" };
}

function nothing(results) {
  const { reason } = results.find((result) => result.reason) ?? {};
  const why = reason ? heard(plain(reason, 300)) : word("too little was measured");
  return { state: "nothing", words: word("Nothing measured: {why}.", { why }) };
}

/** The ranges of one core's roofs as far as they were measured: "30 to 57 GFLOP/s"; may be "". */
function found_ranges({ disturbed }) {
  const { arithmetic, memory } = disturbed ?? {};
  const found = [
    arithmetic && `${range_words(arithmetic)} GFLOP/s`,
    memory && `${range_words(memory)} GB/s`,
  ];
  return found.filter(Boolean).join(" · ");
}

/** "Your core's clock moved …", with the ranges that it left. */
function moved_words(fresh) {
  const found = found_ranges(fresh);
  return found
    ? word(
        "Your core's clock moved during the measurement, so this is a range: {found}. Plug in the charger, wait a minute and measure again.",
        { found },
      )
    : word(
        "Your core's clock moved during the measurement, so these are ranges. Plug in the charger, wait a minute and measure again.",
      );
}

/** "Your machine was busy: …", with the ranges that it left. */
function busy_words(fresh) {
  const found = found_ranges(fresh);
  const values = { n: percent(fresh.lost_share), found };
  return found
    ? word(
        "Your machine was busy: other programs took {n} % of the core, so this is a range: {found}. Close other programs and measure again.",
        values,
      )
    : word(
        "Your machine was busy: other programs took {n} % of the core, so these are ranges. Close other programs and measure again.",
        values,
      );
}

const doubtful_words = (doubtful) =>
  word("No number can be trusted: {why}. Measure again.", { why: reason_of(doubtful) });

/** The most frequent reason for doubt, in words. */
function reason_of(doubtful) {
  const counts = new Map();
  for (const { flags = [] } of doubtful)
    for (const flag of flags.filter((one) => untrusted.has(one)))
      counts.set(flag, (counts.get(flag) ?? 0) + 1);
  const [most] = [...counts].sort(([, a], [, b]) => b - a);
  return word(flag_words[most?.[0]] ?? "a spread of more than half of the value");
}

function missing_of(fresh) {
  const { ceiling, slope } = corner_of(fresh);
  if (ceiling > 0 && slope > 0) return "";
  if (ceiling > 0) return word("memory");
  return slope > 0 ? word("arithmetic") : word("arithmetic and memory");
}
