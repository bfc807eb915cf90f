// A form for the fields of the block at the cursor. The text is the only state: the program parses
// the block into fields and says which lines to replace when one of them changes, and this class
// replaces only those. Edits are queued in `written`. If the author types before an answer arrives,
// the edit is computed again from the new text.
import { button, make } from "../base/element.js";
import { heard, word } from "../base/language.js";
import { field_of } from "./form_fields.js";
import { words_of } from "./problems.js";

const is_in = (line, place) => line >= place.line && line < place.end;

/** The panel below the editor and the button that opens it. While open, it follows the cursor. */
export class BlockForm {
  constructor({ program, editor, tool }) {
    Object.assign(this, { program, editor, tool, form: null, found: [], file: "" });
    this.written = Promise.resolve();
    this.toggle = button(word("Fields of the block"), () => this.show(!this.shown));
    this.toggle.setAttribute("aria-pressed", "false");
    this.head = make("p");
    this.wrong = make("output", { className: "write-wrong" });
    this.list = make("div");
    this.panel = make("section", { className: "write-form", hidden: true });
    this.panel.setAttribute("aria-label", word("Fields of the block"));
    this.close = button(word("Close"), () => this.show(false));
    this.panel.append(make("div", { className: "write-form-head" }, this.head, this.close));
    this.panel.append(this.wrong, this.list);
    this.panel.addEventListener("keydown", ({ key }) => key === "Escape" && this.show(false));
  }

  async show(shown) {
    this.shown = shown;
    this.toggle.setAttribute("aria-pressed", String(shown));
    this.panel.hidden = !shown;
    this.tool.dataset.form = shown ? "on" : "off";
    if (!shown) return this.editor.focus();
    await this.refresh();
    this.editor.go(this.editor.line()); // the form may cover it
    (this.list.querySelector("[name], button") ?? this.close).focus();
  }

  /** Called when the cursor moves to a line. */
  at(line) {
    if (this.shown && !(this.form && is_in(line, this.form))) this.refresh();
  }

  /** Takes the diagnostics of the current text and shows those of `file`. */
  tell(found, file) {
    this.found = found.filter((one) => one.file === file);
    return this.refresh();
  }

  async refresh() {
    if (!this.shown) return;
    const text = this.editor.text();
    const asked = { do: "form", text, line: this.editor.line() };
    const { form, diagnostics } = await this.program.ask(asked);
    if (text !== this.editor.text()) return;
    const { line, kind } = this.form ?? {};
    const is_same = form?.line === line && form?.kind === kind;
    this.form = form;
    if (!is_same || !this.list.contains(document.activeElement)) this.fill(diagnostics);
    this.tell_fields();
  }

  fill(diagnostics) {
    const { form } = this;
    this.fields = new Map();
    this.head.replaceChildren(...this.heading(form, diagnostics));
    this.list.replaceChildren(...(form?.fields ?? []).map((field) => this.element_of(field)));
  }

  heading(form, diagnostics) {
    if (form) return [make("code", { textContent: form.kind })];
    if (diagnostics.length > 0)
      return [word("This block is not a list of fields yet:"), " ", words_of(diagnostics[0])];
    return [word("The cursor is not in a block with fields.")];
  }

  element_of(field) {
    if (field.kind === "elsewhere") return this.elsewhere(field);
    const made = field_of(field, (value) => this.set(field.name, value));
    this.fields.set(field.name, made);
    return made.element;
  }

  /** Shows a nested field, which can be edited only in the text. */
  elsewhere({ name, help, line }) {
    const says = make(
      "p",
      {},
      make("code", { textContent: name }),
      " ",
      make("small", { textContent: help }),
      " ",
    );
    if (line === 0) says.append(word("It has nested fields: add it in the text."));
    else
      says.append(
        word("Edit it in the text:"),
        " ",
        button(word("line {n}", { n: line }), () => this.editor.go(line)),
      );
    return says;
  }

  /** Shows each diagnostic next to its field, and the rest of the block's at the top. */
  tell_fields() {
    if (!this.form) return void (this.wrong.textContent = "");
    const rest = new Set(this.found.filter(({ line }) => is_in(line, this.form)));
    for (const field of this.form.fields) {
      const here = [...rest].filter((one) => is_in(one.line, field) && one.rule !== "missing-key");
      for (const one of here) rest.delete(one);
      const lines = here.map((one) => words_of(one));
      if (this.fields.has(field.name)) this.fields.get(field.name).tell(lines.join("\n"));
      else for (const one of here) rest.add(one);
    }
    this.wrong.textContent = [...rest].map((one) => words_of(one)).join("\n");
  }

  /** Queues an edit. The promise resolves when this edit and all earlier ones are in the text. */
  set(name, value) {
    const failed = ({ message }) => (this.wrong.textContent = heard(message));
    this.written = this.written.then(() => this.write(name, value)).catch(failed);
    return this.written;
  }

  async write(name, value) {
    const { line } = this.form;
    const text = this.editor.text();
    const edit = await this.program.ask({ do: "field", text, line, name, value });
    if (text !== this.editor.text()) return this.write(name, value);
    if (edit.line === null)
      throw new Error("the form cannot change this field in the current text");
    this.editor.replace(edit.line, edit.end, edit.lines);
  }
}
