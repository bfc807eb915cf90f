// What is said of a kernel of the reader's own, and the picture of it. Pure.

import { amount_words, time_words } from "./amounts.js";
import { word } from "../base/language.js";
import { digits } from "../base/digits.js";
import { own } from "../base/own.js";
import { is_integer } from "./own_kernel.js";

const noun_of = (type) => (is_integer(type) ? "op" : "FLOP");
const percent = (share) => `${digits(100 * share, 2)} %`;
const memory_of = (name) =>
  name ? word("cache {name}", { name }) : word("a cache, or from nowhere");

/** Sentences on a judgement (own_kernel.js) under the roofs of `name`. */
export function kernel_sentences(seen, roofs, name) {
  return [place(seen, name), wait(seen), ...seen.helps.map(help), ...roofs.notes.map(note)].filter(
    Boolean,
  );
}

function place({ type, intensity, ridge, rate, limit, share, roof, at_roof }, name) {
  const noun = noun_of(type);
  const numbers = {
    intensity: `${digits(intensity)} ${noun}/B`,
    ridge: `${digits(ridge)} ${noun}/B`,
    rate: amount_words(rate, `${noun}/s`),
    limit: amount_words(limit, `${noun}/s`),
    share: percent(share),
    time: time_words(at_roof),
    name,
  };
  return roof === "memory"
    ? word(
        "It does {intensity}, left of the corner of {name} ({ridge}): the slope of memory bounds it, at {limit}. It reaches {rate}, {share} of that; at its roof it would take {time}.",
        numbers,
      )
    : word(
        "It does {intensity}, right of the corner of {name} ({ridge}): the ceiling of arithmetic bounds it, at {limit}. It reaches {rate}, {share} of that; at its roof it would take {time}.",
        numbers,
      );
}

function wait({ waits, level, cores }) {
  switch (waits) {
    case "memory":
      return word("It waits for memory.");
    case "arithmetic":
      return word("It waits for arithmetic.");
    case "both":
      return word(
        "It waits for both, one after the other: arithmetic and bytes by themselves add up to its time.",
      );
    case "cache":
      return word(
        "Its bytes pass faster than memory gives them: they come from {where}, or fewer are moved than you counted.",
        { where: memory_of(level) },
      );
    case "beyond":
      return word(
        "No roof here allows that: the operations, the bytes, the type or the number of cores are not what ran.",
      );
    case "latency":
      return word(
        "It waits for neither, but for one load after the other: about one line of 64 bytes arrives in each wait for memory.",
      );
    case "threads":
      return word(
        "It waits for neither: {cores} cores do no more than one could, so one of them does the work, or they wait for each other.",
        { cores },
      );
    case "vectors":
      return word(
        "It waits for neither roof, but computes as fast as code that handles one number at a time.",
      );
    case "launch":
      return word(
        "It waits for neither: it is so short that being started takes a large part of it.",
      );
    default:
      return word(
        "It waits for neither roof, and its numbers do not tell for what: a chain of operations, branches, calls, or too little under way at a time.",
      );
  }
}

const in_time = ({ seconds }) =>
  seconds > 0 ? word(" At best it would then take {time}.", { time: time_words(seconds) }) : "";

const what_helps = {
  "fewer-bytes": ({ bytes, factor }) =>
    word(
      "What helps: more operations for each byte, by fusing steps or keeping blocks in a cache. From {bytes} on, {factor} times fewer than now, arithmetic is the limit.",
      { bytes: amount_words(bytes, "B"), factor: digits(Math.max(1, factor), 2) },
    ),
  "stay-in-cache": ({ level }) =>
    word("Or work in pieces that stay in {level}, which reads faster.", { level }),
  narrower: () => word("Or numbers of half as many bits: half the bytes."),
  finer: ({ type, gain }) =>
    word("What helps: {type}, whose ceiling is {gain} times as high, where it is precise enough.", {
      type,
      gain: digits(gain, 2),
    }),
  "fewer-operations": () => word("Or fewer operations: memory would allow more."),
  overlap: () => word("What helps: fetch the next piece while this one is computed."),
  "in-flight": () =>
    word(
      "What helps: loads that do not depend on each other, several under way at a time, and data in the order in which it is read.",
    ),
  "share-work": () =>
    word("What helps: equal parts for all cores, and fewer meetings between them."),
  "use-vectors": () =>
    word("What helps: vectors, and several independent sums so that none waits for the last."),
  "larger-pieces": () =>
    word("What helps: more work in each start, or several starts recorded as one."),
  "chains-and-counts": () =>
    word(
      "What helps: more independent work at a time. Try half the data and twice the chains: what changes the time is what it waits for.",
    ),
  "count-again": () =>
    word("What helps: count the bytes that must move, not those that are touched."),
  "more-cores": ({ cores }) => word("There are {cores} cores to share it.", { cores }),
};

function help(one) {
  const say = own(what_helps, one.id);
  return say(one) + in_time(one);
}

function note(id) {
  switch (id) {
    case "int4-as-int8":
      return word("No browser multiplies int4: the ceiling is that of int8.");
    case "as-fp32":
      return word("No browser computes in that type on a core: the ceiling is that of fp32.");
    case "fp64-half":
      return word(
        "fp64 was not measured: its ceiling is half that of fp32, since a vector holds half as many.",
      );
    case "peak-times-cores":
      return word(
        "So many cores were not measured together: the ceiling is one core's, times their number.",
      );
    case "bandwidth-times-cores":
      return word(
        "Nor were their bytes: the slope is one core's times their number, which memory seldom gives.",
      );
    case "chip":
      return word("The chip's numbers are its data sheet's, which no program quite reaches.");
    default:
      return "";
  }
}

// Plain digits, as expressions have them.
const literal = (value, unit) => {
  const text = String(Number(value.toPrecision(6)));
  return `${text.includes("e") ? value.toFixed(12) : text} ${unit}`;
};
const drawn = { intensity: [1e-4, 1e6], rate: [1e3, 1e20] };
const within = (value, [low, high]) => value >= low && value <= high;

/** The roofline with the kernel's dot, for the book's own renderer; null where it would lie too far out. */
export function kernel_spec({ type, intensity, rate }, { peak, bandwidth }, name) {
  const noun = noun_of(type);
  if (!within(intensity, drawn.intensity) || !within(rate, drawn.rate)) return null;
  return {
    kind: "roofline",
    title: word("Your kernel under the roof of {name}", { name }),
    unit: is_integer(type) ? "op" : "flop",
    machines: [
      {
        label: name.slice(0, 40),
        peak: literal(peak, `${noun}/s`),
        bandwidth: literal(bandwidth, "B/s"),
      },
    ],
    profile: false,
    points: [
      {
        label: word("your kernel"),
        intensity: literal(intensity, `${noun}/B`),
        rate: literal(rate, `${noun}/s`),
      },
    ],
    shares: "roof",
  };
}
