// Drives WebKitGTK, an open-source build of the engine that all iPhone browsers use, through
// WebDriver on a virtual display. Needs the Debian packages webkit2gtk-driver and xvfb. WebKitGTK
// is slower than Chromium and Firefox, and its clocks, cores, memory limits and WebGPU differ from
// those of Apple's build.
import { spawn } from "node:child_process";
import { accessSync, readdirSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";

const libraries = ["/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu"];

/** The path of WebKitGTK's MiniBrowser, or null if it, its driver or Xvfb is not installed. */
export function find_webkit() {
  try {
    for (const program of ["/usr/bin/WebKitWebDriver", "/usr/bin/Xvfb"]) accessSync(program);
  } catch {
    return null;
  }
  const listed = (directory) => {
    try {
      return readdirSync(directory).map((name) => join(directory, name, "MiniBrowser"));
    } catch {
      return [];
    }
  };
  const is_there = (path) => {
    try {
      accessSync(path);
      return true;
    } catch {
      return false;
    }
  };
  return (
    libraries.flatMap(listed).find((path) => /webkit2gtk-4/.test(path) && is_there(path)) ?? null
  );
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** A free TCP port on this machine. */
const free_port = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

/** Starts Xvfb: {display, child}. Xvfb writes the number of the free display that it chose. */
function open_display() {
  const child = spawn("Xvfb", ["-displayfd", "3", "-screen", "0", "1400x1100x24"], {
    stdio: ["ignore", "ignore", "ignore", "pipe"],
  });
  return new Promise((resolve, reject) => {
    child.once("exit", (code) => reject(new Error(`Xvfb ended with ${code}`)));
    child.stdio[3].once("data", (number) =>
      resolve({ display: `:${String(number).trim()}`, child }),
    );
  });
}

/** Polls the driver at `url` until it answers, for at most ten seconds. */
async function until_up(url) {
  for (let tries = 0; tries < 100; ++tries) {
    const answer = await fetch(`${url}/status`).catch(() => null);
    if (answer?.ok) return;
    await pause(100);
  }
  throw new Error("WebKitWebDriver did not answer within 10 s");
}

/**
 * Opens WebKit: {version, go, size, run, press, screenshot, close}. `run(function, ...arguments)`
 * calls a function in the page and returns its result, which must be JSON. `press(selector)` clicks
 * as a user would. Sizes are those of the window's content in CSS pixels.
 */
export async function open_webkit() {
  const binary = find_webkit();
  if (!binary) throw new Error("No WebKit: apt-get install webkit2gtk-driver xvfb");
  const screen = await open_display();
  const port = await free_port();
  const url = `http://127.0.0.1:${port}`;
  const driver = spawn("WebKitWebDriver", [`--port=${port}`], {
    stdio: "ignore",
    env: {
      ...process.env,
      DISPLAY: screen.display,
      LIBGL_ALWAYS_SOFTWARE: "1",
      WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: "1", // the sandbox does not work as root
    },
  });
  const end = () => [driver, screen.child].forEach((child) => child.kill());
  async function call(method, path, body) {
    const answer = await fetch(url + path, { method, body: body && JSON.stringify(body) });
    const { value } = await answer.json();
    if (value?.error) throw new Error(`${path}: ${value.error} ${value.message}`);
    return value;
  }
  try {
    await until_up(url);
    const options = { "webkitgtk:browserOptions": { binary, args: ["--automation"] } };
    const session = await call("POST", "/session", { capabilities: { alwaysMatch: options } });
    return driven(call, `/session/${session.sessionId}`, session.capabilities.browserVersion, end);
  } catch (error) {
    end();
    throw error;
  }
}

const element_key = "element-6066-11e4-a52e-4f735466cecf"; // from the WebDriver standard

function driven(call, at, version, end) {
  const run = (code, ...args) =>
    call("POST", `${at}/execute/sync`, { script: `return (${code})(...arguments)`, args });
  return {
    version,
    run,
    go: (address) => call("POST", `${at}/url`, { url: address }),
    // The toolbar takes part of the height, so add what is missing after the first resize.
    async size(width, height) {
      await call("POST", `${at}/window/rect`, { width, height });
      const [w, h] = await run(() => [innerWidth, innerHeight]);
      await call("POST", `${at}/window/rect`, { width: 2 * width - w, height: 2 * height - h });
    },
    async press(selector) {
      const found = await call("POST", `${at}/element`, { using: "css selector", value: selector });
      await call("POST", `${at}/element/${found[element_key]}/click`, {});
    },
    screenshot: async () => Buffer.from(await call("GET", `${at}/screenshot`), "base64"),
    async close() {
      await call("DELETE", at).catch(() => {});
      end();
    },
  };
}
