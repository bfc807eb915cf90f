// A further core's worker: an instance of the shared module on a stack of its own, then orders.

import { serve_crew } from "./crew.js";

addEventListener(
  "message",
  async ({ data }) => {
    const { compiled, memory, stack } = data;
    const { exports } = await WebAssembly.instantiate(compiled, { env: { memory } });
    exports._emscripten_stack_restore(stack);
    postMessage("ready");
    serve_crew(data, exports);
  },
  { once: true },
);
