// "A new chapter" on /write/: the three files of `primer new chapter`, as drafts in this browser until they are sent or taken back.
import { make } from "../base/element.js";
import { heard, word } from "../base/language.js";
import { slug_of } from "../base/slug.js";
import { keep_all } from "./drafts.js";
import { words_of } from "./problems.js";
import { question } from "./question.js";

/** Gives the program what was begun or entered on another day, beside the pages; all pages of the book with that. */
export async function begun_before(program, drafts) {
  const published = new Set(program.book.pages.map(({ file }) => file));
  for (const { file, text } of await drafts.all()) {
    if (published.has(file)) continue;
    await keep_all(drafts, (await program.ask({ do: "keep", file, text })).drafts);
  }
  return (await program.ask({ do: "pages" })).pages;
}

/** The fold in which a chapter is begun. */
export class NewChapter {
  /** `select` is the choice of files. */
  constructor(desk, select) {
    Object.assign(this, { desk, select });
    this.published = new Set(desk.program.book.pages.map(({ file }) => file));
    this.status = make("output", { className: "write-state" });
    this.title = make("input", { name: "title", required: true, autocomplete: "off" });
    this.slug = make("input", { name: "slug", required: true, autocomplete: "off" });
    this.slug.spellcheck = false;
    this.title.addEventListener("input", () => {
      if (!this.named) this.slug.value = slug_of(this.title.value);
    });
    this.slug.addEventListener("input", () => (this.named = this.slug.value !== ""));
    const form = make(
      "form",
      {},
      make("label", {}, word("Its title"), " ", this.title),
      make("label", {}, word("Its name in addresses"), " ", this.slug),
      make("button", { textContent: word("Begin the chapter") }),
    );
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.begin().catch(({ message }) =>
        this.tell(word("Unavailable, because {why}.", { why: heard(message) })),
      );
    });
    const about = word("It begins with a figure, a fact, a question and a measurement to replace.");
    this.fold = make(
      "details",
      { className: "write-new" },
      make("summary", { textContent: word("A new chapter") }),
      make("p", { textContent: about }),
      form,
      this.status,
    );
  }

  tell(textContent) {
    this.status.textContent = textContent;
    this.slug.focus();
  }

  async begin() {
    const { program, drafts, editor } = this.desk;
    const asked = { do: "begin", slug: this.slug.value.trim(), title: this.title.value.trim() };
    const { diagnostics, drafts: texts } = await program.ask(asked);
    if (!texts) {
      return this.tell(words_of(diagnostics[0]));
    }
    await keep_all(drafts, texts);
    const page = (await this.learn()).at(-1);
    this.fold.open = false;
    for (const input of [this.title, this.slug]) input.value = "";
    this.named = false;
    this.status.textContent = "";
    await this.show(page.file);
    const lines = editor.text().split("\n");
    editor.go(lines.indexOf("---", 1) + 3);
  }

  /** The pages as they are now, in the desk and in the choice of files. */
  async learn() {
    const { pages } = await this.desk.program.ask({ do: "pages" });
    this.desk.has(pages);
    for (const option of [...this.select.options])
      if (!this.desk.pages.has(option.value)) option.remove();
    for (const group of this.select.querySelectorAll("optgroup:empty")) group.remove();
    const listed = new Set([...this.select.options].map(({ value }) => value));
    for (const { file, title, locale } of pages.filter((page) => !listed.has(page.file))) {
      const group = [...this.select.children].find(({ label }) => label === locale);
      (group ?? this.select).append(make("option", { value: file, textContent: title }));
    }
    return pages;
  }

  async show(file) {
    this.select.value = file;
    const address = new URL(location.href);
    address.search = `?file=${encodeURIComponent(file).replaceAll("%2F", "/")}`;
    history.replaceState(history.state, "", address);
    await this.desk.open(file);
  }

  has_begun(file) {
    return !this.published.has(file);
  }

  /** Asks below the tool's buttons before the open chapter is taken back: nothing is left of it. */
  ask_to_drop() {
    this.question?.remove();
    const { desk } = this;
    const { file } = desk;
    this.question = question(desk.editor, word("Nothing would be left of it."), [
      [word("Take it back"), () => this.drop(file)],
      [word("Leave it"), () => {}],
    ]);
    desk.tool.querySelector(".write-bar").after(this.question);
    this.question.lastElementChild.focus();
  }

  async drop(file) {
    const { program, drafts } = this.desk;
    await this.desk.leave();
    await keep_all(drafts, (await program.ask({ do: "drop", file })).drafts);
    const [first] = await this.learn();
    await this.show(first.file);
  }
}
