/** The first 32 bits of the fractional parts of the cube roots of the first 64 primes (FIPS 180-4). */
const K: Uint32Array = fractions(64, Math.cbrt);

/** The same of the square roots of the first 8: where hashing begins. */
const START: Uint32Array = fractions(8, Math.sqrt);

function fractions(count: number, root: (value: number) => number): Uint32Array {
  const out = new Uint32Array(count);
  let found = 0;
  for (let candidate = 2; found < count; candidate++) {
    let prime = true;
    for (let i = 2; i * i <= candidate; i++) if (candidate % i === 0) prime = false;
    if (prime) out[found++] = (root(candidate) % 1) * 2 ** 32;
  }
  return out;
}

/**
 * The SHA-256 hash of a text's UTF-8 bytes. Web Crypto has it too, but only later: what discovery answers must not depend
 * on the event loop.
 */
export function sha256(text: string): Uint8Array {
  const bytes = new TextEncoder().encode(text);
  const blocks = new Uint8Array((bytes.length + 9 + 63) & ~63);
  blocks.set(bytes);
  blocks[bytes.length] = 0x80;
  const view = new DataView(blocks.buffer);
  view.setUint32(blocks.length - 4, bytes.length * 8);
  const state = START.slice();
  const w = new Uint32Array(64);
  for (let at = 0; at < blocks.length; at += 64) {
    for (let i = 0; i < 16; i++) w[i] = view.getUint32(at + i * 4);
    for (let i = 16; i < 64; i++) {
      const a = w[i - 15]!;
      const b = w[i - 2]!;
      const s0 = rotate(a, 7) ^ rotate(a, 18) ^ (a >>> 3);
      const s1 = rotate(b, 17) ^ rotate(b, 19) ^ (b >>> 10);
      w[i] = w[i - 16]! + s0 + w[i - 7]! + s1;
    }
    mix(state, w);
  }
  const out = new DataView(new ArrayBuffer(32));
  state.forEach((word, i) => out.setUint32(i * 4, word));
  return new Uint8Array(out.buffer);
}

function mix(state: Uint32Array, w: Uint32Array): void {
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let i = 0; i < 64; i++) {
    const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + K[i]! + w[i]!) | 0;
    const s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) | 0, c, b, a, (t1 + t2) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, i) => {
    state[i] = state[i]! + word;
  });
}

function rotate(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by));
}
