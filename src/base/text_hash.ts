/**
 * A hash of texts, for seeds and traces: 128 bits, the same on every runtime, and computed at once, where
 * `crypto.subtle` needs a promise and another thread. It detects accidents, not attacks.
 *
 * Four 32-bit lanes take each UTF-16 code unit and mix it with their neighbours, as MurmurHash3 mixes blocks: multiply
 * by an odd constant, then exclusive-or. The end of every text is mixed in too, so that `"ab", "c"` and `"a", "bc"`
 * differ.
 */
export class TextHash {
  #a = 0x6a09e667;
  #b = 0xbb67ae85 | 0;
  #c = 0x3c6ef372;
  #d = 0xa54ff53a | 0;

  /** Adds a text. Returns the hash, to add more. */
  add(text: string): this {
    let [a, b, c, d] = [this.#a, this.#b, this.#c, this.#d];
    for (let i = 0; i <= text.length; i++) {
      // The end of a text counts as a unit that no text contains.
      const unit = i === text.length ? 0x10000 : text.charCodeAt(i);
      a = b ^ Math.imul(a ^ unit, 0x239b961b);
      b = c ^ Math.imul(b ^ unit, 0xab0e9789);
      c = d ^ Math.imul(c ^ unit, 0x38b34ae5);
      d = a ^ Math.imul(d ^ unit, 0xa1e38b93);
    }
    [this.#a, this.#b, this.#c, this.#d] = [a, b, c, d];
    return this;
  }

  /** Returns the hash of everything that was added, as four 32-bit integers. More can be added afterwards. */
  words(): readonly [number, number, number, number] {
    const a = finish(this.#c ^ (this.#a >>> 18));
    const b = finish(this.#d ^ (this.#b >>> 22));
    const c = finish(this.#a ^ (this.#c >>> 17));
    const d = finish(this.#b ^ (this.#d >>> 19));
    const all = a ^ b ^ c ^ d;
    return [all, b ^ all, c ^ all, d ^ all];
  }

  /** Returns the hash of everything that was added, as 32 hexadecimal digits. */
  hex(): string {
    return this.words().map((word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
  }
}

/** Spreads every bit over the whole word: the last step of MurmurHash3. */
function finish(word: number): number {
  let mixed = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}
