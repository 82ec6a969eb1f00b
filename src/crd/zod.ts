import { CHANGING_FLAGS, CODE_CHECK, flagsText, UNSUPPORTED } from "./markers.ts";

/** Options that make Zod mark constructs that it would drop. */
export const ZOD_OPTIONS: Readonly<Record<string, unknown>> = {
  // Types without a JSON Schema are marked, because Zod's own error has no path.
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
      if (CHANGING_FLAGS.test(flags)) jsonSchema[UNSUPPORTED] = flagsText(flags);
      // Zod converts only the format of a URL.
      if (check?.protocol !== undefined || check?.hostname !== undefined) {
        jsonSchema[CODE_CHECK] = "a URL of certain protocols or hosts";
      }
      if (check?.normalize === true) {
        jsonSchema[UNSUPPORTED] = "a URL that is normalized; the server cannot change values";
      }
    }
  },
};

interface ZodDefinition {
  readonly type?: string;
  readonly check?: string;
  readonly coerce?: boolean;
  readonly protocol?: unknown;
  readonly hostname?: unknown;
  readonly normalize?: boolean;
  readonly pattern?: { readonly flags?: string };
  readonly values?: readonly unknown[];
  readonly checks?: readonly ({ readonly _zod?: { readonly def?: ZodDefinition } } | undefined)[];
}

interface ZodContext {
  readonly zodSchema: { readonly _zod: { readonly def: ZodDefinition } };
  readonly jsonSchema: Record<string, unknown>;
}

/** The checks that Zod converts. */
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

/** Types that Zod does not convert, or only in part. */
const ZOD_TYPES: Readonly<Record<string, string>> = {
  bigint: "a bigint; use an integer",
  catch: "a catch(); use a default",
  custom: "a custom type; use z.looseObject({}), asserted to be of the type",
  date: "a Date; use z.iso.datetime()",
  function: "a function",
  map: "a Map; use z.record()",
  nan: "NaN",
  pipe: "a pipe; the server cannot change values",
  promise: "a promise",
  set: 'a Set; use z.array() with the metadata "x-kubernetes-list-type": "set"',
  success: "a success()",
  symbol: "a symbol",
  transform: "a transform; the server cannot change values",
  undefined: "undefined",
  void: "void",
};

function zodTrouble(definition: ZodDefinition): string | undefined {
  const { type = "", values = [], coerce = false } = definition;
  if (Object.hasOwn(ZOD_TYPES, type)) return ZOD_TYPES[type];
  if (coerce) return "a coercion; the server cannot change values";
  const odd = values.find((value) => value === undefined || typeof value === "bigint");
  return type === "literal" && (odd !== undefined || values.includes(undefined))
    ? `the literal ${String(odd)}`
    : undefined;
}
