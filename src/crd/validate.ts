import {
  describeError,
  isObject,
  isRecord,
  type OptionChecks,
  requireOptions,
  stringifyJson,
} from "../base/mod.ts";
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
import { schemaOfVersion } from "./version_schema.ts";

/** Maximum number of errors of `spec`, of `status` and of the rules. */
const MAX_ERRORS = 100;

/** Options of {@linkcode validate}. */
export interface ValidateOptions {
  /**
   * The object before an update, in the same version. Rules with `oldSelf` are evaluated only with it, and rules whose values
   * are as before are not reported, as on the server. Default: the object is new.
   */
  readonly oldObject?: object | undefined;
}

const CHECKS: OptionChecks<ValidateOptions> = {
  oldObject: isObject,
};

/**
 * Validates `spec` and `status` of an object by the schemas of its version and by their CEL rules, without the server.
 *
 * A plain JSON Schema is validated like on the server, with patterns in the syntax of RE2 and in linear time. Formats, unknown
 * fields, and patterns that need more than about a second are left to the server. A schema of a library is validated by the
 * library, with its refinements and with regular expressions of JavaScript. Some of these, such as `^([a-z]+)+$`, take
 * exponential time.
 *
 * The rules are evaluated as on the server: on the object with its defaults, within the server's limits of cost, with its
 * texts, and only if the object fits its schema; else an error says that they were not evaluated. The evaluation is loaded
 * with the first kind that has rules.
 *
 * @typeParam T The interface of the objects.
 * @param resource The resource, with its definition.
 * @param object The object, with or without fields that have a default. It is not changed. A missing `status` is valid.
 * @param options The object before an update.
 * @returns The errors, in the form of the `causes` of a `Status`; empty if the object is valid.
 * @throws {TypeError} If the resource has no definition, if its JSON Schema or a schema with `rules` cannot be expressed, or if
 * an option is invalid.
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
 *   rules: [{ rule: "self.size >= oldSelf.size", message: "size cannot shrink" }],
 * });
 * const widget = (size: number) => ({ metadata: { name: "a" }, spec: { size } });
 * const [small] = await validate(Widgets, widget(0));
 * assertEquals(small?.field, "spec.size");
 * assertEquals(small?.message, "Invalid value: 0: should be greater than or equal to 1");
 *
 * assertEquals(await validate(Widgets, widget(1)), []);
 * const [shrunk] = await validate(Widgets, widget(1), { oldObject: widget(2) });
 * assertEquals(shrunk?.message, "Invalid value: size cannot shrink");
 * ```
 */
export async function validate<T extends KubeObject>(
  resource: Resource<T>,
  object: unknown,
  options: ValidateOptions = {},
): Promise<FieldError[]> {
  requireOptions("validate()", options, CHECKS);
  const definition = definitionOf(resource);
  const { kind } = resource;
  if (!isRecord(object)) {
    return [invalidValue("", object, `should be an object of the kind ${kind}`)];
  }
  const errors: FieldError[] = [];
  if (object["kind"] !== undefined && object["kind"] !== kind) {
    errors.push(invalidValue("kind", object["kind"], `should be ${kind}`));
  }
  const version = versionOf(resource, definition, object);
  if (version === undefined) {
    const known = versionNames(definition).map((name) => `${resource.group}/${name}`);
    return [...errors, unsupportedValue("apiVersion", object["apiVersion"], known)];
  }
  for (const part of ["spec", "status"] as const) {
    const schema = version[part];
    if (schema === undefined || (part === "status" && object[part] === undefined)) continue;
    errors.push(...await validatePart(schema, object[part], part, kind));
  }
  const { oldObject } = options;
  if (oldObject !== undefined && versionOf(resource, definition, oldObject) !== version) {
    throw new TypeError(`The oldObject of validate() must be of the version of the object`);
  }
  const schema = schemaWithRules(version, kind);
  if (schema === undefined) return errors;
  const { value, error } = partsOf(object);
  if (value === undefined) return errors.length > 0 ? errors : [error];
  const old = oldObject && partsOf(oldObject);
  if (old?.error !== undefined) {
    throw new TypeError(`The oldObject of validate(): ${old.error.field}: ${old.error.message}`);
  }
  // The evaluation is large, so it is loaded only for a kind with rules.
  const { evaluateObject } = await import("../cel/mod.ts");
  const broken = evaluateObject(schema, value, old?.value).slice(0, MAX_ERRORS);
  return [...errors, ...broken.map((error) => ({ ...error }))];
}

/** The schemas of whole objects, by their version; undefined for versions without rules. */
const wholes = new WeakMap<VersionSchema, { readonly schema: JsonObject | undefined }>();

/** Returns the schema of whole objects, if it has CEL rules. */
function schemaWithRules(version: VersionSchema, kind: string): JsonObject | undefined {
  let whole = wholes.get(version);
  if (whole === undefined) {
    whole = { schema: findRules(version, kind) };
    wholes.set(version, whole);
  }
  return whole.schema;
}

function findRules(version: VersionSchema, kind: string): JsonObject | undefined {
  let schema: JsonObject;
  try {
    schema = schemaOfVersion(version, kind);
  } catch (error) {
    // A schema that no definition can express is on no server. But the named rules must not be lost silently.
    if (version.rules !== undefined) throw error;
    return undefined;
  }
  return stringifyJson(schema).includes('"x-kubernetes-validations":') ? schema : undefined;
}

/** Returns the spec and the status of an object as JSON, or why they are not JSON. */
function partsOf(
  object: object,
):
  | { readonly value: JsonObject; readonly error?: undefined }
  | { readonly value?: undefined; readonly error: FieldError } {
  const value: JsonObject = {};
  for (const part of ["spec", "status"] as const) {
    const given = (object as Record<string, unknown>)[part];
    if (given === undefined) continue;
    try {
      value[part] = plainValue(given, part);
    } catch (error) {
      return { error: invalidValue(part, given, describeError(error)) };
    }
  }
  return { value };
}

function versionNames(definition: ResourceDefinition): string[] {
  return [definition.version, ...(definition.versions ?? []).map(({ name }) => name)];
}

function versionOf(
  resource: Resource,
  definition: ResourceDefinition,
  object: object,
): VersionSchema | undefined {
  const { apiVersion } = object as { readonly apiVersion?: unknown };
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
