// /wgsl/: an editor for the matmuls of chapter 3, below the heading "your-program", and buttons at
// the exercises. A program runs in a worker (run.js), and its answer appears under the editor.

import { button, make } from "../base/element.js";
import { heard, word } from "../base/language.js";
import { pack, unpack } from "../base/packed.js";
import { between_thousands } from "../base/spaces.js";
import { set_stored, stored } from "../base/storage.js";
import { assets, fetch_ok } from "../page/page.js";
import { question } from "../write/question.js";
import { show_outcome } from "./answer.js";
import { exercises } from "./judge.js";
import {
  block_of,
  indented,
  longest_program,
  problem_of,
  shared_program,
  starts,
} from "./program.js";
import { run_program } from "./run.js";
import { mark, program_key } from "./wake.js";

const solved_key = "wgsl.solved";
const urls = () => ({
  module: new URL("kernels/webgpu.wasm", assets).href,
  shaders: new URL("kernels/shaders.json", assets).href,
});

/** Without storage, the program is lost with the page. */
function keep(name, text) {
  try {
    set_stored(name, text);
  } catch {
    // denied or full
  }
}

const labelled = (text, control) => make("label", {}, `${text} `, control);

function block_field(text) {
  const input = make("input", { type: "number", min: 1, max: 1024, required: true });
  input.autocomplete = "off";
  return { input, label: labelled(text, input) };
}

/** The text area with line numbers. */
class Editor {
  constructor() {
    this.area = make("textarea", { spellcheck: false, autocomplete: "off", wrap: "off", rows: 24 });
    this.area.ariaLabel = word("Your WGSL program");
    this.area.maxLength = longest_program;
    this.lines = make("pre", { className: "wgsl-lines" });
    this.lines.ariaHidden = "true";
    this.element = make("div", { className: "wgsl-editor" }, this.lines, this.area);
    this.area.addEventListener("scroll", () => (this.lines.scrollTop = this.area.scrollTop));
    this.area.addEventListener("input", () => this.#number());
  }

  text = () => this.area.value;
  focus = () => this.area.focus();

  show(text) {
    this.area.value = text;
    this.area.scrollTop = 0;
    this.#number();
  }

  /** Selects a line, 1 is the first. */
  select(line) {
    const lines = this.text().split("\n");
    const at = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
    this.focus();
    this.area.setSelectionRange(at, at + (lines[line - 1]?.length ?? 0));
    const height = this.area.scrollHeight / Math.max(1, lines.length);
    this.area.scrollTop = Math.max(0, (line - 6) * height);
  }

  #number() {
    const count = this.text().split("\n").length;
    this.lines.textContent = Array.from({ length: count }, (_, i) => i + 1).join("\n");
  }
}

class Workshop {
  #shaders;
  #cancel = null;
  #outcome = null;

  constructor(shaders) {
    this.#shaders = shaders;
    this.editor = new Editor();
    this.choice = make(
      "select",
      { autocomplete: "off" },
      ...starts.map(({ id, title }) => make("option", { value: id, textContent: word(title) })),
    );
    this.rows = block_field(word("Rows of C per workgroup"));
    this.columns = block_field(word("columns"));
    this.start = button(word("Run it"), () => this.#run());
    this.status = make("output", { className: "wgsl-status" });
    this.answer = make("div", { className: "wgsl-answer" });
    this.link = make("p", { className: "wgsl-link" });
    this.element = make(
      "div",
      { className: "wgsl" },
      make(
        "p",
        { className: "wgsl-fields" },
        labelled(word("Start from"), this.choice),
        this.rows.label,
        this.columns.label,
      ),
      this.editor.element,
      make(
        "p",
        { className: "wgsl-fields" },
        this.start,
        button(word("Link to this program"), () => this.#share()),
        this.status,
      ),
      this.link,
      this.answer,
    );
    // The roof has been measured.
    addEventListener("primer-results", () => this.#outcome && this.#show(this.#outcome));
    this.choice.addEventListener("change", () => this.open(this.choice.value));
    this.element.addEventListener("input", ({ target }) => {
      if (target !== this.choice) keep(program_key, JSON.stringify(this.#values()));
    });
  }

  #values = () => [this.editor.text(), this.rows.input.value, this.columns.input.value];

  /** Shows one of the book's programs. */
  open(id) {
    const { block } = starts.find((one) => one.id === id);
    this.choice.value = id;
    this.show({ text: indented(this.#shaders[`matmul_${id}`]), block });
  }

  show({ text, block: [rows, columns] }) {
    this.#cancel?.abort(); // its answer would appear under another program
    this.editor.show(text);
    this.rows.input.value = rows;
    this.columns.input.value = columns;
    this.#outcome = null;
    for (const place of [this.answer, this.link, this.status]) place.replaceChildren();
    keep(program_key, JSON.stringify(this.#values()));
  }

  async #run() {
    if (this.#cancel) return this.#cancel.abort();
    const [text, ...sides] = this.#values();
    const block = block_of(sides);
    const problem = block
      ? problem_of(text)
      : ["rows and columns are whole numbers from 1 to {n}", { n: between_thousands("1,024") }];
    if (problem) {
      const [english, values] = problem;
      return this.#show({ reason: word(english, values), problems: [] });
    }
    this.#cancel = new AbortController();
    this.start.textContent = word("Cancel");
    this.#outcome = null;
    this.answer.replaceChildren();
    const on_progress = (_, step) => (this.status.textContent = `${word(step)} …`);
    const { signal } = this.#cancel;
    const outcome = await run_program({ text, block }, urls(), { on_progress, signal });
    this.#cancel = null;
    this.start.textContent = word("Run it");
    await this.#show(outcome);
  }

  async #show(outcome) {
    this.#outcome = outcome;
    const solved = await show_outcome(this.answer, outcome, (line) => this.editor.select(line));
    const { reason } = outcome;
    this.status.textContent = reason
      ? word("Stopped, because {why}.", { why: heard(reason) })
      : word("Its answer is right.");
    if (!reason) mark_solved(solved);
  }

  async #share() {
    const block = block_of(this.#values().slice(1)) ?? [16, 16];
    try {
      const address = new URL(location.href);
      address.hash = mark + (await pack([this.editor.text(), ...block]));
      const field = make("input", { readOnly: true, value: address.href });
      field.ariaLabel = word("Link to this program");
      this.link.replaceChildren(field);
      field.select();
      await navigator.clipboard?.writeText(address.href).catch(() => {});
    } catch ({ message }) {
      this.link.textContent = word("Unavailable, because {why}.", { why: heard(message) });
    }
  }

  /** A program in the address may come from anybody, so the reader decides whether it is opened. */
  async ask_about_shared() {
    if (!location.hash.startsWith(mark)) return;
    const ask = (text, answers) => this.element.prepend(question(this.editor, text, answers));
    try {
      const program = shared_program(await unpack(location.hash.slice(mark.length)));
      if (!program) throw new Error("the text in this address is damaged");
      const lines = program.text.split("\n").length;
      ask(
        word(
          "This address holds a program of {lines} lines. Nothing runs before you press “Run it”.",
          {
            lines,
          },
        ),
        [
          [word("Open it"), () => this.show(program)],
          [word("Leave it"), () => {}],
        ],
      );
    } catch ({ message }) {
      ask(word("Unavailable, because {why}.", { why: heard(message) }), []);
    }
  }
}

const solved_before = () => {
  const ids = (stored(solved_key) ?? "").split(" ");
  return new Set(ids.filter((id) => exercises.some((one) => one.id === id)));
};

function mark_solved(ids = []) {
  const all = solved_before();
  for (const id of ids) all.add(id);
  if (ids.length > 0) keep(solved_key, [...all].join(" "));
  for (const id of all) {
    const state = document.querySelector(`.wgsl-exercise[data-id="${id}"] > output`);
    if (state) state.textContent = word("Solved on this machine.");
  }
}

/** The end of the section of a heading. */
function last_of(heading) {
  let at = heading;
  while (at.nextElementSibling && !/^H[23]$/.test(at.nextElementSibling.tagName))
    at = at.nextElementSibling;
  return at;
}

function add_buttons(workshop) {
  for (const { id, start, solution } of exercises) {
    const heading = document.getElementById(id);
    if (!heading) continue;
    const open = (program) => () => {
      workshop.open(program);
      workshop.element.scrollIntoView();
      workshop.editor.focus();
    };
    const place = make(
      "p",
      { className: "wgsl-exercise" },
      button(word("Begin"), open(start)),
      " ",
      button(word("Open a solution"), open(solution)),
      " ",
      make("output"),
    );
    place.dataset.id = id;
    last_of(heading).after(place);
  }
  mark_solved();
}

/** The program of an earlier visit; null: none, or what is stored is damaged. */
function earlier_program() {
  try {
    return shared_program(JSON.parse(stored(program_key)));
  } catch {
    return null;
  }
}

/** Adds the editor below the heading. */
export async function show(heading) {
  const shaders = await (await fetch_ok(urls().shaders)).json();
  const workshop = new Workshop(shaders);
  const earlier = earlier_program();
  if (earlier) workshop.show(earlier);
  else workshop.open("naive");
  last_of(heading).after(workshop.element);
  if (!navigator.gpu) {
    workshop.start.disabled = true;
    workshop.status.textContent = word("Unavailable, because {why}.", {
      why: word("this browser offers no WebGPU"),
    });
  }
  add_buttons(workshop);
  await workshop.ask_about_shared();
  workshop.element.dataset.ready = "";
}
