import {
  getString,
  isObject,
  type Json,
  type JsonObject,
  quote,
  type StructType,
} from "../../values/mod.ts";
import { type DecodeFindings, decodeTyped, headProblem, SCHEME } from "../schema/mod.ts";
import { type WebhookAnswer, WebhookCallError } from "./webhook_answer.ts";

/** A kind of review. */
export interface ReviewKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** The fields of an answer. */
  readonly schema: StructType;
}

/** The versions of reviews that a real server knows. */
const VERSIONS = ["v1", "v1beta1"];

/**
 * Returns an answer as a review of a kind, with the fields that reviews have.
 *
 * @throws {WebhookCallError} If it is another kind, or a field has the wrong type.
 */
export function decodeReview({ value, notes }: WebhookAnswer, review: ReviewKind): JsonObject {
  const problem = value === null ? undefined : headProblem(value);
  if (problem !== undefined) throw new WebhookCallError(problem);
  const own = `${review.group}/${review.version}`;
  const apiVersion = getString(value, "apiVersion") || own;
  const kind = getString(value, "kind") || review.kind;
  const [version = "", group = ""] = apiVersion.split("/").reverse();
  if (apiVersion !== own || kind !== review.kind) {
    const isReview = kind === review.kind && group === review.group && VERSIONS.includes(version);
    throw new WebhookCallError(
      isReview || (kind === "Status" && apiVersion === "v1")
        ? `converting (${version}.${kind}) to (${review.version}.${review.kind}): unknown conversion`
        : `no kind ${quote(kind)} is registered for version ${quote(apiVersion)} ${SCHEME}`,
    );
  }
  const findings: DecodeFindings = { strict: [], error: undefined };
  const decoded = decodeTyped(isObject(value) ? value : {}, review.schema, findings, notes);
  if (findings.error !== undefined) throw new WebhookCallError(findings.error);
  return decoded;
}

/**
 * Requires that an answer names its kind, which decoding does not.
 *
 * @throws {TypeError}
 */
export function requireNamed({ value }: WebhookAnswer, { group, version, kind }: ReviewKind): void {
  if (getString(value, "apiVersion") !== "" && getString(value, "kind") !== "") return;
  throw new TypeError(
    `expected webhook response of ${group}/${version}, Kind=${kind}, got ${showKind(value)}`,
  );
}

/**
 * Requires that a response answers the review with that UID.
 *
 * @throws {TypeError}
 */
export function requireUid(response: Json | undefined, uid: string): void {
  const given = getString(response, "uid");
  if (given === uid) return;
  throw new TypeError(`expected response.uid=${quote(uid)}, got ${quote(given)}`);
}

/** Formats the kind of an object as Go prints a `GroupVersionKind`. */
export function showKind(object: Json): string {
  const [version = "", group = ""] = getString(object, "apiVersion").split("/").reverse();
  return `${group}/${version}, Kind=${getString(object, "kind")}`;
}
