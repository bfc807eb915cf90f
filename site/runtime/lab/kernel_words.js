// Describes the reader's own kernel in sentences and as a figure spec. Pure.

import { amount_words, time_words } from "./amounts.js";
import { word } from "../base/language.js";
import { digits } from "../base/digits.js";
import { own } from "../base/own.js";
import { is_integer } from "./own_kernel.js";

const noun_of = (type) => (is_integer(type) ? "op" : "FLOP");
const percent = (share) => `${digits(100 * share, 2)} %`;
const memory_of = (name) => (name ? word("cache {name}", { name }) : word("a cache"));

/** Sentences on a judgement (own_kernel.js) under the roofs of the machine `name`. */
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
        "Its intensity is {intensity}, left of the ridge of {name} ({ridge}), so memory " +
          "bandwidth limits it to {limit}. It reaches {rate}, {share} of that. At its roof it " +
          "would take {time}.",
        numbers,
      )
    : word(
        "Its intensity is {intensity}, right of the ridge of {name} ({ridge}), so the compute " +
          "ceiling limits it to {limit}. It reaches {rate}, {share} of that. At its roof it would " +
          "take {time}.",
        numbers,
      );
}

function wait({ waits, level, cores }) {
  switch (waits) {
    case "memory":
      return word("It is memory-bound.");
    case "arithmetic":
      return word("It is compute-bound.");
    case "both":
      return word(
        "Memory and compute do not overlap: the time for the bytes and the time for the " +
          "arithmetic add up to the time measured.",
      );
    case "cache":
      return word(
        "Its bytes move faster than memory can deliver them: they come from {where}, or the " +
          "kernel moves fewer than you counted.",
        { where: memory_of(level) },
      );
    case "beyond":
      return word(
        "This is above every roof. Check the operations, bytes, data type and number of cores.",
      );
    case "latency":
      return word(
        "It is latency-bound: each load waits for the one before it, so about one line of 64 " +
          "bytes arrives per memory latency.",
      );
    case "threads":
      return word(
        "Neither roof limits it: {cores} cores do no more than one could, so one of them does " +
          "all the work, or they wait for each other.",
        { cores },
      );
    case "vectors":
      return word(
        "Neither roof limits it: it computes about as fast as scalar code, which handles one " +
          "number at a time.",
      );
    case "launch":
      return word(
        "It is launch-bound: it is so short that starting it takes a large part of its time.",
      );
    default:
      return word(
        "Neither roof limits it, and its numbers do not show what does: a chain of operations, " +
          "branches, calls, or too little work in flight.",
      );
  }
}

const in_time = ({ seconds }) =>
  seconds > 0 ? word(" At best it would then take {time}.", { time: time_words(seconds) }) : "";

const what_helps = {
  "fewer-bytes": ({ bytes, factor }) =>
    word(
      "What helps: more operations per byte, by fusing steps or keeping blocks in a cache. At " +
        "{bytes} or less, {factor} times fewer than now, it would be compute-bound.",
      { bytes: amount_words(bytes, "B"), factor: digits(Math.max(1, factor), 2) },
    ),
  "stay-in-cache": ({ level }) =>
    word("Or work in pieces that stay in {level}, which reads faster.", { level }),
  narrower: () => word("Or numbers with half as many bits, which halves the bytes."),
  finer: ({ type, gain }) =>
    word(
      "What helps: {type} where it is precise enough, because its ceiling is {gain} times " +
        "higher.",
      {
        type,
        gain: digits(gain, 2),
      },
    ),
  "fewer-operations": () => word("Or fewer operations: memory would allow more."),
  overlap: () => word("What helps: fetch the next piece while this one is computed."),
  "in-flight": () =>
    word(
      "What helps: several independent loads in flight, and data stored in the order in which " +
        "it is read.",
    ),
  "share-work": () =>
    word("What helps: equal parts for all cores, and less synchronization between them."),
  "use-vectors": () =>
    word(
      "What helps: vectors, and several independent accumulators so that no sum waits for " +
        "the previous one.",
    ),
  "larger-pieces": () =>
    word("What helps: more work per launch, or several launches recorded as one."),
  "chains-and-counts": () =>
    word(
      "What helps: more independent work in flight. Try half the data, then twice the chains: " +
        "the change that shortens the time shows the limit.",
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
        "This many cores were not measured together, so the ceiling is one core's times their " +
          "number.",
      );
    case "bandwidth-times-cores":
      return word(
        "Their bandwidth was not measured either, so the slope is one core's times their " +
          "number, which memory seldom reaches.",
      );
    case "chip":
      return word("The chip's numbers come from its data sheet. No program quite reaches them.");
    default:
      return "";
  }
}

// Plain digits, as expressions require them.
const literal = (value, unit) => {
  const text = String(Number(value.toPrecision(6)));
  return `${text.includes("e") ? value.toFixed(12) : text} ${unit}`;
};
const drawn = { intensity: [1e-4, 1e6], rate: [1e3, 1e20] };
const within = (value, [low, high]) => value >= low && value <= high;

/** A roofline spec with the kernel's point; null if the point would be too far outside. */
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
