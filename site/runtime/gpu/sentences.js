// A profile's GPU in sentences, and its roofline as a figure's specification. Pure.

import { digits } from "../base/digits.js";
import { plain } from "../profile/machine_name.js";
import { own } from "../base/own.js";
import { badge_of } from "../profile/result_text.js";

const matrix_units =
  "Your chip's tensor or matrix units are invisible to this page: WebGPU has no instruction for them " +
  "yet, so its peak for neural networks is higher than the roof you see.";

const state_words = {
  none: () => "Your browser offers no WebGPU, so nothing here is about a GPU of yours.",
  refused: ({ reason }) => `WebGPU is here but gave us no GPU (${reason}).`,
  software: () =>
    "Your GPU is a program on your CPU (software adapter). We check its answers; its speed is your " +
    "CPU's and is not drawn under a GPU roof.",
  shared: () =>
    "Your GPU probably shares memory with your CPU: similar bandwidth, far more arithmetic.",
  own: ({ ratio }) =>
    `Your GPU probably has memory of its own${ratio ? `: ${ratio} times the bandwidth of all your CPU's cores` : ""}.`,
  unclear: () =>
    "We cannot tell whether this GPU has its own memory; the numbers stand, the comparison is left out.",
};

/** Sentences about the GPU of a profile; none when it was never asked for. */
export function gpu_sentences(profile) {
  const { gpu } = profile;
  const state_said = own(state_words, gpu?.state);
  if (!state_said) return [];
  const words = [state_said({ ...gpu, reason: plain(gpu.reason, 200), ratio: ratio_of(profile) })];
  const device = gpu_of(profile);
  if (!device) return words;
  if (gpu.state !== "software") words.push(matrix_units);
  if (!device.features?.includes("shader-f16"))
    words.push("FP16: unavailable, because this browser or GPU does not offer shader-f16.");
  words.push(
    device.timing === "timestamp"
      ? "Timed by the GPU's own clock."
      : "Timed from outside (K against 2K dispatches); the spread is larger.",
  );
  if (gpu.state !== "software")
    words.push(...surprises(profile), ...findings(gpu), ...conduct(profile));
  return words;
}

export const gpu_of = (profile) => profile.devices?.find(({ kind }) => kind === "gpu");

/** A roof of one core or of the GPU, by type, instruction set or level; undefined where it is missing. */
function roof_of({ roofs = [] }, device, name) {
  const is_it = ({ device: its, class: c }) =>
    (its === "gpu") === (device === "gpu") &&
    (c.threads ?? 1) === 1 &&
    (c.type ?? c.isa ?? c.level) === name;
  return roofs.find(is_it)?.value;
}

/** How many times the GPU reads what all cores read together, in words; "" where one is missing. */
function ratio_of(profile) {
  const mine = roof_of(profile, "gpu", "out");
  const cores = (profile.results ?? []).filter(
    (r) => r.kernel === "stream.read" && r.threads > 1 && r.best > 0,
  );
  const theirs = Math.max(0, ...cores.map(({ best }) => best));
  return mine > 0 && theirs > 0 ? digits(mine / theirs, 2) : "";
}

const best_of = ({ results = [] }, kernel) =>
  Math.max(
    0,
    ...results
      .filter((r) => r.kernel === kernel && badge_of(r).kind !== "bad")
      .map((r) => r.median),
  );

/** What a reader may not expect of a GPU, where this one does it. */
function surprises(profile) {
  const [peak, half, bandwidth] = ["f32", "f16", "out"].map((name) =>
    roof_of(profile, "gpu", name),
  );
  const tuned = best_of(profile, "gpu.matmul.tuned");
  const lifted = (profile.roofs ?? []).filter(
    ({ device, lifted: is_lifted }) => device === "gpu" && is_lifted,
  );
  return [
    bandwidth < roof_of(profile, "cpu", "out") &&
      "It reads slower than one core of your CPU, which is common where both share memory and a core's caches " +
        "help: what it is good for rests on its arithmetic.",
    half < 1.1 * peak && "It runs FP16 at the speed of FP32, so FP16 saves bytes only.",
    tuned > 0 &&
      tuned < 0.25 * peak &&
      `Our products do not suit it: the best reaches ${digits((100 * tuned) / peak, 2)} % of its roof. ` +
        "Read the order of the rungs and not their height.",
    ...lifted.map(
      ({ from }) => `${plain(from, 60)} was faster than the probe of its roof and lifted it.`,
    ),
  ].filter(Boolean);
}

const said = {
  width: {
    what: "The width of its warps",
    say: ({ value }) =>
      `Its warps are ${value} lanes wide: from there on, two paths side by side cost what one does.`,
  },
  fetch: {
    what: "How much its memory fetches at a time",
    say: ({ value }) => `Its memory is fetched ${value} bytes at a time.`,
  },
  in_flight: {
    what: "How many bytes it keeps on their way",
    say: ({ value, latency_ns }) =>
      `To read at full speed it keeps about ${digits(value / 1024, 2)} KiB on their way, ` +
      `each for ${digits(latency_ns)} ns.`,
  },
  divergence: {
    what: "What branches cost",
    say: ({ value, expected }) =>
      `Where one lane in 64 takes another path, ${digits(value, 2)} of the rate is left; ` +
      `warps that run both paths would keep ${digits(expected, 2)}.`,
  },
  banks: {
    what: "How its workgroup memory is divided",
    say: ({ value }) =>
      value < 1.1
        ? "Its workgroup memory serves words 32 apart as fast as neighbours."
        : `Its workgroup memory is ${digits(value, 2)} times slower for words 32 apart: they meet in one bank.`,
  },
  staircase: {
    what: "The edge of its blocks",
    say: ({ value, expected }) =>
      `A product of 257 takes ${digits(value, 2)} times as long for each useful operation as one of 256; ` +
      `whole blocks of 64 would make it ${digits(expected, 2)}.`,
  },
  batch: {
    what: "How many rows fill it",
    say: ({ value }) =>
      `A product with 1024 × 1024 weights has nine tenths of its highest rate from ${value} rows on.`,
  },
};

/** One sentence for each finding that there is, or why it is not clear-cut. */
function findings(gpu) {
  return Object.entries(said).flatMap(([name, { what, say }]) => {
    const finding = gpu[name];
    if (finding?.value > 0) return [say(finding)];
    const reason = plain(finding?.reason, 200);
    const is_tried = reason && !/not measured/.test(reason);
    return is_tried ? [`${what} is not clear-cut: ${reason}.`] : [];
  });
}

/** Bytes through the browser, and how evenly equal runs end. */
function conduct(profile) {
  const [up, down] = ["gpu.upload", "gpu.download"].map((id) => best_of(profile, id));
  const tail = ({ p50, p99, samples } = {}) =>
    samples >= 100 && p50 > 0 && p99 >= p50 ? digits(p99 / p50, 3) : "";
  const [gpu, cpu] = [tail(profile.jitter?.gpu), tail(profile.jitter?.cpu)];
  return [
    up > 0 &&
      down > 0 &&
      `Through the browser it takes ${digits(up, 2)} GB/s and gives ${digits(down, 2)} GB/s; ` +
        "the link itself is faster.",
    gpu &&
      `Of ${profile.jitter.gpu.samples} equal runs, one in a hundred takes ${gpu} times the median or more` +
        `${cpu ? `, and ${cpu} times on a core of your CPU` : ""}.`,
  ].filter(Boolean);
}

const rungs = ["strided", "naive", "tiled", "regblock", "vec4", "tuned"];

/** The specification of the GPU's roofline beside one core's; null where a roof is missing. */
export function roofline_spec(profile) {
  const value = (device, name) => roof_of(profile, device, name);
  const machine = (label, peak, bandwidth, role) => ({
    ...{ label, role },
    peak: `${peak.toFixed(3)} GFLOP/s`,
    bandwidth: `${bandwidth.toFixed(3)} GB/s`,
  });
  const [peak, bandwidth] = [value("gpu", "f32"), value("gpu", "out")];
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
