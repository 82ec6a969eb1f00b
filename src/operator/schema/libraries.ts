import { isRecord } from "../../base/mod.ts";
import type { StandardJSONSchemaV1 } from "../../types/mod.ts";

/**
 * The keyword by which a library's hook marks what the library would leave out of the JSON Schema, or report without
 * its path. The value says what it is and, after a semicolon, what to use instead.
 */
export const UNSUPPORTED = "kubeloop:unsupported";

/** As {@linkcode UNSUPPORTED}, for checks in code, which a CEL rule can express. */
export const CODE_CHECK = "kubeloop:check";

const TARGET = "draft-2020-12";

/**
 * Returns the JSON Schema of a schema of a library: of the values that the library accepts.
 *
 * Libraries leave out without an error what JSON Schema has no word for, such as the refinements of Zod and the `Date` of
 * ArkType. The hooks of those that are known here mark it. Other libraries get the standard call.
 */
export function convertByLibrary(schema: StandardJSONSchemaV1): unknown {
  const { vendor, jsonSchema } = schema["~standard"];
  if (vendor === "arktype") return convertArkType(schema);
  const libraryOptions = vendor === "zod" ? ZOD : vendor === "valibot" ? VALIBOT : undefined;
  return jsonSchema.input({ target: TARGET, libraryOptions });
}

/** ArkType's standard conversion of input leaves out the defaults; its own method has them. */
function convertArkType(schema: StandardJSONSchemaV1): unknown {
  const { toJsonSchema } = schema as { toJsonSchema?: (options: unknown) => unknown };
  if (typeof toJsonSchema !== "function") {
    return schema["~standard"].jsonSchema.input({ target: TARGET });
  }
  return toJsonSchema.call(schema, { target: TARGET, fallback: ARKTYPE_FALLBACK });
}

const mark = (what: string) => ({ base }: { base: object }) => ({ ...base, [UNSUPPORTED]: what });

const ARKTYPE_FALLBACK = {
  arrayObject: mark("an array with other fields"),
  arrayPostfix: mark("a tuple"),
  date: mark("a Date; use a string with the format date-time"),
  // What it returns becomes the default, in which the marker is found too.
  defaultValue: () => ({ [UNSUPPORTED]: "a default that is not JSON" }),
  domain: mark("a type that is not JSON"),
  morph: mark("a morph; the server cannot change values"),
  patternIntersection: ({ base, pattern }: { base: Record<string, unknown>; pattern: string }) => {
    const all = Array.isArray(base["allOf"]) ? base["allOf"] : [];
    return { ...base, allOf: [...all, { pattern }] };
  },
  // The predicate of `string.url` is ArkType's own. It has the format `uri`, which the server checks.
  predicate: ({ base, predicate }: { base: object; predicate: { readonly name?: string } }) =>
    predicate.name === "isParsableUrl" ? base : { ...base, [CODE_CHECK]: "a narrow()" },
  proto: mark("a class"),
  symbolKey: mark("a field whose name is a symbol"),
  unit: mark("a value that is not JSON"),
};

const VALIBOT = {
  errorMode: "ignore",
  overrideSchema: (context: ValibotContext) =>
    marked(context, UNSUPPORTED, "schema", context.valibotSchema?.type),
  overrideAction: (context: ValibotContext) => {
    const type = context.valibotAction?.type ?? "";
    const keyword = VALIBOT_CHECKS.has(type) ? CODE_CHECK : UNSUPPORTED;
    return marked(context, keyword, "action", type);
  },
};

interface ValibotContext {
  readonly jsonSchema: object;
  readonly errors?: readonly string[];
  readonly valibotSchema?: { readonly type: string };
  readonly valibotAction?: { readonly type: string };
}

const VALIBOT_CHECKS: ReadonlySet<string> = new Set([
  "check",
  "check_items",
  "custom",
  "partial_check",
  "raw_check",
]);

function marked(context: ValibotContext, keyword: string, what: string, type = ""): unknown {
  const [error] = context.errors ?? [];
  if (error === undefined) return undefined;
  const text = error.includes("cannot be converted") ? `the ${what} "${type}" of Valibot` : error;
  return { ...context.jsonSchema, [keyword]: text };
}

const ZOD = {
  // The types without JSON Schema are marked, because Zod's own error does not say where they are.
  unrepresentable: "any",
  override: ({ zodSchema, jsonSchema }: ZodContext) => {
    const { def } = zodSchema._zod;
    const found = zodTrouble(def);
    if (found !== undefined) jsonSchema[UNSUPPORTED] = found;
    const checks = [...(def.checks ?? []).map((one) => one?._zod?.def), def];
    for (const check of checks) {
      if (check?.check === "custom") jsonSchema[CODE_CHECK] = "a refinement";
      else if (check?.check !== undefined && !ZOD_CHECKS.has(check.check)) {
        jsonSchema[UNSUPPORTED] ??= `the check "${check.check}"`;
      }
      const flags = check?.pattern?.flags ?? "";
      if (/[ims]/.test(flags)) {
        jsonSchema[UNSUPPORTED] = `a regular expression with the flags "${flags}"`;
      }
    }
  },
};

interface ZodDefinition {
  readonly type?: string;
  readonly check?: string;
  readonly pattern?: { readonly flags?: string };
  readonly values?: readonly unknown[];
  readonly checks?: readonly ({ readonly _zod?: { readonly def?: ZodDefinition } } | undefined)[];
}

interface ZodContext {
  readonly zodSchema: { readonly _zod: { readonly def: ZodDefinition } };
  readonly jsonSchema: Record<string, unknown>;
}

/** The checks that Zod writes into the JSON Schema. */
const ZOD_CHECKS: ReadonlySet<string> = new Set([
  "greater_than",
  "length_equals",
  "less_than",
  "max_length",
  "min_length",
  "multiple_of",
  "number_format",
  "string_format",
]);

/** The types for which Zod has no JSON Schema, or only that of a part. */
const ZOD_TYPES: Readonly<Record<string, string>> = {
  bigint: "a bigint; use an integer",
  catch: "a catch(); use a default",
  custom: "a custom type",
  date: "a Date; use z.iso.datetime()",
  function: "a function",
  map: "a Map; use z.record()",
  nan: "NaN",
  pipe: "a pipe; the server cannot change values",
  promise: "a promise",
  set: 'a Set; use z.array() with the metadata "x-kubernetes-list-type": "set"',
  symbol: "a symbol",
  transform: "a transform; the server cannot change values",
  undefined: "undefined",
  void: "void",
};

function zodTrouble(definition: ZodDefinition): string | undefined {
  const { type = "", values = [] } = definition;
  if (Object.hasOwn(ZOD_TYPES, type)) return ZOD_TYPES[type];
  const odd = values.find((value) => value === undefined || typeof value === "bigint");
  return type === "literal" && (odd !== undefined || values.includes(undefined))
    ? `the literal ${String(odd)}`
    : undefined;
}

/** Reports whether a value implements `StandardJSONSchemaV1`. */
export function isStandardSchema(value: unknown): value is StandardJSONSchemaV1 {
  const props = standardProps(value);
  return isRecord(props) && isRecord(props["jsonSchema"]) &&
    typeof props["jsonSchema"]["input"] === "function";
}

/** Returns the `~standard` of a schema of a library; undefined for a plain JSON Schema. ArkType's are functions. */
export function standardProps(value: unknown): unknown {
  const holder = typeof value === "object" || typeof value === "function" ? value : undefined;
  return (holder as { readonly "~standard"?: unknown } | null | undefined)?.["~standard"];
}
