// JSON in, JSON out: the calling convention of page.wasm (figures/page_module.cpp).

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
