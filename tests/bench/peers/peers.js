// Other libraries' matrix products behind the requests of tests/bench/twin.hpp, on the page's own
// thread as their users run them. Square products A · B of floats, both operands new to the library
// (nothing packed beforehand). ask(peer, line) resolves to the answer.

const modules = "/tests/bench/peers/node_modules";
const tolerance = 1e-4; // of the largest sum, for sums of up to 1024 products in single precision

/** {multiply(): Promise<handle>, values(handle): Promise<Float32Array>, drop(handle)} for A · B. */
const libraries = {
  async onnxruntime(n, a, b, threads) {
    const ort = await import(`${modules}/onnxruntime-web/dist/ort.wasm.min.mjs`);
    ort.env.wasm.numThreads = threads;
    ort.env.wasm.wasmPaths = `${modules}/onnxruntime-web/dist/`;
    const session = await ort.InferenceSession.create(matmul_model(n), {
      executionProviders: ["wasm"],
    });
    const feeds = {
      A: new ort.Tensor("float32", a, [n, n]),
      B: new ort.Tensor("float32", b, [n, n]),
    };
    return {
      multiply: async () => (await session.run(feeds)).C,
      values: async (c) => c.data,
      drop: () => {},
    };
  },

  async tfjs(n, a, b) {
    await script(`${modules}/@tensorflow/tfjs-core/dist/tf-core.min.js`);
    await script(`${modules}/@tensorflow/tfjs-backend-wasm/dist/tf-backend-wasm.min.js`);
    const { tf } = globalThis;
    tf.wasm.setWasmPaths(`${modules}/@tensorflow/tfjs-backend-wasm/dist/`);
    await tf.setBackend("wasm");
    const [left, right] = [tf.tensor2d(a, [n, n]), tf.tensor2d(b, [n, n])];
    return {
      multiply: async () => tf.matMul(left, right),
      values: (c) => c.data(),
      drop: (c) => c.dispose(),
    };
  },

  async "jax-js"(n, a, b) {
    const { init, defaultDevice, jit, numpy } = await import(
      `${modules}/@jax-js/jax/dist/index.js`
    );
    await init("wasm");
    defaultDevice("wasm");
    const [left, right] = [a, b].map((values) => numpy.array(values).reshape([n, n]));
    await left.blockUntilReady();
    await right.blockUntilReady();
    const product = jit((x, y) => numpy.matmul(x, y));
    return {
      multiply: async () => {
        const c = product(left.ref, right.ref);
        await c.blockUntilReady();
        return c;
      },
      values: (c) => c.ref.data(),
      drop: (c) => c.dispose(),
    };
  },
};

function script(src) {
  if (document.querySelector(`script[src="${src}"]`)) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const element = Object.assign(document.createElement("script"), {
      src,
      onload: resolve,
      onerror: reject,
    });
    document.head.append(element);
  });
}

/** An ONNX file with one MatMul of two n × n inputs. Protocol buffers: onnx.proto, version 8. */
function matmul_model(n) {
  const number = (value) => (value < 128 ? [value] : [(value & 127) | 128, ...number(value >>> 7)]);
  const integer = (field, value) => [field << 3, ...number(value)];
  const bytes = (field, content) => [(field << 3) | 2, ...number(content.length), ...content];
  const text = (field, value) => bytes(field, [...new TextEncoder().encode(value)]);
  const shape = [n, n].flatMap((size) => bytes(1, integer(1, size)));
  const tensor = [...integer(1, 1), ...bytes(2, shape)];
  const value = (name) => [...text(1, name), ...bytes(2, bytes(1, tensor))];
  const node = [...text(1, "A"), ...text(1, "B"), ...text(2, "C"), ...text(4, "MatMul")];
  const graph = [
    ...bytes(1, node),
    ...text(2, "product"),
    ...bytes(11, value("A")),
    ...bytes(11, value("B")),
    ...bytes(12, value("C")),
  ];
  const operators = [...text(1, ""), ...integer(2, 13)];
  return new Uint8Array([...integer(1, 8), ...bytes(7, graph), ...bytes(8, operators)]);
}

function small_numbers(count, seed) {
  let state = seed;
  return Float32Array.from({ length: count }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 31 - 1;
  });
}

const works = new Map(); // peer to what it last prepared

async function prepare(peer, words) {
  const given = Object.fromEntries(words.slice(1).map((word) => word.split("=")));
  if (words[0] !== "matmul.packed") return { refused: "it only multiplies matrices" };
  const n = Number(given.n);
  const [a, b] = [small_numbers(n * n, 1), small_numbers(n * n, 2)];
  const work = { n, a, b, ...(await libraries[peer](n, a, b, Number(given.threads ?? 1))) };
  for (const begin = performance.now(); performance.now() - begin < 300;)
    work.drop(await work.multiply());
  works.set(peer, work);
  return {};
}

async function sample(peer, ms) {
  const { n, multiply, drop } = works.get(peer);
  drop(await multiply());
  const begin = performance.now();
  let runs = 0;
  do {
    drop(await multiply());
    ++runs;
  } while (performance.now() - begin < ms);
  return { seconds: (performance.now() - begin) / 1e3 / runs, flops: 2 * n ** 3, bytes: 0 };
}

/** Freivalds' check: C·x against A·(B·x), in double precision, by the largest of all sums. */
async function verify(peer) {
  const { n, a, b, multiply, values, drop } = works.get(peer);
  const handle = await multiply();
  const c = await values(handle);
  const times = (m, x) =>
    Float64Array.from({ length: n }, (_, i) => {
      let sum = 0;
      for (let j = 0; j < n; ++j) sum += m[i * n + j] * x[j];
      return sum;
    });
  const x = Float64Array.from({ length: n }, (_, i) => ((i * 7) % 5) - 2);
  const expected = times(a, times(b, x));
  const largest = expected.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const error = times(c, x).reduce(
    (most, value, i) => Math.max(most, Math.abs(value - expected[i])),
    0,
  );
  drop(handle);
  return { error: error / largest, tolerance };
}

export const peers = Object.keys(libraries);

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
