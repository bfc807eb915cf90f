// What was typed and is not kept yet. It is kept after a pause of typing, and at once where something asks for all that was typed.

export class Typing {
  /** `keep(what)` resolves when it is kept; `failed(error)` hears why it was not. */
  constructor({ keep, failed, pause_ms }) {
    Object.assign(this, { keep, failed, pause_ms });
    this.waiting = [];
    this.keeping = Promise.resolve();
  }

  /** `what` takes the place of what waited before it. */
  typed(what) {
    this.drop();
    this.waiting = [what];
    this.timer = setTimeout(() => this.settle(), this.pause_ms);
  }

  /** Resolves when all that was typed is kept, one text after the other. */
  settle() {
    const [what] = this.drop();
    if (what) this.keeping = this.keeping.then(() => this.keep(what)).catch(this.failed);
    return this.keeping;
  }

  /** What waited is not kept, and is returned: [] or [what]. What is being kept is kept. */
  drop() {
    clearTimeout(this.timer);
    return this.waiting.splice(0);
  }
}
