import {
  checkedElsewhere,
  isFlag,
  isOneOf,
  type OptionChecks,
  requireOptions,
} from "../base/mod.ts";
import { descriptorOf } from "./fields_of.ts";
import type { KubeObject, Resource, ResourceDescriptor } from "./minimal/mod.ts";
import type {
  CustomObject,
  DefinedResource,
  OtherVersion,
  ResourceDefinition,
  VersionObjects,
} from "./resource_definition.ts";
import type { Schema, SchemaInput, SchemaOutput } from "./schema.ts";

/**
 * Describes a resource, for clients and informers.
 *
 * @typeParam T The interface of the objects.
 * @param descriptor The group, version, name, kind and scope of the resource.
 * @returns The frozen descriptor.
 * @throws {TypeError} When a part is missing or unknown, or has a form that the API does not allow.
 *
 * @example A custom resource
 * ```ts
 * import { defineResource, type KubeObject } from "@kubeloop/controller/types";
 * import { assertEquals } from "@std/assert";
 *
 * interface Website extends KubeObject {
 *   spec: { image: string };
 * }
 * const Websites = defineResource<Website>({
 *   group: "example.com",
 *   version: "v1",
 *   plural: "websites",
 *   kind: "Website",
 *   namespaced: true,
 * });
 * assertEquals(Websites.plural, "websites");
 * ```
 */
export function defineResource<T extends KubeObject = KubeObject>(
  descriptor: ResourceDescriptor & { readonly spec?: never; readonly status?: never },
): Resource<T>;
/**
 * Defines a custom resource by its schemas, from which the type of its objects is inferred. `crd()` and
 * `installDefinitions()` of `@kubeloop/controller/operator` make a CustomResourceDefinition of it, and `validate()`
 * validates objects.
 *
 * A schema is one of Zod, ArkType, Valibot (wrapped by `toStandardJsonSchema` of `@valibot/to-json-schema`) or TypeBox,
 * of any other library that implements {@linkcode StandardJSONSchemaV1}, or a JSON Schema. It is not read here: `crd()`
 * reports what a CustomResourceDefinition cannot express.
 *
 * @typeParam Spec The schema of the spec.
 * @typeParam Status The schema of the status.
 * @typeParam Versions The other versions.
 * @param definition The names of the resource, its schemas and its other versions.
 * @returns The frozen descriptor, with the definition.
 * @throws {TypeError} When a part is missing or unknown, or has a form that the API does not allow.
 *
 * @example A custom resource with a schema
 * ```ts
 * import { defineResource, type ObjectOf } from "@kubeloop/controller/types";
 * import { assertEquals } from "@std/assert";
 *
 * const Widgets = defineResource({
 *   group: "acme.io",
 *   version: "v1",
 *   kind: "Widget",
 *   spec: {
 *     type: "object",
 *     properties: { image: { type: "string" }, size: { type: "integer", minimum: 1, default: 1 } },
 *     required: ["image"],
 *   },
 *   rules: [{ rule: "self.size >= oldSelf.size", message: "size cannot shrink" }],
 * });
 * type Widget = ObjectOf<typeof Widgets>;
 *
 * const widget: Widget = { metadata: { name: "a" }, spec: { image: "nginx", size: 3 } };
 * assertEquals(Widgets.plural, "widgets");
 * assertEquals(widget.spec.size, 3);
 * ```
 */
export function defineResource<
  const Spec extends Schema = never,
  const Status extends Schema = never,
  const Versions extends readonly OtherVersion[] = readonly [],
>(
  definition: ResourceDefinition<Spec, Status, Versions>,
): DefinedResource<
  CustomObject<SchemaOutput<Spec>, SchemaOutput<Status>>,
  CustomObject<SchemaInput<Spec>, SchemaInput<Status>>,
  VersionObjects<Versions>
>;
export function defineResource(
  given: ResourceDescriptor | ResourceDefinition,
): Resource | DefinedResource {
  requireOptions("defineResource()", given, PARTS);
  const { group, version, kind } = given;
  requirePart("version", version, /^[a-z0-9]+$/);
  requirePart("kind", kind, /^[A-Za-z0-9]+$/);
  const defined = Object.keys(given).some((key) => !DESCRIPTOR.has(key));
  const { plural = defined ? guessPlural(kind) : undefined } = given;
  requirePart("plural", plural, /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/);
  if (group !== "") requirePart("group", group, /^[a-z0-9]([-.a-z0-9]*[a-z0-9])?$/);
  const { namespaced = defined ? true : undefined } = given;
  if (typeof namespaced !== "boolean") {
    throw new TypeError(`Cannot define resource ${plural}: "namespaced" must be true or false`);
  }
  const { fields, metadataOnly } = given as ResourceDescriptor;
  const descriptor = descriptorOf({
    group,
    version,
    plural,
    kind,
    namespaced,
    metadataOnly,
    fields,
  });
  return Object.freeze(
    defined ? { ...descriptor, definition: Object.freeze({ ...given }) } : descriptor,
  );
}

/** The parts of descriptors and definitions. The names are checked here, the schemas and the rest by `crd()`. */
const PARTS: OptionChecks<ResourceDescriptor & ResourceDefinition> = {
  group: checkedElsewhere,
  version: checkedElsewhere,
  plural: checkedElsewhere,
  kind: checkedElsewhere,
  namespaced: checkedElsewhere,
  metadataOnly: isFlag,
  fields: checkedElsewhere,
  spec: checkedElsewhere,
  status: checkedElsewhere,
  rules: checkedElsewhere,
  columns: checkedElsewhere,
  scale: checkedElsewhere,
  deprecated: checkedElsewhere,
  deprecationWarning: checkedElsewhere,
  singular: checkedElsewhere,
  shortNames: checkedElsewhere,
  categories: checkedElsewhere,
  annotations: checkedElsewhere,
  versions: checkedElsewhere,
  conversion: isOneOf("None"),
};

/** The parts of a descriptor. An object with other parts is a definition. */
const DESCRIPTOR: ReadonlySet<string> = new Set<keyof ResourceDescriptor>([
  "group",
  "version",
  "plural",
  "kind",
  "namespaced",
  "metadataOnly",
  "fields",
]);

function requirePart(
  part: string,
  value: unknown,
  pattern: RegExp,
): asserts value is string {
  if (typeof value !== "string" || !pattern.test(value)) {
    throw new TypeError(
      `Cannot define resource: "${part}" is ${JSON.stringify(value)}, must match ${pattern}`,
    );
  }
}

/**
 * Returns the plural of a kind in lower case, as apimachinery's `UnsafeGuessKindToResource` guesses it: `Gateway` becomes
 * `gatewaies`.
 */
function guessPlural(kind: string): string {
  const singular = kind.toLowerCase();
  if (singular.endsWith("endpoints")) return singular;
  if (singular.endsWith("s")) return `${singular}es`;
  if (singular.endsWith("y")) return `${singular.slice(0, -1)}ies`;
  return `${singular}s`;
}
