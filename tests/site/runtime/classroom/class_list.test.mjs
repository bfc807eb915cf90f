// A class from links and files: the list returns what was sent, and rejects invalid items one by
// one, with the reason and without losing the rest.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import {
  class_link,
  class_mark,
  longest_link,
  machine_of_link,
} from "../../../../site/runtime/classroom/class_link.js";
import { ClassList, most_machines } from "../../../../site/runtime/classroom/class_list.js";
import {
  in_order,
  machine_of,
  ridge_of,
} from "../../../../site/runtime/classroom/class_machine.js";
import { questions_of, spread_words } from "../../../../site/runtime/classroom/class_questions.js";
import {
  exercise_link,
  exercise_of_link,
  path_of,
} from "../../../../site/runtime/classroom/exercise.js";
import { csv_of } from "../../../../site/runtime/profile/csv.js";
import { link_of } from "../../../../site/runtime/profile/permalink.js";

const address = "https://book.example/class/";
const recorded = JSON.parse(
  readFileSync(new URL("../../../../figures/profiles/zen5-chromium.json", import.meta.url), "utf8"),
);
const book = async () => ({ registry: [], reference: { results: [] } });
const ada = {
  ...{ name: "Ada", device: "laptop", browser: "Firefox 153", system: "Linux" },
  ...{ date: "2026-11-30", compute: 60, memory: 25 },
};
const values_of = ({ name, device, browser, system, date, compute, memory }) => [
  ...[1, name, device, browser, system, date, compute, memory],
];
const packed = (value, mark = class_mark) =>
  `${mark}j${Buffer.from(JSON.stringify(value)).toString("base64url")}`;
const altered = (members) => address + packed(values_of({ ...ada, ...members }));

test("a machine survives the way through its link", async () => {
  const link = await class_link(ada, address);
  assert.ok(link.startsWith(`${address}#c=z`) && link.length < 160, link);
  assert.deepEqual(await machine_of_link(new URL(link).hash), { machine: ada });
});

test("a link has at most 300 characters: a long name is cut, and never inside a letter", async () => {
  const name = Array.from({ length: 40 }, (_, i) => String.fromCodePoint(0x20000 + 977 * i)).join(
    "",
  );
  const long = `https://book.example/${"a-folder/".repeat(12)}class/`;
  const link = await class_link({ ...ada, name }, long);
  assert.ok(link.length <= longest_link && link.length > longest_link - 8, `${link.length}`);
  const { machine } = await machine_of_link(new URL(link).hash);
  assert.doesNotMatch(machine.name, /\p{Cs}/u);
  assert.ok(machine.name.length > 0 && name.startsWith(machine.name), machine.name);
  assert.equal(machine.compute, 60);
});

test("a recorded profile gives its roofs to three digits, its day and its browser", () => {
  const { machine } = machine_of(recorded, { name: "Zen", device: "server" });
  assert.deepEqual(machine, {
    ...{ name: "Zen", device: "server", browser: "Chromium 156", system: "Linux" },
    ...{ date: "2026-11-27", compute: 70, memory: 55.5 },
  });
  const busy = { ...recorded, roofs: [] };
  assert.deepEqual(machine_of(busy), {
    error: "the roofs of its core are not steady: close other programs and measure again",
  });
});

const hostile = {
  "it is longer than 300 characters": address + class_mark + "z".repeat(longest_link),
  "the link is damaged": `${address}#c=zAAAA`,
  "the link does not describe a machine": address + packed({ name: "Eve" }),
  "another version of the book made it": address + packed([2, "Eve"]),
  "it names no kind of device": altered({ device: "__proto__" }),
  "its date is not a date": altered({ date: "=1+1" }),
  "its compute is not a number from 0.01 to 2000 GFLOP/s": altered({ compute: 1e9 }),
  "its memory is not a number from 0.01 to 2000 GB/s": altered({ memory: "25" }),
  "it is not a link to a machine": "https://evil.example/?c=1",
};

test("hostile links are refused one by one with the reason, and the rest is added", async () => {
  const list = new ClassList(book);
  const good = await class_link(ada, address);
  const { added, refused } = await list.add_text(
    [...Object.values(hostile), good, good].join("\n"),
  );
  assert.equal(added, 1);
  assert.deepEqual(
    refused.map(({ why }) => why),
    [...Object.keys(hostile), "it is in the list already"],
  );
  assert.deepEqual(list.machines, [ada]);
  for (const { what } of refused) assert.ok(what.length <= 60);
});

test("speeds that no core has are refused, whatever JSON can write", async () => {
  for (const compute of [0, -1, null, true, [60], {}, "60", 1e308])
    assert.match((await machine_of_link(packed(values_of({ ...ada, compute })))).error, /compute/);
});

test("names are one line without characters that hide or turn others", async () => {
  const name = "A\u202eda\u0000\n<b>Lovelace</b> ".padEnd(90, "x");
  const { machine } = await machine_of_link(packed(values_of({ ...ada, name })).slice(0, 300));
  assert.doesNotMatch(machine.name, /[\p{Cc}\p{Cf}]/u);
  assert.ok(machine.name.length <= 40);
});

test("a link that inflates without end is damaged", async () => {
  const { deflateRawSync } = await import("node:zlib");
  const bomb = deflateRawSync(Buffer.alloc(205_000, " ")).toString("base64url");
  assert.ok(bomb.length < 300, `${bomb.length}`);
  assert.deepEqual(await machine_of_link(`#c=z${bomb}`), { error: "the link is damaged" });
});

test("200 links at once, in a chat's text, with links from /machine/ among them", async () => {
  const list = new ClassList(book);
  const machines = Array.from({ length: 200 }, (_, i) => ({
    ...{ ...ada, name: `Student ${i}`, compute: 10 + i },
  }));
  const links = await Promise.all(machines.map((one) => class_link(one, address)));
  const other = `https://book.example/machine/${await link_of({ ...recorded, results: [] })}`;
  const chat = links.map((link, i) => `[10:${i}] Student ${i}: <${link}>, done :-)`).join("\n");
  const { added, refused } = await list.add_text(`${chat}\n${other}`);
  assert.deepEqual(refused, []);
  assert.equal(added, 201);
  assert.deepEqual(list.machines.slice(0, 200), machines);
  assert.deepEqual(
    [list.machines[200].compute, list.machines[200].memory, list.machines[200].name],
    [70, 55.5, ""],
  );
});

test("a class has at most 500 machines, and a text at most two million characters", async () => {
  const list = new ClassList(book);
  list.machines = Array.from({ length: most_machines }, () => ({ ...ada, name: "x" }));
  const { refused } = await list.add_text(await class_link(ada, address));
  assert.equal(refused[0].why, "the list has 500 machines");
  const long = await list.add_text("#c=z ".repeat(500_000));
  assert.deepEqual([long.added, long.refused.length], [0, 1]);
});

test("files are read one by one", async () => {
  const list = new ClassList(book);
  const file = (name, text) => ({ name, size: text.length, text: async () => text });
  const { added, refused } = await list.add_files([
    file("a.json", JSON.stringify(recorded)),
    file("b.json", "{"),
    file("c.json", JSON.stringify({ ...recorded, roofs: [] })),
    { name: "d.json", size: 2 ** 30, text: () => assert.fail("a file of 1 GiB was read") },
  ]);
  assert.equal(added, 1);
  assert.deepEqual(refused, [
    { what: "b.json", why: "it is not JSON" },
    {
      what: "c.json",
      why: "the roofs of its core are not steady: close other programs and measure again",
    },
    { what: "d.json", why: "the file is longer than 4 MiB" },
  ]);
});

test("a spreadsheet takes no name for a formula", () => {
  for (const sign of ["=", "+", "-", "@"])
    assert.equal(csv_of([[`${sign}cmd|' /C calc'!A0`, 1]]), `'${sign}cmd|' /C calc'!A0,1\r\n`);
});

test("machines are sorted by ridge, and those without a name are numbered as they came", () => {
  const list = in_order([
    { ...ada, name: "" },
    { ...ada, memory: 50 },
    { ...ada, name: "", memory: 5 },
  ]);
  assert.deepEqual(
    list.map(({ name }) => name),
    ["Ada", "machine 1", "machine 3"],
  );
});

const class_of = (...speeds) =>
  in_order(speeds.map(([compute, memory], i) => ({ ...ada, name: `M${i}`, compute, memory })));

test("the spread in one sentence", () => {
  assert.equal(spread_words([]), "");
  assert.equal(spread_words(class_of([50, 25])), "One machine, with its ridge at 2.0 FLOP/B.");
  assert.equal(
    spread_words(class_of([10, 10], [40, 20], [60, 20], [80, 20], [100, 20])),
    "5 machines: the ridges range from 1.0 to 5.0 FLOP/B, half of them between 2.0 and 4.0, while " +
      "compute differs by a factor of 10 and memory by 2.0.",
  );
});

test("questions have the answers of these machines, and none is asked of one machine", () => {
  assert.deepEqual(questions_of(class_of([50, 25])), []);
  const machines = class_of([10, 8], [80, 20], [100, 5]);
  const said = questions_of(machines).map(({ ask, answer }) => `${ask} ${answer}`);
  assert.match(
    said[0],
    /by 4 vectors .* 2\.0 FLOPs per byte.* on the 2 of 3 machines .*: M1, M2\.$/,
  );
  assert.match(said[1], /^M2 computes 10 times as fast as M0.* It is 0\.63 times as fast as M0/);
  assert.match(said[2], /^M2 has its ridge at 20 FLOP\/B, .* Its memory: 0\.63 times the median/);
  assert.equal(said.length, 4); // no phones, and one browser
  const ridges = machines.map(ridge_of);
  assert.deepEqual(ridges, [1.25, 4, 20]);
});

test("phones and browsers are compared if there are two of each", () => {
  const phone = { ...ada, device: "phone", browser: "Safari 26", compute: 30, memory: 30 };
  const machines = in_order([ada, { ...ada, name: "B" }, phone, { ...phone, name: "C" }]);
  const said = questions_of(machines).map(({ answer }) => answer);
  assert.ok(
    said.some((words) => words.includes("ridge is 1.0 FLOP/B, that of the other machines 2.4")),
  );
  assert.ok(said.some((words) => words.includes("50 % of the compute and 120 % of the memory")));
  assert.ok(
    said.some((words) =>
      /30 GFLOP\/s with Safari and 60 GFLOP\/s with Firefox|60 GFLOP\/s with Firefox and 30/.test(
        words,
      ),
    ),
  );
});

const root = new URL("https://book.example/book/");

test("an exercise leads to a page of this book and to nothing else", async () => {
  const cases = {
    "https://book.example/book/matmul/#bench-ladder": "matmul/#bench-ladder",
    " matmul/ ": "matmul/",
    "https://book.example/book/": "",
    "https://book.example/other/": null,
    "https://evil.example/book/matmul/": null,
    "javascript:alert(1)": null,
    "//evil.example/": null,
    "../secret/": null,
  };
  for (const [text, path] of Object.entries(cases)) assert.equal(path_of(text, root), path, text);
  const link = await exercise_link({ path: "matmul/", title: "Week 3" }, address);
  assert.deepEqual(await exercise_of_link(new URL(link).hash), {
    path: "matmul/",
    title: "Week 3",
  });
  for (const path of ["//evil.example/", "javascript:alert(1)", "/", "a/../b", 7, null])
    assert.match((await exercise_of_link(packed([path, "x"], "#e="))).error, /page of this book/);
  assert.match((await exercise_of_link("#e=zzz")).error, /damaged/);
  assert.match((await exercise_of_link(`#e=z${"a".repeat(700)}`)).error, /too long/);
});
