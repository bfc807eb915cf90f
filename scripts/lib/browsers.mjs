// Browsers and a web server, for scripts/measure and the browser tests.
import { createHash } from "node:crypto";
import { accessSync, constants, readFileSync, realpathSync, statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { delimiter, extname, join, normalize, sep } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";

import puppeteer from "puppeteer-core";

const no_sandbox = "--no-sandbox";

const kinds = {
  chromium: {
    variable: "CHROME",
    names: ["chromium", "google-chrome-stable", "google-chrome", "chromium-browser", "chrome"],
    debian: "chromium",
    launch: {
      browser: "chrome",
      args: [
        no_sandbox,
        "--disable-background-networking",
        "--disable-component-update",
        "--no-first-run",
      ],
    },
  },
  firefox: {
    variable: "FIREFOX",
    names: ["firefox-esr", "firefox"],
    debian: "firefox-esr",
    launch: { browser: "firefox" },
  },
};

/** The browsers that tests open: all, or those in $BROWSERS ("chromium"). */
export const browser_kinds = Object.keys(kinds).filter(
  (kind) => process.env.BROWSERS?.split(",").includes(kind) ?? true,
);

/** Snaps (Ubuntu's browsers) run in a sandbox that automation cannot reach. */
function is_snap(path) {
  const real = realpathSync(path);
  if (real.includes("/snap")) return true;
  return statSync(real).size < 20000 && readFileSync(real, "latin1").includes("/snap/bin/");
}

function on_path(name) {
  for (const directory of (process.env.PATH ?? "").split(delimiter)) {
    const path = join(directory, name);
    try {
      accessSync(path, constants.X_OK);
      return path;
    } catch {
      // Not in this directory.
    }
  }
  return null;
}

/**
 * The path of the browser: $CHROME or $FIREFOX, otherwise from PATH. Throws if there is no browser
 * that can be driven.
 */
export function find_browser(kind) {
  const { variable, names, debian } = kinds[kind];
  const chosen = process.env[variable];
  if (chosen) return chosen;
  const found = names.map(on_path).filter(Boolean);
  const usable = found.find((path) => !is_snap(path));
  if (usable) return usable;
  const why = found.length
    ? `${found[0]} is a snap, which automation cannot drive.`
    : `there is no ${kind} on PATH.`;
  throw new Error(
    `No ${kind}: ${why} Install Debian's package (apt-get install ${debian}), ` +
      `or name a browser that is not a snap: ${variable}=/path/to/${kind}.`,
  );
}

/** Headless Chromium, named by $CHROME_SHELL, opens pages in half of the CPU time. */
const shell_path = (kind) => (kind === "chromium" ? process.env.CHROME_SHELL : undefined);

const usual_patience_ms = 180_000; // for an answer of the browser

/**
 * Opens a headless browser, driven over DevTools (Chromium) or WebDriver BiDi (Firefox). Close it
 * after use. In a test that run_tests.mjs runs, it may be a separate context in a browser that test
 * files share (shared_browsers.mjs). `whole`: the full Chromium, because service workers cannot
 * isolate pages in the headless one, which also sets type a little wider. `sandbox`: Chromium with
 * its sandbox if possible: not as root, and not if the system refuses it, which is reported on
 * stderr. `patience_ms`: how long an answer of the browser may take; 0: as long as it wants.
 */
export async function open_browser(kind, options = {}) {
  const { preferences = {}, args = [], sandbox = false } = options;
  const is_usual = !sandbox && args.length + Object.keys(preferences).length === 0;
  const shared = is_usual && process.env.SHARED_BROWSERS;
  return shared ? context_in(shared, kind, options) : launch_browser(kind, options);
}

async function context_in(shared, kind, { whole = false }) {
  const answer = await fetch(`${shared}/${kind}${whole ? "/whole" : ""}`);
  const endpoint = await answer.text();
  if (!answer.ok) throw new Error(endpoint);
  const protocol = kind === "firefox" ? "webDriverBiDi" : "cdp";
  const browser = await puppeteer.connect({
    browserWSEndpoint: endpoint,
    protocol,
    protocolTimeout: usual_patience_ms,
  });
  const context = await browser.createBrowserContext();
  return {
    newPage: () => context.newPage(),
    pages: () => context.pages(),
    createBrowserContext: () => browser.createBrowserContext(),
    close: async () => {
      await context.close();
      await browser.disconnect();
    },
  };
}

/** Implements open_browser() without a shared browser. */
export async function launch_browser(
  kind,
  {
    preferences = {},
    args = [],
    sandbox = false,
    whole = false,
    patience_ms = usual_patience_ms,
  } = {},
) {
  const { launch } = kinds[kind];
  const shell = whole ? undefined : shell_path(kind);
  const open = (all) =>
    puppeteer.launch({
      ...launch,
      headless: shell ? "shell" : true,
      executablePath: shell || find_browser(kind),
      args: [...all, ...args],
      protocolTimeout: patience_ms,
      ...(kind === "firefox" ? { extraPrefsFirefox: preferences } : {}),
    });
  const usual = launch.args ?? [];
  const is_root = process.getuid?.() === 0;
  if (!sandbox || is_root || kind !== "chromium") return open(usual);
  try {
    return await open(usual.filter((arg) => arg !== no_sandbox));
  } catch {
    console.error("browsers: Chromium has no sandbox here; it goes on without one");
    return open(usual);
  }
}

const types = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".wasm": "application/wasm",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
  ".xml": "application/xml",
  ".txt": "text/plain; charset=utf-8",
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".jpeg": "image/jpeg",
  ".webp": "image/webp",
  ".webmanifest": "application/manifest+json",
};

const isolation = {
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Embedder-Policy": "require-corp",
  "Cross-Origin-Resource-Policy": "same-origin",
};

const compress = promisify(gzip);
const zips = new Map();
/** Compresses bytes with gzip, cached because pages load the same files again and again. */
function zipped(bytes) {
  const digest = createHash("sha256").update(bytes).digest("base64");
  if (!zips.has(digest)) zips.set(digest, compress(bytes));
  return zips.get(digest);
}
const is_compressed = (name) => /\.(woff2|png|jpe?g|webp)$/.test(name);

/**
 * Serves `directory` below `base` on a free loopback port (or `port`) like GitHub Pages: no headers
 * unless `isolated`, gzip if the browser accepts it, and 404.html for missing files. `alter(path,
 * body)` may change a file, or drop it by returning null (tests inject faults with it). Returns
 * {url, requests, close}; `requests` lists the requested paths. `alter` gets scripts unminified;
 * they are minified before they are sent.
 */
export async function serve(
  directory,
  { base = "/", isolated = false, port = 0, alter = (path, body) => body } = {},
) {
  const requests = [];
  const server = createServer(async (request, response) => {
    const path = decodeURIComponent(new URL(request.url, "http://localhost").pathname);
    requests.push(path);
    if (is_strangers(request)) return response.writeHead(403).end();
    const file = path.startsWith(base) ? file_of(directory, path.slice(base.length)) : null;
    const found = file && (await readFile(file).catch(() => null));
    const source = found && ((await script_source(path)) ?? found);
    const altered = found && alter(path, source);
    const body = altered === source ? found : altered;
    const status = body ? 200 : 404;
    const name = body ? file : "404.html";
    const lost = () => readFile(join(directory, "404.html")).catch(() => Buffer.from("not found"));
    const zip = !is_compressed(name) && /\bgzip\b/.test(request.headers["accept-encoding"]);
    const plain = body ?? (await lost());
    const sent = zip ? await zipped(plain) : plain;
    response.writeHead(status, {
      "Content-Type": types[extname(name)] ?? "application/octet-stream",
      ...(zip ? { "Content-Encoding": "gzip" } : {}),
      "Cross-Origin-Resource-Policy": "same-origin",
      ...(isolated ? isolation : {}),
    });
    response.end(sent);
  });
  await new Promise((resolve) => server.listen(port, "127.0.0.1", resolve));
  server.unref(); // a server that a failed test leaves open must not block the process
  const close = () =>
    new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${server.address().port}${base}`, requests, close };
}

/**
 * Whether the request comes from another site's page or from a frame with an opaque origin. Strict
 * servers reject it.
 */
const is_strangers = ({ headers }) =>
  headers["sec-fetch-site"] === "cross-site" && headers["sec-fetch-dest"] !== "document";

/**
 * The source of the script at a path, as scripts/minify.mjs recorded it; null if it is no script of
 * a page.
 */
async function script_source(path) {
  const [, name] = /\/_\/\w+\/runtime\/([\w./]+\.js)$/.exec(path) ?? [];
  return name
    ? readFile(new URL(`../../site/runtime/${name}`, import.meta.url)).catch(() => null)
    : null;
}

function file_of(directory, path) {
  const name = normalize(path === "" || path.endsWith("/") ? `${path}index.html` : path);
  return name.startsWith("..") || name.startsWith(sep) ? null : join(directory, name);
}
