// The table of docs/reference/models.md is generated from the models' settings. UPDATE_GOLDENS=1
// writes it.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { expect_region, table } from "../structure/support/generated.mjs";

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), "../..");
const document = path.join(root, "docs/reference/models.md");
const program =
  process.env.MODELS_CALL ?? path.join(root, "build/release/tests/figures/models_call");

const groups = readdirSync(path.join(root, "figures/models"), { recursive: true })
  .filter((name) => name.endsWith("_models.cpp"))
  .sort();
const models = groups.flatMap((file) => {
  const text = readFileSync(path.join(root, "figures/models", file), "utf8");
  return [...text.matchAll(/\{"([\w-]+)", make_/g)].map(([, name]) => ({
    name,
    group: path.dirname(file),
  }));
});

/** "`cache` 8 to 512, doubling, default 32"; for a choice its names, the default in bold. */
function setting([id, low, high, initial, doubling, ...choices]) {
  if (choices.length)
    return `\`${id}\` ${choices.map((name, i) => (i === Number(initial) ? `**${name}**` : name)).join(", ")}`;
  return `\`${id}\` ${Number(low)} to ${Number(high)}${doubling ? ", doubling" : ""}, default ${Number(initial)}`;
}

function models_table() {
  const answers = execFileSync(program, {
    input:
      models.map(({ name }) => JSON.stringify({ op: "controls", model: name })).join("\n") + "\n",
    encoding: "utf8",
  })
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  return table(
    ["model", "group", "settings"],
    models.map(({ name, group }, i) => [
      `\`${name}\``,
      group,
      answers[i].rows.map(setting).join("; "),
    ]),
  );
}

test("every model and all its settings are in docs/reference/models.md", () => {
  assert.ok(models.length >= 28, `${models.length} models`);
  expect_region(document, "models", models_table());
});
