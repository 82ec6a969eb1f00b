import { describeError, isRecord } from "../base/mod.ts";
import {
  apiVersionOf,
  type KubeObject,
  type Resource,
  type ResourceDefinition,
  type Schema,
  type StandardIssue,
  type StandardJSONSchemaProps,
  type VersionSchema,
} from "../types/mod.ts";
import { definitionOf } from "./crd.ts";
import {
  type FieldError,
  fieldPath,
  invalidValue,
  requiredValue,
  unsupportedValue,
} from "./field_error.ts";
import { finishSchema } from "./finish.ts";
import { type Json, type JsonObject, plainValue } from "./json.ts";
import { leavePatterns, loadPatterns } from "./linear_patterns.ts";
import { isFromCheck, standardProps } from "./libraries.ts";
import { readSchema } from "./read_schema.ts";
import { toStructural } from "./structural.ts";
import { validateValue } from "./validate_value.ts";

/** Maximum number of errors of `spec` or `status`. */
const MAX_ERRORS = 100;

/**
 * Validates `spec` and `status` of an object by the schemas of its version, without the server.
 *
 * A plain JSON Schema is validated like on the server, with patterns in the syntax of RE2 and in linear time. CEL rules,
 * formats, unknown fields, and patterns that need more than about a second are left to the server. A schema of a library
 * is validated by the library, with its refinements and with regular expressions of JavaScript. Some of these, such as
 * `^([a-z]+)+$`, take exponential time.
 *
 * @typeParam T The interface of the objects.
 * @param resource The resource, with its definition.
 * @param object The object, with or without fields that have a default. It is not changed. A missing `status` is valid.
 * @returns The errors, in the form of the `causes` of a `Status`; empty if the object is valid.
 * @throws {TypeError} If the resource has no definition, or its JSON Schema cannot be expressed.
 *
 * @example
 * ```ts
 * import { validate } from "@kubeloop/controller/crd";
 * import { defineResource } from "@kubeloop/controller/types";
 * import { assertEquals } from "@std/assert";
 *
 * const Widgets = defineResource({
 *   group: "acme.io",
 *   version: "v1",
 *   kind: "Widget",
 *   spec: { type: "object", properties: { size: { type: "integer", minimum: 1 } } },
 * });
 * const errors = await validate(Widgets, { metadata: { name: "a" }, spec: { size: 0 } });
 * assertEquals(
 *   errors.map(({ field, message }) => `${field}: ${message}`),
 *   ["spec.size: Invalid value: 0: should be greater than or equal to 1"],
 * );
 * ```
 */
export async function validate<T extends KubeObject>(
  resource: Resource<T>,
  object: unknown,
): Promise<FieldError[]> {
  const definition = definitionOf(resource);
  const { kind } = resource;
  if (!isRecord(object)) {
    return [invalidValue("", object, `should be an object of the kind ${kind}`)];
  }
  const errors: FieldError[] = [];
  if (object["kind"] !== undefined && object["kind"] !== kind) {
    errors.push(invalidValue("kind", object["kind"], `should be ${kind}`));
  }
  const version = versionOf(resource, definition, object["apiVersion"]);
  if (version === undefined) {
    const known = versionNames(definition).map((name) => `${resource.group}/${name}`);
    return [...errors, unsupportedValue("apiVersion", object["apiVersion"], known)];
  }
  for (const part of ["spec", "status"] as const) {
    const schema = version[part];
    if (schema === undefined || (part === "status" && object[part] === undefined)) continue;
    errors.push(...await validatePart(schema, object[part], part, kind));
  }
  return errors;
}

function versionNames(definition: ResourceDefinition): string[] {
  return [definition.version, ...(definition.versions ?? []).map(({ name }) => name)];
}

function versionOf(
  resource: Resource,
  definition: ResourceDefinition,
  apiVersion: unknown,
): VersionSchema | undefined {
  if (apiVersion === undefined || apiVersion === apiVersionOf(resource)) return definition;
  return definition.versions?.find(({ name }) => apiVersion === `${resource.group}/${name}`);
}

async function validatePart(
  schema: Schema,
  value: unknown,
  part: string,
  kind: string,
): Promise<FieldError[]> {
  const { validate } = (standardProps(schema) ?? {}) as Partial<StandardJSONSchemaProps>;
  if (typeof validate === "function") {
    const { issues } = await validate(value);
    return (issues ?? []).slice(0, MAX_ERRORS).map((issue) => toFieldError(issue, value, part));
  }
  const structural = structuralOf(schema, `${kind}.${part}`);
  if (value === undefined) {
    return structural["default"] === undefined ? [requiredValue(part)] : [];
  }
  let json: Json;
  try {
    json = plainValue(value, part);
  } catch (error) {
    return [invalidValue(part, value, describeError(error))];
  }
  const { errors, isOpen } = validateValue(json, structural, part, leavePatterns);
  if (!isOpen) return [...errors];
  // The engine is large, so it is loaded only if a pattern remains to be checked.
  return [...validateValue(json, structural, part, await loadPatterns()).errors];
}

/** The structural schemas of the JSON Schemas used so far. */
const known = new WeakMap<Schema, JsonObject>();

function structuralOf(schema: Schema, path: string): JsonObject {
  let structural = known.get(schema);
  if (structural === undefined) {
    structural = finishSchema(toStructural(readSchema(schema, path), path), path);
    known.set(schema, structural);
  }
  return structural;
}

function toFieldError(issue: StandardIssue, value: unknown, part: string): FieldError {
  let here: unknown = value;
  let path = part;
  for (const segment of issue.path ?? []) {
    const key = typeof segment === "object" ? segment.key : segment;
    path = fieldPath(path, Array.isArray(here) ? Number(key) : key);
    here = isRecord(here) || Array.isArray(here)
      ? (here as unknown as Record<PropertyKey, unknown>)[key]
      : undefined;
  }
  return here === undefined
    ? requiredValue(path, isFromCheck(issue) ? issue.message : undefined)
    : invalidValue(path, here, issue.message);
}
