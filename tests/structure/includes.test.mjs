// The folders of generator/ and figures/ against the tables in docs/architecture.md: who may include whom, which module is
// named where, and what of the system the core knows. What is included is asked of the compilers' dependency files.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { test } from "node:test";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const build = resolve(root, "build/release");
const read = (path) => readFileSync(resolve(root, path), "utf8");

/** Rows "| `folder/` | folders | modules |" below a heading of docs/architecture.md, in their order. */
function rows(heading) {
  const section = read("docs/architecture.md").split(`\n## ${heading}\n`)[1]?.split("\n## ")[0];
  assert.ok(section, `docs/architecture.md has no heading "${heading}"`);
  return [...section.matchAll(/^\| `([\w/]+)\/` \|([^|]*)\|([^|]*)\|$/gm)].map(
    ([, folder, uses, about]) => ({
      folder,
      uses: uses.split(/[ ,]+/).filter(Boolean),
      about,
    }),
  );
}

/** Source → everything that its compilation read; of the sources of a folder that are compiled together, the first. */
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

const trees = [
  { top: "generator", heading: "The generator, folder by folder" },
  { top: "figures", heading: "Figures and models, folder by folder" },
];
const folder_of = (top, path) => dirname(relative(top, path));

for (const { top, heading } of trees) {
  const table = rows(heading);
  const by_folder = new Map(table.map((row) => [row.folder, row]));
  const files = [...ours].filter((path) => path.startsWith(`${top}/`));
  // Some are compiled for the page alone, or are made by the build.
  const modules = readdirSync(resolve(root, top), { recursive: true })
    .filter((path) => /\.(cpp|hpp|hpp\.in|mjs)$/.test(path))
    .map((path) => `${top}/${path}`);

  test(`${top}/: the table's arrows make no circle: every folder uses only folders above it`, () => {
    table.forEach(({ folder, uses }, i) => {
      const above = new Set(table.slice(0, i).map((row) => row.folder));
      assert.deepEqual(
        uses.filter((used) => !above.has(used)),
        [],
        folder,
      );
    });
  });

  test(`${top}/: no file includes what its folder does not use`, () => {
    assert.ok(files.length > 100, `${files.length} files`);
    const wrong = [];
    for (const path of files) {
      const folder = folder_of(top, path);
      const row = by_folder.get(folder);
      if (!row) {
        wrong.push(`${path}: its folder has no row in docs/architecture.md`);
        continue;
      }
      for (const { mark, name } of includes(path)) {
        if (mark !== '"' || !name.startsWith(`${top}/`)) continue;
        const other = folder_of(top, name);
        if (other !== folder && !row.uses.includes(other)) wrong.push(`${path} includes ${name}`);
      }
    }
    assert.deepEqual(wrong, []);
  });

  test(`${top}/: sources that are compiled together are of one folder`, () => {
    for (const { files: all } of compiled) {
      const folders = all
        .filter((path) => path.startsWith(`${top}/`) && path.endsWith(".cpp"))
        .map((path) => dirname(path));
      assert.ok(new Set(folders).size <= 1, `${folders}`);
    }
  });

  test(`${top}/: what a source's compilation has read lies in folders that its own can reach`, () => {
    const reach = new Map();
    for (const { folder, uses } of table)
      reach.set(folder, new Set([folder, ...uses.flatMap((used) => [...reach.get(used)])]));
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

  test(`${top}/: every module is named in its folder's row`, () => {
    const missing = [];
    for (const path of modules) {
      const about = by_folder.get(folder_of(top, path))?.about ?? "";
      const stem = basename(path).split(".")[0];
      const named = [...about.matchAll(/`([\w*]+)`/g)].some(([, name]) =>
        new RegExp(`^${name.replaceAll("*", "\\w+")}$`).test(stem),
      );
      if (!named) missing.push(path);
    }
    assert.deepEqual(missing, []);
  });

  test(`${top}/: the table names no module and no folder that is not there`, () => {
    for (const { folder, about } of table) {
      const stems = modules
        .filter((path) => folder_of(top, path) === folder)
        .map((path) => basename(path).split(".")[0]);
      assert.notDeepEqual(stems, [], `${folder}/ is empty`);
      for (const [, name] of about.matchAll(/`([\w*]+)`/g)) {
        const pattern = new RegExp(`^${name.replaceAll("*", "\\w+")}$`);
        assert.ok(
          stems.some((stem) => pattern.test(stem)),
          `${folder}/ has no ${name}`,
        );
      }
    }
  });
}

// What starts threads or waits for them, opens files or sockets, starts processes or asks the system. <mutex> and <atomic>
// are not among it: they say that something may be called from several threads, and cost nothing where there are none.
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
