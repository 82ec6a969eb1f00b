import { Buffer } from "node:buffer";
import type { KeyObject, X509Certificate } from "node:crypto";
import {
  byteLength,
  type FieldError,
  forbiddenField,
  getObject,
  getOwn,
  getPath,
  getString,
  invalid,
  invalidHidden,
  invalidValue,
  jsonEqual,
  type JsonObject,
  notSupported,
  quote,
  required,
  tooLong,
} from "../../../values/mod.ts";
import type { Release } from "../../release/mod.ts";
import type { Confirmation } from "../record/mod.ts";
import { isTrue, objects, pemBlocks, validateConditions } from "../shared/mod.ts";
import { readPublicKey, readRequest } from "./pkcs10.ts";
import { hasRight } from "./signers.ts";
import { readCertificate } from "./x509.ts";

/** The types of conditions that end a request. */
export const FINAL: readonly string[] = ["Issued", "Denied", "Failed"];

const CHAIN = "status.certificateChain";
const MAX_CHAIN_BYTES = 100 * 1024;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/**
 * Validates a write of the status of a PodCertificateRequest, which depends on the time and the rights of its user.
 *
 * @throws {ApiError} 422
 */
export function confirmIssue(
  request: JsonObject,
  old: JsonObject | undefined,
  confirmation: Confirmation,
): void {
  if (old === undefined || confirmation.subresource !== "status") return;
  const { cluster: { release }, writer: { user, now } } = confirmation;
  const errors = statusErrors(request, old, { nowMs: Date.parse(now), release });
  const signer = getString(old, "spec", "signerName");
  if (errors.length === 0 && !sameStatus(request, old) && !hasRight(confirmation, "sign", signer)) {
    const why = `User ${quote(user.username)} is not permitted to "sign" for signer ${
      quote(signer)
    }`;
    errors.push(forbiddenField("spec.signerName", why));
  }
  if (errors.length === 0) return;
  const kind = { group: "certificates.k8s.io", kind: "PodCertificateRequest" };
  throw invalid(kind, getString(request, "metadata", "name"), errors);
}

function sameStatus(a: JsonObject, b: JsonObject): boolean {
  return jsonEqual(getObject(a, "status"), getObject(b, "status"));
}

function statusErrors(
  request: JsonObject,
  old: JsonObject,
  { nowMs, release }: { readonly nowMs: number; readonly release: Release },
): FieldError[] {
  const errors = [...finalErrors(request), ...validateConditions(request, release)];
  if (errors.length > 0) return errors;
  const fixed = (reason: string) =>
    sameStatus(request, old) ? [] : [invalidHidden("status", reason)];
  if (FINAL.some((type) => isTrue(old, type))) {
    return fixed("immutable after PodCertificateRequest is issued, denied, or failed");
  }
  if (isTrue(request, "Denied") || isTrue(request, "Failed")) {
    const names = Object.keys(getObject(request, "status"));
    return names.every((name) => name === "conditions") ? [] : [
      invalidHidden(
        "status",
        "non-condition status fields must be empty when denying or failing the PodCertificateRequest",
      ),
    ];
  }
  if (isTrue(request, "Issued")) return issueErrors(request, old, nowMs);
  return fixed('status is immutable unless transitioning to "Issued", "Denied", or "Failed"');
}

/** Returns the errors of conditions: a request has at most one final condition, which must be true. */
function finalErrors(request: JsonObject): FieldError[] {
  let count = 0;
  return objects(request, "status", "conditions").flatMap((condition, index) => {
    const at = (name: string) => `status.conditions.[${index}].${name}`;
    const [type, status] = ["type", "status"].map((name) => getString(condition, name)) as [
      string,
      string,
    ];
    if (!FINAL.includes(type)) return [notSupported(at("type"), type, FINAL)];
    const many = 'There may be at most one condition with type "Issued", "Denied", or "Failed"';
    return [
      ...(++count > 1 ? [invalidValue(at("type"), type, many)] : []),
      ...(status === "True" ? [] : [notSupported(at("status"), status, ["True"])]),
    ];
  });
}

/** Returns the errors of an issued certificate. */
function issueErrors(request: JsonObject, old: JsonObject, nowMs: number): FieldError[] {
  const chain = getString(request, "status", "certificateChain");
  const wrong = (reason: string) => [invalidValue(CHAIN, chain, reason)];
  if (byteLength(chain) > MAX_CHAIN_BYTES) return [tooLong(CHAIN, MAX_CHAIN_BYTES)];
  const [leafBlock, ...rest] = pemBlocks(Buffer.from(chain));
  if (leafBlock === undefined) {
    return wrong("issued certificate chain must contain at least one certificate");
  }
  if (leafBlock.type !== "CERTIFICATE") {
    return wrong("issued certificate chain must consist entirely of CERTIFICATE PEM blocks");
  }
  const leaf = readCertificate(leafBlock.bytes);
  if (leaf === undefined) return wrong("leaf certificate does not parse as valid X.509");
  const key = requestedKey(getObject(old, "spec"));
  if (key === undefined || !isSameKey(key, leaf.publicKey)) {
    return wrong("leaf certificate was not issued to the requested public key");
  }
  const errors = timeErrors(request, leaf, nowMs);
  if (errors.length > 0) return errors;
  for (const { type, bytes } of rest) {
    if (type !== "CERTIFICATE") {
      return wrong("issued certificate chain must consist entirely of CERTFICATE PEM blocks");
    }
    if (readCertificate(bytes) === undefined) {
      return wrong("intermediate certificate does not parse as valid X.509");
    }
  }
  return [];
}

/** Returns the errors of the times of an issued certificate. */
function timeErrors(request: JsonObject, leaf: X509Certificate, nowMs: number): FieldError[] {
  const status = getObject(request, "status");
  const consistent = "must be present and consistent with the issued certificate";
  const missing = ([
    ["notBefore", consistent],
    ["notAfter", consistent],
    ["beginRefreshAt", "must be present and in the range [notbefore+10min, notafter-10min]"],
  ] as const).filter(([name]) => !getOwn(status, name)).map(([name, reason]) =>
    required(`status.${name}`, reason)
  );
  if (missing.length > 0) return missing;
  const [start, end, refresh] = ["notBefore", "notAfter", "beginRefreshAt"].map((name) =>
    Date.parse(getString(status, name))
  ) as [number, number, number];
  const wrong = (name: string, reason: string) => [
    invalidValue(`status.${name}`, getString(status, name), reason),
  ];
  const [from, until] = [Date.parse(leaf.validFrom), Date.parse(leaf.validTo)];
  if (start !== from) {
    return wrong("notBefore", "must be set to the NotBefore time encoded in the leaf certificate");
  }
  if (Math.abs(start - nowMs) >= 5 * MINUTE_MS) {
    const reason = "must be set to within 5 minutes of kube-apiserver's current time";
    return wrong("notBefore", reason);
  }
  if (end !== until) {
    return wrong("notAfter", "must be set to the NotAfter time encoded in the leaf certificate");
  }
  const lifetime = (reason: string) => [invalidValue(CHAIN, (until - from) * 1e6, reason)];
  if (until - from < HOUR_MS) return lifetime("leaf certificate lifetime must be >= 1 hour");
  const seconds = Number(getPath(request, "spec", "maxExpirationSeconds"));
  if (until - from > seconds * 1000) {
    return lifetime(
      `leaf certificate lifetime must be <= spec.maxExpirationSeconds (${seconds})`,
    );
  }
  if (refresh < start + 10 * MINUTE_MS) {
    return wrong("beginRefreshAt", "must be at least 10 minutes after status.notBefore");
  }
  if (refresh > end - 10 * MINUTE_MS) {
    return wrong("beginRefreshAt", "must be at least 10 minutes before status.notAfter");
  }
  return [];
}

/** Returns the public key for which a request asks for a certificate. */
function requestedKey(spec: JsonObject): KeyObject | undefined {
  const [stub, key] = ["stubPKCS10Request", "pkixPublicKey"].map((name) =>
    Buffer.from(getString(spec, name), "base64")
  ) as [Buffer, Buffer];
  return stub.length > 0 ? readRequest(stub)?.publicKey : readPublicKey(key);
}

function isSameKey(a: KeyObject, b: KeyObject): boolean {
  const text = (key: KeyObject) => key.export({ type: "spki", format: "der" }).toString("hex");
  return text(a) === text(b);
}
