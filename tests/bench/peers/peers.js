// Other libraries that answer the requests of tests/bench/twin.hpp, on the page's main thread,
// where their users run them. ask(peer, line) resolves to the answer.
//
// A family of kernels is a module: problem_of(parameters) → {flops, bytes, …}; check(problem,
// values) → {error, tolerance}; libraries, {name: async (problem, threads) → work, or null if the
// library has no equivalent}. A work: {run(): Promise<handle>, values(handle): Promise of a typed
// array, drop(handle), end()}.

const families = {
  "matmul.packed": "./products.js",
  "matmul.parallel": "./products.js",
  "matmul.i8": "./bytes.js",
  "matmul.i4": "./nibbles.js",
  "block.gpt2": "./blocks.js",
  "conv.packed": "./convolutions.js",
  "attention.heads": "./attention.js",
};
const warm_ms = 300;

export const peers = ["onnxruntime", "tfjs", "jax-js", "litert"];

const works = new Map(); // peer → its last prepared {family, problem, work}

async function prepare(peer, [kernel, ...settings]) {
  works.get(peer)?.work.end();
  works.delete(peer);
  if (!families[kernel]) return { refused: `it has no ${kernel}` };
  const family = await import(families[kernel]);
  const { threads = 1, ...given } = Object.fromEntries(settings.map((word) => word.split("=")));
  const problem = family.problem_of(given);
  const work = await family.libraries[peer]?.(problem, Number(threads));
  if (!work) return { refused: `it has no ${kernel} of this form` };
  for (const begin = performance.now(); performance.now() - begin < warm_ms;)
    work.drop(await work.run());
  works.set(peer, { family, problem, work });
  return {};
}

async function sample(peer, ms) {
  const { problem, work } = works.get(peer);
  work.drop(await work.run());
  const begin = performance.now();
  let runs = 0;
  do {
    work.drop(await work.run());
    ++runs;
  } while (performance.now() - begin < ms);
  const seconds = (performance.now() - begin) / 1e3 / runs;
  return { seconds, flops: problem.flops, bytes: problem.bytes };
}

async function verify(peer) {
  const { family, problem, work } = works.get(peer);
  const handle = await work.run();
  const answer = family.check(problem, await work.values(handle));
  work.drop(handle);
  return answer;
}

export async function ask(peer, line) {
  const [verb, ...words] = line.split(" ");
  try {
    if (verb === "prepare") return await prepare(peer, words);
    if (verb === "sample") return await sample(peer, Number(words[0]));
    return await verify(peer);
  } catch (error) {
    return { refused: String(error?.message ?? error) };
  }
}
