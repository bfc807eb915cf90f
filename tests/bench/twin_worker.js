// A WasmTwin behind messages: first the module's URL, then one request after the other.

import { WasmTwin } from "./wasm_twin.mjs";

let twin;

addEventListener("message", async ({ data }) => {
  if (twin) return postMessage(await twin.answer(data));
  const response = await fetch(data);
  twin = new WasmTwin(await WebAssembly.compile(await response.arrayBuffer()));
  postMessage({});
});
