// `scripts/serve`, with fakes for all programs that it starts: the order in which things are built,
// what happens after a failure, and that nothing keeps running after it ends.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { after, test } from "node:test";

const repository = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const root = mkdtempSync(join(tmpdir(), "primer-scripts-"));
after(() => rmSync(root, { recursive: true, force: true }));

function program(path, text) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), `#!/usr/bin/env bash\n${text}\n`);
  chmodSync(join(root, path), 0o755);
}

const did = (what) => `echo "${what}" >> "$LOG"`;
program("scripts/setup", did("setup"));
program("scripts/fonts", did("fonts"));
program("bin/node", did("$(basename $1)"));
program("bin/cmake", 'mkdir -p "build/$2"; touch "build/$2/build.ninja"');
// Module builds succeed or fail as the test decides.
program(
  "bin/ninja",
  `case "$*" in
  *release*) ${did("primer")} ;;
  *) trap '${did("stopped")}; exit 1' TERM; echo $$ > ninja.pid; while [ ! -e go ] && [ ! -e fail ]; do sleep 0.05; done
     [ ! -e fail ] || { echo "a module fails"; exit 1; }; ${did("modules")} ;;
esac`,
);
program(
  "build/release/generator/primer",
  `${did("$*")}
[ "$1" != index ] || exit 0
echo $$ > primer.pid
[ -e build/wasm/unfinished ] || ${did("with modules")}
echo http://127.0.0.1:8000/; exec sleep 1000`,
);
writeFileSync(join(root, "build/emscripten.env"), "");
for (const part of ["serve", "lib"])
  cpSync(join(repository, "scripts", part), join(root, "scripts", part), { recursive: true });

const exists = (name) => existsSync(join(root, name));
const log = () =>
  (exists("log") ? readFileSync(join(root, "log"), "utf8") : "").split("\n").filter(Boolean);
const is_running = (name) => {
  try {
    return process.kill(Number(readFileSync(join(root, name), "utf8")), 0);
  } catch {
    return false;
  }
};
async function until(condition) {
  while (!condition()) await new Promise((done) => setTimeout(done, 20));
}

/** The script, once it has printed the address. */
async function started({ is_built = false } = {}) {
  for (const name of ["log", "go", "fail", "ninja.pid", "build/wasm"])
    rmSync(join(root, name), { recursive: true, force: true });
  if (is_built) {
    mkdirSync(join(root, "build/wasm"), { recursive: true });
    for (const name of ["go", "build/wasm/build.ninja"]) writeFileSync(join(root, name), "");
  }
  const env = {
    ...process.env,
    PATH: `${join(root, "bin")}:${process.env.PATH}`,
    LOG: join(root, "log"),
  };
  const script = spawn(join(root, "scripts/serve"), ["--port", "8000"], { cwd: root, env });
  const run = { script, output: "", ended: new Promise((done) => script.on("exit", done)) };
  for (const stream of [script.stdout, script.stderr])
    stream.on("data", (bytes) => (run.output += bytes));
  await until(() => run.output.includes("http://127.0.0.1:8000/\n"));
  return run;
}

test(
  "the address is printed before the index and the modules are built, and older ones are not served",
  { timeout: 60_000 },
  async () => {
    const run = await started();
    await until(() => exists("ninja.pid") && log().includes("index --book ."));
    assert.ok(exists("build/wasm/unfinished"));
    assert.deepEqual(log(), [
      "setup",
      "primer",
      "fonts",
      "minify.mjs",
      "serve --book . --out build/site --search build/search --port 8000",
      "index --book .",
    ]);
    writeFileSync(join(root, "go"), "");
    await until(() => !exists("build/wasm/unfinished"));
    assert.equal(log().at(-1), "modules");
    assert.ok(is_running("primer.pid"));
    run.script.kill("SIGTERM");
    assert.equal(await run.ended, 143);
    await until(() => !is_running("primer.pid"));
  },
);

test("modules that need no work are served at once", { timeout: 60_000 }, async () => {
  const run = await started({ is_built: true });
  assert.ok(log().includes("with modules"));
  run.script.kill("SIGTERM");
  await run.ended;
});

test(
  "failed modules are reported, and the pages are still served",
  { timeout: 60_000 },
  async () => {
    const run = await started();
    writeFileSync(join(root, "fail"), "");
    await until(() => run.output.includes("pages cannot measure"));
    assert.match(run.output, /a module fails\n/);
    assert.ok(exists("build/wasm/unfinished"));
    assert.ok(is_running("primer.pid"));
    run.script.kill("SIGINT");
    assert.equal(await run.ended, 130);
  },
);

test("Ctrl-C ends the server and the running builds", { timeout: 60_000 }, async () => {
  const run = await started();
  await until(() => exists("ninja.pid"));
  run.script.kill("SIGINT");
  assert.equal(await run.ended, 130);
  await until(() => !is_running("primer.pid") && !is_running("ninja.pid"));
  assert.equal(log().at(-1), "stopped");
  assert.ok(!exists("build/wasm/unfinished"));
});

test("a server that does not start is the script's own end", { timeout: 60_000 }, async () => {
  program("build/release/generator/primer", "echo no such option >&2; exit 106");
  const env = {
    ...process.env,
    PATH: `${join(root, "bin")}:${process.env.PATH}`,
    LOG: join(root, "log"),
  };
  const script = spawn(join(root, "scripts/serve"), [], { cwd: root, env, stdio: "ignore" });
  assert.equal(await new Promise((done) => script.on("exit", done)), 106);
  assert.ok(!exists("build/wasm/unfinished"));
});
