// The language server: a test client that speaks the protocol with `primer lsp`.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";

const repository = resolve(import.meta.dirname, "../..");
const primer = resolve(process.env.PRIMER ?? join(repository, "build/release/generator/primer"));
const scratch = realpathSync(mkdtempSync(join(tmpdir(), "primer-lsp-")));
const book = join(scratch, "a book"); // with a space, which addresses encode
const chapter = "chapters/en/01-first.md";

/** An editor that talks to the server: numbered requests, and notifications from the server. */
class Editor {
  #bytes = Buffer.alloc(0);
  #asked = new Map();
  #number = 0;
  told = [];

  constructor() {
    this.server = spawn(primer, ["lsp"], {
      cwd: book,
      env: { PATH: process.env.PATH, HOME: join(scratch, "home") },
      stdio: ["pipe", "pipe", "inherit"],
    });
    this.server.stdout.on("data", (bytes) => this.#take(bytes));
    this.ended = new Promise((done) => this.server.on("exit", done));
  }

  #take(bytes) {
    this.#bytes = Buffer.concat([this.#bytes, bytes]);
    for (;;) {
      const head = /^Content-Length: (\d+)\r\n\r\n/.exec(this.#bytes.toString("latin1"));
      const end = head && head[0].length + Number(head[1]);
      if (!head || this.#bytes.length < end) return;
      const message = JSON.parse(this.#bytes.subarray(head[0].length, end).toString());
      this.#bytes = this.#bytes.subarray(end);
      if (message.method) this.told.push(message);
      else this.#asked.get(message.id)?.(message);
    }
  }

  #send(message) {
    const text = JSON.stringify({ jsonrpc: "2.0", ...message });
    this.server.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
  }

  tell(method, params = {}) {
    this.#send({ method, params });
  }

  ask(method, params = {}) {
    const id = ++this.#number;
    this.#send({ id, method, params });
    return new Promise((done) => this.#asked.set(id, done));
  }

  /** The diagnostics of a file, after the server has published new ones. */
  async diagnostics(file) {
    const uri = uri_of(file);
    for (;;) {
      const at = this.told.findIndex(({ params }) => params.uri === uri);
      if (at >= 0) return this.told.splice(0, at + 1).at(-1).params.diagnostics;
      await new Promise((done) => setTimeout(done, 20));
    }
  }
}

const uri_of = (file) => pathToFileURL(join(book, file)).href;
const text_of = (file) => readFileSync(join(book, file), "utf8");
const document = (file) => ({ textDocument: { uri: uri_of(file) } });

let editor;
before(async () => {
  cpSync(join(repository, "tests/fixtures/book"), book, { recursive: true });
  mkdirSync(join(book, "chapters/facts"));
  writeFileSync(
    join(book, "chapters/facts/chips.json"),
    '{\n  "chip": {"title": "A chip"},\n' +
      '  "chip.bandwidth": {"value": "2 TB/s", "sources": ["sheet"], "read": "primary"}\n}\n',
  );
  writeFileSync(
    join(book, "chapters/facts/references.json"),
    '{"sheet": {"type": "document", "title": "Sheet", "url": "https://example.org/", "checked": true}}\n',
  );
  editor = new Editor();
  const { result } = await editor.ask("initialize", { rootUri: uri_of("") });
  assert.equal(result.capabilities.hoverProvider, true);
  editor.tell("initialized");
});
after(async () => {
  await editor.ask("shutdown");
  editor.tell("exit");
  assert.equal(await editor.ended, 0);
  rmSync(scratch, { recursive: true, force: true });
});

let version = 1;
function write(text) {
  editor.tell("textDocument/didChange", {
    textDocument: { uri: uri_of(chapter), version: ++version },
    contentChanges: [{ text }],
  });
}
/** The position directly after the last text that was added to the chapter. */
function add(line) {
  const text = `${text_of(chapter)}\n${line}`;
  write(text);
  const lines = text.split("\n");
  return { line: lines.length - 1, character: lines.at(-1).length };
}

test("diagnostics follow the text in the editor, saved or not, and are withdrawn", async () => {
  const textDocument = {
    uri: uri_of(chapter),
    languageId: "markdown",
    version,
    text: text_of(chapter),
  };
  editor.tell("textDocument/didOpen", { textDocument });
  assert.deepEqual(await editor.diagnostics(chapter), []);
  const { line } = add("Ünïcode 😀 and [x](#nowhere-at-all).");
  const [one] = await editor.diagnostics(chapter);
  assert.equal(one.code, "dead-link");
  assert.equal(one.severity, 1);
  assert.match(one.message, /has no "nowhere-at-all"/);
  const start = "Ünïcode 😀 and [x](#".length;
  assert.deepEqual(one.range, {
    start: { line, character: start },
    end: { line, character: start + "nowhere-at-all".length },
  });
  write(text_of(chapter));
  assert.deepEqual(await editor.diagnostics(chapter), []);
});

test("a suggestion is offered as an edit", async () => {
  add("### Too deep");
  const diagnostics = (await editor.diagnostics(chapter)).filter(
    ({ code }) => code === "bad-heading",
  );
  const { result } = await editor.ask("textDocument/codeAction", {
    ...document(chapter),
    range: diagnostics[0].range,
    context: { diagnostics },
  });
  assert.equal(result[0].title, 'Write "##"');
  assert.deepEqual(result[0].edit.changes[uri_of(chapter)], [
    { range: diagnostics[0].range, newText: "##" },
  ]);
});

test("names are offered where they are written: facts, works, places, blocks", async () => {
  const names = async (line) => {
    const position = add(line);
    const { result } = await editor.ask("textDocument/completion", {
      ...document(chapter),
      position,
    });
    return (result.items ?? result).map(({ label }) => label);
  };
  const facts = await names("It does [1](fact:");
  assert.ok(facts.length > 0, "no facts");
  const part = await names(`It does [1](fact:${facts[0].slice(0, 3)}`);
  assert.ok(part.includes(facts[0]) && part.every((one) => one.startsWith(facts[0].slice(0, 3))));
  assert.ok((await names("see [the other](")).some((one) => one.endsWith(".md")));
  assert.ok((await names("see [Section](#")).every((one) => one.startsWith("#")));
  assert.ok((await names("```")).includes("figure"));
  assert.deepEqual(await names("only words"), []);
});

test("a name is explained, and found where it is defined", async () => {
  const [fact] = Object.keys(JSON.parse(text_of("chapters/facts/chips.json"))).filter((id) =>
    id.includes("."),
  );
  const { line, character } = add(`It does [1](fact:${fact}`);
  const position = { line, character: character - 1 };
  const hover = (await editor.ask("textDocument/hover", { ...document(chapter), position })).result;
  const { value } = JSON.parse(text_of("chapters/facts/chips.json"))[fact];
  assert.ok(hover.contents.value.includes(value), hover.contents.value);
  const found = (await editor.ask("textDocument/definition", { ...document(chapter), position }))
    .result;
  assert.equal(found.uri, uri_of("chapters/facts/chips.json"));
  const there = text_of("chapters/facts/chips.json").split("\n")[found.range.start.line];
  assert.ok(there.slice(found.range.start.character).startsWith(fact));
  const nowhere = { line: 0, character: 0 };
  assert.equal(
    (await editor.ask("textDocument/hover", { ...document(chapter), position: nowhere })).result,
    null,
  );
});

test("the settings of a new book name schemas that every site has", () => {
  const made = join(repository, "site/new_book");
  const settings = JSON.parse(readFileSync(join(made, ".vscode/settings.json"), "utf8"));
  const named = [
    ...settings["json.schemas"].map(({ url }) => url),
    ...Object.keys(settings["yaml.schemas"]),
    /\$schema=\.\.(.*)/.exec(readFileSync(join(made, "chapters/book.yaml"), "utf8"))[1],
  ];
  for (const url of named) {
    const name = /^\.?\/build\/site\/schemas\/(.+)$/.exec(url)[1];
    assert.ok(existsSync(join(repository, "site/static/schemas", name)), url);
  }
});

test("the server rejects unknown requests and continues", async () => {
  assert.equal((await editor.ask("textDocument/rename", document(chapter))).error.code, -32601);
  const outside = {
    textDocument: { uri: "file:///etc/passwd" },
    position: { line: 0, character: 0 },
  };
  assert.equal((await editor.ask("textDocument/hover", outside)).error.code, -32602);
  editor.tell("$/cancelRequest", { id: 1 });
  editor.tell("textDocument/didOpen", { textDocument: { uri: "file:///etc/passwd", text: "x" } });
  assert.equal((await editor.ask("initialize")).result.serverInfo.name, "primer");
});
