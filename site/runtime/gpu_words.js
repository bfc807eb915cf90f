// A profile's GPU in sentences, and its roofline as a figure's specification. Pure.

import { digits } from "./digits.js";
import { badge_of } from "./words.js";

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
  if (!Object.hasOwn(state_words, gpu?.state)) return [];
  const words = [state_words[gpu.state]({ ...gpu, ratio: ratio_of(profile) })];
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
  if (gpu.state !== "software") words.push(...findings(gpu));
  return words;
}

export const gpu_of = (profile) => profile.devices?.find(({ kind }) => kind === "gpu");

/** How many times the GPU reads what all cores read together, in words; "" where one is missing. */
function ratio_of({ results = [], roofs = [] }) {
  const mine = roofs.find(({ device, class: c }) => device === "gpu" && c.level === "out")?.value;
  const cores = results.filter((r) => r.kernel === "stream.read" && r.threads > 1 && r.best > 0);
  const theirs = Math.max(0, ...cores.map(({ best }) => best));
  return mine > 0 && theirs > 0 ? digits(mine / theirs, 2) : "";
}

function findings({ width, fetch, in_flight }) {
  const not = (what, finding) =>
    finding?.reason && !/not measured/.test(finding.reason) ? [`${what} is not clear-cut: ${finding.reason}.`] : [];
  return [
    ...(width?.value
      ? [`Its warps are ${width.value} lanes wide: from there on, two paths side by side cost what one does.`]
      : not("The width of its warps", width)),
    ...(fetch?.value
      ? [`Its memory is fetched ${fetch.value} bytes at a time.`]
      : not("How much its memory fetches at a time", fetch)),
    ...(in_flight?.value
      ? [
          `To read at full speed it keeps about ${digits(in_flight.value / 1024, 2)} KiB on their way, ` +
            `each for ${digits(in_flight.latency_ns)} ns.`,
        ]
      : not("How many bytes it keeps on their way", in_flight)),
  ];
}

const rungs = ["strided", "naive", "tiled", "regblock", "vec4", "tuned"];

/** The specification of the GPU's roofline beside one core's; null where a roof is missing. */
export function roofline_spec({ roofs = [], results = [] }) {
  const value = (device, name) =>
    roofs.find(
      ({ device: d, class: c }) =>
        (d === "gpu") === (device === "gpu") &&
        (c.threads ?? 1) === 1 &&
        (c.type ?? c.isa ?? c.level) === name,
    )?.value;
  const machine = (label, peak, bandwidth, role) => ({
    ...{ label, role },
    peak: `${peak.toFixed(3)} GFLOP/s`,
    bandwidth: `${bandwidth.toFixed(3)} GB/s`,
  });
  const [peak, bandwidth] = [value("gpu", "f32"), value("gpu", "out")];
  if (!(peak > 0) || !(bandwidth > 0)) return null;
  const core = [value("cpu", "fma") ?? value("cpu", "simd"), value("cpu", "out")];
  const machines = [machine("your GPU", peak, bandwidth, "subject")];
  if (core.every((one) => one > 0)) machines.push(machine("one core of your CPU", ...core, "context"));
  const points = rungs.flatMap((rung) => {
    const found = results.find((r) => r.kernel === `gpu.matmul.${rung}` && badge_of(r).kind !== "bad");
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
