// What the members of a thread pool share besides the kernels' memory: a block of words through which the
// leader hands out orders and everybody reports. Waiting is here, and so is its end: a member that
// fails writes down why, and a leader that waits too long says so; neither waits for ever.

// The order as doubles (action, kernel, base, stride, chunk, runs), then words, each on
// a cache line of its own (16 words of four bytes), words for a failure, and a seat for each member.
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

  /** Over `buffer`, which Control.buffer_for made. */
  constructor(buffer) {
    this.#words = new Int32Array(buffer);
    this.#order = new Float64Array(buffer, 0, order_length);
    this.#failure = new Uint8Array(buffer, 4 * failure, failure_bytes);
  }

  static buffer_for(members) {
    return new SharedArrayBuffer(4 * seat(members));
  }

  /** The leader's: a new order for members 1 … `others`, which start at once. */
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
   * The leader's: returns when `others` members have finished. Throws Error with a member's own
   * words when it failed, and in words of its own when nobody finished for `patience_ms`.
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

  /** A member's: waits for the order after the `seen`-th, and returns its number. */
  wait(member, seen) {
    const words = this.#words;
    const began = performance.now();
    while (Atomics.load(words, seat(member)) === seen) {
      if (performance.now() - began > idle_spin_ms) Atomics.wait(words, seat(member), seen);
    }
    return Atomics.load(words, seat(member));
  }

  /** A member's: it has finished its part. */
  finish() {
    Atomics.add(this.#words, done, 1);
    Atomics.notify(this.#words, done);
  }

  /** A member's: it cannot go on. The first failure is the one that the leader hears of. */
  fail(reason) {
    if (Atomics.compareExchange(this.#words, failed, 0, -1) !== 0) return;
    const text = new TextEncoder().encode(reason).slice(0, failure_bytes);
    this.#failure.set(text);
    Atomics.store(this.#words, failed, text.length || 1);
    this.finish();
  }

  /** An Error with the words of the member that failed first; null while none has. */
  get failure() {
    const words = this.#words;
    if (Atomics.load(words, failed) === 0) return null;
    while (Atomics.load(words, failed) < 0);
    const bytes = this.#failure.slice(0, Atomics.load(words, failed));
    return new Error(`a worker for a further core failed: ${new TextDecoder().decode(bytes)}`);
  }

  /** One member's part of the current order; the leader is member 0. */
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
