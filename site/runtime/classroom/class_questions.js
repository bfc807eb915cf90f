// What a class's machines show: how far apart they are, in one sentence, and questions that these
// machines can answer. A question is left out if this class cannot answer it, for example because
// nobody has a phone. Pure.

import { digits } from "../base/digits.js";
import { word } from "../base/language.js";
import { median, quantile } from "../base/stats.js";
import { is_handheld, middle_of, ridge_of } from "./class_machine.js";

const add_intensity = "1/12"; // of adding two fp32 vectors: one FLOP per 12 bytes
const bytes_per_weight = 4;
const most_named = 6;

const short = (value) => digits(value, 2);
const factor = (values) => short(Math.max(...values) / Math.min(...values));
const off_by = (value, middle) => Math.abs(Math.log(value / middle));

/** How far apart the machines are, in one sentence; "" for none. */
export function spread_words(machines) {
  const ridges = machines.map(ridge_of);
  if (machines.length === 0) return "";
  if (machines.length === 1)
    return word("One machine, with its ridge at {ridge} FLOP/B.", { ridge: short(ridges[0]) });
  return word(
    "{n} machines: the ridges range from {low} to {high} FLOP/B, half of them between {quarter} " +
      "and {three}, while compute differs by a factor of {compute} and memory by {memory}.",
    {
      n: machines.length,
      low: short(Math.min(...ridges)),
      high: short(Math.max(...ridges)),
      quarter: short(quantile(ridges, 0.25)),
      three: short(quantile(ridges, 0.75)),
      compute: factor(machines.map(({ compute }) => compute)),
      memory: factor(machines.map(({ memory }) => memory)),
    },
  );
}

function listed(names) {
  if (names.length === 0) return word("none");
  const rest = names.length - most_named;
  const first = names.slice(0, most_named).join(", ");
  return rest > 0 ? word("{names} and {n} more", { names: first, n: rest }) : first;
}

/** The batch size, a power of two, that separates the class most evenly into two sides. */
function dividing_batch(ridges) {
  const batches = Array.from({ length: 9 }, (_, i) => 2 ** i);
  const unevenness = (batch) => {
    const above = ridges.filter((ridge) => ridge > intensity_of(batch)).length;
    return Math.abs(above - ridges.length / 2);
  };
  return batches.reduce((best, one) => (unevenness(one) < unevenness(best) ? one : best));
}
const intensity_of = (batch) => (2 * batch) / bytes_per_weight;

function which_side(machines) {
  const batch = dividing_batch(machines.map(ridge_of));
  const intensity = intensity_of(batch);
  const names = machines.filter((one) => ridge_of(one) > intensity).map(({ name }) => name);
  return {
    ask: word(
      "A layer multiplies an fp32 weight matrix, which fits in no cache, by {batch} vectors and " +
        "reads each weight once. On which machines is it memory-bound?",
      { batch },
    ),
    answer: word(
      "It does {batch} multiply-adds per weight of 4 bytes, or {intensity} FLOPs per byte. So it " +
        "is memory-bound on the {count} of {n} machines with a higher ridge: {names}.",
      {
        batch,
        intensity: short(intensity),
        count: names.length,
        n: machines.length,
        names: listed(names),
      },
    ),
  };
}

/** The machines with the highest and the lowest ridge, and how much faster the first one adds. */
function same_kernel(machines) {
  const [low, high] = [machines[0], machines.at(-1)];
  if (ridge_of(high) < 1.3 * ridge_of(low)) return null;
  const [compute, memory] = [high.compute / low.compute, high.memory / low.memory].map(short);
  const names = { high: high.name, low: low.name };
  return {
    ask: word(
      "{high} computes {compute} times as fast as {low}. How does its speed compare when both add " +
        "two long vectors?",
      { ...names, compute },
    ),
    answer: word(
      "It is {memory} times as fast as {low}. Adding does {intensity} FLOP per byte, which is left of " +
        "both ridges, so only the memory counts.",
      { ...names, memory, intensity: add_intensity },
    ),
  };
}

function handheld_or_not(machines) {
  const small = machines.filter(is_handheld);
  const large = machines.filter((one) => !is_handheld(one));
  if (small.length < 2 || large.length < 2) return null;
  const ridge = (list) => short(median(list.map(ridge_of)));
  const share = (speed) => short((100 * middle_of(small)[speed]) / middle_of(large)[speed]);
  return {
    ask: word("Do the phones and tablets have a lower ridge than the other machines? Why?"),
    answer: word(
      "Their median ridge is {small} FLOP/B, that of the other machines {large}. At the medians, a " +
        "phone or tablet has {compute} % of the compute and {memory} % of the memory bandwidth of " +
        "the other machines.",
      {
        small: ridge(small),
        large: ridge(large),
        compute: share("compute"),
        memory: share("memory"),
      },
    ),
  };
}

function odd_one_out(machines) {
  const middle = middle_of(machines);
  const ridge = median(machines.map(ridge_of));
  const distance = (one) => off_by(ridge_of(one), ridge);
  const odd = machines.reduce((a, b) => (distance(b) > distance(a) ? b : a));
  if (distance(odd) < Math.log(1.5)) return null;
  const is_memory = off_by(odd.memory, middle.memory) > off_by(odd.compute, middle.compute);
  const values = {
    name: odd.name,
    ridge: short(ridge_of(odd)),
    middle: short(ridge),
    compute: short(odd.compute / middle.compute),
    memory: short(odd.memory / middle.memory),
  };
  return {
    ask: word(
      "{name} has its ridge at {ridge} FLOP/B, while the median is {middle}. Is its compute or its " +
        "memory unusual?",
      values,
    ),
    answer: word(
      is_memory
        ? "Its memory: {memory} times the median, while its compute is {compute} times the median."
        : "Its compute: {compute} times the median, while its memory is {memory} times the median.",
      values,
    ),
  };
}

function wider_spread(machines) {
  return {
    ask: word("Which speed differs more between these machines, compute or memory? Why?"),
    answer: word(
      "From the slowest to the fastest machine, compute differs by a factor of {compute} and memory " +
        "by {memory}. Compute depends on the clock and on the vector units. Memory depends on its " +
        "type and on how many misses one core keeps in flight.",
      {
        compute: factor(machines.map(({ compute }) => compute)),
        memory: factor(machines.map(({ memory }) => memory)),
      },
    ),
  };
}

/** The two browsers with the most machines, if each has at least two. */
function browser_or_machine(machines) {
  const groups = new Map();
  for (const one of machines) {
    const name = one.browser.replace(/ \d+$/, "");
    groups.set(name, [...(groups.get(name) ?? []), one]);
  }
  const [a, b] = [...groups].sort((x, y) => y[1].length - x[1].length);
  if (!b || b[1].length < 2) return null;
  const names = { a: a[0], b: b[0] };
  return {
    ask: word(
      "Compare the compute of the machines with {a} and with {b}. Is the browser the reason for the " +
        "difference?",
      names,
    ),
    answer: word(
      "The medians are {x} GFLOP/s with {a} and {y} GFLOP/s with {b}. That alone does not show it, " +
        "because the machines differ, too. Measure one machine in both browsers.",
      { ...names, x: short(middle_of(a[1]).compute), y: short(middle_of(b[1]).compute) },
    ),
  };
}

/** Questions with their answers, [{ask, answer}], for two or more machines in order of ridge. */
export function questions_of(machines) {
  if (machines.length < 2) return [];
  const kinds = [
    which_side,
    same_kernel,
    handheld_or_not,
    odd_one_out,
    wider_spread,
    browser_or_machine,
  ];
  return kinds.map((kind) => kind(machines)).filter(Boolean);
}
