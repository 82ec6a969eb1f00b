import type { KubeObject } from "@kubeloop/controller/types";
import {
  type ApiError,
  badRequest,
  CONVERTED,
  encodeJson,
  failure,
  getOwn,
  getString,
  goPrint,
  internalError,
  invalid,
  invalidValue,
  isJson,
  isObject,
  type Json,
  type JsonObject,
  jsonTypeName,
  NO_NOTES,
  parseJson,
  unprocessable,
} from "../../values/mod.ts";
import {
  apiVersionOf,
  type Decoded,
  DecodeError,
  type FieldValidation,
  type KindInfo,
  MAX_FINDINGS,
  readObject,
  showFinding,
  strictError,
} from "../schema/mod.ts";
import { jsonPatch, JsonPatchError, type JsonPatchOperation } from "./json_patch.ts";
import { literalsOfResult, MARKED, testsLiteral, withMarks } from "./literals.ts";
import { mergePatch } from "./merge_patch.ts";
import { conversionError } from "./conversion_error.ts";
import { strategicMergePatch } from "./strategic_merge.ts";
import { StrategicPatchError } from "./strategic_patch_error.ts";

/** The patch types. Server-side apply, although a PATCH request, is not one of them. */
export type PatchType = "json" | "merge" | "strategic";

/** The maximum number of operations in a JSON patch. */
const MAX_OPERATIONS = 10_000;

const OPERATION_FIELDS: Readonly<Record<string, string>> = {
  op: "string",
  path: "string",
  from: "string",
};

/**
 * Refuses a patch that is not JSON, which servers since 1.37 do before they look up the object.
 *
 * @param text The request body.
 * @throws {ApiError} 400
 */
export function requireJson(text: string, { release }: KindInfo): void {
  if (release.has({ since: "1.37" }) && !isJson(text)) throw badRequest("invalid JSON patch");
}

/**
 * Applies a patch to an object and decodes the result as an object of its kind.
 *
 * @param text The request body.
 * @param current The current object, in the version of the request.
 * @throws {ApiError} 400 if the patch cannot be parsed, 413 if a JSON patch has too many operations, 422 if a JSON
 * patch cannot be applied or the result is not a valid object of this kind, 500 if a strategic merge patch is invalid.
 */
export function patchObject(
  type: PatchType,
  text: string,
  current: KubeObject,
  kind: KindInfo,
  fieldValidation: FieldValidation,
): Decoded {
  const document = current as unknown as JsonObject;
  const { patch, strict, literals } = parsePatch(type, text, document);
  const patched = apply(type, document, patch, kind);
  const shown = () => type === "strategic" ? goPrint(patch) : showDocument(patched, kind, literals);
  let read: ReturnType<typeof readObject>;
  try {
    read = readPatched(type, document, patched, kind, literals);
  } catch (error) {
    if (error instanceof DecodeError) {
      throw badResult(shown(), type === "strategic" ? conversionError(error) : error.message);
    }
    throw error;
  }
  const findings = [...strict, ...read.strict].slice(0, MAX_FINDINGS);
  if (findings.length > 0 && fieldValidation === "Strict") {
    throw badResult(shown(), strictError(findings));
  }
  return { object: read.object, warnings: fieldValidation === "Warn" ? findings : [] };
}

interface ParsedPatch {
  readonly patch: Json;
  readonly strict: readonly string[];
  /** The numbers of the patch that Go does not read as integers, by their paths in the result. */
  readonly literals: ReadonlyMap<string, string>;
}

function parsePatch(type: PatchType, text: string, document: JsonObject): ParsedPatch {
  const fail = (reason: string): ApiError =>
    badRequest(type === "strategic" ? reason : `error decoding patch: ${reason}`);
  let parsed;
  try {
    parsed = parseJson(text, false);
  } catch (error) {
    throw fail((error as Error).message);
  }
  const { literals, value } = parsed;
  for (const literal of literals.values()) {
    if (Number.isFinite(Number(literal))) continue;
    const target = type === "json" ? "struct field jsonPatchOp.value" : "value";
    throw fail(`json: cannot unmarshal number ${literal} into Go ${target} of type float64`);
  }
  const strict = [...parsed.duplicates].map((path) => `duplicate field ${JSON.stringify(path)}`);
  if (type === "json") {
    const findings = checkOperations(value ?? [], strict);
    const operations = (value ?? []) as JsonPatchOperation[];
    // The text of a number is compared, and no object has one of these.
    if (testsLiteral(operations, literals)) throw unprocessable();
    return {
      patch: value ?? [],
      strict: findings,
      literals: literalsOfResult(operations, literals, document),
    };
  }
  if (value === null && type === "merge") throw badRequest("Invalid JSON Patch");
  if (value !== null && !isObject(value)) {
    throw fail(
      `json: cannot unmarshal ${jsonTypeName(value)} into Go value of type map[string]interface {}`,
    );
  }
  return { patch: value ?? {}, strict, literals };
}

function checkOperations(patch: Json, strict: readonly string[]): string[] {
  const fail = (reason: string) =>
    badRequest(`error decoding patch: json: cannot unmarshal ${reason}`);
  if (!Array.isArray(patch)) {
    throw fail(`${jsonTypeName(patch)} into Go value of type []handlers.jsonPatchOp`);
  }
  if (patch.length > MAX_OPERATIONS) {
    throw failure(
      413,
      `Request entity too large: The allowed maximum operations in a JSON patch is ${MAX_OPERATIONS}, got ${patch.length}`,
      { reason: "RequestEntityTooLarge" },
    );
  }
  const findings = strict.map((finding) => `json patch ${finding}`);
  patch.forEach((operation, index) => {
    if (!isObject(operation)) {
      if (operation === null) return;
      throw fail(`${jsonTypeName(operation)} into Go value of type handlers.jsonPatchOp`);
    }
    for (const key of Object.keys(operation)) {
      if (Object.hasOwn(OPERATION_FIELDS, key)) {
        const value = operation[key] ?? null;
        if (value === null || typeof value === "string") continue;
        throw fail(`${jsonTypeName(value)} into Go struct field jsonPatchOp.${key} of type string`);
      }
      if (key !== "value") findings.push(`json patch unknown field "[${index}].${key}"`);
    }
  });
  return findings;
}

function apply(type: PatchType, document: JsonObject, patch: Json, kind: KindInfo): Json {
  try {
    switch (type) {
      case "json":
        return jsonPatch(
          document,
          (patch as Json[]).map((operation) => operation ?? {}) as JsonPatchOperation[],
        );
      case "merge":
        return mergePatch(document, patch);
      case "strategic":
        return strategicMergePatch(document, patch as JsonObject, kind.schema);
    }
  } catch (error) {
    if (error instanceof JsonPatchError) throw unprocessable();
    if (error instanceof StrategicPatchError) throw strategicError(error);
    throw error;
  }
}

/** Decodes the patched document. */
function readPatched(
  type: PatchType,
  document: JsonObject,
  patched: Json,
  kind: KindInfo,
  literals: ReadonlyMap<string, string>,
): ReturnType<typeof readObject> {
  if (type === "strategic") {
    requireTextHead(patched);
    const { object, strict } = readObject(typedAs(document, patched), kind, CONVERTED);
    return { object, strict: [...strict].sort() };
  }
  if (kind.custom !== undefined && isObject(patched) && isOfUnknownVersion(patched, kind)) {
    // A version without a schema has only the fields of every object.
    const heads = ["apiVersion", "kind", "metadata"];
    const known = heads.filter((key) => Object.hasOwn(patched, key));
    const { object } = readObject(
      Object.fromEntries(known.map((key) => [key, patched[key]!])),
      kind,
    );
    return { object, strict: unknownFields(patched, heads).sort() };
  }
  if (kind.custom !== undefined || !isObject(patched) || hasVersion(patched)) {
    const { object, strict } = readObject(patched, kind, { ...NO_NOTES, literals });
    // A patch may move the object to a former version. The server converts it back.
    const head = kind.custom === undefined ? { apiVersion: apiVersionOf(kind) } : {};
    return { object: { ...object, ...head }, strict };
  }
  // Without a version, the server decodes the object as its internal type, which has no JSON names.
  const named = getString(patched, "kind") || kind.kind;
  const strict = unknownFields(patched, ["kind", "apiVersion"]);
  return { object: { apiVersion: apiVersionOf(kind), kind: named, metadata: {} }, strict };
}

function unknownFields(object: JsonObject, known: readonly string[]): string[] {
  return Object.keys(object).filter((key) => !known.includes(key))
    .map((key) => showFinding("unknown", key));
}

/** Reports whether a patch has moved a custom resource to a version of its group that its CRD does not have. */
function isOfUnknownVersion(patched: JsonObject, kind: KindInfo): boolean {
  const version = getString(patched, "apiVersion");
  return version.startsWith(`${kind.group}/`) && version !== apiVersionOf(kind) &&
    kind.versions?.has(version) !== true && getString(patched, "kind") === kind.kind;
}

/** Refuses a `kind` and an `apiVersion` that are not strings, which a strategic merge does not read otherwise. */
function requireTextHead(patched: Json): void {
  for (const key of ["kind", "apiVersion"]) {
    const value = isObject(patched) ? getOwn(patched, key) ?? null : null;
    if (value === null || typeof value === "string") continue;
    throw new DecodeError("", {
      value,
      type: { kind: "scalar", name: "string" },
      goType: "string",
    });
  }
}

function hasVersion(document: JsonObject): boolean {
  return (getOwn(document, "apiVersion") ?? "") !== "";
}

function strategicError({ code, message }: StrategicPatchError): ApiError {
  if (code === 422) return unprocessable();
  return code === 400 ? badRequest(message) : internalError(message);
}

/**
 * Restores the object's own `kind` and `apiVersion`: the server decodes the result of a strategic merge into the type
 * of the object, whatever the patch sets.
 */
function typedAs({ kind, apiVersion }: JsonObject, patched: Json): Json {
  if (!isObject(patched)) return patched;
  return {
    ...patched,
    ...(typeof patched["kind"] === "string" ? { kind } : {}),
    ...(typeof patched["apiVersion"] === "string" ? { apiVersion } : {}),
  } as JsonObject;
}

/** Formats the patched document for the error message, with its numbers as the patch has them. */
function showDocument(
  document: Json,
  kind: KindInfo,
  literals: ReadonlyMap<string, string>,
): string {
  const schema = kind.custom === undefined ? undefined : kind.schema;
  const marked = literals.size === 0 ? document : withMarks(document, "", literals);
  const text = encodeJson(marked, schema, { escapeHtml: false });
  return literals.size === 0 ? text : text.replace(MARKED, "$1");
}

function badResult(shown: string, reason: string): ApiError {
  return invalid({ group: "", kind: "" }, "", [invalidValue("patch", shown, reason)]);
}
