import { isRecord } from "../base/mod.ts";
import type { StandardJSONSchemaV1 } from "../types/mod.ts";
import { CHANGING_FLAGS, CODE_CHECK, flagsText, TARGET, UNSUPPORTED } from "./markers.ts";

/** Converts by ArkType's own method: its standard conversion omits the defaults. */
export function convertArkType(schema: StandardJSONSchemaV1): unknown {
  const { toJsonSchema, select } = schema as ArkType;
  if (typeof toJsonSchema !== "function" || typeof select !== "function") {
    return schema["~standard"].jsonSchema.input({ target: TARGET });
  }
  const converted = toJsonSchema.call(schema, { target: TARGET, fallback: FALLBACK });
  const flagged = select.call(schema, { kind: "pattern" }).filter(({ flags = "" }) =>
    CHANGING_FLAGS.test(flags)
  );
  markPatterns(converted, new Map(flagged.map(({ rule, flags = "" }) => [rule, flags])));
  return converted;
}

interface ArkType {
  readonly toJsonSchema?: (options: unknown) => unknown;
  readonly select?: (of: unknown) => { readonly rule: string; readonly flags?: string }[];
}

/** Marks the patterns whose flags ArkType omits. */
function markPatterns(node: unknown, flagged: ReadonlyMap<string, string>): void {
  if (flagged.size === 0 || typeof node !== "object" || node === null) return;
  if (isRecord(node)) {
    const flags = flagged.get(String(node.pattern));
    if (flags !== undefined) node[UNSUPPORTED] = flagsText(flags);
  }
  for (const part of Object.values(node)) markPatterns(part, flagged);
}

const mark = (what: string) => ({ base }: { base: object }) => ({ ...base, [UNSUPPORTED]: what });

const FALLBACK = {
  arrayObject: mark("an array with other fields"),
  arrayPostfix: mark("a tuple"),
  date: mark("a Date; use a string with the format date-time"),
  // The result becomes the default, where the marker is found too.
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
