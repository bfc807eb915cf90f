// The controller of /write/: the open file, its draft, its rendered page and its diagnostics.
//
//   editor --edited()--> Typing --keep()--> program "write", drafts
//                                       --> make(): program "make" --> preview, problems, forms
//
// A draft is saved in IndexedDB and is also written into the program's copy of the book, so that
// other pages see it. `file` may change while a request is running; answers for a file that is no
// longer open are dropped.
import { heard, word } from "../base/language.js";
import { BlockForm } from "./block_form.js";
import { NewEntry } from "./new_entry.js";
import { headings_before, make_preview } from "./preview.js";
import { marks_of, problem_list } from "./problems.js";
import { SideBySide } from "./side_by_side.js";
import { Typing } from "./typing.js";

/** Plain text of a completion's Markdown description. */
const plain_words = (markdown) => markdown.replaceAll(/\*\*|`| +$/gm, "");

const counted = (errors, warnings) =>
  errors + warnings === 0
    ? word("No errors or warnings.")
    : word("Errors: {errors}, warnings: {warnings}", { errors, warnings });

const pause_ms = 120; // without typing before a draft is saved and rendered

/** `parts` are the elements that it fills (tool.js), `root` is the URL of the site. */
export class Desk {
  constructor({ program, drafts, editor, tool, pages, parts, root }) {
    Object.assign(this, { program, drafts, editor, tool, root, ...parts });
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
    this.errors = 0; // of all drafts, at the last build of the page
    // A tab is hidden before it is closed.
    document.addEventListener("visibilitychange", () => this.settle());
  }

  /** Sets the pages: those of the published book and those that were begun here. */
  has(pages) {
    this.pages = new Map(pages.map((page) => [page.file, page]));
  }

  /**
   * Opens a file: its draft, or else the published text. If several are requested, the last one
   * wins.
   */
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
    this.say_state(draft ? word("Your draft, saved in this browser.") : "");
    await this.make();
  }

  /** Returns {published, draft} of a file and passes the draft, if any, to the program. */
  async taken(file) {
    const published = await this.published_text(file);
    const draft = await this.draft_of(file, published);
    if (draft) await this.program.ask({ do: "write", file, text: draft.text });
    return { published, draft };
  }

  /**
   * Returns the published text of `file`, or null if there is none, and resets the program's copy.
   */
  async published_text(file) {
    await this.program.ask({ do: "revert", file });
    return (await this.program.ask({ do: "read", file })).text;
  }

  /** Returns the draft, or undefined. Deletes a draft that has been published. */
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

  /** Resolves when all edits, from the editor and the form, are saved. */
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

  /** Called when the cursor moves: scrolls the preview to the section of that line. */
  moved(line) {
    this.side.at(line);
    this.form.at(line);
    const heading = headings_before(this.editor.text(), line);
    if (heading === this.heading) return;
    this.heading = heading;
    this.preview.go_to(heading);
  }

  /** Renders the open file and shows the page and the diagnostics. */
  make() {
    const { file } = this;
    this.making = this.program.ask({ do: "make", file }).then(({ diagnostics, page }) => {
      if (file !== this.file) return;
      if (page) this.show(page);
      this.tool.dataset.state = page ? "good" : "wrong";
      this.stale.textContent = page
        ? ""
        : word("The preview shows the last version without errors.");
      const text = this.editor.text();
      this.editor.mark(marks_of(diagnostics, file, text));
      const go = (at) => this.editor.go(...at);
      const mend = (one) => [
        ...this.entries.button_at(one, text),
        ...this.entries.wrong_fact_button(one, text),
      ];
      const { root } = this;
      this.problems.replaceChildren(...problem_list(diagnostics, file, { go, mend, root }));
      const errors = diagnostics.filter(({ severity }) => severity === "error").length;
      this.errors = errors;
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

  /** Called with a message from the preview: opens the pressed block in a dialog. */
  async pressed(message) {
    const { page } = this; // it may change while the dialog loads
    try {
      const { open_block } = await import("./block_dialog.js").catch(() => {
        throw new Error("the editor could not be loaded: check your network connection");
      });
      await open_block(message, page);
    } catch ({ message: why }) {
      this.say_state(word("Unavailable, because {why}.", { why: heard(why) }));
    }
  }

  kept_words() {
    if (this.drafts.lasting) return word("Saved in this browser.");
    return word(
      "This browser cannot store your draft: save your text to a file before you " +
        "close the page.",
    );
  }

  /** Drops the edits that are not saved yet. */
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

  /** Returns all files that differ from the published ones: [{path, before, after}]. */
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

  /** Completes `before`, the line up to the cursor: {from, options}, or null. */
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

  /** Returns the facts that contain all of these words: [{name, detail, about}]. */
  async facts(words) {
    return (await this.program.ask({ do: "facts", words })).options;
  }

  say_state(text) {
    this.state.textContent = text;
  }

  /** Shows why something failed. */
  say_why({ message }) {
    this.say_state(heard(message));
  }
}
