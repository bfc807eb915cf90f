// The worker of /write/: runs primer.wasm and converts formulas.
//
//   {id, address}    the first request: opens the book in that directory, which contains
//                    primer.wasm, the grammars, book.pack and the texts of its pages
//   {id, do, …}      a request to the program (generator/tools/workshop/workshop_call.hpp)
//   {id, answer} or {id, error}    the reply to each, in the order of the requests
//   {loaded}         progress of the first request, in bytes
import { start_primer } from "./primer_module.js";
import { convert } from "./typesetter.js";

let program = null;

/**
 * Returns the bytes of a file. Calls `report(bytes)` with the size of each part. Throws Error with
 * a message for the author, `missing` if the server does not have the file.
 */
async function fetched(
  url,
  report = () => {},
  missing = "this site was built without the editor (scripts/workshop makes it)",
) {
  const answer = await fetch(url).catch(() => null);
  if (!answer) throw new Error("the editor could not be loaded: check your network connection");
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
  const republished = "the book was published again: reload the page";
  const text = (name) => fetched(new URL(name, address), undefined, republished);
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
