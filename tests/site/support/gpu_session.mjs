// primer.measure on /machine/ in a separate browser, for tests of the GPU kernels.
import assert from "node:assert/strict";
import { after, before } from "node:test";

import { open_browser, serve } from "../../../scripts/lib/browsers.mjs";
import { until } from "./browser_page.mjs";
import { site } from "./site.mjs";

/** Debian's Chromium has SwiftShader behind this. */
export const software = ["--enable-unsafe-webgpu"];
/** The note on a result that was computed but not timed. */
export const checked = /its answer was checked and is right/;

/**
 * `measure(options)` is primer.measure on /machine/ of a site whose files are changed by `alter`.
 */
export function session(kind, { args = [], alter } = {}) {
  const open = {};
  before(async () => {
    open.server = await serve(site, alter ? { alter } : {});
    open.browser = await open_browser(kind, { args });
    open.page = await open.browser.newPage();
    await open.page.goto(`${open.server.url}machine/`);
    await until(open.page, () => window.primer?.measure !== undefined);
  });
  after(async () => {
    await open.browser?.close();
    await open.server?.close();
  });
  open.measure = async (options) => {
    await open.page.bringToFront();
    // Starts the measurement and then polls, because a software GPU on a busy machine takes longer
    // than one call may.
    await open.page.evaluate(
      (wanted) => {
        window.answer = null;
        window.primer.measure(wanted).then(
          (profile) => (window.answer = { profile }),
          ({ message }) => (window.answer = { message }),
        );
      },
      { quick: true, ...options },
    );
    await until(open.page, () => window.answer !== null, null, 500_000);
    const { profile, message } = await open.page.evaluate(() => window.answer);
    if (!profile) throw new Error(message);
    return profile;
  };
  return open;
}

export const run = (kernel, params = {}) => ({ kernel, params });
export const runs_only = (...runs) => ({ only: [], runs, roofs: false });
export const name_of = ({ kernel, params }) => `${kernel} ${JSON.stringify(params)}`;
/** Edits a script, or the shaders whose names end like this. */
export const text_of =
  ([name, from, to]) =>
  (path, body) => {
    const edited = (text) => text.replaceAll(from, to);
    if (path.endsWith(name)) return Buffer.from(edited(String(body)));
    if (!name.endsWith(".wgsl") || !path.endsWith("/shaders.json")) return body;
    const is_meant = (shader) => `${shader}.wgsl`.endsWith(name);
    const shaders = Object.entries(JSON.parse(String(body)));
    return Buffer.from(
      JSON.stringify(
        Object.fromEntries(shaders.map(([n, text]) => [n, is_meant(n) ? edited(text) : text])),
      ),
    );
  };

const canary = "Work.prepare(bench, kernel, { groups: 256,";
/**
 * Work that takes a GPU 5 ms takes a software adapter far longer, and it is repeated before every
 * sample, so the tests reduce it.
 */
export function small_canary(path, body) {
  if (!path.endsWith("/gpu/sampler.js")) return body;
  assert.ok(String(body).includes(canary), "the canary is another");
  return Buffer.from(String(body).replace(canary, canary.replace("256", "8")));
}
