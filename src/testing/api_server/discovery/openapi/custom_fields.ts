import type { ResourceInfo } from "../../kinds/mod.ts";
import type { JsonObject } from "../../../values/mod.ts";
import { type Dialect, V3 } from "./dialect.ts";
import { metaName } from "./names.ts";

const CONVENTIONS =
  "https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md";

const textField = (description: string, anchor: string): JsonObject => ({
  description: `${description} More info: ${CONVENTIONS}${anchor}`,
  type: "string",
});

const TYPE_FIELDS: JsonObject = {
  apiVersion: textField(
    "APIVersion defines the versioned schema of this representation of an object. Servers should convert recognized schemas to the latest internal value, and may reject unrecognized values.",
    "#resources",
  ),
  kind: textField(
    "Kind is a string value representing the REST resource this object represents. Servers may infer this from the endpoint the client submits requests to. Cannot be updated. In CamelCase.",
    "#types-kinds",
  ),
};

const metadataOf = (dialect: Dialect): JsonObject =>
  dialect.property(metaName("ObjectMeta"), {
    description: `Standard object's metadata. More info: ${CONVENTIONS}#metadata`,
  });

/** Returns the fields that every custom object has, with their documentation. */
export function objectFields(dialect: Dialect): JsonObject {
  return { ...TYPE_FIELDS, metadata: metadataOf(dialect) };
}

/** The fields that every object within a custom object has, in OpenAPI v3. */
export const EMBEDDED_FIELDS: JsonObject = {
  apiVersion: textField(
    "apiVersion defines the versioned schema of this representation of an object.",
    "#resources",
  ),
  kind: textField(
    "kind is a string value representing the type of this object. In CamelCase.",
    "#types-kinds",
  ),
  metadata: metadataOf(V3),
};

/** Returns the schema of a list of custom objects, whose definition has the name `object`. */
export function listSchema(
  { kind, definition: { listKind, plural } }: ResourceInfo,
  object: string,
  dialect: Dialect,
): JsonObject {
  return {
    description: `${listKind} is a list of ${kind.kind}`,
    type: "object",
    required: ["items"],
    properties: {
      apiVersion: TYPE_FIELDS["apiVersion"]!,
      items: {
        description: `List of ${plural}. More info: ${CONVENTIONS}`,
        type: "array",
        items: { $ref: dialect.reference(object) },
      },
      kind: TYPE_FIELDS["kind"]!,
      metadata: dialect.property(metaName("ListMeta"), {
        description: `Standard list metadata. More info: ${CONVENTIONS}#types-kinds`,
      }),
    },
  };
}
