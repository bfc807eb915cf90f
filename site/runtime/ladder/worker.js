// The worker behind the race: opens the kernels, and posts each turn and each time.

import { open_modules } from "../kernels/kernel_module.js";
import { known_choice } from "../measure/race.js";
import { race } from "./turns.js";

async function run({ urls, limit, n, choices, module: isa, browser }) {
  const limits = () => ({ first: limit, further: limit });
  const [module] = await open_modules(urls, () => false, limits);
  await race({
    module,
    n,
    tile: known_choice(choices, module.registry, { module: isa, browser })?.tile,
    now: () => performance.now(),
    pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    tell: (reading) => postMessage({ type: "reading", reading }),
  });
}

addEventListener("message", ({ data }) =>
  run(data).then(
    () => postMessage({ type: "done" }),
    (error) => postMessage({ type: "failed", reason: String(error?.message ?? error) }),
  ),
);
