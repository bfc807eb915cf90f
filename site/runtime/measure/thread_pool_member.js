// The worker of a further core. It instantiates the shared module with a separate stack and
// executes orders until the page terminates it. It writes an error into the shared block, because
// the leader may be unable to receive messages.

import { Control } from "./thread_pool_control.js";

addEventListener(
  "message",
  async ({ data: { member, compiled, memory, control: buffer, stack } }) => {
    const control = new Control(buffer);
    try {
      const { exports } = await WebAssembly.instantiate(compiled, { env: { memory } });
      exports._emscripten_stack_restore(stack);
      const kernels = {
        prepare: ({ index }, base) => exports.prepare(index, base),
        run: ({ index }, base, reps) => exports.run(index, base, reps),
        run_part: ({ index }, base, reps, thread) =>
          exports.run_part(index, base, reps, thread) !== 0,
      };
      postMessage({ ready: true });
      for (let seen = 0; ;) {
        seen = control.wait(member, seen);
        control.take_part(member, kernels);
        control.finish();
      }
    } catch (error) {
      const reason = String(error?.message ?? error);
      control.fail(reason);
      postMessage({ reason });
    }
  },
  { once: true },
);
