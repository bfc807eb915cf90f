// Parses kernel terms in text: "matmul.packed.best{n=512,variant=cache}" → a run for the measuring
// code.

const units = { "": 1, B: 1, kB: 1e3, MB: 1e6, GB: 1e9, KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30 };

function number_of(text) {
  const match = /^([\d.]+)\s*([A-Za-z]*)$/.exec(text);
  return match && match[2] in units ? Number(match[1]) * units[match[2]] : NaN;
}

/** The run of a term; null if `registry` has no such kernel, variant or parameter. */
export function parse_term(term, registry) {
  const match = /^([a-z][a-z0-9_.]*?)(?:\.(?:best|median|p90|p99))?(?:\{([^}]*)\})?$/.exec(
    term.trim(),
  );
  if (!match) return null;
  const run = { kernel: match[1], params: {}, threads: 1 };
  for (const pair of (match[2] ?? "")
    .split(",")
    .map((p) => p.trim())
    .filter(Boolean)) {
    const [name, value = ""] = pair.split("=").map((p) => p.trim());
    if (name === "threads") run.threads = Number(value);
    else if (name === "variant") run.params.variant = value;
    else if (name !== "module" && name !== "device") run.params[name] = number_of(value);
  }
  return is_run(run, registry) ? run : null;
}

function is_run({ kernel, params }, registry) {
  const { variant = "", ...numbers } = params;
  const entry = registry.find((k) => k.id === kernel && k.variant === variant);
  return (
    entry !== undefined &&
    Object.entries(numbers).every(([name, value]) => {
      const param = entry.params.find((p) => p.name === name);
      return param !== undefined && value >= param.min && value <= param.max;
    })
  );
}

/** All runs that a text mentions. */
export function terms_in(text, registry) {
  const ids = [...new Set(registry.map((kernel) => kernel.id.replace(/\./g, "\\.")))].join("|");
  const terms =
    text.match(
      new RegExp(`\\b(?:${ids})(?:\\.(?:best|median|p90|p99))?(?:\\{[^}\\n]*\\})?`, "g"),
    ) ?? [];
  return terms.map((term) => parse_term(term, registry)).filter(Boolean);
}

/** All measurements in a figure spec: {"kernel", "variant", "params", "threads"} at any depth. */
export function runs_in_spec(spec, registry) {
  if (typeof spec !== "object" || spec === null) return [];
  const inner = Object.values(spec).flatMap((member) => runs_in_spec(member, registry));
  if (typeof spec.kernel !== "string") return inner;
  const params = Object.fromEntries(
    Object.entries(spec.params ?? {}).map(([name, v]) => [name, number_of(String(v))]),
  );
  if (spec.variant) params.variant = spec.variant;
  const run = { kernel: spec.kernel, params, threads: spec.threads ?? 1 };
  return is_run(run, registry) ? [run, ...inner] : inner;
}
