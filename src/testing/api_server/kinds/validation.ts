import type { KubeObject } from "@kubeloop/controller/types";
import {
  badRequest,
  type FieldError,
  getString,
  internalFailure,
  invalid,
  type JsonObject,
} from "../../values/mod.ts";
import type { KindInfo } from "../schema/mod.ts";
import type { KindRecord } from "./record/mod.ts";
import { recordOf } from "./record_of.ts";
import {
  validateCustom,
  validateCustomStatus,
  validateRules,
  validateTypeMeta,
} from "./custom/mod.ts";
import { validateBySchema } from "./by_schema.ts";
import { withDeclared } from "./declared/mod.ts";
import { withStrictAddresses } from "./strict_addresses.ts";
import {
  type FinalizerRule,
  type NameRule,
  validateMeta,
  validateMetaUpdate,
} from "./shared/mod.ts";

/**
 * Validates a new object, whose name, UID and namespace must be set.
 *
 * @throws {ApiError} 422 with all causes, in the order of the real server.
 */
export function validateCreate(kind: KindInfo, object: KubeObject): void {
  const json = object as unknown as JsonObject;
  let errors: FieldError[];
  if (kind.custom !== undefined) {
    errors = validateTypeMeta(kind, json);
    if (errors.length === 0) {
      errors = [
        ...validateMeta(json, metaRule(kind, "subdomain", "any")),
        ...validateCustom(kind, kind.custom, json),
      ];
      errors.push(...validateRules(kind.custom, errors, json));
    }
  } else errors = builtinCreate(kind, json);
  // The metadata validation of all kinds, for kinds that have little or none of their own.
  if (errors.length === 0) errors = validateMeta(json, metaRule(kind, "pathSegment", "any"));
  refuse(kind, json, errors);
}

function builtinCreate(kind: KindInfo, object: JsonObject): FieldError[] {
  const record = recordOf(kind);
  const { names, finalizers, validateWhole } = record;
  const { release } = kind;
  if (validateWhole !== undefined) return validateWhole(object, undefined, "", release);
  return withStrictAddresses(kind, object, undefined, [
    ...(names === undefined ? [] : validateMeta(object, metaRule(kind, names, finalizers))),
    ...objectErrors(kind, record, object),
    ...(record.validateCreate?.(object, release) ?? []),
  ]);
}

/** Returns the errors of an object apart from its metadata. */
function objectErrors(kind: KindInfo, { names, validate }: KindRecord, object: JsonObject) {
  if (validate !== undefined) return validate(object, kind.release);
  return names === undefined ? [] : validateBySchema(object, kind.schema);
}

/**
 * Validates an update.
 *
 * @param next The object that is to be stored.
 * @param old The current object.
 * @param subresource The subresource that the request writes; empty for the object itself.
 * @param warn Takes the errors that are only warnings, because they concern unchanged values.
 * @throws {ApiError} 422 with all causes. Some causes occur more than once, because the real server validates twice.
 */
export function validateUpdate(
  kind: KindInfo,
  next: KubeObject,
  old: KubeObject,
  subresource = "",
  warn: (text: string) => void = () => {},
): void {
  const json = next as unknown as JsonObject;
  const before = old as unknown as JsonObject;
  const rule = metaRule(kind, "pathSegment", "any");
  const errors = [...validateMeta(json, rule), ...validateMetaUpdate(json, before, rule)];
  if (kind.custom !== undefined) {
    errors.push(...customUpdate(kind, json, before, { subresource, warn }));
  } else {
    const found = builtinUpdate(kind, json, before, subresource);
    errors.push(...withStrictAddresses(kind, json, before, found));
  }
  refuse(kind, json, errors, before);
}

function customUpdate(
  kind: KindInfo,
  next: JsonObject,
  old: JsonObject,
  { subresource, warn }: { readonly subresource: string; readonly warn: (text: string) => void },
): FieldError[] {
  const custom = kind.custom!;
  if (getString(next, "apiVersion") === "") {
    throw internalFailure(
      "Object 'apiVersion' is missing in 'object has no apiVersion field'",
    );
  }
  const wrong = validateTypeMeta(kind, next);
  if (wrong.length > 0) return wrong;
  const errors = [
    ...validateMetaUpdate(next, old, metaRule(kind, "pathSegment", "any")),
    ...(subresource === "status"
      ? validateCustomStatus(kind, custom, next, old)
      : validateCustom(kind, custom, next, old)),
  ];
  return [...errors, ...validateRules(custom, errors, next, { old, warn })];
}

function builtinUpdate(
  kind: KindInfo,
  next: JsonObject,
  old: JsonObject,
  subresource: string,
): FieldError[] {
  const record = recordOf(kind);
  const { names, finalizers, validatesMetaChange } = record;
  const { release } = kind;
  if (record.validateWhole !== undefined) {
    return record.validateWhole(next, old, subresource, release);
  }
  const rule = names === undefined ? undefined : metaRule(kind, names, finalizers);
  const checksMeta = validatesMetaChange || subresource !== "";
  const errors = rule !== undefined && checksMeta ? validateMetaUpdate(next, old, rule) : [];
  if (subresource === "status") {
    return [...errors, ...(record.validateStatus?.(next, old, release) ?? [])];
  }
  const part = Object.hasOwn(record.parts, subresource) ? record.parts[subresource] : undefined;
  if (part?.validate !== undefined) return [...errors, ...part.validate(next, old, release)];
  const whole = record.validatesAgain && rule !== undefined
    ? [...validateMeta(next, rule), ...objectErrors(kind, record, next)]
    : [];
  const changed = record.validateChange?.(next, old, release) ?? [];
  return record.wholeFirst ? [...errors, ...whole, ...changed] : [...errors, ...changed, ...whole];
}

function metaRule({ namespaced, release }: KindInfo, names: NameRule, finalizers: FinalizerRule) {
  return { namespaced, names, finalizers, release };
}

function refuse(
  kind: KindInfo,
  object: JsonObject,
  found: readonly FieldError[],
  old?: JsonObject,
): void {
  const isDeclarative = kind.custom === undefined && recordOf(kind).declarative &&
    kind.release.has({ since: "1.37" });
  const errors = isDeclarative ? withDeclared(kind, object, old, found) : found;
  if (errors.length === 0) return;
  // For a custom resource, the error names the kind that the object itself has, even if that is not the kind of the
  // resource.
  const ofKind = kind.custom === undefined
    ? { group: recordOf(kind).errorGroup ?? kind.group, kind: kind.kind }
    : { group: groupOf(getString(object, "apiVersion")), kind: getString(object, "kind") };
  throw invalid(ofKind, getString(object, "metadata", "name"), errors);
}

function groupOf(apiVersion: string): string {
  return apiVersion.slice(0, Math.max(0, apiVersion.indexOf("/")));
}

/**
 * Checks that the name of the object in the request body matches the name in the path.
 *
 * @throws {ApiError} 400, if the object has no name or another name.
 */
export function checkNameMatches(name: string, object: KubeObject): void {
  const given = object.metadata?.name ?? "";
  if (given === "") {
    throw badRequest(
      `the name of the object (${name} based on URL) was undeterminable: name must be provided`,
    );
  }
  if (given !== name) {
    throw badRequest(
      `the name of the object (${given}) does not match the name on the URL (${name})`,
    );
  }
}

/**
 * Checks that the namespace of the object in the request body matches the namespace in the path. An object without a
 * namespace matches.
 *
 * @throws {ApiError} 400, if the object has another namespace.
 */
export function checkNamespaceMatches(namespace: string, object: KubeObject): void {
  const given = object.metadata?.namespace ?? "";
  // If the path has no namespace, the handlers drop the namespace of the body.
  if (given === "" || namespace === "" || given === namespace) return;
  throw badRequest(
    "the namespace of the provided object does not match the namespace sent on the request",
  );
}
