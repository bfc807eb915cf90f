// Forms for new facts, claims and references on /write/, and for facts that are wrong. The program
// adds an entry to the file it belongs to, or changes a fact and every number that follows from it,
// and the changed files are saved as drafts in this browser.
import { button, make } from "../base/element.js";
import { heard, word } from "../base/language.js";
import { keep_all } from "./drafts.js";
import { field_of } from "./form_fields.js";
import { words_of } from "./problems.js";
import { question } from "./question.js";
import { wrong_fact } from "./wrong_fact.js";

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

/** What a change of a fact has changed, in one line. */
function said_of({ changes, drafts, diagnostics }) {
  const files = Object.keys(drafts).filter((file) => drafts[file] !== null).length;
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  const [{ id, before, after }] = changes;
  const said = word("{id}: {before} is now {after}. Changed files: {n}, all in the patch.", {
    ...{ id, before, after, n: files },
  });
  if (errors.length === 0) return said;
  const places = errors.slice(0, 5).map(({ file, line }) => `${file}:${line}`);
  return `${said} ${word("Numbers that need you: {places}", { places: places.join(", ") })}`;
}

/**
 * Creates a form from these fields: {element, focus(), read()}. `enter(values)` sends its values
 * and returns what is wrong with them, diagnostics that may have a "field".
 */
function form_of({ title, action, fields }, { enter, close }) {
  const made = new Map(fields.map((field) => [field.name, field_of(field, () => {})]));
  const wrong = make("output", { className: "write-wrong" });
  const head = make("div", { className: "write-form-head" }, make("p", {}, title));
  head.append(button(word("Close"), close));
  const form = make("form", { noValidate: true }, head);
  form.append(...[...made.values()].map(({ element }) => element), wrong);
  form.append(make("button", { textContent: action }));
  form.setAttribute("aria-label", title);
  const read = () => Object.fromEntries([...made].map(([name, field]) => [name, field.read()]));
  const tell = (faults) => {
    const said = (name) => faults.filter(({ field }) => field === name);
    const lines = (all) => all.map((one) => [words_of(one), ...(one.notes ?? [])].join("\n"));
    for (const [name, field] of made) field.tell(lines(said(name)).join("\n"));
    const rest = faults.filter(({ field }) => !made.has(field));
    wrong.textContent = lines(rest).join("\n");
    form.querySelector("[aria-invalid=true]")?.focus();
  };
  let entered = Promise.resolve();
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    entered = entered
      .then(async () => tell(await enter(read())))
      .catch(({ message }) => (wrong.textContent = heard(message)));
  });
  const inputs = () => [...form.querySelectorAll("[name]")];
  const focus = () => (inputs().find(({ value }) => !value) ?? inputs()[0]).focus();
  return { element: form, focus, read };
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

  /** Returns a button that opens the form of the fact that a diagnostic is about, or nothing. */
  wrong_fact_button(problem, text) {
    const fact = wrong_fact(problem, text);
    if (!fact) return [];
    const one = button(word("The fact is wrong …"), () =>
      this.correct({ ...fact, text }).catch((error) => this.desk.say_why(error)),
    );
    one.setAttribute("aria-label", `${word("The fact is wrong …")} ${fact.id}`);
    return [" ", one];
  }

  /** Opens the form of a fact, with the value that the text has. */
  async correct(fact) {
    const { id, said } = fact;
    this.back = () => this.desk.editor.focus();
    const { fields } = await this.desk.program.ask({ do: "fact", name: id });
    if (fields.length === 0) throw new Error("the program does not know this fact");
    const what = {
      title: word("Correct {id}", { id }),
      action: word("Correct it everywhere"),
      fields: fields.map((one) => (one.name === "value" ? { ...one, value: [said] } : one)),
    };
    const enter = (values) => this.set(fact, values);
    this.show_form(form_of(what, { enter, close: () => this.close() }));
  }

  /** Sets a fact. Returns why it cannot be set; otherwise says what has changed. */
  async set({ id, text, before }, values) {
    const { desk } = this;
    const { file } = desk;
    await desk.changes(); // so that the program has all drafts
    // A number that changes together with its translation leaves the translation up to date.
    const is_current = desk.editor.text() === text;
    if (is_current) await desk.program.ask({ do: "write", file, text: before });
    desk.say_state(word("Checking the whole book, which can take a minute."));
    const { drafts, published, changes, diagnostics } = await desk.program.ask({
      ...{ do: "set", name: id, values },
    });
    desk.say_state("");
    if (!drafts) {
      if (is_current) await desk.program.ask({ do: "write", file, text });
      return diagnostics;
    }
    await keep_all(desk.drafts, drafts, published);
    await this.refresh();
    await desk.open(desk.file);
    this.close();
    desk.say_state(said_of({ changes, drafts, diagnostics }));
    return [];
  }

  /** Opens a form. When it is closed, `back` is called with the id of the new entry, or with "". */
  open(kind, id = "", back = () => this.desk.editor.focus()) {
    this.back = back;
    this.show(kind, id).catch((error) => this.desk.say_why(error));
  }

  /** Shows the form that was closed last, with its input, unless `id` is another one. */
  async show(kind, id) {
    if (!this.forms.has(kind) || (id && id !== this.forms.get(kind).read().id[0])) {
      const { fields } = await this.desk.program.ask({ do: "entry", kind, name: id });
      const what = { title: words_of_kind(kind), action: word("Add it"), fields };
      const enter = (values) => this.enter(kind, values);
      this.forms.set(kind, form_of(what, { enter, close: () => this.close() }));
    }
    this.show_form(this.forms.get(kind));
  }

  show_form(form) {
    this.place.replaceChildren(form.element);
    this.fold.open = true;
    form.focus();
  }

  /** Adds an entry. Returns what is wrong with it. */
  async enter(kind, values) {
    const { program, drafts } = this.desk;
    const answer = await program.ask({ do: "enter", kind, values });
    if (!answer.drafts) return answer.faults;
    await keep_all(drafts, answer.drafts, answer.published);
    await this.done(kind, values.id[0].trim());
    return [];
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
    const { desk } = this;
    await desk.changes();
    const { drafts, published } = await desk.program.ask({ do: "withdraw", file, name: id });
    await keep_all(desk.drafts, drafts, published);
    await desk.open(desk.file);
    await this.changed();
  }
}
