// docs/model_list.md says what the models themselves say of their settings. UPDATE_GOLDENS=1 writes it anew.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), "../..");
const document = path.join(root, "docs/model_list.md");
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

/** "`cache` 8 to 512, doubling, at first 32"; of a choice its names, in bold what it begins with. */
function setting([id, low, high, initial, doubling, ...choices]) {
  if (choices.length)
    return `\`${id}\` ${choices.map((name, i) => (i === Number(initial) ? `**${name}**` : name)).join(", ")}`;
  return `\`${id}\` ${Number(low)} to ${Number(high)}${doubling ? ", doubling" : ""}, at first ${Number(initial)}`;
}

function written() {
  const answers = execFileSync(program, {
    input:
      models.map(({ name }) => JSON.stringify({ op: "controls", model: name })).join("\n") + "\n",
    encoding: "utf8",
  })
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const rows = models.map(
    ({ name, group }, i) =>
      `| \`${name}\` | ${group} | ${answers[i].rows.map(setting).join("; ")} |`,
  );
  return `# Models and their settings

For \`model\` and \`params\` of a \`\`\`model block ([authoring.md](authoring.md)) and for links to a model's settings
([models.md](models.md)). Made from the models themselves: \`tests/figures/models_reference.test.mjs\` holds this page to them.
What a setting begins with is in bold where it is a choice.

| model | group | settings |
|---|---|---|
${rows.join("\n")}
`;
}

test("every model and all its settings are in docs/model_list.md", () => {
  assert.ok(models.length >= 28, `${models.length} models`);
  const now = written();
  if (process.env.UPDATE_GOLDENS) writeFileSync(document, now);
  assert.equal(readFileSync(document, "utf8"), now);
});
