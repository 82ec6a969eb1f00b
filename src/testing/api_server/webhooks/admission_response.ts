import {
  getOwn,
  getString,
  type Json,
  type JsonObject,
  quote,
  readJson,
} from "../../values/mod.ts";
import type { JsonPatchOperation } from "../patch/mod.ts";
import { TypedFields } from "./typed_fields.ts";
import { WebhookCallError } from "./webhook_answer.ts";

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

/** The fields of a response, with their types checked. */
interface Response {
  readonly uid: string;
  readonly allowed: boolean;
  readonly status: JsonObject | undefined;
  readonly warnings: readonly string[];
  /** The patch, decoded from base64. */
  readonly patch: string;
  readonly patchType: string;
}

/**
 * Returns the decision in a webhook's answer.
 *
 * @throws {WebhookCallError} If it is not a valid answer to the request.
 */
export function readAdmission(review: JsonObject, expected: ExpectedAnswer): AdmissionResponse {
  const response = within("failed to call webhook", () => typedResponse(review));
  within("received invalid webhook response", () => verify(review, response, expected));
  const { allowed, status, warnings, patch } = response!;
  const operations = allowed && expected.mutating && patch !== ""
    ? within("received undecodable patch in webhook response", () => operationsOf(patch))
    : [];
  return { allowed, status, warnings, patch: operations };
}

/** Returns what `read` returns. What it throws becomes the reason of a failed call. */
function within<T>(what: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new WebhookCallError(`${what}: ${(error as Error).message}`, { cause: error });
  }
}

function typedResponse(review: JsonObject): Response | undefined {
  const raw = new TypedFields(review, "AdmissionReview").object("response", "AdmissionResponse");
  if (raw === undefined) return undefined;
  const fields = new TypedFields(raw, "AdmissionReview.response");
  return {
    uid: fields.string("uid"),
    allowed: fields.boolean("allowed"),
    status: fields.object("status", "v1.Status"),
    warnings: fields.strings("warnings"),
    patch: decodeBase64(fields.string("patch")),
    patchType: fields.string("patchType"),
  };
}

function decodeBase64(text: string): string {
  let binary: string;
  try {
    binary = atob(text);
  } catch {
    throw new SyntaxError("response.patch: illegal base64 data");
  }
  return new TextDecoder().decode(Uint8Array.from(binary, (char) => char.charCodeAt(0)));
}

function verify(
  review: JsonObject,
  response: Response | undefined,
  { uid, version, mutating }: ExpectedAnswer,
): void {
  if (response === undefined) throw new TypeError("webhook response was absent");
  // As in the real server, answers in v1beta1 are not checked.
  if (version === "v1beta1") return;
  if (response.uid !== uid) {
    throw new TypeError(`expected response.uid=${quote(uid)}, got ${quote(response.uid)}`);
  }
  verifyKind(review);
  const { patch, patchType } = response;
  if (mutating) verifyPatch(patch, patchType);
  else if (patch !== "") throw new TypeError("validating webhook may not return response.patch");
  else if (patchType !== "") {
    throw new TypeError("validating webhook may not return response.patchType");
  }
}

function verifyKind(review: JsonObject): void {
  const [apiVersion, kind] = [getString(review, "apiVersion"), getString(review, "kind")];
  if (apiVersion === "admission.k8s.io/v1" && kind === "AdmissionReview") return;
  const [version = "", group = ""] = apiVersion.split("/").reverse();
  throw new TypeError(
    "expected webhook response of admission.k8s.io/v1, Kind=AdmissionReview, " +
      `got ${group}/${version}, Kind=${kind}`,
  );
}

function verifyPatch(patch: string, patchType: string): void {
  if (patch !== "" && patchType === "") {
    throw new TypeError("webhook returned response.patch but not response.patchType");
  }
  if (patch === "" && patchType !== "") {
    throw new TypeError("webhook returned response.patchType but not response.patch");
  }
  if (patchType !== "" && patchType !== "JSONPatch") {
    throw new TypeError(`unsupported patch type ${quote(patchType)}`);
  }
}

function operationsOf(text: string): JsonPatchOperation[] {
  const value = readJson(text) as Json;
  if (value === null) return [];
  if (Array.isArray(value) && value.every(isOperation)) return value as JsonPatchOperation[];
  throw new TypeError("it is not a list of operations");
}

function isOperation(value: Json): boolean {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  return ["op", "path", "from"].every((name) => {
    const field = getOwn(value, name);
    return field === undefined || typeof field === "string";
  });
}
