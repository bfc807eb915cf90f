// The page /write/ with a book of its site, as controlled by its tests. Needs scripts/workshop.
import { execFileSync } from "node:child_process";
import {
  copyFileSync,
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { after, before } from "node:test";

import { open_browser, serve } from "../../../scripts/lib/browsers.mjs";
import { open_watched, until } from "./browser_page.mjs";

const modules = "build/workshop/write";
/** For node:test: why tests of the browser editor cannot run here, or false. */
export const skip = !existsSync(`${modules}/primer.wasm`) && "scripts/workshop was not run";
export const primer = "build/release/generator/primer";

/**
 * Publishes a book, this one or its clone, with the browser editor to `place`. Returns its path.
 */
export function make_site(place, book = ".") {
  const workshop = join(place, "workshop");
  mkdirSync(workshop);
  for (const name of readdirSync(modules)) {
    if (!name.endsWith(".wasm")) continue;
    try {
      linkSync(join(modules, name), join(workshop, name));
    } catch {
      copyFileSync(join(modules, name), join(workshop, name));
    }
  }
  const made = {
    modules: "build/wasm",
    fonts: "build/fonts",
    minified: "build/minified",
    repository: "https://github.com/o/book",
  };
  const options = Object.entries(made).flatMap(([name, value]) => [`--${name}`, value]);
  const run = (...words) =>
    execFileSync(primer, [...words, "--book", book, "--trust", ...options], {
      stdio: ["ignore", "ignore", "inherit"],
    });
  run("pack", join(workshop, "book.pack"));
  run("build", "--out", join(place, "site"), "--workshop", workshop);
  return join(place, "site");
}

/**
 * A clone of the book in `place` after `change(path)`, for applying patches: {path, git, publish}.
 * `publish()` builds its site with the browser editor, once for all browsers, and resets the clone
 * to the state of that time. It returns the site's path.
 */
export function changed_book(place, change) {
  const path = join(place, "book");
  const git = (...words) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.org", ...words], {
      cwd: path,
      encoding: "utf8",
    });
  const made = () => {
    execFileSync("git", ["clone", "-q", ".", path]);
    cpSync("site", join(path, "site"), { recursive: true }); // as build/minified has it, committed or not
    change(path);
    git("add", "-A");
    git("commit", "-qm", "Changed");
    git("tag", "published");
    return make_site(place, path);
  };
  let site;
  const publish = () => {
    site ??= made();
    git("reset", "-q", "--hard", "published");
    return site;
  };
  return { path, git, publish };
}

/** Whether the browser editor is open, and a page has been built and checked. */
export const is_made = () =>
  Boolean(document.querySelector(".write-count")?.textContent) &&
  !document.querySelector(".write-place > .write-says");

/** Waits until the text about the problems contains `text`. */
export const says = (page, text) =>
  until(
    page,
    (wanted) => document.querySelector(".write-count")?.textContent.includes(wanted),
    text,
  );

/** Replaces the editor's text, as by typing. */
export const type_whole = (page, text) =>
  page.evaluate((fresh) => {
    const root = document.querySelector(".write-editor").shadowRoot;
    root.querySelector(".cm-content").focus();
    document.execCommand("selectAll");
    document.execCommand("insertText", false, fresh);
  }, text);

/**
 * Captures what the page saves instead of downloading it. For exported_patch(); run it in the page
 * first.
 */
export const catch_downloads = () => {
  window.saved = [];
  const make = URL.createObjectURL;
  URL.createObjectURL = (blob) => {
    if (blob.type.includes("patch")) blob.text().then((text) => window.saved.push(text));
    return make.call(URL, blob);
  };
};

/** The patch of the changes that the page saves, with this line as its subject. */
export async function exported_patch(page, subject) {
  await page.$eval(".write-out:has(form)", (fold) => (fold.open = true));
  const fields = { name: "A. Reader", address: "reader@example.org", subject };
  for (const [name, value] of Object.entries(fields))
    await page.$eval(`.write-out [name=${name}]`, (input, given) => (input.value = given), value);
  await page.$eval(".write-out form", (form) => form.requestSubmit());
  await until(page, () => window.saved.length === 1);
  return page.evaluate(() => window.saved.pop());
}

/** Keys held together. */
export async function press(page, ...keys) {
  for (const key of keys) await page.keyboard.down(key);
  for (const key of keys.toReversed()) await page.keyboard.up(key);
}

/** Presses Tab until the element with this name or label has the focus. */
export async function tab_to(page, wanted) {
  const is_there = (words) => {
    const { name, ariaLabel, labels, textContent } = document.activeElement;
    return [name, ariaLabel, labels?.[0]?.textContent, textContent].some(
      (one) => one?.trim() === words,
    );
  };
  for (let i = 0; i < 60; ++i) {
    if (await page.evaluate(is_there, wanted)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`Tab does not reach “${wanted}”`);
}

/** Reaches the field with this name by Tab and fills in this text. */
export async function fill_in(page, name, text) {
  await tab_to(page, name);
  await press(page, "Control", "a");
  await page.keyboard.type(text);
}

/**
 * A clone of the book in `place` to which `git am` has applied a patch, and the output of `primer
 * check` for it: {clone, said}.
 */
export function checked_clone(place, patch) {
  const clone = mkdtempSync(join(place, "clone-"));
  writeFileSync(join(place, "patch"), patch);
  const git = (...words) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.org", ...words]);
  git("clone", "-q", ".", clone);
  git("-C", clone, "am", "-q", join(place, "patch"));
  const options = { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] };
  return { clone, said: execFileSync(primer, ["check", "--trust", "--book", clone], options) };
}

/**
 * For the tests of a describe(): {browser, server, open}, for the site that `make()` builds, served
 * with `options`. `open(query, how)` is open_watched() of /write/, after a page has been built and
 * checked.
 */
export function workshop_session(kind, make, options = {}) {
  const session = {};
  before(async () => {
    session.browser = await open_browser(kind);
    session.server = await serve(make(), options);
  });
  after(async () => {
    await session.browser?.close();
    await session.server?.close();
  });
  session.open = async (query, how = {}) => {
    const url = new URL(`write/${query}`, session.server.url).href;
    const opened = await open_watched(session.browser, url, { before: catch_downloads, ...how });
    await until(opened.page, is_made);
    return opened;
  };
  return session;
}
