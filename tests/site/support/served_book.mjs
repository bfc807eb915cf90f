// A book that a test edits, and `primer serve` on it.
import { spawn } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

export const repository = resolve(dirname(fileURLToPath(import.meta.url)), "../../..");
const primer = join(repository, "build/release/generator/primer");

/** A serving primer, once it has printed its address: {process, url, port, output()}. */
export async function started(args) {
  const process = spawn(primer, args.map(String), { stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  process.stderr.on("data", (bytes) => (output += bytes));
  const url = await new Promise((found, lost) => {
    process.stdout.on("data", (bytes) => {
      output += bytes;
      const address = output.match(/http:\S+\n/);
      if (address) found(address[0].trim());
    });
    process.on("exit", () => lost(new Error(output)));
  });
  return { process, url, port: Number(new URL(url).port), output: () => output };
}

/**
 * A copy of the small book with a chapter that is long enough to scroll and has a measurement, and
 * a server for it.
 */
export class ServedBook {
  constructor() {
    this.root = mkdtempSync(join(tmpdir(), "primer-serve-"));
    cpSync(join(repository, "tests/fixtures/book"), this.root, { recursive: true });
    this.chapter = join(this.root, "chapters/en/01-first.md");
    this.text = `---\ntitle: First\n---\n\n## Above\n\n${"A line above.\n\n".repeat(60)}## Here

The sentence to change.

\`\`\`bench
id: bench-served
kernels: [stream.add]
try: Measure.
\`\`\`

\`\`\`cpp
int code = 1;
\`\`\`

${"A line below.\n\n".repeat(40)}`;
    this.save(this.text);
  }

  save(text) {
    writeFileSync(this.chapter, text);
  }

  async start(port = 8470, more = []) {
    const options = [
      "serve",
      "--book",
      this.root,
      "--assets",
      join(repository, "site"),
      "--port",
      port,
      ...more,
    ];
    this.server = await started([...options, "--out", join(this.root, "out/site")]);
    this.url = this.server.url;
    this.port = this.server.port;
  }

  stop() {
    this.server?.process.kill("SIGKILL");
    rmSync(this.root, { recursive: true, force: true });
  }
}
