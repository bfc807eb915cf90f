// The worker of /write/: the book's own program and its formulas. First {address} of the directory that holds primer.wasm, the
// grammars, book.pack and the texts of its pages; then requests {id, do, …} (generator/workshop/workshop_call.hpp), each answered with {id, answer} or
// {id, error}, in their order. Progress of the first download comes as {loaded, of}.
import { start_primer } from "./primer_module.js";
import { convert } from "./typesetter.js";

let program = null;

/** A file's bytes; `report(bytes)` hears of them as they come. Throws in words, `missing` where there is no such file. */
async function fetched(url, report = () => {}, missing = "this site has no workshop") {
  const answer = await fetch(url).catch(() => null);
  if (!answer) throw new Error("the workshop could not be loaded: is the network there?");
  if (!answer.ok) throw new Error(missing);
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
  const anew = "the book was published anew: open the page again";
  const text = (name) => fetched(new URL(name, address), undefined, anew);
  const compiled = await WebAssembly.compile(module);
  program = await start_primer({ compiled, convert, grammar, text });
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
