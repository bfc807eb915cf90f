// The calling convention of the page's modules, JSON in and out (figures/page/module_exports.hpp).

/**
 * Instantiates the compiled module and returns call(object) → object. Needs no imports from the
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
 * Adds facts, registry and profiles to a request, reduced to what the request names, because
 * reading all results of two machines would take most of a call. Keeps the reasons of unavailable
 * results. Drops single samples, which no expression or figure uses.
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
