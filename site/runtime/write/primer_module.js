// The book's own program in this worker, or in Node: text in, text out (generator/browser/primer_module.cpp). Nothing of
// Emscripten's scripts: a module asks for the time and may print, and that is all of a system that it is given.

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** What a module for WebAssembly's system interface imports; `memory` gives its memory. */
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

/** Instantiates a compiled module whose other imports are `page`'s; its `call` takes bytes and gives bytes. */
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

/** JSON, and after a NUL the bytes that go with it. */
function request_of(request, attached) {
  const text = encoder.encode(JSON.stringify(request));
  if (!attached) return text;
  const whole = new Uint8Array(text.length + 1 + attached.length);
  whole.set(text);
  whole.set(attached, text.length + 1);
  return whole;
}

/**
 * The program: `ask(request, attached)` answers with an object, or throws with its `error`.
 *   compiled   primer.wasm
 *   convert    {id, tex, display} → {id, mathml} or {id, message, offset, length} (generator/host/maths_conversion.mjs)
 *   grammar    name → a promise of the compiled module that colours its code, asked for when some has to be coloured
 *   text       the name of a file beside the pack → a promise of its bytes, asked for when a page's text is worked on
 *   files      bytes → bytes: what the program asks of files on a disk (generator/browser/worker_files.hpp), where there is one
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
  // A program that was stopped half way is not asked again: who wants to go on starts another one.
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
    if (painters.has(name)) throw new Error(`${name} is asked for twice`);
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
    /** Bytes that the program holds. */
    memory: () => primer.exports.memory.buffer.byteLength,
  };
}
