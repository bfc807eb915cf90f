// Books with their own kernels. The examples come from docs/reference/kernel-packs.md, so the tests
// build and measure exactly what an author reads there.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

import binaryen from "binaryen";

export const repository = resolve(dirname(fileURLToPath(import.meta.url)), "../../..");
const primer = join(repository, "build/release/generator/primer");

const page = readFileSync(join(repository, "docs/reference/kernel-packs.md"), "utf8");
/** The code blocks of the reference in one language. */
const blocks = (language) =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, "gm"))].map(
    ([, code]) => code,
  );

const [copy_manifest, saxpy_manifest, gpu_manifest] = blocks("json").map((text) =>
  JSON.parse(text),
);
export const examples = {
  copy: { manifest: copy_manifest, source: blocks("wat")[0] },
  c: { manifest: saxpy_manifest, source: blocks("c")[0] },
  wgsl: { manifest: gpu_manifest, source: blocks("wgsl")[0] },
  rust: { manifest: saxpy_manifest, source: blocks("rust")[0] },
};
/**
 * The command of the reference that builds the example, with another program instead of its first
 * word.
 */
export const command_of = (program) =>
  blocks("sh")
    .find((text) => text.startsWith(program))
    .replaceAll(/\\\n/g, "")
    .trim();

// Not all features, because some change the encoding of every module.
const { BulkMemory, BulkMemoryOpt, Atomics, ReferenceTypes, GC, ExceptionHandling } =
  binaryen.Features;
const features = BulkMemory | BulkMemoryOpt | Atomics | ReferenceTypes | GC | ExceptionHandling;

/** The bytes of a module written in WebAssembly text. */
export function assembled(text) {
  const module = binaryen.parseText(text);
  module.setFeatures(features);
  const bytes = Buffer.from(module.emitBinary());
  module.dispose();
  return bytes;
}

/** A copy of the manifest of own.copy with other members for the kernel. */
export function manifest_with(kernel, whole = {}) {
  const [first] = copy_manifest.kernels;
  return { ...copy_manifest, kernels: [{ ...first, ...kernel }], ...whole };
}

export class KernelBook {
  constructor() {
    this.root = mkdtempSync(join(tmpdir(), "primer-kernels-"));
    this.site = join(this.root, "build/site");
    this.directories = [];
  }

  write(path, content) {
    mkdirSync(dirname(join(this.root, path)), { recursive: true });
    writeFileSync(join(this.root, path), content);
  }

  /** Adds the directory kernels/<name> with a manifest, and files by name. */
  add(name, manifest, files) {
    this.directories.push(`kernels/${name}`);
    const text = typeof manifest === "string" ? manifest : `${JSON.stringify(manifest, null, 2)}\n`;
    this.write(`kernels/${name}/kernels.json`, text);
    for (const [file, content] of Object.entries(files))
      this.write(`kernels/${name}/${file}`, content);
  }

  /** Adds own.copy, as text or as a compiled module, with other members in its manifest. */
  add_copy({ kernel = {}, text = examples.copy.source, name = "copy", whole } = {}) {
    const files = { "copy.wat": text, "copy.wasm": assembled(text) };
    this.add(name, manifest_with(kernel, whole), files);
  }

  /** One chapter, `first`, with this text. */
  write_chapter(text) {
    const kernels = `kernels: [${this.directories.join(", ")}]\n`;
    this.write("chapters/book.yaml", `title: Foreign\n${kernels}chapters: [first]\n`);
    this.write("chapters/en/first.md", `---\ntitle: First\n---\n${text}`);
  }

  /** A chapter with one bench, `bench-own`, of these kernels. */
  write_bench(kernels) {
    const list = JSON.stringify(kernels);
    this.write_chapter(`\`\`\`bench\nid: bench-own\nkernels: ${list}\ntry: Measure.\n\`\`\`\n`);
  }

  run(...words) {
    const { status, stdout, stderr } = spawnSync(primer, words, {
      cwd: this.root,
      encoding: "utf8",
    });
    return { status, said: (stdout + stderr).replaceAll(/^primer: note: .*\n/gm, "") };
  }

  check() {
    const without = ["--modules", "none", "--fonts", "none", "--minified", "none"];
    return this.run("check", ...without, "--assets", join(repository, "site"));
  }

  build() {
    const at = (path) => join(repository, path);
    return this.run(
      ...["build", "--out", this.site, "--assets", at("site"), "--minified", at("build/minified")],
      ...["--fonts", at("build/fonts"), "--modules", at("build/wasm")],
    );
  }

  remove() {
    rmSync(this.root, { recursive: true, force: true });
  }
}
