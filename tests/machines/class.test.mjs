// A class of thirty simulated machines, including phones. Each is measured the way its student
// would do it, makes a class link, and is pasted with the other links. The test compares the page's
// sentences about the class with the machines' own numbers.
import assert from "node:assert/strict";
import { test } from "node:test";

import {
  class_link,
  longest_link,
  machine_of_link,
} from "../../site/runtime/classroom/class_link.js";
import { ClassList } from "../../site/runtime/classroom/class_list.js";
import {
  device_of,
  in_order,
  is_handheld,
  machine_of,
  ridge_of,
} from "../../site/runtime/classroom/class_machine.js";
import { questions_of, spread_words } from "../../site/runtime/classroom/class_questions.js";
import { random_machine } from "./simulator/random_machine.mjs";
import { counting_module, machines_of, unknown_here } from "./simulator/simulate.mjs";
import { SimulatedBrowser } from "./simulator/simulated_browser.mjs";

const skip = unknown_here() || false;
const counters = skip
  ? {}
  : { relaxed: await counting_module(), simd128: await counting_module("kernels-simd128") };
const address = "https://somebody.github.io/under-the-roofline/class/";
const assets = "https://book.example/_/0/";
const no_book = () => Promise.reject(new Error("no link of /machine/ is in this text"));

const built = [...machines_of("processors").values()];
const seeds = Array.from({ length: 30 - built.length }, (_, i) => i + 1);
const simulated = [...built, ...seeds.map(random_machine)];

/** The result of a student's page for the machine: {machine}, or {error}. */
async function student(processor, at) {
  const browser = new SimulatedBrowser(processor, { counters, relaxed: !skip });
  const profile = await browser.run(({ measure }) =>
    measure({ roofs: true, pace: "quick" }, { assets }),
  );
  const kinds = {
    phone: "phone",
    laptop: "laptop",
    chromebook: "laptop",
    server: "server",
    vm: "server",
  };
  const device = kinds[processor.class] ?? "desktop";
  return machine_of(profile, { name: `Student ${at + 1}`, device });
}

test("thirty machines, phones included, in one pasted text", { skip }, async (t) => {
  const sent = [];
  // One after the other, because each browser replaces the process's clock.
  for (const [at, one] of simulated.entries()) sent.push(await student(one, at));
  const steady = sent.flatMap(({ machine }) => machine ?? []);
  // A student whose machine was busy gets a message and measures again.
  for (const { machine, error } of sent)
    assert.ok(
      machine ||
        error === "the roofs of its core are not steady: close other programs and measure again",
      error,
    );
  assert.ok(steady.length >= 24, `${steady.length} of 30 made a link`);
  assert.ok(steady.filter(is_handheld).length >= 2, "phones");
  const links = await Promise.all(steady.map((machine) => class_link(machine, address)));
  for (const link of links) assert.ok(link.length <= longest_link, `${link.length} characters`);
  t.diagnostic(`${links.length} links of at most ${Math.max(...links.map((one) => one.length))}`);

  const chat = links.map((link, i) => `student${i}, 10:0${i % 10}: here it is ${link}\n`).join("");
  const list = new ClassList(no_book);
  const { added, refused } = await list.add_text(chat);
  assert.deepEqual(refused, []);
  assert.equal(added, steady.length);
  assert.deepEqual(list.machines, steady);

  const machines = in_order(list.machines);
  const ridges = machines.map(ridge_of);
  assert.deepEqual(
    ridges,
    [...ridges].sort((a, b) => a - b),
  );
  const spread = spread_words(machines);
  // chapters/en/pages/teaching.md prints these five numbers.
  assert.match(spread, /^29 machines: .* from 1\.0 to 9\.7 FLOP\/B, half .* 1\.8 and 3\.1,/);
  t.diagnostic(spread);
  const questions = questions_of(machines);
  assert.ok(questions.length >= 5, "a class with phones can answer nearly every question");
  for (const { ask, answer } of questions) {
    t.diagnostic(`${ask} ${answer}`);
    assert.doesNotMatch(ask + answer, /NaN|undefined|\{|–/);
  }
});

test("the roofs that a class compares are the machine's own", { skip }, async () => {
  const desktop = built.find(({ id }) => id === "zen5_desktop");
  const { machine } = await student(desktop, 0);
  const { turbo_ghz } = desktop.kinds.P.clock;
  const per_cycle = machine.compute / turbo_ghz; // FLOPs
  assert.ok(per_cycle > 12 && per_cycle < 36, `${per_cycle} FLOPs per cycle`);
  assert.ok(machine.memory > 5 && machine.memory < 120, `${machine.memory} GB/s`);
  const { machine: read } = await machine_of_link(new URL(await class_link(machine, address)).hash);
  assert.deepEqual(read, machine);
});

test("the system suggests the device", () => {
  assert.deepEqual(["iPhone", "Android", "iPad", "Linux", ""].map(device_of), [
    ...["phone", "phone", "tablet", "laptop", "laptop"],
  ]);
});
