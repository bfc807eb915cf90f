// Browsers that test files share: one of each kind per lane of run_tests.mjs. A lane runs one file
// at a time, so no two files drive the same browser at once, and each file gets its own context
// (open_browser), without other files' storage, caches or service workers. A browser starts when a
// file first requests it. After a file that failed, the lane's browsers are closed, because the
// file may have left them in a bad state.
//
//   run_tests.mjs --- SHARED_BROWSERS=http://127.0.0.1:PORT/LANE ---> a file's process
//                 <-- GET /LANE/firefox ------------------------------ open_browser("firefox")
//                 --- ws://127.0.0.1:…, to which it connects -------->
//
// A file that needs arguments, preferences or a sandbox starts its own browser, as does a file that
// runs alone.
import { readFileSync, readdirSync } from "node:fs";
import { createServer } from "node:http";

import { launch_browser } from "./browsers.mjs";

/** The processes in /proc: {session, ticks}; `ticks` includes children that have ended. */
function processes() {
  const stat_of = (pid) => {
    try {
      return readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1).split(" ");
    } catch {
      return []; // it has just ended
    }
  };
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(stat_of)
    .map((fields) => ({
      session: Number(fields[3]),
      ticks: fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0),
    }));
}

export class SharedBrowsers {
  #lanes = new Map(); // lane: Map of kind: promise of {child, endpoint}
  #server;

  async listen() {
    this.#server = createServer(async ({ url }, response) => {
      const [, lane, kind, whole] = url.split("/");
      try {
        response.end((await this.#browser(lane, kind, whole === "whole")).endpoint);
      } catch ({ message }) {
        response.writeHead(500).end(message);
      }
    });
    await new Promise((listening) => this.#server.listen(0, "127.0.0.1", listening));
    this.#server.unref();
  }

  /** The value of SHARED_BROWSERS for the files of this lane. */
  address(lane) {
    return `http://127.0.0.1:${this.#server.address().port}/${lane}`;
  }

  #browser(lane, kind, whole) {
    const name = whole ? `${kind} whole` : kind;
    if (!this.#lanes.has(lane)) this.#lanes.set(lane, new Map());
    const browsers = this.#lanes.get(lane);
    if (!browsers.has(name)) {
      const launched = this.#launch(kind, whole);
      browsers.set(name, launched);
      launched.catch(() => browsers.delete(name));
    }
    return browsers.get(name);
  }

  async #launch(kind, whole) {
    const browser = await launch_browser(kind, { whole });
    const endpoint = browser.wsEndpoint();
    // Firefox allows one session at a time, and in Chromium a second one resets the emulation of a
    // test.
    await browser.disconnect();
    return { child: browser.process(), endpoint };
  }

  /** The CPU seconds of the lane's browsers so far; 0 if the system does not report them. */
  async busy(lane) {
    if (process.platform !== "linux") return 0;
    const own = await Promise.all(this.#lanes.get(lane)?.values() ?? []);
    // Puppeteer makes each the leader of a session
    const sessions = own.map(({ child }) => child.pid);
    const ticks = processes()
      .filter(({ session }) => sessions.includes(session))
      .reduce((sum, one) => sum + one.ticks, 0);
    return ticks / 100;
  }

  async end(lane) {
    const browsers = await Promise.all(this.#lanes.get(lane)?.values() ?? []);
    this.#lanes.delete(lane);
    for (const { child } of browsers) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      const ended = new Promise((resolve) => child.once("close", resolve));
      // Debian's chromium-headless-shell is a script that starts the browser
      process.kill(-child.pid, "SIGKILL");
      await ended;
    }
  }

  async close() {
    for (const lane of [...this.#lanes.keys()]) await this.end(lane);
    this.#server.close();
  }
}
