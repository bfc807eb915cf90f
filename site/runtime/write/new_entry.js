// Forms for new facts, claims and references on /write/. The program adds an entry to the file it
// belongs to, and the changed file is saved as a draft in this browser.
import { button, make } from "../base/element.js";
import { heard, word } from "../base/language.js";
import { keep_all } from "./drafts.js";
import { field_of } from "./form_fields.js";
import { words_of } from "./problems.js";
import { question } from "./question.js";

const words_for = new Map([
  ["fact", () => word("New fact …")],
  ["claim", () => word("New claim …")],
  ["reference", () => word("New reference …")],
]);
const words_of_kind = (kind) => words_for.get(kind)();

const kind_of_rule = new Map([
  ["unknown-fact", "fact"],
  ["unknown-claim", "claim"],
  ["unknown-citation", "reference"],
]);

/** Returns the id if the words are nothing but an id, otherwise "". */
export const id_in = (words) => /^@?([a-z][a-z0-9]*(?:[.-][a-z0-9]+)*)$/.exec(words)?.[1] ?? "";

/** Returns {kind, id} of the missing entry that a diagnostic is about, or null. */
export function missing_entry({ rule, line, column, length }, text) {
  const kind = kind_of_rule.get(rule);
  const characters = [...(text.split("\n").at(line - 1) ?? "")];
  const id = id_in(characters.slice(column - 1, column - 1 + length).join(""));
  return kind && id ? { kind, id } : null;
}

/**
 * Creates a form from these fields: {element, focus(), id()}. Calls `done(id)` once the entry is in
 * the book.
 */
function form_of(kind, fields, desk, { done, close }) {
  const made = new Map(fields.map((field) => [field.name, field_of(field, () => {})]));
  const wrong = make("output", { className: "write-wrong" });
  const head = make("div", { className: "write-form-head" }, make("p", {}, words_of_kind(kind)));
  head.append(button(word("Close"), close));
  const form = make("form", { noValidate: true }, head);
  form.append(...[...made.values()].map(({ element }) => element), wrong);
  form.append(make("button", { textContent: word("Add it") }));
  form.setAttribute("aria-label", words_of_kind(kind));
  const read = () => Object.fromEntries([...made].map(([name, field]) => [name, field.read()]));
  const tell = (faults) => {
    const said = (name) => faults.filter(({ field }) => field === name);
    const lines = (all) => all.map((one) => [words_of(one), ...(one.notes ?? [])].join("\n"));
    for (const [name, field] of made) field.tell(lines(said(name)).join("\n"));
    const rest = faults.filter(({ field }) => !made.has(field));
    wrong.textContent = lines(rest).join("\n");
    form.querySelector("[aria-invalid=true]")?.focus();
  };
  const enter = async () => {
    const values = read();
    const { faults, drafts } = await desk.program.ask({ do: "enter", kind, values });
    tell(faults);
    if (!drafts) return;
    await keep_all(desk.drafts, drafts);
    await done(values.id[0].trim());
  };
  let entered = Promise.resolve();
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    entered = entered.then(enter).catch(({ message }) => (wrong.textContent = heard(message)));
  });
  const inputs = () => [...form.querySelectorAll("[name]")];
  const focus = () => (inputs().find(({ value }) => !value) ?? inputs()[0]).focus();
  return { element: form, focus, id: () => read().id[0] ?? "" };
}

/** The disclosure element with the forms and the list of added entries. */
export class NewEntry {
  constructor(desk) {
    Object.assign(this, { desk, forms: new Map() });
    this.place = make("div");
    this.place.addEventListener("keydown", ({ key }) => key === "Escape" && this.close());
    this.entered = make("ul", { className: "write-facts" });
    const buttons = [...words_for.keys()].map((kind) => this.button_for(kind));
    this.fold = make(
      "details",
      { className: "write-new" },
      make("summary", { textContent: word("New facts and references") }),
      make("p", { className: "write-buttons" }, ...buttons),
      this.place,
      this.entered,
    );
  }

  button_for(kind, id = "") {
    const one = button(words_of_kind(kind), () => this.open(kind, id));
    if (id) one.setAttribute("aria-label", `${words_of_kind(kind)} ${id}`);
    return one;
  }

  /** Returns a button that adds the missing entry of a diagnostic, or nothing. */
  button_at(problem, text) {
    const missing = missing_entry(problem, text);
    return missing ? [" ", this.button_for(missing.kind, missing.id)] : [];
  }

  /** Opens a form. When it is closed, `back` is called with the id of the new entry, or with "". */
  open(kind, id = "", back = () => this.desk.editor.focus()) {
    this.back = back;
    this.show(kind, id).catch((error) => this.desk.say_why(error));
  }

  /** Shows the form that was closed last, with its input, unless `id` is another one. */
  async show(kind, id) {
    if (!this.forms.has(kind) || (id && id !== this.forms.get(kind).id())) {
      const { fields } = await this.desk.program.ask({ do: "entry", kind, name: id });
      const done = (entered) => this.done(kind, entered);
      this.forms.set(kind, form_of(kind, fields, this.desk, { done, close: () => this.close() }));
    }
    this.place.replaceChildren(this.forms.get(kind).element);
    this.fold.open = true;
    this.forms.get(kind).focus();
  }

  close(id = "") {
    this.place.replaceChildren();
    this.fold.open = false;
    this.back(id);
  }

  async done(kind, id) {
    this.forms.delete(kind);
    await this.changed();
    this.close(id);
  }

  /** Called after the entries changed: renders the page and the list again. */
  async changed() {
    this.desk.say_state(this.desk.kept_words());
    await this.refresh();
    await this.desk.make();
  }

  async refresh() {
    const { entries } = await this.desk.program.ask({ do: "entered" });
    this.entered.replaceChildren(...entries.map((entry) => this.item_of(entry)));
  }

  item_of({ file, id }) {
    const back = button(word("Undo it"), () => this.ask_to_withdraw(item, { file, id }));
    back.setAttribute("aria-label", `${word("Undo it")}: ${id}`);
    const item = make("li", {}, make("code", { textContent: id }), ` ${file} `, back);
    return item;
  }

  ask_to_withdraw(item, entry) {
    this.question?.remove();
    this.question = question(this.desk.editor, word("Nothing would be left of it."), [
      [word("Undo it"), () => this.withdraw(entry).catch((error) => this.desk.say_why(error))],
      [word("Leave it"), () => {}],
    ]);
    item.append(this.question);
    this.question.lastElementChild.focus();
  }

  async withdraw({ file, id }) {
    const { program, drafts } = this.desk;
    await keep_all(drafts, (await program.ask({ do: "withdraw", file, name: id })).drafts);
    await this.changed();
  }
}
