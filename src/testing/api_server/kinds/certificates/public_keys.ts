import type { KeyObject } from "node:crypto";
import { type FieldError, invalidHidden, invalidValue } from "../../../values/mod.ts";

/** The curves that a key may have, by the names of OpenSSL. */
const CURVES = ["prime256v1", "secp384r1", "secp521r1"];

/** Another curve that Go knows. */
const SMALL_CURVE = "secp224r1";

/** Reports whether Go can read a public key. */
export function isKnownKey({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): boolean {
  const { namedCurve = "" } = asymmetricKeyDetails ?? {};
  return asymmetricKeyType !== "ec" || [...CURVES, SMALL_CURVE].includes(namedCurve);
}

const RSA_BITS = [3072, 4096];

/**
 * Returns the errors of the public key of a certificate for a Pod.
 *
 * @param unknown The error for a key of another type.
 * @param curves The names of the curves, as the message lists them.
 */
export function publicKeyErrors(
  key: KeyObject,
  field: string,
  { curves, unknown }: { readonly curves: string; readonly unknown: FieldError },
): FieldError[] {
  const { namedCurve = "", modulusLength = 0 } = key.asymmetricKeyDetails ?? {};
  switch (key.asymmetricKeyType) {
    case "ed25519":
      return [];
    case "ec":
      if (CURVES.includes(namedCurve)) return [];
      return [
        invalidValue(field, "curve P-224", `elliptic public keys must use curve ${curves}`),
      ];
    case "rsa":
      if (RSA_BITS.includes(modulusLength)) return [];
      return [
        invalidValue(
          field,
          `${modulusLength}-bit modulus`,
          "RSA keys must have modulus size 3072 or 4096",
        ),
      ];
    default:
      return [unknown];
  }
}

/** The reason why a public key is of no type that a certificate for a Pod may have. */
export const UNKNOWN_KEY = "unknown public key type; supported types are Ed25519, ECDSA, and RSA";

/** Returns the error for a public key that the message does not show. */
export function unknownKey(field: string): FieldError {
  return invalidHidden(field, UNKNOWN_KEY);
}
