// Runs primer.wasm, the generator, in the worker of /write/ or in Node, without Emscripten's
// scripts.
//
//   ask(request) --JSON--> call() --+--> reply
//                                   +--> {needs}: load a grammar or texts, then ask again
//
//   imports: "page"  typeset, files, paint: requests of the module to its host
//            WASI    clock, output, exit and an empty environment; any other call fails
//
// A request is bytes at an address with a length. An answer, in either direction, is an address of
// a 32-bit length and the bytes; answers of the host are in memory from the module's lend(). The
// module is synchronous and cannot wait for a fetch, so it returns what it needs instead
// (generator/host/browser/primer_module.cpp).

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The WASI calls that a module imports. `memory()` returns its memory. */
function system(memory) {
  const view = () => new DataView(memory().buffer);
  const NO_SUCH_CALL = 52;
  const calls = {
    clock_time_get(clock, precision, at) {
      const ms = clock === 0 ? Date.now() : performance.now();
      view().setBigUint64(at, BigInt(Math.round(ms * 1e6)), true);
      return 0;
    },
    fd_write(file, parts, count, written) {
      let size = 0;
      let text = "";
      for (let i = 0; i < count; ++i) {
        const at = view().getUint32(parts + 8 * i, true);
        const length = view().getUint32(parts + 8 * i + 4, true);
        text += decoder.decode(new Uint8Array(memory().buffer, at, length));
        size += length;
      }
      if (text.trim()) console.error(text);
      view().setUint32(written, size, true);
      return 0;
    },
    environ_sizes_get(count, size) {
      view().setUint32(count, 0, true);
      view().setUint32(size, 0, true);
      return 0;
    },
    environ_get: () => 0,
    proc_exit(status) {
      throw new Error(`the program ended with ${status}`);
    },
  };
  return (name) => (Object.hasOwn(calls, name) ? calls[name] : () => NO_SUCH_CALL);
}

/**
 * Instantiates a compiled module with the members of `page` as its other imports. `call` takes and
 * returns bytes.
 */
async function instantiate(compiled, page = {}) {
  let exports;
  const system_call = system(() => exports.memory);
  const imports = {};
  for (const { module, name } of WebAssembly.Module.imports(compiled))
    (imports[module] ??= {})[name] = module === "page" ? page[name] : system_call(name);
  ({ exports } = await WebAssembly.instantiate(compiled, imports));
  exports._initialize?.();
  const bytes = (at, length) => new Uint8Array(exports.memory.buffer, at, length);
  const answer_at = (at) =>
    bytes(at + 4, new DataView(exports.memory.buffer).getUint32(at, true)).slice();
  return {
    exports,
    bytes,
    call(request) {
      const at = exports.alloc(request.length);
      bytes(at, request.length).set(request);
      const answer = answer_at(exports.call(at, request.length));
      exports.reset();
      return answer;
    },
  };
}

/** Encodes a request as JSON, followed by a NUL and the attached bytes, if any. */
function request_of(request, attached) {
  const text = encoder.encode(JSON.stringify(request));
  if (!attached) return text;
  const whole = new Uint8Array(text.length + 1 + attached.length);
  whole.set(text);
  whole.set(attached, text.length + 1);
  return whole;
}

/**
 * Starts the program. `ask(request, attached)` returns an object, or throws Error with the
 * program's message.
 *   compiled   primer.wasm
 *   convert    {id, tex, display} → {id, mathml} or {id, message, offset, length}
 *              (generator/host/maths_conversion.mjs)
 *   grammar    name → promise of the compiled module that highlights this language
 *   text       name of a file next to the pack → promise of its bytes
 *   files      bytes → bytes: answers requests for files on disk
 *              (generator/host/browser/worker_files.hpp); default: there are none
 */
export async function start_primer(given) {
  const { compiled, convert, grammar, text, files = () => new Uint8Array() } = given;
  const painters = new Map();
  let primer;
  const answer = (bytes) => {
    const at = primer.exports.lend(bytes.length + 4);
    new DataView(primer.exports.memory.buffer).setUint32(at, bytes.length, true);
    primer.bytes(at + 4, bytes.length).set(bytes);
    return at;
  };
  const page = {
    typeset(at, length) {
      const formulas = JSON.parse(decoder.decode(primer.bytes(at, length)));
      return answer(encoder.encode(JSON.stringify(formulas.map(convert))));
    },
    files: (at, length) => answer(files(primer.bytes(at, length))),
    paint(name, name_length, code, code_length) {
      const painter = painters.get(decoder.decode(primer.bytes(name, name_length)));
      return painter ? answer(painter.call(primer.bytes(code, code_length).slice())) : 0;
    },
  };
  primer = await instantiate(compiled, page);
  // After a trap the module's state is undefined, so every later call fails. Start another program.
  let ended = null;
  const called = (bytes) => {
    if (ended) throw ended;
    try {
      return primer.call(bytes);
    } catch (failure) {
      ended = new Error(`the program has ended: ${failure.message}`, { cause: failure });
      throw ended;
    }
  };
  const answered = (request, attached) => {
    const reply = JSON.parse(decoder.decode(called(request_of(request, attached))));
    if (reply.error !== undefined) throw new Error(reply.error);
    return reply;
  };
  const bring = async ({ grammar: name, texts = {} }) => {
    if (painters.has(name)) throw new Error(`${name} is requested twice`);
    if (name) painters.set(name, await instantiate(await grammar(name)));
    const fetched = Object.entries(texts).map(async ([file, from]) => [file, await text(from)]);
    for (const [file, bytes] of await Promise.all(fetched)) answered({ do: "bring", file }, bytes);
  };
  return {
    async ask(request, attached) {
      for (;;) {
        const reply = answered(request, attached);
        if (reply.needs === undefined) return reply;
        await bring(reply.needs);
      }
    },
    /** Size of the program's memory in bytes. */
    memory: () => primer.exports.memory.buffer.byteLength,
  };
}
