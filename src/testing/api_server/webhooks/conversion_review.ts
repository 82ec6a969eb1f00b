import type { KubeObject } from "@kubeloop/controller/types";
import {
  getObject,
  getOwn,
  getString,
  isObject,
  type Json,
  type JsonObject,
  jsonTypeName,
  quote,
} from "../../values/mod.ts";
import { TypedFields } from "./typed_fields.ts";

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
export function readConversion(review: JsonObject, expected: ExpectedConversion): JsonObject[] {
  const { objects } = expected;
  const what = `conversion webhook for ${showKind(objects[0]! as unknown as JsonObject)}`;
  let converted: readonly Json[];
  try {
    converted = convertedObjects(review, expected);
  } catch (error) {
    throw new TypeError(`${what} failed: ${(error as Error).message}`);
  }
  if (converted.length !== objects.length) {
    throw new TypeError(
      `${what} returned ${converted.length} objects, expected ${objects.length}`,
    );
  }
  return objects.map((object, index) => {
    try {
      return checked(object as unknown as JsonObject, converted[index]!, expected.apiVersion);
    } catch (error) {
      const which = objects.length === 1 ? "object" : `converted object at index ${index}`;
      throw new TypeError(`${what} returned invalid ${which}: ${(error as Error).message}`);
    }
  });
}

function convertedObjects(review: JsonObject, expected: ExpectedConversion): readonly Json[] {
  const { uid, version } = expected;
  const [apiVersion, kind] = [getString(review, "apiVersion"), getString(review, "kind")];
  // As in the real server, kind and UID of answers in v1beta1 are not checked.
  const strict = version === "v1";
  if (strict && (apiVersion !== "apiextensions.k8s.io/v1" || kind !== "ConversionReview")) {
    throw new TypeError(
      "expected webhook response of apiextensions.k8s.io/v1, Kind=ConversionReview, " +
        `got ${showKind(review)}`,
    );
  }
  const raw = new TypedFields(review, "ConversionReview").object("response", "ConversionResponse");
  if (raw === undefined) throw new TypeError("no response provided");
  const response = new TypedFields(raw, "ConversionReview.response");
  const given = response.string("uid");
  if (strict && given !== uid) {
    throw new TypeError(`expected response.uid=${quote(uid)}, got ${quote(given)}`);
  }
  const result = response.object("result", "v1.Status") ?? {};
  const status = getString(result, "status");
  if (status !== "Success") {
    throw new TypeError(
      getString(result, "message") || `response.result.status was '${status}', not 'Success'`,
    );
  }
  return response.list("convertedObjects", "[]runtime.RawExtension");
}

/** Returns `converted` with the metadata of the original, except for labels and annotations. */
function checked(original: JsonObject, converted: Json, apiVersion: string): JsonObject {
  if (!isObject(converted)) throw new TypeError("it is not an object");
  const given = getString(converted, "apiVersion");
  if (given !== apiVersion) {
    throw new TypeError(
      `invalid groupVersion (expected ${apiVersion}, received ${given})`,
    );
  }
  const kind = getString(original, "kind");
  if (getString(converted, "kind") !== kind) {
    throw new TypeError(
      `invalid kind (expected ${kind}, received ${getString(converted, "kind")})`,
    );
  }
  for (const [name, shown] of [["name", "name"], ["namespace", "namespace"], ["uid", "UID"]]) {
    const before = getString(original, "metadata", name!);
    const after = getString(converted, "metadata", name!);
    if (before !== after) throw new TypeError(`must have the same ${shown}: ${before} != ${after}`);
  }
  const metadata: JsonObject = { ...getObject(original, "metadata") };
  for (const name of ["labels", "annotations"]) {
    const texts = textsOf(getOwn(getObject(converted, "metadata"), name) ?? null, name);
    if (texts === undefined) delete metadata[name];
    else metadata[name] = texts;
  }
  return { ...converted, metadata };
}

function textsOf(value: Json, name: string): JsonObject | undefined {
  if (value === null) return undefined;
  if (!isObject(value)) {
    throw new TypeError(
      `invalid metadata.${name} of type ${jsonTypeName(value)} in converted object`,
    );
  }
  for (const key of Object.keys(value)) {
    const text = value[key] ?? null;
    if (typeof text === "string") continue;
    throw new TypeError(
      `metadata.${name}[${key}] must be a string, but is ${jsonTypeName(text)} in converted object`,
    );
  }
  return value;
}

/** Formats the kind of an object as Go prints a `GroupVersionKind`. */
export function showKind(object: JsonObject): string {
  const [version = "", group = ""] = getString(object, "apiVersion").split("/").reverse();
  return `${group}/${version}, Kind=${getString(object, "kind")}`;
}
