// Autosave: saves an edit after a pause in typing, or earlier if something needs all edits saved.
// Saves run one after another.

export class Typing {
  /**
   * `keep(edit)` returns a promise that resolves when the edit is saved. `failed` is called with
   * its error.
   */
  constructor({ keep, failed, pause_ms }) {
    Object.assign(this, { keep, failed, pause_ms });
    this.waiting = [];
    this.keeping = Promise.resolve();
  }

  /** Replaces the edit that is waiting, if any, and restarts the pause. */
  typed(what) {
    this.drop();
    this.waiting = [what];
    this.timer = setTimeout(() => this.settle(), this.pause_ms);
  }

  /** Saves the waiting edit now. Resolves when it and all earlier ones are saved. */
  settle() {
    const [what] = this.drop();
    if (what) this.keeping = this.keeping.then(() => this.keep(what)).catch(this.failed);
    return this.keeping;
  }

  /**
   * Cancels the waiting edit and returns [edit], or [] if there is none. Does not stop a save that
   * has begun.
   */
  drop() {
    clearTimeout(this.timer);
    return this.waiting.splice(0);
  }
}
