// The folders of generator/ and figures/: the include table is generated into
// docs/reference/folders.md, has no cycles, and the core does not use the system. The compilers'
// dependency files list what is compiled together.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { test } from "node:test";

import { in_order, include_table, readme_faults } from "./support/folders.mjs";
import { expect_region } from "./support/generated.mjs";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const build = resolve(root, "build/release");
const read = (path) => readFileSync(resolve(root, path), "utf8");

/**
 * Source → everything that its compilation read; for sources of a folder that are compiled
 * together, only the first.
 */
function dependencies() {
  const out = execFileSync("ninja", ["-C", build, "-t", "deps"], {
    encoding: "utf8",
    maxBuffer: 2 ** 28,
  });
  return out
    .split(/\n(?=\S+: #deps)/)
    .map((block) => {
      const files = [...block.matchAll(/^ {4}(.+)$/gm)].map(([, path]) =>
        relative(root, resolve(build, path)),
      );
      const [source] = files.filter((path) => path.endsWith(".cpp"));
      return { source, files };
    })
    .filter(({ source }) => source);
}

const compiled = dependencies();
const ours = new Set(
  compiled.flatMap(({ files }) => files).filter((path) => /^(generator|figures)\//.test(path)),
);
const includes = (path) =>
  [...read(path).matchAll(/^#include ([<"])([^">]+)[">]/gm)].map(([, mark, name]) => ({
    mark,
    name,
  }));

const folder_of = (top, path) => dirname(relative(top, path));

for (const top of ["generator", "figures"]) {
  const sources = readdirSync(resolve(root, top), { recursive: true })
    .filter((path) => /\.(cpp|hpp|hpp\.in)$/.test(path))
    .map((path) => `${top}/${path}`);
  const uses = new Map();
  for (const path of sources) {
    const folder = folder_of(top, path);
    if (!uses.has(folder)) uses.set(folder, new Set());
    for (const { mark, name } of includes(path)) {
      const other = folder_of(top, name);
      if (mark === '"' && name.startsWith(`${top}/`) && other !== folder)
        uses.get(folder).add(other);
    }
  }

  test(`${top}/: folders include each other without a cycle, as docs/reference/folders.md lists`, () => {
    assert.ok(sources.length > 100, `${sources.length} files`);
    const order = in_order(uses);
    assert.ok(order, "the folders have a cycle");
    const document = resolve(root, "docs/reference/folders.md");
    expect_region(document, `${top}/`, include_table(uses, order));
  });

  test(`${top}/: sources that are compiled together are of one folder`, () => {
    for (const { files: all } of compiled) {
      const folders = all
        .filter((path) => path.startsWith(`${top}/`) && path.endsWith(".cpp"))
        .map((path) => dirname(path));
      assert.ok(new Set(folders).size <= 1, `${folders}`);
    }
  });

  test(`${top}/: a source's compilation reads no folder that its own cannot reach`, () => {
    const reach = new Map();
    for (const folder of in_order(uses))
      reach.set(
        folder,
        new Set([folder, ...[...uses.get(folder)].flatMap((x) => [...reach.get(x)])]),
      );
    const wrong = compiled
      .filter(({ source }) => source.startsWith(`${top}/`))
      .flatMap(({ source, files: all }) =>
        all
          .filter(
            (path) =>
              path.startsWith(`${top}/`) &&
              !reach.get(folder_of(top, source)).has(folder_of(top, path)),
          )
          .map((path) => `${source} reads ${path}`),
      );
    assert.deepEqual(wrong, []);
  });

  test(`${top}/: a folder's README names every module of the folder`, () => {
    for (const folder of uses.keys()) {
      const readme = resolve(root, top, folder, "README.md");
      if (top === "generator" && !existsSync(readme)) continue;
      const stems = sources
        .filter((path) => folder_of(top, path) === folder)
        .map((path) => basename(path).split(".")[0]);
      assert.deepEqual(readme_faults(readme, [...new Set(stems)]), []);
    }
  });
}

// Headers that start threads or wait for them, open files or sockets, start processes or call the
// system. <mutex> and <atomic> are not in the list: they only allow calls from several threads, and
// cost nothing without threads.
const of_the_host =
  /^(thread|future|condition_variable|stop_token|semaphore|latch|barrier|shared_mutex|filesystem|fstream|unistd\.h|fcntl\.h|poll\.h|spawn\.h|signal\.h|csignal|dirent\.h|link\.h|dlfcn\.h|pthread\.h|microhttpd\.h|sqlite3\.h|lmdb\.h|(sys|net|netinet|arpa|linux)\/.*)$/;

test("the core knows no threads, files, sockets, processes or databases", () => {
  const listed = read("generator/CMakeLists.txt").match(/^set\(host_folders ([\w/ ]+)\)$/m);
  assert.ok(listed, "generator/CMakeLists.txt names no host_folders");
  const host = new Set(listed[1].split(" "));
  const wrong = [...ours]
    .filter((path) => path.startsWith("figures/") || !host.has(folder_of("generator", path)))
    .flatMap((path) =>
      includes(path)
        .filter(({ mark, name }) =>
          mark === "<" ? of_the_host.test(name) : host.has(folder_of("generator", name)),
        )
        .map(({ name }) => `${path} includes ${name}`),
    );
  assert.deepEqual(wrong, []);
});
