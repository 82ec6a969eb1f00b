import { evaluateRules } from "@kubeloop/controller/internal/cel";
import {
  apiVersionOf,
  blocksRules,
  type CustomVersion,
  type KindInfo,
  propertyOf,
  type Structural,
  validateStructural,
} from "../../schema/mod.ts";
import {
  child,
  dns1035Label,
  type FieldError,
  getObject,
  getOwn,
  getString,
  goPrint,
  invalidValue,
  isInteger,
  isNumber,
  isObject,
  item,
  type Json,
  jsonEqual,
  type JsonObject,
} from "../../../values/mod.ts";
import { type MetaRule, numberRules, validateMeta } from "../shared/mod.ts";
import type { Release } from "../../release/mod.ts";

const MAX_INT32 = 2_147_483_647;

/**
 * Returns the errors of the `kind` and `apiVersion` of a custom resource. If there are any, nothing else of the object
 * is validated.
 */
export function validateTypeMeta(kind: KindInfo, object: JsonObject): FieldError[] {
  const errors: FieldError[] = [];
  const named = getString(object, "kind");
  if (named !== kind.kind) errors.push(invalidValue("kind", named, `must be ${kind.kind}`));
  const version = getString(object, "apiVersion");
  if (version !== apiVersionOf(kind)) {
    errors.push(invalidValue("apiVersion", version, `must be ${apiVersionOf(kind)}`));
  }
  return errors;
}

/**
 * Returns the validation errors of a custom resource, from its schema and from its scale subresource. On an update,
 * schema errors in unchanged values are ignored (ratcheting validation).
 */
export function validateCustom(
  { release }: KindInfo,
  custom: CustomVersion,
  object: JsonObject,
  old?: JsonObject,
): FieldError[] {
  const numbers = numberRules(release);
  return [
    ...validateStructural(object, custom.schema, { old, numbers }),
    ...validateEmbedded(object, custom.schema, "", { old, release }),
    ...validateScale(custom, object, "spec"),
    ...validateScale(custom, object, "status"),
  ];
}

/**
 * Returns the errors of the type and the metadata of resources that are embedded in a custom resource, unless they are
 * unchanged.
 */
function validateEmbedded(
  value: Json,
  schema: Structural,
  field: string,
  { old, release }: { readonly old: Json | undefined; readonly release: Release },
): FieldError[] {
  if (old !== undefined && jsonEqual(value, old)) return [];
  if (Array.isArray(value)) {
    const { items } = schema;
    return items === undefined
      ? []
      : value.flatMap((one, index) =>
        validateEmbedded(one, items, item(field, index), { old: undefined, release })
      );
  }
  if (!isObject(value)) return [];
  const own = field !== "" && schema.embedded
    ? [
      ...embeddedTypeErrors(value, field),
      ...(isObject(getOwn(value, "metadata")) ? embeddedMetaErrors(value, field, release) : []),
    ]
    : [];
  const inner = Object.keys(value).flatMap((key) => {
    const property = propertyOf(schema, key);
    const before = isObject(old) ? getOwn(old, key) : undefined;
    if (property === undefined) return [];
    return validateEmbedded(value[key] ?? null, property, child(field, key), {
      old: before,
      release,
    });
  });
  return [...own, ...inner];
}

function embeddedTypeErrors(value: JsonObject, field: string): FieldError[] {
  return ["apiVersion", "kind"].flatMap((name) => {
    const given = getOwn(value, name);
    if (given === undefined) return [];
    const refuse = (why: string) => [invalidValue(child(field, name), given, why)];
    if (typeof given !== "string") return refuse("must be a string");
    if (given === "") return refuse("must not be empty");
    if (name === "apiVersion") {
      const isVersion = given.split("/").length <= 2;
      return isVersion ? [] : refuse(`unexpected GroupVersion string: ${given}`);
    }
    const wrong = dns1035Label(given.toLowerCase());
    if (wrong.length === 0) return [];
    return refuse(`may have mixed case, but should otherwise match: ${wrong.join(",")}`);
  });
}

function embeddedMetaErrors(value: JsonObject, field: string, release: Release): FieldError[] {
  const metadata = getObject(value, "metadata");
  const named = getString(metadata, "name") ? metadata : { ...metadata, name: "unnamed" };
  const namespaced = getString(metadata, "namespace") !== "";
  const rule: MetaRule = { namespaced, names: "pathSegment", finalizers: "qualified", release };
  return validateMeta({ ...value, metadata: named }, rule)
    .map((error) => ({ ...error, field: `${field}.${error.field}` }));
}

/** Returns the validation errors of the status of a custom resource, from its schema and from its scale subresource. */
export function validateCustomStatus(
  { release }: KindInfo,
  custom: CustomVersion,
  object: JsonObject,
  old: JsonObject,
): FieldError[] {
  const schema = custom.schema.properties.get("status");
  const status = getOwn(object, "status");
  const errors: FieldError[] = [];
  if (schema !== undefined && status !== undefined) {
    errors.push(...validateStructural(status, schema, {
      field: "status",
      old: getOwn(old, "status"),
      numbers: numberRules(release),
    }));
  }
  return [...errors, ...validateScale(custom, object, "status")];
}

/**
 * Returns the errors of the CEL rules of a custom resource; if other errors prevent their evaluation, the error that
 * says so. Errors of unchanged values are warnings on an update (ratcheting validation).
 */
export function validateRules(
  custom: CustomVersion,
  errors: readonly FieldError[],
  object: JsonObject,
  { old, warn }: { readonly old?: JsonObject; readonly warn?: (text: string) => void } = {},
): FieldError[] {
  if (!custom.hasRules) return [];
  if (!errors.some(blocksRules)) {
    const found = evaluateRules(custom.schema, object, old);
    for (const warning of found.warnings) warn?.(warning);
    return [...found.errors];
  }
  return [
    invalidValue(
      "<nil>",
      null,
      "some validation rules were not checked because the object was invalid; correct the existing errors to complete validation",
    ),
  ];
}

function validateScale(
  { scale }: CustomVersion,
  object: JsonObject,
  part: "spec" | "status",
): FieldError[] {
  if (scale === undefined) return [];
  const errors: FieldError[] = [];
  const path = scale[part];
  const found = nested(object, path, "int64");
  if (found.error !== undefined) errors.push(invalidValue(path, 0, found.error));
  else if (isNumber(found.value)) {
    if (found.value < 0) {
      errors.push(invalidValue(path, found.value, "should be a non-negative integer"));
    } else if (found.value > MAX_INT32) {
      errors.push(
        invalidValue(path, found.value, `should be less than or equal to ${MAX_INT32}`),
      );
    }
  }
  if (part === "status" && scale.selector !== undefined) {
    const selector = nested(object, scale.selector, "string");
    if (selector.error !== undefined) {
      errors.push(invalidValue(scale.selector, "", selector.error));
    }
  }
  return errors;
}

/** Reads the value at a path. On failure, returns the error message of apimachinery's accessor functions. */
function nested(
  object: JsonObject,
  path: string,
  wanted: "int64" | "string",
): { value?: Json; error?: string } {
  let here: Json = object;
  for (const step of path.replace(/^\./, "").split(".")) {
    if (!isObject(here)) return { error: accessor(path, here, "map[string]interface{}") };
    const next: Json | undefined = getOwn(here, step);
    if (next === undefined) return {};
    here = next;
  }
  const fits = wanted === "string" ? typeof here === "string" : isInteger(here);
  return fits ? { value: here } : { error: accessor(path, here, wanted) };
}

function accessor(path: string, value: Json, wanted: string): string {
  return `${path} accessor error: ${goPrint(value)} is of the type ${
    goTypeOf(value)
  }, expected ${wanted}`;
}

function goTypeOf(value: Json): string {
  if (value === null) return "<nil>";
  if (Array.isArray(value)) return "[]interface {}";
  if (isObject(value)) return "map[string]interface {}";
  if (isNumber(value)) return isInteger(value) ? "int64" : "float64";
  return typeof value === "boolean" ? "bool" : "string";
}
