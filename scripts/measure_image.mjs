#!/usr/bin/env node
// docs/images/measure.webp, the animation of the README: the home page of a built site before
// a press of Measure, while it measures, and with the reader's result. Needs img2webp (Debian:
// webp).
//   node scripts/measure_image.mjs [SITE] [FILE]
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { open_browser, serve } from "./lib/browsers.mjs";

const size = { width: 800, height: 900 };
const frame_ms = 400;
const longest_run_ms = 40_000;

async function record(page, folder) {
  const frames = [];
  const shoot = async () => {
    const path = join(folder, `${frames.length}.png`);
    await page.screenshot({ path });
    frames.push(path);
  };
  await shoot();
  await page.click("#bench-home .bench-button");
  const is_running = () =>
    page.$eval("#bench-home", (bench) => bench.getAttribute("state") === "running");
  const end = Date.now() + longest_run_ms;
  do {
    await new Promise((resolve) => setTimeout(resolve, frame_ms));
    await shoot();
  } while (Date.now() < end && (await is_running()));
  await new Promise((resolve) => setTimeout(resolve, 1000));
  await shoot();
  return frames;
}

const [site = "build/site", file = "docs/images/measure.webp"] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "measure-image-"));
const server = await serve(site);
const browser = await open_browser("chromium");
try {
  const page = await browser.newPage();
  await page.setViewport(size);
  // The first visit may show fallback fonts; the second has ours.
  for (let visit = 0; visit < 2; ++visit)
    await page.goto(server.url, { waitUntil: "networkidle2" });
  const frames = await record(page, folder);
  mkdirSync(dirname(file), { recursive: true });
  const timed = (path, ms) => ["-d", String(ms), path];
  const shown = frames.flatMap((path, i) => {
    const is_still = i === 0 || i === frames.length - 1;
    return timed(path, is_still ? 2500 : frame_ms / 2);
  });
  execFileSync("img2webp", ["-loop", "0", "-lossy", "-q", "60", "-m", "6", ...shown, "-o", file]);
} finally {
  await browser.close();
  server.close();
  rmSync(folder, { recursive: true });
}
