// Shows the original next to its translation: the block of the original that belongs to the block
// at the cursor, and whether it is current. The program pairs the blocks and compares their stamps.
// A stamp in the translation is a digest of the block that was translated, so a block is stale when
// its original has changed since (`primer translate`).
import { button, make } from "../base/element.js";
import { heard, word } from "../base/language.js";

const states = () => ({
  current: word("current"),
  stale: word("stale: the original has changed"),
  unmarked: word("not stamped yet"),
  extra: word("the original has no such block"),
  missing: word("not translated"),
});

/** Returns the index of the last pair whose translation begins at or above a line, or 0. */
export function pair_at(pairs, line) {
  return Math.max(
    pairs.findLastIndex(({ here }) => here && here.line <= line),
    0,
  );
}

/**
 * Returns the index of the next pair that is not current, searching from `at` forward (step 1) or
 * back (-1) and around the ends; -1 if all are current.
 */
export function next_open(pairs, at, step) {
  for (let i = 1; i <= pairs.length; ++i) {
    const place = (at + step * i + pairs.length * i) % pairs.length;
    if (pairs[place].state !== "current") return place;
  }
  return -1;
}

/** The panel with the original. Only pages of a translation have it. */
export class SideBySide {
  constructor({ program, editor, tool }) {
    Object.assign(this, { program, editor, tool, pairs: [], place: 0, errors: 0 });
    this.toggle = button(word("Side by side"), () => this.show(!this.shown));
    this.toggle.setAttribute("aria-pressed", "false");
    this.toggle.hidden = true;
    this.state = make("output", { className: "write-side-state" });
    this.said = make("output", { className: "write-side-said" });
    this.text = make("pre", { className: "write-side-text", tabIndex: 0 });
    const bar = make(
      "div",
      { className: "write-buttons" },
      button(word("Previous stale block"), () => this.go(-1)),
      button(word("Next stale block"), () => this.go(1)),
      button(word("Stamp this block"), () => this.stamp(this.pairs[this.place]?.here?.line)),
      button(word("Stamp the page"), () => this.stamp(0)),
    );
    this.panel = make("section", { className: "write-original" });
    this.panel.setAttribute("aria-label", word("The original"));
    this.panel.append(this.state, this.text, bar, this.said);
    this.panel.hidden = true;
  }

  show(shown) {
    this.shown = shown;
    this.toggle.setAttribute("aria-pressed", String(shown));
    this.panel.hidden = !shown;
    this.tool.dataset.side = shown ? "on" : "off";
    return this.refresh();
  }

  /** Called when a page is opened. `original` is the file that it translates, or "". */
  opened(file, original, language) {
    Object.assign(this, { file, pairs: [], place: 0 });
    this.toggle.hidden = !original;
    this.text.lang = language;
    if (!original && this.shown) this.show(false);
  }

  /** Called after an edit, with the number of errors on the page. */
  async refresh(errors = this.errors) {
    this.errors = errors;
    if (!this.shown) return;
    const { file } = this;
    const { pairs } = await this.program.ask({ do: "beside", file });
    if (file !== this.file) return;
    this.pairs = pairs ?? [];
    this.at(this.editor.line());
  }

  at(line) {
    if (!this.shown) return;
    if (this.pairs[this.place]?.state !== "missing" || this.line !== line)
      this.place = pair_at(this.pairs, line);
    this.line = line;
    this.tell();
  }

  tell() {
    const pair = this.pairs[this.place];
    this.panel.dataset.state = pair?.state ?? "none";
    this.text.textContent = pair?.there?.text ?? "";
    const left = this.pairs.filter(({ state }) => state !== "current").length;
    const [n, of] = [this.place + 1, this.pairs.length];
    this.state.textContent = pair
      ? word("Block {n} of {of}: {state}. Not current: {left}", {
          ...{ n, of, left },
          state: states()[pair.state],
        })
      : word("Fix the errors to see the two texts side by side.");
  }

  go(step) {
    const place = this.pairs.length ? next_open(this.pairs, this.place, step) : -1;
    if (place < 0) return void (this.said.textContent = word("No block is stale."));
    this.said.textContent = "";
    const from = this.pairs.slice(0, place + 1).findLast(({ here }) => here);
    this.place = place;
    this.line = from?.here.line ?? 1;
    this.editor.go(this.line);
    this.tell();
  }

  async stamp(line) {
    try {
      if (this.errors > 0) throw new Error("the page has errors: fix them first");
      const before = this.editor.text();
      await this.program.ask({ do: "write", file: this.file, text: before });
      const { text, diagnostics } = await this.program.ask({
        ...{ do: "stamp", file: this.file },
        ...(line ? { line } : {}),
      });
      if (text === null) throw new Error(diagnostics[0]?.message ?? "nothing was stamped");
      if (text === before) throw new Error("nothing has changed since the last stamp");
      this.editor.exchange(text);
      this.said.textContent = word("Stamped.");
    } catch ({ message }) {
      this.said.textContent = word("Unavailable, because {why}.", { why: heard(message) });
    }
  }
}
