import {
  getArray,
  getOwn,
  getString,
  isObject,
  type Json,
  type JsonObject,
  jsonTypeName,
  parseJson,
  quote,
} from "../../values/mod.ts";
import type { JsonPatchOperation } from "../patch/mod.ts";
import { ADMISSION_REVIEW } from "../schema/mod.ts";
import { decodeReview, requireNamed, requireUid } from "./decode_review.ts";
import { type WebhookAnswer, WebhookCallError } from "./webhook_answer.ts";

const ADMISSION = { group: "admission.k8s.io", kind: "AdmissionReview", schema: ADMISSION_REVIEW };

/** The decision of a webhook. */
export interface AdmissionResponse {
  readonly allowed: boolean;
  /** Why not, as the webhook's Status; undefined if it gives none. */
  readonly status: JsonObject | undefined;
  readonly warnings: readonly string[];
  /** The JSON patch; empty if the webhook changes nothing. */
  readonly patch: readonly JsonPatchOperation[];
}

/** The review that the answer must match. */
export interface ExpectedAnswer {
  readonly uid: string;
  /** The version of the review that was sent. */
  readonly version: "v1" | "v1beta1";
  /** Whether the webhook may change the object. */
  readonly mutating: boolean;
}

/**
 * Returns the decision in a webhook's answer.
 *
 * @throws {WebhookCallError} If it is not a valid answer to the request.
 */
export function readAdmission(answer: WebhookAnswer, expected: ExpectedAnswer): AdmissionResponse {
  const { version, mutating } = expected;
  const review = within(
    "failed to call webhook",
    () => decodeReview(answer, { ...ADMISSION, version }),
  );
  const response = getOwn(review, "response") as JsonObject | undefined;
  within("received invalid webhook response", () => verify(answer, response, expected));
  const status = getOwn(response!, "status") as JsonObject | undefined;
  const allowed = getOwn(response!, "allowed") === true;
  const patch = allowed && mutating ? decodePatch(response!) : [];
  const warnings = getArray(response!, "warnings").map(String);
  return { allowed, status, warnings, patch };
}

/** Returns what `read` returns. What it throws becomes the reason of a failed call. */
function within<T>(what: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new WebhookCallError(`${what}: ${(error as Error).message}`, { cause: error });
  }
}

function verify(
  answer: WebhookAnswer,
  response: JsonObject | undefined,
  { uid, version, mutating }: ExpectedAnswer,
): void {
  if (response === undefined) throw new TypeError("webhook response was absent");
  // As in the real server, answers in v1beta1 are not checked.
  if (version === "v1beta1") return;
  requireUid(response, uid);
  requireNamed(answer, { ...ADMISSION, version });
  const hasPatch = getString(response, "patch") !== "";
  const patchType = getOwn(response, "patchType");
  if (mutating) verifyPatch(hasPatch, patchType);
  else if (hasPatch) throw new TypeError("validating webhook may not return response.patch");
  else if (patchType !== undefined) {
    throw new TypeError("validating webhook may not return response.patchType");
  }
}

function verifyPatch(hasPatch: boolean, patchType: Json | undefined): void {
  if (hasPatch && patchType === undefined) {
    throw new TypeError("webhook returned response.patch but not response.patchType");
  }
  if (!hasPatch && patchType !== undefined) {
    throw new TypeError("webhook returned response.patchType but not response.patch");
  }
  if (patchType === "") {
    throw new TypeError('webhook returned invalid response.patchType of ""');
  }
}

function decodePatch(response: JsonObject): readonly JsonPatchOperation[] {
  const bytes = Uint8Array.from(atob(getString(response, "patch")), (char) => char.charCodeAt(0));
  if (bytes.length === 0) return [];
  const operations = within(
    "received undecodable patch in webhook response",
    () => operationsOf(new TextDecoder().decode(bytes)),
  );
  const patchType = getOwn(response, "patchType") ?? "JSONPatch";
  if (operations.length === 0 || patchType === "JSONPatch") return operations;
  throw new WebhookCallError(`unsupported patch type ${quote(String(patchType))}`);
}

function operationsOf(text: string): JsonPatchOperation[] {
  const { value } = parseJson(text, false);
  if (value === null) return [];
  const fail = (found: Json, type: string) =>
    new TypeError(`json: cannot unmarshal ${jsonTypeName(found)} into Go value of type ${type}`);
  if (!Array.isArray(value)) throw fail(value, "jsonpatch.Patch");
  return value.map((operation) => {
    if (operation === null) return {};
    if (!isObject(operation)) throw fail(operation, "jsonpatch.Operation");
    return operation;
  });
}
