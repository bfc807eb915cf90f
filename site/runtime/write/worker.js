// The worker of /write/: the book's own program and its formulas. First {address} of the directory that holds primer.wasm, the
// grammars and book.pack; then requests {id, do, …} (generator/workshop/workshop_call.hpp), each answered with {id, answer} or
// {id, error}, in their order. Progress of the first download comes as {loaded, of}.
import { start_primer } from "./primer_module.js";
import { convert } from "./typesetter.js";

let program = null;

/** A file's bytes; `report(bytes)` hears of them as they come. Throws in words. */
async function fetched(url, report = () => {}) {
  const answer = await fetch(url).catch(() => null);
  if (!answer) throw new Error("the workshop could not be loaded: is the network there?");
  if (!answer.ok) throw new Error("this site has no workshop");
  const parts = [];
  for (const reader = answer.body.getReader(); ;) {
    const { done, value } = await reader.read();
    if (done) break;
    parts.push(value);
    report(value.length);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

async function open(address) {
  let loaded = 0;
  const report = (bytes) => {
    loaded += bytes;
    postMessage({ loaded });
  };
  const file = (name, heard) => fetched(new URL(name, address), heard);
  const [module, pack] = await Promise.all([
    file("primer.wasm", report),
    file("book.pack", report),
  ]);
  const grammar = async (name) => WebAssembly.compile(await file(`grammar-${name}.wasm`));
  program = await start_primer({ compiled: await WebAssembly.compile(module), convert, grammar });
  return program.ask({ do: "open" }, pack);
}

async function answer({ id, address, ...request }) {
  try {
    postMessage({ id, answer: await (address ? open(address) : program.ask(request)) });
  } catch (error) {
    postMessage({ id, error: error.message });
  }
}

let last = Promise.resolve();
addEventListener("message", ({ data }) => {
  last = last.then(() => answer(data));
});
