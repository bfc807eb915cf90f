// Describes the GPU of a profile in sentences, and its roofline as a figure spec. Pure.

import { digits } from "../base/digits.js";
import { heard, word } from "../base/language.js";
import { plain } from "../profile/machine_name.js";
import { own } from "../base/own.js";
import { gpu_method } from "./kernels.js";
import { all_core_read } from "./state.js";
import { badge_of } from "../profile/result_text.js";

const matrix_units = (who) =>
  word(
    "Tensor or matrix units that {who} may have are invisible to this page: WebGPU has no instruction for " +
      "them yet, so the peak for neural networks can be higher than the roof you see.",
    { who },
  );

const state_words = {
  none: () => word("Your browser does not support WebGPU, so this page cannot measure your GPU."),
  refused: ({ reason }) =>
    word("Your browser supports WebGPU but found no GPU ({why}).", { why: heard(reason) }),
  software: () =>
    word(
      "Your GPU is a program on your CPU (software adapter). We check its answers; its speed is your " +
        "CPU's and is not drawn under a GPU roof.",
    ),
  shared: ({ who }) =>
    word("{Who} probably shares memory with your CPU: similar bandwidth, far more arithmetic.", {
      Who: upper(who),
    }),
  own: ({ who, ratio }) =>
    word(
      ratio
        ? "{Who} probably has its own memory: {ratio} times the bandwidth of all your CPU's " +
            "cores."
        : "{Who} probably has its own memory.",
      { Who: upper(who), ratio },
    ),
  unclear: ({ who }) =>
    word(
      "We cannot tell whether {who} has its own memory. Its numbers are valid, but they are not " +
        "compared with the CPU's.",
      { who },
    ),
};

const upper = (text) => text[0].toUpperCase() + text.slice(1);

/** The browser's name for the GPU: "the GPU “nvidia ampere”". */
function gpu_words({ name, vendor, architecture }) {
  const told = plain(name, 60) || plain([vendor, architecture].filter(Boolean).join(" "), 60);
  return told ? word("the GPU “{name}”", { name: told }) : word("the GPU that your browser chose");
}

const other_gpu = (who) =>
  word(
    "{Who} is the one that your browser chose. On Windows it may not be the fastest one of this computer: Settings › System › " +
      "Display › Graphics lets a browser have another one (“High performance”).",
    { Who: upper(who) },
  );

const outdated = (who) =>
  word(
    "The numbers of {who} were measured by an earlier edition of this book, which was wrong on some GPUs. Measure it again.",
    { who },
  );

const is_outdated = ({ state, method }) => state !== "software" && method !== gpu_method;

/** Sentences about the GPU of a profile; none if no GPU was requested. */
export function gpu_sentences(profile) {
  const { gpu } = profile;
  const state_said = own(state_words, gpu?.state);
  if (!state_said) return [];
  const device = gpu_of(profile);
  const who = gpu_words(device ?? {});
  if (device && is_outdated(device)) return [outdated(who)];
  const reason = plain(gpu.reason, 200);
  const words = [state_said({ reason, who, ratio: ratio_of(profile) })];
  if (!device) return words;
  const is_real = gpu.state !== "software";
  if (is_real && profile.os === "Windows") words.push(other_gpu(who));
  if (is_real) words.push(matrix_units(who));
  if (!device.features?.includes("shader-f16"))
    words.push(word("FP16: unavailable, because this browser or GPU does not offer shader-f16."));
  words.push(
    word(
      device.timing === "timestamp"
        ? "Timed by the clock of {who}."
        : "Timed from outside (K against 2K dispatches); the spread is larger.",
      { who },
    ),
  );
  if (!is_real) return words;
  const said = [...surprises(profile, who), ...findings(gpu, who), ...conduct(profile, who)];
  return [...words, ...warmth(device, who), ...caches(profile, who), ...said];
}

/** A sentence about a GPU that slowed down during the measurement. */
const warmth = ({ sustained }, who) =>
  sustained > 0 && sustained < 0.9
    ? [
        word(
          "Under load the clock of {who} fell to {share} % of its initial value: these are the " +
            "numbers of a warm GPU.",
          { who, share: digits(100 * sustained, 2) },
        ),
      ]
    : [];

function caches({ levels: all = [] }, who) {
  const told = all.filter((l) => l.device === "gpu" && l.bytes > 0 && l.read_gbs > 0);
  const one = ({ name, read_gbs }) =>
    word("{level}, read at {gbs} GB/s", { level: plain(name, 40), gbs: digits(read_gbs, 2) });
  const levels = told.map(one).join("; ");
  return told.length > 0 ? [word("{Who} shows {levels}.", { Who: upper(who), levels })] : [];
}

export const gpu_of = (profile) => profile.devices?.find(({ kind }) => kind === "gpu");

/** A roof of one core or of the GPU, by type, instruction set or level; undefined if missing. */
function roof_of({ roofs = [] }, device, name) {
  const is_it = ({ device: its, class: c }) =>
    (its === "gpu") === (device === "gpu") &&
    (c.threads ?? 1) === 1 &&
    (c.type ?? c.isa ?? c.level) === name;
  return roofs.find(is_it)?.value;
}

/** The ratio of the read rates of the GPU and of all cores, in words; "" if one is missing. */
function ratio_of(profile) {
  const [mine, theirs] = [roof_of(profile, "gpu", "out"), all_core_read(profile)];
  return mine > 0 && theirs > 0 ? digits(mine / theirs, 2) : "";
}

const best_of = ({ results = [] }, kernel) =>
  Math.max(
    0,
    ...results
      .filter((r) => r.kernel === kernel && badge_of(r).kind !== "bad")
      .map((r) => r.median),
  );

const is_between = (value, low, high) => value > low && value < high;

/** Sentences about unusual behavior of this GPU. */
function surprises(profile, who) {
  const [peak, half, bandwidth] = ["f32", "f16", "out"].map((name) =>
    roof_of(profile, "gpu", name),
  );
  const tuned = best_of(profile, "gpu.matmul.tuned");
  const lifted = (profile.roofs ?? []).filter(
    ({ device, lifted: is_lifted }) => device === "gpu" && is_lifted,
  );
  return [
    bandwidth < roof_of(profile, "cpu", "out") &&
      word(
        "{Who} reads slower than one core of your CPU, which is common when both share memory " +
          "and the core's caches help. Its strength is compute.",
        { Who: upper(who) },
      ),
    is_between(half / peak, 0.9, 1.1) &&
      word("{Who} runs FP16 at the speed of FP32, so FP16 saves bytes only.", { Who: upper(who) }),
    half <= 0.9 * peak &&
      word("{Who} runs FP16 at {share} of the speed of FP32: its driver unpacks the numbers.", {
        Who: upper(who),
        share: digits(half / peak, 2),
      }),
    tuned > 0 &&
      tuned < 0.25 * peak &&
      word(
        "Our matmuls do not suit {who}: the best reaches {share} % of its roof. Compare their " +
          "order, not their speed.",
        { who, share: digits((100 * tuned) / peak, 2) },
      ),
    ...lifted.map(({ from }) =>
      word("{kernel} was faster than the probe of its roof and lifted it.", {
        kernel: plain(from, 60),
      }),
    ),
  ].filter(Boolean);
}

const said = {
  width: {
    what: (who) => word("How many lanes of {who} run together", { who }),
    say: ({ value, always }, who) =>
      word(
        always
          ? "The warps of {who} are {n} lanes wide: at that width and above, two paths side by " +
              "side cost the same as one."
          : "On {who} this shader ran in groups of {n} lanes: at that width and above, two " +
              "paths side by side cost the same as one. Another shader may get another width.",
        { who, n: value },
      ),
  },
  fetch: {
    what: (who) => word("How much the memory of {who} fetches at a time", { who }),
    say: ({ value }, who) =>
      word("The memory of {who} is fetched {n} bytes at a time.", { who, n: value }),
  },
  in_flight: {
    what: (who) => word("How many bytes {who} keeps in flight", { who }),
    say: ({ value, latency_ns }, who) =>
      word("To read at full speed, {who} keeps about {kib} KiB in flight, each byte for {ns} ns.", {
        who,
        kib: digits(value / 1024, 2),
        ns: digits(latency_ns),
      }),
  },
  divergence: {
    what: (who) => word("What branches cost on {who}", { who }),
    say: ({ value, expected }, who) =>
      word(
        "When one lane in 64 takes another path, {who} keeps {left} of its rate; warps that run " +
          "both paths would keep {expected}.",
        { who, left: digits(value, 2), expected: digits(expected, 2) },
      ),
  },
  banks: {
    what: (who) => word("How the workgroup memory of {who} is divided", { who }),
    say: ({ value }, who) =>
      word(
        value < 1.1
          ? "The workgroup memory of {who} serves words 32 apart as fast as neighbors."
          : "The workgroup memory of {who} is {times} times slower for words 32 apart: they meet in one bank.",
        { who, times: digits(value, 2) },
      ),
  },
  staircase: {
    what: (who) => word("The edge of blocks on {who}", { who }),
    say: ({ value, expected }, who) =>
      word(
        "On {who}, a matmul of size 257 takes {times} times as long per useful operation as one " +
          "of size 256; whole blocks of 64 would make it {expected}.",
        { who, times: digits(value, 2), expected: digits(expected, 2) },
      ),
  },
  batch: {
    what: (who) => word("How many rows fill {who}", { who }),
    say: ({ value }, who) =>
      word(
        "On {who}, a matmul with 1024 × 1024 weights reaches nine tenths of its highest rate at " +
          "{n} rows.",
        { who, n: value },
      ),
  },
};

/** One sentence per finding, or per reason that there is none. */
function findings(gpu, who) {
  return Object.entries(said).flatMap(([name, { what, say }]) => {
    const finding = gpu[name];
    if (finding?.value > 0) return [say(finding, who)];
    const reason = plain(finding?.reason, 200);
    const is_tried = reason && !/not measured/.test(reason);
    const why = heard(reason);
    return is_tried ? [word("{what} is undecided: {why}.", { what: what(who), why })] : [];
  });
}

/** Sentences about transfers through the browser, and about jitter. */
function conduct(profile, who) {
  const [up, down] = ["gpu.upload", "gpu.download"].map((id) => best_of(profile, id));
  const tail = ({ p50, p99, samples } = {}) =>
    samples >= 100 && p50 > 0 && p99 >= p50 ? digits(p99 / p50, 3) : "";
  const [gpu, cpu] = [tail(profile.jitter?.gpu), tail(profile.jitter?.cpu)];
  return [
    up > 0 &&
      down > 0 &&
      word(
        "Through the browser {who} takes {up} GB/s and gives {down} GB/s; the link itself is faster.",
        { who, up: digits(up, 2), down: digits(down, 2) },
      ),
    gpu &&
      word(
        cpu
          ? "Of {n} equal runs on {who}, one in a hundred takes {gpu} times the median or more, and {cpu} times on a core of your CPU."
          : "Of {n} equal runs on {who}, one in a hundred takes {gpu} times the median or more.",
        { n: profile.jitter.gpu.samples, who, gpu, cpu },
      ),
  ].filter(Boolean);
}

const rungs = ["strided", "naive", "tiled", "regblock", "vec4", "tuned"];

/** The spec of the GPU's roofline next to one core's; null if a roof is missing. */
export function roofline_spec(profile) {
  const value = (device, name) => roof_of(profile, device, name);
  const machine = (label, peak, bandwidth, role) => ({
    ...{ label, role },
    peak: `${peak.toFixed(3)} GFLOP/s`,
    bandwidth: `${bandwidth.toFixed(3)} GB/s`,
  });
  const [peak, bandwidth] = [value("gpu", "f32"), value("gpu", "out")];
  const device = gpu_of(profile);
  if (device && is_outdated(device)) return null;
  if (!(peak > 0) || !(bandwidth > 0)) return null;
  const core = [value("cpu", "fma") ?? value("cpu", "simd"), value("cpu", "out")];
  const machines = [machine("your GPU", peak, bandwidth, "subject")];
  if (core.every((one) => one > 0))
    machines.push(machine("one core of your CPU", ...core, "context"));
  const points = rungs.flatMap((rung) => {
    const is_it = (r) => r.kernel === `gpu.matmul.${rung}` && badge_of(r).kind !== "bad";
    const [found] = (profile.results ?? []).filter(is_it).sort((x, y) => y.flops - x.flops);
    return found?.flops > 0 && found.bytes > 0
      ? [
          {
            label: rung,
            intensity: `${(found.flops / found.bytes).toFixed(3)} FLOP/B`,
            rate: `${found.median.toFixed(3)} GFLOP/s`,
          },
        ]
      : [];
  });
  return { kind: "roofline", title: "Your GPU beside one core of your CPU", machines, points };
}
