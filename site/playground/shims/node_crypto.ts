/**
 * The functions of `node:crypto` that an API server calls for every program. Certificates and tokens need a runtime.
 *
 * @module
 */

import { TextHash } from "@kubeloop/controller/internal/base";

const HEX = /../g;

/** Returns random bytes. */
export function randomBytes(size: number): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(size));
}

/** Returns a hash that differs between texts, as clients of discovery need it; not SHA-256 or SHA-512. */
export function createHash(): NameHash {
  return new NameHash();
}

/** A hash of 64 bits. */
class NameHash {
  #hex = "";

  /** Sets the text. */
  update(text: string): this {
    const hash = new TextHash();
    hash.add(text);
    this.#hex = hash.hex();
    return this;
  }

  /** Returns the hash as text, or as bytes. */
  digest(encoding: "hex"): string;
  digest(): NamedBytes;
  digest(encoding?: "hex"): string | NamedBytes {
    if (encoding === "hex") return this.#hex;
    return NamedBytes.from(this.#hex.match(HEX) ?? [], (pair) => parseInt(pair, 16)) as NamedBytes;
  }
}

class NamedBytes extends Uint8Array {
  override toString(): string {
    return btoa(String.fromCharCode(...this));
  }
}

function unavailable(what: string): () => never {
  return () => {
    throw new Error(`${what} is not available in a page: use Deno, Node or Bun`);
  };
}

export const createPrivateKey: () => never = unavailable("createPrivateKey()");
export const createPublicKey: () => never = unavailable("createPublicKey()");
export const sign: () => never = unavailable("sign()");
export const verify: () => never = unavailable("verify()");
export const constants = {};
/** Certificates cannot be read. */
export class X509Certificate {
  constructor() {
    unavailable("X509Certificate")();
  }
}
