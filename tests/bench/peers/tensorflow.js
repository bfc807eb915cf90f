// TensorFlow.js on its WebAssembly backend: two classic scripts that share a global.

const modules = "/tests/bench/peers/node_modules/@tensorflow";

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

/** The library, ready to run on this many threads. */
export async function tensorflow(threads) {
  await script(`${modules}/tfjs-core/dist/tf-core.min.js`);
  await script(`${modules}/tfjs-backend-wasm/dist/tf-backend-wasm.min.js`);
  const { tf } = globalThis;
  tf.wasm.setWasmPaths(`${modules}/tfjs-backend-wasm/dist/`);
  tf.wasm.setThreadsCount(threads);
  await tf.setBackend("wasm");
  return tf;
}
