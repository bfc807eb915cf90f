// What is written at the moment on /write/: the file, its draft, its page and what is wrong with it.
import { heard, word } from "../base/language.js";
import { BlockForm } from "./block_form.js";
import { NewEntry } from "./new_entry.js";
import { headings_before, make_preview } from "./preview.js";
import { marks_of, problem_list } from "./problems.js";
import { SideBySide } from "./side_by_side.js";
import { Typing } from "./typing.js";

/** Markdown of a name's description, as text. */
const plain_words = (markdown) => markdown.replaceAll(/\*\*|`| +$/gm, "");

const counted = (errors, warnings) =>
  errors + warnings === 0
    ? word("Nothing is wrong.")
    : word("Errors: {errors}, warnings: {warnings}", { errors, warnings });

const pause_ms = 120; // of typing, before the page is made anew

/**
 * `parts` are the elements that it fills (write.js); `root` is the address of the site.
 */
export class Desk {
  constructor({ program, drafts, editor, tool, pages, parts, root }) {
    Object.assign(this, { program, drafts, editor, tool, ...parts });
    this.has(pages);
    this.preview = make_preview(this.frame, root, (message) => this.pressed(message));
    this.typing = new Typing({
      keep: (typed) => this.keep(typed),
      failed: (error) => this.say_why(error),
      pause_ms,
    });
    this.side = new SideBySide(this);
    this.form = new BlockForm(this);
    this.entries = new NewEntry(this);
    this.making = null;
    document.addEventListener("visibilitychange", () => this.settle()); // a tab that is closed is hidden first
  }

  /** `pages` are those of the book, with what was begun here. */
  has(pages) {
    this.pages = new Map(pages.map((page) => [page.file, page]));
  }

  /** Another file: its draft, where there is one, else what is published. Of several asked for, the last is opened. */
  async open(file) {
    this.asked = file;
    await this.settle();
    await this.making;
    const { original = "" } = this.pages.get(file) ?? {};
    if (original) await this.taken(original);
    const { published, draft } = await this.taken(file);
    if (file !== this.asked) return;
    await this.settle();
    Object.assign(this, { file, published });
    this.tool.dataset.page = this.pages.get(file)?.locale === "" ? "none" : "";
    this.side.opened(file, original, this.pages.get(original)?.locale ?? "");
    this.editor.open(draft?.text ?? published ?? "");
    this.say_state(draft ? word("Your draft of it, kept in this browser.") : "");
    await this.make();
  }

  /** {published, draft} of a file; the program has the draft then, where there is one. */
  async taken(file) {
    const published = await this.published_text(file);
    const draft = await this.draft_of(file, published);
    if (draft) await this.program.ask({ do: "write", file, text: draft.text });
    return { published, draft };
  }

  /** What the book has of `file`, null where it has none; the program has that too, then. */
  async published_text(file) {
    await this.program.ask({ do: "revert", file });
    return (await this.program.ask({ do: "read", file })).text;
  }

  /** A draft that is published by now is none any more. */
  async draft_of(file, published) {
    const draft = await this.drafts.load(file);
    if (draft?.text !== published) return draft;
    await this.drafts.forget(file);
    return undefined;
  }

  edited(text) {
    const { file, published } = this;
    this.typing.typed({ file, published, text });
  }

  /** Resolves when all that was written, in the text or in a form, is kept. */
  async settle() {
    await this.form.written;
    await this.typing.settle();
  }

  async keep({ file, published, text }) {
    await this.program.ask({ do: "write", file, text });
    await (text === published ? this.drafts.forget(file) : this.drafts.keep(file, text));
    if (file !== this.file) return;
    this.say_state(text === published ? "" : this.kept_words());
    this.make();
  }

  /** The preview follows the section that the cursor is in. */
  moved(line) {
    this.side.at(line);
    this.form.at(line);
    const heading = headings_before(this.editor.text(), line);
    if (heading === this.heading) return;
    this.heading = heading;
    this.preview.go_to(heading);
  }

  /** The page and what is wrong, of what stands there now; what comes too late is not shown. */
  make() {
    const { file } = this;
    this.making = this.program.ask({ do: "make", file }).then(({ diagnostics, page }) => {
      if (file !== this.file) return;
      if (page) this.show(page);
      this.tool.dataset.state = page ? "good" : "wrong";
      const text = this.editor.text();
      this.editor.mark(marks_of(diagnostics, file, text));
      const go = (at) => this.editor.go(...at);
      const mend = (one) => this.entries.button_at(one, text);
      this.problems.replaceChildren(...problem_list(diagnostics, file, { go, mend }));
      const errors = diagnostics.filter(({ severity }) => severity === "error").length;
      this.side.refresh(errors);
      this.form.tell(diagnostics, file);
      this.count.textContent = counted(errors, diagnostics.length - errors);
    });
    return this.making.catch((error) => this.say_why(error));
  }

  show(page) {
    this.page = page;
    this.preview
      .show(page.html, this.pages.get(this.file)?.address ?? "")
      .catch((error) => this.say_why(error));
  }

  /** A measurement or a model was pressed in the preview: it opens over that. */
  async pressed(message) {
    const { page } = this; // which may be another before the dialog is loaded
    try {
      const { open_block } = await import("./block_dialog.js").catch(() => {
        throw new Error("the workshop could not be loaded: is the network there?");
      });
      await open_block(message, page);
    } catch ({ message: why }) {
      this.say_state(word("Unavailable, because {why}.", { why: heard(why) }));
    }
  }

  kept_words() {
    if (this.drafts.lasting) return word("Kept in this browser.");
    return word("This browser keeps nothing: save what you write before you close the page.");
  }

  /** What was typed last is not kept. */
  async leave() {
    this.typing.drop();
    await this.typing.settle();
    await this.making;
  }

  async take_back() {
    await this.leave();
    await this.program.ask({ do: "revert", file: this.file });
    await this.drafts.forget(this.file);
    await this.open(this.file);
  }

  /** All files that differ from what is published: [{path, before, after}]. */
  async changes() {
    await this.settle();
    const all = await this.drafts.all();
    const files = [];
    for (const { file, text } of all) files.push(await this.change({ file, text }));
    return files.filter(({ before, after }) => before !== after);
  }

  async change({ file, text }) {
    const before = await this.published_text(file);
    await this.program.ask({ do: "write", file, text });
    return { path: file, before, after: text };
  }

  /** What can follow `before`, the line up to the cursor: {from, options}, or null. */
  async completions({ before }) {
    const { typed, options } = await this.program.ask({ do: "complete", file: this.file, before });
    if (options.length === 0) return null;
    return {
      from: before.length - typed.length,
      options: options.map(({ name, detail, about }) => ({
        ...{ label: name, detail },
        info: plain_words(about) || undefined,
      })),
    };
  }

  /** Facts that have all of some words: [{name, detail, about}]. */
  async facts(words) {
    return (await this.program.ask({ do: "facts", words })).options;
  }

  say_state(text) {
    this.state.textContent = text;
  }

  /** Why something could not be done. */
  say_why({ message }) {
    this.say_state(heard(message));
  }
}
