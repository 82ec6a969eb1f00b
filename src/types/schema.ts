import type { StandardJSONSchemaV1 } from "./standard_schema.ts";

/**
 * A JSON Schema, as an object. If it is a literal, the type of the values is inferred from it. A schema of TypeBox is one.
 *
 * @typeParam T The type of the values, if it cannot be inferred from the schema: `const spec: JsonSchema<WidgetSpec> = …`.
 */
export interface JsonSchema<T = unknown> {
  /** Never set: the type of the values, as TypeBox has it. */
  readonly static?: T;
  /** The JSON type of the values. */
  readonly type?: string | readonly string[];
  /** The schemas of the fields of an object. */
  readonly properties?: object;
  /** The required fields of an object. */
  readonly required?: readonly string[] | undefined;
  /** The alternatives: values match at least one of these schemas. */
  readonly anyOf?: readonly object[];
  /** The alternatives: values match exactly one of these schemas. */
  readonly oneOf?: readonly object[];
  /** Values match all of these schemas. */
  readonly allOf?: readonly object[];
  /** The reference to another part of the schema, such as `#/$defs/Port`. */
  readonly $ref?: string;
  /** Not in a JSON Schema. A schema that has it is a {@linkcode StandardJSONSchemaV1}. */
  readonly "~standard"?: never;
  /** Any other keyword of the schema. */
  readonly [keyword: string]: unknown;
}

/**
 * A schema of a library that implements {@linkcode StandardJSONSchemaV1}, such as Zod, ArkType and Valibot (wrapped by
 * `toStandardJsonSchema`), or a {@linkcode JsonSchema}, such as one of TypeBox.
 */
export type Schema = StandardJSONSchemaV1 | JsonSchema | PlainSchema;

/**
 * A JSON Schema without an index signature. Interfaces such as TypeBox's `TObject` are assignable to it, but not to
 * {@linkcode JsonSchema}.
 */
export type PlainSchema = Pick<
  JsonSchema,
  "static" | "type" | "properties" | "required" | "anyOf" | "oneOf" | "allOf" | "$ref" | "~standard"
>;

/**
 * The type of the values of a schema after the server has set the defaults.
 *
 * @typeParam S The schema.
 */
export type SchemaOutput<S> = S extends StandardJSONSchemaV1
  ? NonNullable<S["~standard"]["types"]>["output"]
  : S extends { readonly static: infer T } ? T
  : S extends JsonSchema<infer T> ? unknown extends T ? FromJsonSchema<S, "output"> : T
  : FromJsonSchema<S, "output">;

/**
 * The type of the values that a schema accepts: fields with a default are optional.
 *
 * @typeParam S The schema.
 */
export type SchemaInput<S> = S extends StandardJSONSchemaV1
  ? NonNullable<S["~standard"]["types"]>["input"]
  : S extends { readonly static: infer T } ? T
  : S extends JsonSchema<infer T> ? unknown extends T ? FromJsonSchema<S, "input"> : T
  : FromJsonSchema<S, "input">;

/**
 * The type of the values of a literal JSON Schema, as far as the common keywords say.
 *
 * @typeParam S The schema.
 * @typeParam Mode `input`: the values that the schema accepts. `output`: the values after defaulting.
 */
export type FromJsonSchema<S, Mode extends "input" | "output"> =
  | (S extends { readonly nullable: true } ? null : never)
  // Not a literal, but a schema with the type of its values: JsonSchema<Template>.
  | (string extends keyof S ? S extends { readonly static?: infer T } ? T : unknown
    : S extends { readonly const: infer Value } ? Value
    : S extends { readonly enum: readonly (infer Value)[] } ? Value
    : S extends { readonly anyOf: readonly (infer Member)[] } ? FromJsonSchema<Member, Mode>
    : S extends { readonly oneOf: readonly (infer Member)[] } ? FromJsonSchema<Member, Mode>
    : S extends { readonly allOf: readonly [infer First, ...infer Rest] } ?
        & FromJsonSchema<First, Mode>
        & (Rest extends readonly [] ? unknown : FromJsonSchema<{ readonly allOf: Rest }, Mode>)
    : S extends { readonly "x-kubernetes-int-or-string": true } ? number | string
    : S extends { readonly type: readonly (infer Type)[] }
      ? Type extends string ? FromJsonSchema<Omit<S, "type"> & { readonly type: Type }, Mode>
      : never
    : S extends { readonly type: "string" } ? string
    : S extends { readonly type: "integer" | "number" } ? number
    : S extends { readonly type: "boolean" } ? boolean
    : S extends { readonly type: "null" } ? null
    : S extends { readonly type: "array"; readonly items: infer Items }
      ? FromJsonSchema<Items, Mode>[]
    : S extends { readonly type: "array" } ? unknown[]
    : S extends { readonly type: "object"; readonly properties: infer Fields } ? (
        & {
          -readonly [
            K in keyof Fields as Fields[K] extends { readonly default: unknown }
              ? Mode extends "output" ? K : never
              : S extends { readonly required: readonly (infer Name)[] }
                ? K extends Name ? K : never
              : never
          ]: FromJsonSchema<Fields[K], Mode>;
        }
        & {
          -readonly [
            K in keyof Fields as Fields[K] extends { readonly default: unknown }
              ? Mode extends "input" ? K : never
              : S extends { readonly required: readonly (infer Name)[] }
                ? K extends Name ? never : K
              : K
          ]?: FromJsonSchema<Fields[K], Mode>;
        }
      ) extends infer Both ? { [K in keyof Both]: Both[K] } : never
    : S extends
      { readonly type: "object"; readonly additionalProperties: infer Value extends object }
      ? Record<string, FromJsonSchema<Value, Mode>>
    : S extends
      { readonly type: "object"; readonly patternProperties: infer Patterns extends object }
      ? Record<string, FromJsonSchema<Patterns[keyof Patterns], Mode>>
    : S extends { readonly type: "object" } ? Record<string, unknown>
    : unknown);
