import {
  createHash,
  createPrivateKey,
  createPublicKey,
  type KeyObject,
  sign,
  verify,
} from "node:crypto";
import { Buffer } from "node:buffer";
import { isObject, type JsonObject, readJson } from "../../values/mod.ts";

/** The head of an Ed25519 private key in PKCS #8, before its 32 bytes. */
const PKCS8_HEAD = "302e020100300506032b657004220420";

/** The number of random bytes that a {@linkcode TokenKey} is made of. */
export const KEY_BYTES = 32;

/**
 * The key that signs tokens: Ed25519. Its signatures depend on nothing but the key and the text, and take no turn of
 * the event loop. So a server with the same seed issues the same tokens on every runtime, which RSA with random keys
 * and Web Crypto would not allow; and who has the public key can check them, which a MAC would not allow.
 */
export class TokenKey {
  readonly #private: KeyObject;
  readonly #public: KeyObject;
  /** The name of the key in the head of a token. */
  readonly id: string;

  /** Creates the key that `seed` determines, {@linkcode KEY_BYTES} of them. */
  constructor(seed: Uint8Array) {
    const der = Buffer.concat([Buffer.from(PKCS8_HEAD, "hex"), seed]);
    this.#private = createPrivateKey({ key: der, format: "der", type: "pkcs8" });
    this.#public = createPublicKey(this.#private);
    const spki = this.#public.export({ format: "der", type: "spki" });
    this.id = createHash("sha256").update(spki).digest("base64url");
  }

  /** The public key as a JSON Web Key. */
  get jwk(): JsonObject {
    const { x = "" } = this.#public.export({ format: "jwk" });
    return { use: "sig", kty: "OKP", kid: this.id, crv: "Ed25519", alg: "EdDSA", x };
  }

  /** Returns a JSON Web Token with these claims. */
  sign(claims: JsonObject): string {
    const head = encode({ alg: "EdDSA", kid: this.id });
    const text = `${head}.${encode(claims)}`;
    return `${text}.${sign(null, Buffer.from(text), this.#private).toString("base64url")}`;
  }

  /** Returns why a JSON Web Token is none that this key has signed; undefined if it is one. */
  errorOf(token: string): string | undefined {
    const kid = decode(token.split(".")[0]!)?.["kid"];
    if (kid !== undefined && kid !== this.id) return "invalid signature, no keys found";
    const end = token.lastIndexOf(".");
    const signature = Buffer.from(token.slice(end + 1), "base64url");
    const signed = verify(null, Buffer.from(token.slice(0, end)), this.#public, signature);
    return signed ? undefined : "go-jose/go-jose: error in cryptographic primitive";
  }
}

function encode(value: JsonObject): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

/** Returns the claims of a JSON Web Token, which may be of anybody; undefined if the text is none. */
export function claimsOf(token: string): JsonObject | undefined {
  const parts = token.split(".");
  return parts.length === 3 ? decode(parts[1]!) : undefined;
}

function decode(part: string): JsonObject | undefined {
  try {
    const value: unknown = readJson(Buffer.from(part, "base64url").toString());
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
