#!/usr/bin/env node
// Checks that the strings of figures in site/locales/ are sorted by their UTF-8 bytes, so that two
// pull requests that add strings rarely touch the same line. Prints one line per fault; exit status
// 1 if there is one. With --fix, sorts them instead.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const folder = "site/locales";
const sections = ["said by drawings", "said beside drawings"];

const by_bytes = (a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b));

/** The text of a locale file with the strings of figures in order; the rest is unchanged. */
export function sorted_strings(text) {
  const file = JSON.parse(text);
  for (const section of sections.filter((name) => name in file)) {
    const entries = Object.entries(file[section]).sort(([a], [b]) => by_bytes(a, b));
    file[section] = Object.fromEntries(entries);
  }
  return `${JSON.stringify(file, null, 2)}\n`;
}

/** The strings that are behind a larger one: ["path:line: …", …]. */
export function order_faults(path, text) {
  const file = JSON.parse(text);
  const lines = text.split("\n");
  return sections.flatMap((section) => {
    const from = lines.indexOf(`  ${JSON.stringify(section)}: {`);
    const keys = Object.keys(file[section] ?? {});
    return keys
      .filter((key, i) => i > 0 && by_bytes(keys[i - 1], key) > 0)
      .map((key) => {
        const quoted = JSON.stringify(key);
        const line = lines.findIndex((one, i) => i > from && one.startsWith(`    ${quoted}:`)) + 1;
        const next = JSON.stringify(keys.find((other) => by_bytes(other, key) > 0));
        return `${path}:${line}: ${quoted} is out of order: expected it before ${next} (scripts/lint --fix)`;
      });
  });
}

function main() {
  const is_fixing = process.argv.includes("--fix");
  let status = 0;
  for (const name of readdirSync(folder).filter((one) => /^[^.]+\.json$/.test(one))) {
    const path = join(folder, name);
    const text = readFileSync(path, "utf8");
    const faults = order_faults(path, text);
    if (faults.length === 0) continue;
    if (is_fixing) {
      writeFileSync(path, sorted_strings(text));
      continue;
    }
    for (const fault of faults) console.log(fault);
    status = 1;
  }
  return status;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) process.exitCode = main();
