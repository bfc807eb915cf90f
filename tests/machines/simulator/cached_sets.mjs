// The part of each memory region that is still in the caches. Every region is a ring that is walked
// around. Each piece of it stores how much other data the core had touched when it was last
// visited. Bytes.

export class CachedSets {
  #touched = 0;
  #sets = new Map();

  /** The whole region at `base` was written. */
  write(base, bytes) {
    const set = { bytes, own: 0, pieces: [] };
    this.#sets.set(base, set);
    this.#touch(set, bytes);
    set.pieces = [{ bytes, at: this.#others(set) }];
  }

  /**
   * Walks `way` bytes further around the region at `base` of `bytes`. Returns the pieces, [{bytes,
   * others}]: others is the amount touched elsewhere since the piece's last visit.
   */
  walk(base, bytes, way) {
    let set = this.#sets.get(base);
    if (set?.bytes !== bytes) {
      this.write(base, bytes);
      set = this.#sets.get(base);
    }
    const now = this.#others(set);
    const walked = [];
    let left = way;
    while (left > 0 && set.pieces[0].at !== now) {
      const [oldest] = set.pieces;
      const taken = Math.min(left, oldest.bytes);
      walked.push({ bytes: taken, others: now - oldest.at });
      oldest.bytes -= taken;
      if (oldest.bytes <= 0) set.pieces.shift();
      const last = set.pieces.at(-1);
      if (last?.at === now) last.bytes += taken;
      else set.pieces.push({ bytes: taken, at: now });
      left -= taken;
    }
    if (left > 0) walked.push({ bytes: left, others: 0 });
    this.#touch(set, Math.min(way, bytes));
    return walked;
  }

  #others(set) {
    return this.#touched - set.own;
  }

  #touch(set, bytes) {
    this.#touched += bytes;
    set.own += bytes;
  }
}
