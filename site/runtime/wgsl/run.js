// Runs a program in a separate worker, and ends it if it is silent for too long.

import { script } from "../base/trusted.js";

const patience_ms = 20_000;

/**
 * Resolves to the outcome of try_program() in trial.js; `urls` is {module, shaders}. A trial that
 * is canceled or silent for `patience` ms has a reason.
 */
export function run_program(program, urls, { on_progress, signal, patience = patience_ms }) {
  if (typeof Worker === "undefined")
    return Promise.resolve({ reason: "this browser has no workers", problems: [] });
  return new Promise((resolve) => {
    const worker = new Worker(script(new URL("worker.js", import.meta.url)), { type: "module" });
    let watchdog = 0;
    const finish = (outcome) => {
      clearTimeout(watchdog);
      worker.terminate();
      resolve(outcome);
    };
    const refuse = (reason) => finish({ reason, problems: [] });
    const await_word = () => {
      clearTimeout(watchdog);
      const seconds = Math.round(patience / 1e3);
      const silent = `the program did not end within ${seconds} s; if the screen is slow now, close this tab`;
      watchdog = setTimeout(() => refuse(silent), patience);
    };
    signal.addEventListener("abort", () => refuse("it was canceled"));
    worker.addEventListener("message", ({ data }) => {
      await_word();
      if (data.type === "progress") on_progress(data.fraction, data.text);
      else finish(data.outcome);
    });
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      refuse(event.message || "the book was updated: reload the page");
    });
    worker.postMessage({ program, ...urls });
    await_word();
  });
}
