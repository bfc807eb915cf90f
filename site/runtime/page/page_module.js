// JSON in, JSON out: the calling convention of the page's modules (figures/page/module_exports.hpp).

/**
 * Instantiates the compiled module and returns call(object) → object. It needs nothing from the
 * browser.
 */
export async function connect(compiled) {
  const imports = {};
  for (const { module, name, kind } of WebAssembly.Module.imports(compiled)) {
    if (kind === "function") (imports[module] ??= {})[name] = () => 0;
  }
  const { exports } = await WebAssembly.instantiate(compiled, imports);
  exports._initialize?.();
  return (request) => {
    const input = new TextEncoder().encode(JSON.stringify(request));
    const at = exports.alloc(input.length);
    new Uint8Array(exports.memory.buffer, at, input.length).set(input);
    const answer = exports.call(at, input.length);
    const length = new DataView(exports.memory.buffer).getUint32(answer, true);
    const text = new TextDecoder().decode(
      new Uint8Array(exports.memory.buffer, answer + 4, length),
    );
    exports.reset();
    const result = JSON.parse(text);
    if (result.error !== undefined) throw new Error(result.error.message ?? result.error);
    return result;
  };
}

/**
 * The request with what every operation needs beside its own members, as far as the request names it:
 * to read all results of two machines would take most of a call. What was not measured says why,
 * unasked. The single samples are for no expression and no figure.
 */
export function with_named(request, { facts, registry, reference, reader }) {
  const text = JSON.stringify(request);
  const is_named = (id) => text.includes(id);
  const results_of = ({ results = [] }) =>
    results
      .filter(({ status, kernel }) => status !== "measured" || is_named(kernel))
      .map(({ values, ...result }) => result);
  const lean = (profile) => profile && { ...profile, results: results_of(profile) };
  return {
    facts: Object.fromEntries(Object.entries(facts).filter(([id]) => is_named(id))),
    registry: registry.filter(({ id }) => is_named(id)),
    reference: lean(reference),
    reader: lean(reader),
    ...request,
  };
}
