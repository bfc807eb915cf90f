// The memory that the members of a thread pool share in addition to that of the kernels: a block of
// words through which the leader gives orders and the members report. This file also contains all
// waiting. No wait is endless, because a member that fails writes down the reason, and a leader
// that waits too long throws an Error.

// The layout: the order as doubles (action, kernel, base, stride, chunk, runs), then words on
// separate cache lines (16 words of four bytes), the text of a failure, and a seat for each member.
const order_length = 6;
const next_chunk = 16;
const done = 32;
const failed = 48;
const failure = 64;
const failure_bytes = 256;
const seat = (member) => failure + failure_bytes / 4 + 16 * member;

const idle_spin_ms = 0.5;
const spins_before_sleep = 20_000;
const nap_ms = 10;

export const actions = { stand_by: 0, prepare: 1, run: 2, run_together: 3 };
const incomplete = "the others did not come within 10 s";

export class Control {
  #words;
  #order;
  #failure;

  /** `buffer` comes from Control.buffer_for(). */
  constructor(buffer) {
    this.#words = new Int32Array(buffer);
    this.#order = new Float64Array(buffer, 0, order_length);
    this.#failure = new Uint8Array(buffer, 4 * failure, failure_bytes);
  }

  static buffer_for(members) {
    return new SharedArrayBuffer(4 * seat(members));
  }

  /** For the leader: gives a new order to members 1 … `others`, which start at once. */
  announce(order, others) {
    const words = this.#words;
    this.#order.set(order);
    Atomics.store(words, next_chunk, 0);
    Atomics.store(words, done, 0);
    for (let member = 1; member <= others; ++member) {
      Atomics.add(words, seat(member), 1);
      Atomics.notify(words, seat(member));
    }
  }

  /**
   * For the leader: returns when `others` members have finished. Throws Error if a member fails,
   * with the reason that it gave, or if no member finishes for `patience_ms`.
   */
  join(others, patience_ms) {
    const words = this.#words;
    let before = -1;
    let since = 0;
    for (let spins = 0; ; ++spins) {
      const finished = Atomics.load(words, done);
      if (this.failure) throw this.failure;
      if (finished === others) return;
      if (spins < spins_before_sleep) continue;
      if (finished !== before) {
        before = finished;
        since = performance.now();
      } else if (performance.now() - since > patience_ms) {
        const late = others - finished;
        const who = late === 1 ? "a worker" : `${late} workers`;
        throw new Error(`${who} for further cores did not answer for ${patience_ms / 1000} s`);
      }
      Atomics.wait(words, done, finished, nap_ms);
    }
  }

  /** For a member: waits for an order after number `seen`, and returns the number of that order. */
  wait(member, seen) {
    const words = this.#words;
    const began = performance.now();
    while (Atomics.load(words, seat(member)) === seen) {
      if (performance.now() - began > idle_spin_ms) Atomics.wait(words, seat(member), seen);
    }
    return Atomics.load(words, seat(member));
  }

  /** For a member: reports that its part is finished. */
  finish() {
    Atomics.add(this.#words, done, 1);
    Atomics.notify(this.#words, done);
  }

  /**
   * For a member: reports that it cannot go on. The leader gets the reason of the first failure.
   */
  fail(reason) {
    if (Atomics.compareExchange(this.#words, failed, 0, -1) !== 0) return;
    const text = new TextEncoder().encode(reason).slice(0, failure_bytes);
    this.#failure.set(text);
    Atomics.store(this.#words, failed, text.length || 1);
    this.finish();
  }

  /** An Error with the reason of the member that failed first; null if none has failed. */
  get failure() {
    const words = this.#words;
    if (Atomics.load(words, failed) === 0) return null;
    while (Atomics.load(words, failed) < 0);
    const bytes = this.#failure.slice(0, Atomics.load(words, failed));
    return new Error(`a worker for a further core failed: ${new TextDecoder().decode(bytes)}`);
  }

  /**
   * Executes one member's part of the current order; the leader is member 0. Throws Error if the
   * team was incomplete.
   */
  take_part(member, kernels) {
    const [action, kernel, base, stride, chunk, rest] = this.#order;
    const own = base + member * stride;
    if (action === actions.prepare) kernels.prepare({ index: kernel }, own);
    if (action === actions.run_together) {
      if (!kernels.run_part({ index: kernel }, base, rest, member)) throw new Error(incomplete);
    }
    if (action !== actions.run) return;
    kernels.run({ index: kernel }, own, 1);
    for (;;) {
      const begin = Atomics.add(this.#words, next_chunk, 1) * chunk;
      if (begin >= rest) return;
      kernels.run({ index: kernel }, own, Math.min(chunk, rest - begin));
    }
  }
}
