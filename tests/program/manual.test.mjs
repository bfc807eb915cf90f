// The manual page and the completions list exactly the commands and options that the program
// accepts.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";

import { command_lines } from "./support/command_lines.mjs";

const primer = process.env.PRIMER ?? "build/release/generator/primer";
const say = (...words) => execFileSync(primer, words, { encoding: "utf8" });
const place = mkdtempSync(join(tmpdir(), "manual-"));
after(() => rmSync(place, { recursive: true, force: true }));

const commands = command_lines(primer);
const is_there = (program) => spawnSync("sh", ["-c", `command -v ${program}`]).status === 0;

test("the manual page has every command with every option", () => {
  const page = say("manual")
    .replaceAll("\\-", "-")
    .replaceAll(/\\f[BIR]/g, "");
  const parts = page.split(/^\.SS /m).slice(1);
  assert.ok(commands.size >= 15);
  for (const [name, options] of commands) {
    const part = parts.find((one) => one.startsWith(`"primer ${name} `));
    assert.ok(part, name);
    for (const option of options) assert.match(part, new RegExp(`^${option}\\b`, "m"), name);
  }
});

test("man finds nothing wrong with it", (t) => {
  if (!is_there("groff")) return t.skip("there is no groff");
  const { status, stdout, stderr } = spawnSync("groff", ["-man", "-Tutf8", "-ww", "-z"], {
    input: say("manual"),
    encoding: "utf8",
  });
  assert.deepEqual([status, stdout, stderr], [0, "", ""]);
});

/** The completions of bash after these words, the last of which is being typed. */
function offered(...words) {
  const script = `${say("completion", "bash")}
COMP_WORDS=(primer "$@"); COMP_CWORD=$#
_primer
printf '%s\\n' "\${COMPREPLY[@]}"`;
  const answer = spawnSync("bash", ["-c", script, "bash", ...words], {
    cwd: place,
    encoding: "utf8",
  });
  assert.equal(answer.stderr, "");
  return answer.stdout.split("\n").filter(Boolean).sort();
}

test("bash offers every command with every option, and no other", () => {
  const names = [...commands.keys()];
  const first = [...new Set(names.map((name) => name.split(" ")[0]))].sort();
  assert.deepEqual(
    offered("").filter((word) => !word.startsWith("-")),
    first,
  );
  assert.deepEqual(offered("bu"), ["build"]);
  for (const [name, options] of commands) {
    const found = offered(...name.split(" "), "--");
    assert.deepEqual(found, [...options].sort(), name);
  }
  assert.deepEqual(offered("new", ""), ["--help", "book", "chapter", "kernel"]);
});

test("bash offers the values of an option, directories, and files", () => {
  mkdirSync(join(place, "notes of mine"));
  writeFileSync(join(place, "profile.json"), "{}");
  assert.deepEqual(offered("check", "--format", ""), ["github", "json", "text"]);
  assert.deepEqual(offered("facts", "list", "--format", "t"), ["text"]);
  assert.deepEqual(offered("build", "--book", ""), ["notes of mine"]);
  assert.deepEqual(offered("profile", "validate", "pro"), ["profile.json"]);
  assert.deepEqual(offered("build", "--threads", ""), []);
  assert.deepEqual(offered("completion", ""), ["bash", "fish", "zsh"]);
});

test("zsh and fish have the same commands and options", () => {
  const [zsh, fish] = [say("completion", "zsh"), say("completion", "fish")];
  for (const [name, options] of commands) {
    const [, arm] = new RegExp(`^ {4}'${name}'\\)\\n([^]*?) ;;$`, "m").exec(zsh) ?? [];
    assert.ok(arm, name);
    const lines = fish.split("\n").filter((line) => line.includes(`'__primer_at ${name}'`));
    for (const option of options) {
      assert.ok(arm.includes(`'${option}[`), `zsh: ${name} ${option}`);
      assert.ok(
        lines.some((line) => line.includes(` -l ${option.slice(2)} `)),
        `fish: ${name} ${option}`,
      );
    }
  }
});

for (const [shell, check] of [
  ["zsh", ["-n"]],
  ["fish", ["--no-execute"]],
]) {
  test(`${shell} can read what it is told`, (t) => {
    if (!is_there(shell)) return t.skip(`there is no ${shell}`);
    const file = join(place, shell);
    writeFileSync(file, say("completion", shell));
    const { status, stderr } = spawnSync(shell, [...check, file], { encoding: "utf8" });
    assert.deepEqual([status, stderr], [0, ""]);
  });
}

test("another shell is refused in words", () => {
  const { status, stderr } = spawnSync(primer, ["completion", "cmd"], { encoding: "utf8" });
  assert.notEqual(status, 0);
  assert.match(stderr, /cmd not in \{bash,zsh,fish\}/);
});
