// docs/reference/command-line.md has the output of --help for each command. UPDATE_GOLDENS=1 writes
// it.
import { execFileSync } from "node:child_process";
import { test } from "node:test";

import { expect_region } from "../structure/support/generated.mjs";
import { command_lines } from "./support/command_lines.mjs";

const primer = process.env.PRIMER ?? "build/release/generator/primer";
const help = (...words) => execFileSync(primer, [...words, "--help"], { encoding: "utf8" });

test("the command line in docs/reference is that of --help", () => {
  const commands = [...command_lines(primer).keys()].filter((words) => words !== "");
  const sections = commands.map(
    (words) => `## primer ${words}\n\n\`\`\`text\n${help(...words.split(" ")).trim()}\n\`\`\``,
  );
  const all = `\`\`\`text\n${help().trim()}\n\`\`\`\n\n${sections.join("\n\n")}`;
  expect_region("docs/reference/command-line.md", "commands", all);
});
