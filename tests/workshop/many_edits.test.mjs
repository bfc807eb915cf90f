// Ten thousand random edits, in a full run, none of which ends the program. Two programs work at
// the same time, each on half of them.
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { Worker, isMainThread, parentPort, workerData } from "node:worker_threads";

import { rounds } from "../rounds.mjs";
import { edits } from "./random_edits.mjs";
import { open_workshop, primer, root, scratch } from "./workshop.mjs";

const most_bytes = 200e6;

/**
 * Builds the page after each edit. {made, wrong, memory} counts the edits after which there was a
 * page.
 */
async function edited({ pack, seed, count }) {
  const workshop = await open_workshop(pack);
  const seen = { made: 0, wrong: 0 };
  for (const [file, text] of edits(workshop.pages, seed, count)) {
    const which = `edit ${seen.made + seen.wrong + 1} of seed ${seed}, ${file}`;
    await workshop.ask({ do: "write", file, text });
    const { diagnostics, page } = await workshop.ask({ do: "make", file }).catch((failure) => {
      throw new Error(`${which}: ${failure.message}`, { cause: failure });
    });
    const is_wrong = diagnostics.some(({ severity }) => severity === "error");
    assert.equal(page === null, is_wrong, `${which}: there is a page unless there are errors`);
    await workshop.ask({ do: "revert", file });
    seen[is_wrong ? "wrong" : "made"] += 1;
  }
  return { ...seen, memory: workshop.memory() };
}

const in_a_thread = (work) =>
  new Promise((resolve, reject) => {
    const thread = new Worker(new URL(import.meta.url), { workerData: work });
    thread.once("message", resolve).once("error", reject);
  });

if (isMainThread)
  test("edits by chance end nothing, and need no more memory", async () => {
    const pack = join(scratch(), "book.pack");
    primer("pack", pack, "--trust", "--book", root, "--base-url", "none");
    const count = Math.ceil(rounds("MANY_EDITS", 40, 10_000) / 2);
    const halves = [22, 23].map((seed) => in_a_thread({ pack, seed, count }));
    for (const { made, wrong, memory } of await Promise.all(halves)) {
      assert.equal(made + wrong, count);
      assert.ok(made > 0 && wrong > 0, `${made} pages, ${wrong} with errors`);
      assert.ok(memory <= most_bytes, `${memory} bytes`);
    }
  });
else parentPort.postMessage(await edited(workerData));
