// Profiles of invented machines, for testing a gallery of thousands. Published profiles are always
// real.
//
// A family has a typical clock, vector width and caches. A machine of the family varies them, and
// its results follow as on real machines: arithmetic from clock and width, and caches that get
// slower outwards.

const families = [
  {
    kind: "phone",
    names: ["Cortex-A55", "Cortex-A76", "Cortex-X1", "Cortex-X4", "Oryon"],
    share: 0.35,
    clock: [1.8, 3.4],
    flops_per_cycle: [4, 14],
    caches: [
      [32, 64],
      [256, 1024],
      [2048, 8192],
    ],
    memory_gbs: [5, 45],
    cores: [4, 8],
    os: ["Android"],
  },
  {
    kind: "laptop",
    names: ["Core i5-8250U", "Core i7-1260P", "Ryzen 5 5500U", "Ryzen 7 7840U", "M1", "M3"],
    share: 0.4,
    clock: [2.2, 4.6],
    flops_per_cycle: [8, 16],
    caches: [
      [32, 128],
      [256, 2048],
      [4096, 24576],
    ],
    memory_gbs: [9, 90],
    cores: [4, 16],
    os: ["Windows", "macOS", "Linux"],
  },
  {
    kind: "desktop",
    names: ["Core i5-6500", "Core i9-13900K", "Ryzen 5 3600", "Ryzen 9 7950X"],
    share: 0.2,
    clock: [3.2, 5.6],
    flops_per_cycle: [8, 16],
    caches: [
      [32, 48],
      [256, 2048],
      [8192, 65536],
    ],
    memory_gbs: [12, 55],
    cores: [4, 32],
    os: ["Windows", "Linux"],
  },
  {
    kind: "server",
    names: ["Xeon Gold 6148", "Xeon Platinum 8480", "EPYC 7763", "EPYC 9654"],
    share: 0.05,
    clock: [2.2, 3.7],
    flops_per_cycle: [8, 16],
    caches: [
      [32, 48],
      [512, 2048],
      [16384, 262144],
    ],
    memory_gbs: [8, 30],
    cores: [8, 192],
    os: ["Linux"],
  },
];
const browsers = [
  ["Chromium", "V8"],
  ["Firefox", "SpiderMonkey"],
  ["Safari", "JavaScriptCore"],
];

/** Pseudo-random numbers from 0 to 1, the same for the same seed (mulberry32). */
export function random_from(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t = (t + Math.imul(t ^ (t >>> 7), t | 61)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * One machine, in the format that scripts/measure records, without results that only a chapter
 * needs.
 */
export function plausible_profile(random) {
  const one_of = (list) => list[Math.floor(random() * list.length)];
  // Between two ends, by ratio; more often in the middle.
  const between = ([low, high]) => low * (high / low) ** ((random() + random()) / 2);
  let left = random();
  const family = families.find(({ share }) => (left -= share) < 0) ?? families.at(-1);
  const name = one_of(family.names);
  const os = /^M\d/.test(name) ? "macOS" : one_of(family.os.filter((each) => each !== "macOS"));
  const [browser, engine] = one_of(os === "macOS" ? browsers : browsers.slice(0, 2));
  const clock = between(family.clock);
  const cores = Math.round(between(family.cores) / 2) * 2;
  const fma = clock * between(family.flops_per_cycle);
  const memory = Math.min(between(family.memory_gbs), clock * 24);
  const levels = levels_of(family, clock, memory, between);
  const roof = (kind, unit, value, from) => ({
    device: "cpu",
    class: { ...kind, threads: 1 },
    unit,
    value,
    from,
  });
  const number = 100 + Math.floor(random() * 40);
  const day = new Date(
    Date.UTC(2026, 0, 1 + Math.floor(random() * 300), Math.floor(random() * 24)),
  );
  const created = day.toISOString();
  return {
    schema: 1,
    created,
    devices: [{ id: "cpu", kind: "cpu", name, vendor: "", architecture: "", state: "hardware" }],
    levels,
    roofs: [
      roof({ isa: "scalar" }, "GFLOP/s", fma / 4, "peak.scalar{chains=14}"),
      roof({ isa: "simd" }, "GFLOP/s", fma * 0.6, "peak.simd{chains=14}"),
      roof({ isa: "fma" }, "GFLOP/s", fma, "peak.fma{chains=14}"),
      ...levels.map(({ name: level, read_gbs }) =>
        roof({ level }, "GB/s", read_gbs, "stream.read"),
      ),
    ],
    browser: `${browser} ${number}`,
    engine,
    os,
    isolated: true,
    timer_us: browser === "Chromium" ? 5 : 20,
    cores: { reported: cores, usable: cores, flags: [] },
    clock_ghz: clock,
    name: `${name}, ${browser} ${number}`,
    date: created.slice(0, 10),
    results: ["peak.scalar", "peak.simd", "peak.fma"].map((kernel, i) =>
      result(kernel, { chains: 14 }, "GFLOP/s", [fma / 4, fma * 0.6, fma][i], random),
    ),
  };
}

/** From the core outwards, memory last; each level is slower than the previous one. */
function levels_of(family, clock, memory, between) {
  const top = Math.max(clock * between([14, 40]), memory * 1.5);
  const levels = family.caches.map((range, i) => ({
    device: "cpu",
    name: `L${i + 1}`,
    read_gbs: top * (memory / top) ** (i / 3),
    latency_ns: [4, 14, 45][i] / clock,
    bytes: between(range) * 1024,
    bytes_error: range[0] * 256,
  }));
  const latency_ns = between([65, 160]);
  levels.push({ device: "cpu", name: "out", read_gbs: memory, latency_ns, reached: "memory" });
  return levels;
}

function result(kernel, params, unit, best, random) {
  const values = Array.from({ length: 9 }, () => best * (1 - 0.04 * random()));
  const median = values.toSorted((a, b) => a - b)[4];
  return {
    kernel,
    params,
    threads: 1,
    device: "cpu",
    unit,
    status: "measured",
    flags: [],
    best,
    median,
    mad: best * 0.01,
    p90: 3.4e-6,
    p99: 3.5e-6,
    samples: values.length,
    values: values.map((value) => Number(value.toPrecision(5))),
    verified: true,
    module: "relaxed",
  };
}
