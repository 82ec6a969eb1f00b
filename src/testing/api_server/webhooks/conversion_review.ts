import type { KubeObject } from "@kubeloop/controller/types";
import {
  getArray,
  getObject,
  getOwn,
  getString,
  isObject,
  type Json,
  jsonEqual,
  type JsonObject,
  jsonTypeName,
} from "../../values/mod.ts";
import { showErrors } from "../access/mod.ts";
import { validateAnnotations, validateLabels } from "../kinds/mod.ts";
import { CONVERSION_REVIEW } from "../schema/mod.ts";
import { decodeReview, requireNamed, requireUid, showKind } from "./decode_review.ts";
import type { WebhookAnswer } from "./webhook_answer.ts";

const CONVERSION = {
  group: "apiextensions.k8s.io",
  kind: "ConversionReview",
  schema: CONVERSION_REVIEW,
};

/** Returns the review that asks a conversion webhook for objects in another version. */
export function conversionReview(
  objects: readonly KubeObject[],
  apiVersion: string,
  version: string,
  uid: string,
): JsonObject {
  return {
    kind: "ConversionReview",
    apiVersion: `apiextensions.k8s.io/${version}`,
    request: {
      uid,
      desiredAPIVersion: apiVersion,
      objects: objects as unknown as Json[],
    },
    response: { uid: "", convertedObjects: null, result: { metadata: {} } },
  };
}

/** The review that the answer must match. */
export interface ExpectedConversion {
  readonly uid: string;
  /** The version of the review that was sent. */
  readonly version: string;
  /** The API version of the objects that were asked for. */
  readonly apiVersion: string;
  readonly objects: readonly KubeObject[];
}

/**
 * Returns the objects in a webhook's answer. Of their metadata, only labels and annotations are taken.
 *
 * @throws {Error} If the answer is not a valid one. The message is that of the real server.
 */
export function readConversion(answer: WebhookAnswer, expected: ExpectedConversion): JsonObject[] {
  const { objects } = expected;
  const what = `conversion webhook for ${showKind(objects[0]! as unknown as JsonObject)}`;
  let converted: readonly Json[];
  try {
    converted = convertedObjects(answer, expected);
  } catch (error) {
    throw new TypeError(`${what} failed: ${(error as Error).message}`);
  }
  if (converted.length !== objects.length) {
    throw new TypeError(
      `${what} returned ${converted.length} objects, expected ${objects.length}`,
    );
  }
  return objects.map((object, index) =>
    checked(object as unknown as JsonObject, converted[index]!, {
      apiVersion: expected.apiVersion,
      problem: (which, why) => {
        const place = objects.length === 1
          ? { head: "object at index 0", object: "object", metadata: "metadata" }[which]
          : which === "metadata"
          ? `metadata in object at index ${index}`
          : `converted object at index ${index}`;
        return new TypeError(`${what} returned invalid ${place}: ${why}`);
      },
    })
  );
}

function convertedObjects(answer: WebhookAnswer, expected: ExpectedConversion): readonly Json[] {
  const { uid, version } = expected;
  const kind = { ...CONVERSION, version };
  const review = decodeReview(answer, kind);
  const response = getOwn(review, "response");
  if (response === undefined) throw new TypeError("no response provided");
  // As in the real server, kind and UID of answers in v1beta1 are not checked.
  if (version === "v1") {
    requireNamed(answer, kind);
    requireUid(response, uid);
  }
  const status = getString(response, "result", "status");
  if (status !== "Success") {
    throw new TypeError(
      getString(response, "result", "message") ||
        `response.result.status was '${status}', not 'Success'`,
    );
  }
  return getArray(response, "convertedObjects");
}

/** Where a converted object is wrong. */
type Part = "head" | "object" | "metadata";

/** The requirements for a converted object. */
interface Check {
  /** The API version that was asked for. */
  readonly apiVersion: string;
  /** Returns the error about a part of the object. */
  readonly problem: (part: Part, why: string) => TypeError;
}

/** Returns `converted` with the metadata of the original, except for labels and annotations. */
function checked(
  original: JsonObject,
  converted: Json,
  { apiVersion, problem }: Check,
): JsonObject {
  if (!isObject(converted)) {
    throw new TypeError(
      converted === null
        ? "unexpected end of JSON input"
        : `json: cannot unmarshal ${
          jsonTypeName(converted)
        } into Go value of type map[string]interface {}`,
    );
  }
  const given = getString(converted, "apiVersion");
  if (given !== apiVersion) {
    throw problem("head", `invalid groupVersion (expected ${apiVersion}, received ${given})`);
  }
  const [kind, found] = [getString(original, "kind"), getString(converted, "kind")];
  if (found !== kind) throw problem("head", `invalid kind (expected ${kind}, received ${found})`);
  for (const [name, shown] of [["name", "name"], ["namespace", "namespace"], ["uid", "UID"]]) {
    const before = getString(original, "metadata", name!);
    const after = getString(converted, "metadata", name!);
    if (before === after) continue;
    throw problem("object", `must have the same ${shown}: ${before} != ${after}`);
  }
  const metadata: JsonObject = { ...getObject(original, "metadata") };
  for (const name of ["labels", "annotations"] as const) {
    const value = getOwn(getObject(converted, "metadata"), name) ?? null;
    const why = textsProblem(value, getOwn(metadata, name), name);
    if (why !== undefined) throw problem("metadata", why);
    if (value === null) delete metadata[name];
    else metadata[name] = value;
  }
  return { ...converted, metadata };
}

/** Returns what is wrong with converted labels or annotations; undefined if nothing is. */
function textsProblem(
  value: Json,
  before: Json | undefined,
  name: "labels" | "annotations",
): string | undefined {
  if (value === null) return undefined;
  if (!isObject(value)) {
    return `invalid metadata.${name} of type ${goTypeName(value)} in converted object`;
  }
  for (const key of Object.keys(value)) {
    const text = value[key] ?? null;
    if (typeof text === "string") continue;
    return `metadata.${name}[${key}] must be a string, but is ${
      goTypeName(text)
    } in converted object`;
  }
  if (jsonEqual(value, before)) return undefined;
  const errors = name === "labels"
    ? validateLabels(value, "metadata.labels")
    : validateAnnotations({ annotations: value }, "metadata.annotation");
  return errors.length === 0
    ? undefined
    : showErrors(errors.map(({ field, message }) => `${field}: ${message}`));
}

/** Returns the name of the type in which Go decodes a JSON value. */
function goTypeName(value: Json): string {
  switch (typeof value) {
    case "string":
      return "string";
    case "boolean":
      return "bool";
    case "bigint":
      return "int64";
    case "number":
      return Number.isInteger(value) ? "int64" : "float64";
  }
  if (value === null) return "<nil>";
  return Array.isArray(value) ? "[]interface {}" : "map[string]interface {}";
}
