#!/usr/bin/env node
// `npx under-the-roofline …`: primer as a WebAssembly module, in Node.
import { command_of, usage } from "./command_line.mjs";
import { run } from "./commands.mjs";
import { visible } from "./site_output.mjs";

const { command, complaint } = command_of(process.argv.slice(2));
if (command) {
  process.exitCode = await run(command);
} else {
  const [to, text] = complaint
    ? [process.stderr, `primer: error: ${visible(complaint)}\n\n${usage}`]
    : [process.stdout, usage];
  to.write(text);
  process.exitCode = complaint ? 2 : 0;
}
