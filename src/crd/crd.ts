import {
  type CustomResourceDefinition,
  type CustomResourceDefinitionVersion,
  type OtherVersion,
  type Resource,
  type ResourceDefinition,
  resourceName,
  type VersionSchema,
} from "../types/mod.ts";
import { checkNames, checkVersion } from "./definition_checks.ts";
import { type Json, plainJson, sortKeys } from "./json.ts";
import { schemaOfVersion } from "./version_schema.ts";

/**
 * Returns the CustomResourceDefinition of a resource that `defineResource` made of schemas.
 *
 * Equivalent schemas of different libraries give the same CustomResourceDefinition: the text of
 * `JSON.stringify(crd(Widgets))` is equal. A construct that a CustomResourceDefinition cannot express is an error with its
 * path. Only parts that do not restrict values are dropped:
 *
 * - `additionalProperties: false`: the server prunes unknown fields. In a union it becomes a validation that refuses the
 *   fields of the other alternatives.
 * - The bounds of exact integers in JavaScript, which Zod writes.
 * - Annotations such as `$id`, `deprecated` and `readOnly`, and the second and further `examples`.
 * - A format that API servers ignore, if the field has a pattern.
 *
 * A field with a default is not required, because the server sets the default first. `null` beside a type becomes
 * `nullable`, a union of literals an `enum`, `uniqueItems` a list of the type `set`, an unknown value
 * `x-kubernetes-preserve-unknown-fields`, an integer or a string `x-kubernetes-int-or-string`. References are resolved.
 * Keywords of Kubernetes in the metadata of a schema are kept, such as `x-kubernetes-list-type`.
 *
 * The definition has no conversion webhook, because that needs the address and the certificates of the webhook server:
 * `installDefinitions` adds it. The server checks whether a default matches its pattern.
 *
 * @param resource The resource, with its definition.
 * @returns A new CustomResourceDefinition, with sorted keys.
 * @throws {TypeError} If the resource has no definition, or the definition cannot be expressed.
 *
 * @example
 * ```ts
 * import { crd } from "@kubeloop/controller/crd";
 * import { defineResource } from "@kubeloop/controller/types";
 * import { assertEquals } from "@std/assert";
 * import { z } from "zod";
 *
 * const Widgets = defineResource({
 *   group: "acme.io",
 *   version: "v1",
 *   kind: "Widget",
 *   spec: z.object({ size: z.int().min(1).default(1), image: z.string() }),
 *   rules: [{ rule: "self.size >= oldSelf.size", message: "size cannot shrink" }],
 * });
 * const { metadata, spec } = crd(Widgets);
 * assertEquals(metadata.name, "widgets.acme.io");
 * assertEquals(spec.versions[0]?.schema?.openAPIV3Schema?.properties?.spec, {
 *   properties: { image: { type: "string" }, size: { default: 1, minimum: 1, type: "integer" } },
 *   required: ["image"],
 *   type: "object",
 *   "x-kubernetes-validations": [{
 *     message: "size cannot shrink",
 *     rule: "self.size >= oldSelf.size",
 *   }],
 * });
 * ```
 */
export function crd(resource: Resource): CustomResourceDefinition {
  const definition = definitionOf(resource);
  const { group, kind, plural, namespaced } = resource;
  const others = definition.versions ?? [];
  checkNames(resource, definition);
  const { shortNames, categories } = definition;
  const built = {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: resourceName(resource), annotations: definition.annotations },
    spec: {
      conversion: definition.conversion && { strategy: definition.conversion },
      group,
      names: {
        categories: nonEmpty(categories),
        kind,
        listKind: `${kind}List`,
        plural,
        shortNames: nonEmpty(shortNames),
        singular: definition.singular ?? kind.toLowerCase(),
      },
      scope: namespaced ? "Namespaced" : "Cluster",
      versions: [
        versionOf(
          { ...definition, name: definition.version, storage: !others.some(isStored) },
          kind,
        ),
        ...others.map((other) => versionOf(other, `${kind} ${other.name}`)),
      ],
    },
  };
  return sortKeys(plainJson(built, kind)) as unknown as CustomResourceDefinition;
}

/**
 * Returns the definition of a resource.
 *
 * @throws {TypeError} If the resource has no definition.
 */
export function definitionOf(resource: Resource): ResourceDefinition {
  const { definition, kind } = (resource ?? {}) as Partial<Resource> & {
    readonly definition?: ResourceDefinition;
  };
  if (definition === undefined) {
    throw new TypeError(
      `${kind ?? "The resource"} has no schema: give defineResource() a "spec"`,
    );
  }
  return definition;
}

function isStored(version: OtherVersion): boolean {
  return version.storage === true;
}

function nonEmpty(list: readonly string[] | undefined): readonly string[] | undefined {
  return list !== undefined && list.length > 0 ? list : undefined;
}

function versionOf(version: OtherVersion, path: string): CustomResourceDefinitionVersion {
  checkVersion(version, path);
  const { name, served = true, storage = false, columns = [], deprecated } = version;
  const columnsOrNone = columns.length > 0
    ? columns.map(({ priority, ...column }) => ({ ...column, ...(priority ? { priority } : {}) }))
    : undefined;
  return plainJson({
    name,
    served,
    storage,
    deprecated: deprecated || undefined,
    deprecationWarning: version.deprecationWarning,
    additionalPrinterColumns: columnsOrNone,
    schema: { openAPIV3Schema: schemaOfVersion(version, path) },
    subresources: subresourcesOf(version),
  }, path) as Json as unknown as CustomResourceDefinitionVersion;
}

function subresourcesOf({ status, scale }: VersionSchema): object | undefined {
  if (status === undefined && scale === undefined) return undefined;
  return { scale, status: status === undefined ? undefined : {} };
}
