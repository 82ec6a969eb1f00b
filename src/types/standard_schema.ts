/**
 * The interface of Standard Schema (https://standardschema.dev) by which schema libraries convert their schemas to JSON
 * Schema, and validate values. It is a copy, because the library has no dependencies. Zod (4.2 and later) and ArkType
 * implement the interface; for Valibot, `toStandardJsonSchema` of `@valibot/to-json-schema` does.
 *
 * @typeParam Input The type of the values that the schema accepts.
 * @typeParam Output The type of the values after defaults are set.
 */
export interface StandardJSONSchemaV1<Input = unknown, Output = Input> {
  /** The properties of the standard. */
  readonly "~standard": StandardJSONSchemaProps<Input, Output>;
}

/** The properties of a {@linkcode StandardJSONSchemaV1}. */
export interface StandardJSONSchemaProps<Input = unknown, Output = Input> {
  /** The version of the standard. */
  readonly version: 1;
  /** The name of the schema library. */
  readonly vendor: string;
  /** Never set: the types of the values. */
  readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  /** Validates a value, if the library can. */
  readonly validate?:
    | ((value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>)
    | undefined;
  /** Converts the schema to JSON Schema. */
  readonly jsonSchema: {
    /** Returns the JSON Schema of the values that the schema accepts. */
    readonly input: (options: StandardJSONSchemaOptions) => Record<string, unknown>;
    /** Returns the JSON Schema of the values after defaults are set. */
    readonly output: (options: StandardJSONSchemaOptions) => Record<string, unknown>;
  };
}

/** The options of a conversion to JSON Schema. */
export interface StandardJSONSchemaOptions {
  /** The version of JSON Schema. */
  readonly target: "draft-2020-12" | "draft-07" | "openapi-3.0" | (string & Record<never, never>);
  /** Options of the library. */
  readonly libraryOptions?: Record<string, unknown> | undefined;
}

/** The result of a validation: the value, or the issues. */
export interface StandardResult<Output = unknown> {
  /** The value after defaults are set, if there are no issues. */
  readonly value?: Output;
  /** The reasons why the value is invalid. */
  readonly issues?: readonly StandardIssue[] | undefined;
}

/** A reason why a value is invalid. */
export interface StandardIssue {
  /** The description of the issue, for people. */
  readonly message: string;
  /** The path from the value to its invalid part. */
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}
