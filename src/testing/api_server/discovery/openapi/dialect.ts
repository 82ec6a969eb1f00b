import type { JsonObject } from "../../../values/mod.ts";

/** The differences between the versions of OpenAPI. */
export interface Dialect {
  /** Returns the reference to a definition. */
  readonly reference: (name: string) => string;
  /** Returns a reference with the other keywords of a schema, as the schema of a property. */
  readonly property: (name: string, rest: JsonObject) => JsonObject;
  /** Returns a reference with the other keywords of a schema, as the schema of an item. */
  readonly item: (name: string, rest: JsonObject) => JsonObject;
  /** The definition of a quantity, without its description. */
  readonly quantity: JsonObject;
  /** The definition of an integer or a string. */
  readonly intOrString: JsonObject;
  /** Whether schemas have defaults and enums. */
  readonly isRich: boolean;
}

const v3Reference = (name: string) => `#/components/schemas/${name}`;

const allOf = (name: string, rest: JsonObject): JsonObject => ({
  ...rest,
  allOf: [{ $ref: v3Reference(name) }],
});

/** OpenAPI v3, in which nothing else, as a description, may stand beside a reference. */
export const V3: Dialect = {
  reference: v3Reference,
  property: allOf,
  item: (name, rest) =>
    Object.keys(rest).length === 0 ? { $ref: v3Reference(name) } : allOf(name, rest),
  quantity: { oneOf: [{ type: "string" }, { type: "number" }] },
  intOrString: { format: "int-or-string", oneOf: [{ type: "integer" }, { type: "string" }] },
  isRich: true,
};

const v2Reference = (name: string) => `#/definitions/${name}`;

const beside = (name: string, { default: _, ...rest }: JsonObject): JsonObject => ({
  ...rest,
  $ref: v2Reference(name),
});

/** OpenAPI v2. */
export const V2: Dialect = {
  reference: v2Reference,
  property: beside,
  item: beside,
  quantity: { type: "string" },
  intOrString: { type: "string", format: "int-or-string" },
  isRich: false,
};
