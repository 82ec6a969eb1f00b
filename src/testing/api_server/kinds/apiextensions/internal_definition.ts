import {
  getArray,
  getObject,
  getOwn,
  getString,
  givenOf,
  isObject,
  type Json,
  type JsonObject,
} from "../../values/mod.ts";

/** The parts of a version of a CustomResourceDefinition that its internal Go type has in the spec if all versions share them. */
type Part = "schema" | "subresources" | "additionalPrinterColumns" | "selectableFields";

/** Returns a version as the real server's internal Go type is encoded as JSON, without the parts that are `shared`. */
export function internalVersion(version: JsonObject, shared: readonly Part[]): JsonObject {
  const own = (part: Part, shown: (value: Json) => Json): Json => {
    const value = shared.includes(part) ? null : givenOf(version, part);
    return value === null ? null : shown(value);
  };
  return {
    Name: getString(version, "name"),
    Served: version["served"] === true,
    Storage: version["storage"] === true,
    Deprecated: version["deprecated"] === true,
    DeprecationWarning: getOwn(version, "deprecationWarning") ?? null,
    Schema: own(
      "schema",
      (value) => ({ OpenAPIV3Schema: schemaOf(getOwn(getObject(value), "openAPIV3Schema")) }),
    ),
    Subresources: own("subresources", (value) => ({
      Status: isObject(givenOf(getObject(value), "status")) ? {} : null,
      Scale: scaleOf(getOwn(getObject(value), "scale")),
    })),
    AdditionalPrinterColumns: own(
      "additionalPrinterColumns",
      (value) =>
        objectsOf(value).map((column) => ({
          Name: getString(column, "name"),
          Type: getString(column, "type"),
          Format: getString(column, "format"),
          Description: getString(column, "description"),
          Priority: getOwn(column, "priority") ?? 0,
          JSONPath: getString(column, "jsonPath"),
        })),
    ),
    SelectableFields: own(
      "selectableFields",
      (value) => objectsOf(value).map((field) => ({ JSONPath: getString(field, "jsonPath") })),
    ),
  };
}

function objectsOf(value: Json | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function scaleOf(scale: Json | undefined): Json {
  if (!isObject(scale)) return null;
  return {
    SpecReplicasPath: getString(scale, "specReplicasPath"),
    StatusReplicasPath: getString(scale, "statusReplicasPath"),
    LabelSelectorPath: getOwn(scale, "labelSelectorPath") ?? null,
  };
}

function schemaOf(raw: Json | undefined): Json {
  if (!isObject(raw)) return null;
  const text = (name: string) => getString(raw, name);
  const flag = (name: string) => getOwn(raw, name) === true;
  const pointer = (name: string): Json => getOwn(raw, name) ?? null;
  const list = (name: string): Json => {
    const values = getOwn(raw, name);
    return Array.isArray(values) ? values.map(schemaOf) : null;
  };
  const map = (name: string): Json => mapOf(getOwn(raw, name), schemaOf);
  const orBool = (name: string): Json => {
    const value = getOwn(raw, name);
    if (typeof value === "boolean") return { Allows: value, Schema: null };
    return isObject(value) ? { Allows: true, Schema: schemaOf(value) } : null;
  };
  return {
    ID: text("id"),
    Schema: text("$schema"),
    Ref: pointer("$ref"),
    Description: text("description"),
    Type: text("type"),
    Nullable: flag("nullable"),
    Format: text("format"),
    Title: text("title"),
    Default: pointer("default"),
    Maximum: pointer("maximum"),
    ExclusiveMaximum: flag("exclusiveMaximum"),
    Minimum: pointer("minimum"),
    ExclusiveMinimum: flag("exclusiveMinimum"),
    MaxLength: pointer("maxLength"),
    MinLength: pointer("minLength"),
    Pattern: text("pattern"),
    MaxItems: pointer("maxItems"),
    MinItems: pointer("minItems"),
    UniqueItems: flag("uniqueItems"),
    MultipleOf: pointer("multipleOf"),
    Enum: pointer("enum"),
    MaxProperties: pointer("maxProperties"),
    MinProperties: pointer("minProperties"),
    Required: pointer("required"),
    Items: itemsOf(getOwn(raw, "items")),
    AllOf: list("allOf"),
    OneOf: list("oneOf"),
    AnyOf: list("anyOf"),
    Not: schemaOf(getOwn(raw, "not")),
    Properties: map("properties"),
    AdditionalProperties: orBool("additionalProperties"),
    PatternProperties: map("patternProperties"),
    Dependencies: pointer("dependencies"),
    AdditionalItems: orBool("additionalItems"),
    Definitions: map("definitions"),
    ExternalDocs: docsOf(getOwn(raw, "externalDocs")),
    Example: pointer("example"),
    XPreserveUnknownFields: pointer("x-kubernetes-preserve-unknown-fields"),
    XEmbeddedResource: flag("x-kubernetes-embedded-resource"),
    XIntOrString: flag("x-kubernetes-int-or-string"),
    XListMapKeys: pointer("x-kubernetes-list-map-keys"),
    XListType: pointer("x-kubernetes-list-type"),
    XMapType: pointer("x-kubernetes-map-type"),
    XValidations: rulesOf(raw),
  };
}

function mapOf(value: Json | undefined, shown: (value: Json) => Json): Json {
  if (!isObject(value)) return null;
  return Object.fromEntries(Object.keys(value).sort().map((key) => [key, shown(value[key]!)]));
}

function itemsOf(items: Json | undefined): Json {
  if (Array.isArray(items)) return { Schema: null, JSONSchemas: items.map(schemaOf) };
  return isObject(items) ? { Schema: schemaOf(items), JSONSchemas: null } : null;
}

function docsOf(docs: Json | undefined): Json {
  if (!isObject(docs)) return null;
  return { Description: getString(docs, "description"), URL: getString(docs, "url") };
}

function rulesOf(raw: JsonObject): Json {
  const rules = objectsOf(getArray(raw, "x-kubernetes-validations") as Json);
  if (rules.length === 0) return null;
  return rules.map((rule) => ({
    Rule: getString(rule, "rule"),
    Message: getString(rule, "message"),
    MessageExpression: getString(rule, "messageExpression"),
    Reason: getOwn(rule, "reason") ?? null,
    FieldPath: getString(rule, "fieldPath"),
    OptionalOldSelf: getOwn(rule, "optionalOldSelf") ?? null,
  }));
}
