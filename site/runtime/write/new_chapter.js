// "A new chapter" on /write/: creates the files that `primer new chapter` creates, as drafts in
// this browser.
import { make } from "../base/element.js";
import { heard, word } from "../base/language.js";
import { slug_of } from "../base/slug.js";
import { keep_all } from "./drafts.js";
import { words_of } from "./problems.js";
import { question } from "./question.js";

/**
 * Passes drafts of earlier sessions that are not pages of the published book to the program: new
 * chapters, profiles and entries. Returns all pages of the book with them.
 */
export async function begun_before(program, drafts) {
  const published = new Set(program.book.pages.map(({ file }) => file));
  for (const { file, text, published: before } of await drafts.all()) {
    if (published.has(file)) continue;
    const kept = await program.ask({ do: "keep", file, text, published: before });
    await keep_all(drafts, kept.drafts, kept.published);
  }
  return (await program.ask({ do: "pages" })).pages;
}

/** The disclosure element with the form for a new chapter. */
export class NewChapter {
  /** `select` is the list of files. */
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
      make("label", {}, word("Name in the URL"), " ", this.slug),
      make("button", { textContent: word("Create the chapter") }),
    );
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.begin().catch(({ message }) =>
        this.tell(word("Unavailable, because {why}.", { why: heard(message) })),
      );
    });
    const about = word(
      "It starts with a figure, a fact, a question and a measurement for you to replace.",
    );
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

  /** Reloads the list of pages into the desk and the list of files. */
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

  /** Asks below the toolbar before the open chapter is deleted, because no copy remains. */
  ask_to_drop() {
    this.question?.remove();
    const { desk } = this;
    const { file } = desk;
    this.question = question(desk.editor, word("Nothing would be left of it."), [
      [word("Undo it"), () => this.drop(file)],
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
