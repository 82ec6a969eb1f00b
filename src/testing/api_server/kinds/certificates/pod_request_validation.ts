import { Buffer } from "node:buffer";
import { constants, type KeyObject, verify } from "node:crypto";
import {
  dnsSubdomain,
  type FieldError,
  getObject,
  getOwn,
  getString,
  invalidHidden,
  invalidValue,
  type JsonObject,
  required,
  tooLong,
} from "../../../values/mod.ts";
import {
  maxCertificateSeconds,
  MIN_CERTIFICATE_SECONDS,
  userAnnotationErrors,
  validateSignerName,
} from "../shared/mod.ts";
import { readPublicKey, readRequest } from "./pkcs10.ts";
import { isKnownKey, publicKeyErrors, UNKNOWN_KEY, unknownKey } from "./public_keys.ts";

/** The maximum size of a key, a proof or a request, in bytes. */
const MAX_BYTES = 10 * 1024;
const MAX_UID = 128;

const REQUEST = "spec.stubPKCS10Request";
const KEY = "spec.pkixPublicKey";
const PROOF = "spec.proofOfPossession";

/** Returns the errors of a new PodCertificateRequest apart from its metadata. */
export function validatePodRequest(request: JsonObject): FieldError[] {
  const spec = getObject(request, "spec");
  const signer = getString(spec, "signerName");
  const errors = [
    ...validateSignerName("spec.signerName", signer),
    ...userAnnotationErrors(
      "spec.unverifiedUserAnnotations",
      getObject(spec, "unverifiedUserAnnotations"),
    ),
    ...["pod", "serviceAccount", "node"].flatMap((owner) => ownerErrors(spec, owner)),
  ];
  const seconds = getOwn(spec, "maxExpirationSeconds");
  if (typeof seconds !== "number") {
    return [...errors, required("spec.maxExpirationSeconds", "must be set")];
  }
  const max = maxCertificateSeconds(signer);
  if (seconds < MIN_CERTIFICATE_SECONDS || seconds > max) {
    const reason = `must be in the range [${MIN_CERTIFICATE_SECONDS}, ${max}]`;
    errors.push(invalidValue("spec.maxExpirationSeconds", seconds, reason));
  }
  const [stub, key, proof] = ["stubPKCS10Request", "pkixPublicKey", "proofOfPossession"].map(
    (name) => Buffer.from(getString(spec, name), "base64"),
  ) as [Buffer, Buffer, Buffer];
  if (stub.length > 0 && key.length === 0 && proof.length === 0) {
    return [...errors, ...stubErrors(stub)];
  }
  if (stub.length === 0 && key.length > 0 && proof.length > 0) {
    return [...errors, ...keyErrors(key, proof, getString(spec, "podUID"))];
  }
  const reason =
    "exactly one of (stubPKCS10Request) or (pkixPublicKey, proofOfPossession) must be set";
  return [...errors, invalidHidden("spec", reason)];
}

/** Returns the errors of the name and the UID of a Pod, service account or node. */
function ownerErrors(spec: JsonObject, owner: string): FieldError[] {
  const [name, uid] = [`${owner}Name`, `${owner}UID`] as const;
  const given = getString(spec, uid);
  return [
    ...dnsSubdomain(getString(spec, name)).map((text) =>
      invalidValue(`spec.${name}`, getString(spec, name), text)
    ),
    ...(given === "" ? [invalidValue(`spec.${uid}`, given, "must not be empty")] : []),
    ...(given.length > MAX_UID ? [tooLong(`spec.${uid}`, MAX_UID)] : []),
  ];
}

function stubErrors(bytes: Buffer): FieldError[] {
  if (bytes.length > MAX_BYTES) return [tooLong(REQUEST, MAX_BYTES)];
  const request = readRequest(bytes);
  const { publicKey, error } = request ?? {};
  if (request === undefined || (publicKey !== undefined && !isKnownKey(publicKey))) {
    return [invalidHidden(REQUEST, "must be a valid PKCS#10 CSR")];
  }
  if (publicKey === undefined) return [unknownKey(REQUEST)];
  const errors = publicKeyErrors(publicKey, REQUEST, {
    curves: "P256, P384, or P521",
    unknown: unknownKey(REQUEST),
  });
  if (errors.length > 0) return errors;
  return error === undefined ? [] : [invalidHidden(REQUEST, "invalid signature")];
}

function keyErrors(bytes: Buffer, proof: Buffer, podUid: string): FieldError[] {
  if (bytes.length > MAX_BYTES) return [tooLong(KEY, MAX_BYTES)];
  if (proof.length > MAX_BYTES) return [tooLong(PROOF, MAX_BYTES)];
  const key = readPublicKey(bytes);
  const shown = bytes.toString("base64");
  if (key === undefined || !isKnownKey(key)) {
    return [invalidValue(KEY, shown, "must be a valid PKIX-serialized public key")];
  }
  const unknown = invalidValue(KEY, shown, UNKNOWN_KEY);
  const errors = publicKeyErrors(key, KEY, { curves: "P256 or P384", unknown });
  if (errors.length > 0 || provesPossession(key, podUid, proof)) return errors;
  return [invalidHidden(PROOF, "could not verify proof-of-possession signature")];
}

/** Reports whether the owner of a key has signed the UID of a Pod. */
function provesPossession(key: KeyObject, podUid: string, proof: Buffer): boolean {
  const isRsa = key.asymmetricKeyType === "rsa";
  const hash = key.asymmetricKeyType === "ed25519" ? null : "sha256";
  try {
    return verify(
      hash,
      Buffer.from(podUid),
      isRsa
        ? {
          key,
          padding: constants.RSA_PKCS1_PSS_PADDING,
          saltLength: constants.RSA_PSS_SALTLEN_AUTO,
        }
        : key,
      proof,
    );
  } catch {
    return false;
  }
}
