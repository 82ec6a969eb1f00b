import { isRecord } from "../base/mod.ts";
import { CODE_CHECK, UNSUPPORTED } from "./markers.ts";

/** Options that make Valibot mark constructs that it would drop. */
export const VALIBOT_OPTIONS: Readonly<Record<string, unknown>> = {
  errorMode: "ignore",
  // The mode `input` silently drops a transformation and all later actions.
  typeMode: "ignore",
  overrideSchema: (context: ValibotContext) => {
    const { jsonSchema, valibotSchema = { type: "" } } = context;
    // Valibot overwrites the first schema of a pipe by the second.
    if (Object.hasOwn(jsonSchema, WRITTEN) && valibotSchema.wrapped === undefined) {
      jsonSchema[UNSUPPORTED] ??= "a pipe with several schemas; use v.intersect()";
    }
    jsonSchema[WRITTEN] = true;
    for (
      const [part, json] of [[valibotSchema, jsonSchema], ...partsOf(valibotSchema, jsonSchema)]
    ) {
      if (isRecord(part) && Object.hasOwn(part, "fallback") && isRecord(json)) {
        json[UNSUPPORTED] ??= "a fallback(); use a default";
      }
    }
    return marked(context, UNSUPPORTED, "schema", valibotSchema.type);
  },
  overrideAction: (context: ValibotContext) => {
    const type = context.valibotAction?.type ?? "";
    if (TYPE_ONLY.has(type)) return context.jsonSchema;
    const keyword = CHECKS.has(type) ? CODE_CHECK : UNSUPPORTED;
    return marked(context, keyword, "action", type);
  },
};

/** Marks a JSON Schema that a Valibot schema was already written into. As a symbol, it is not part of the JSON. */
const WRITTEN = Symbol("written");

interface ValibotSchema {
  readonly type: string;
  readonly wrapped?: unknown;
  readonly item?: unknown;
  readonly value?: unknown;
  readonly entries?: Readonly<Record<string, unknown>>;
}

interface ValibotContext {
  readonly jsonSchema: Record<PropertyKey, unknown>;
  readonly errors?: readonly string[];
  readonly valibotSchema?: ValibotSchema;
  readonly valibotAction?: { readonly type: string };
}

/** Actions that only change TypeScript types. */
const TYPE_ONLY: ReadonlySet<string> = new Set(["brand", "flavor", "readonly"]);

const CHECKS: ReadonlySet<string> = new Set([
  "check",
  "check_items",
  "custom",
  "partial_check",
  "raw_check",
]);

/** Returns the inner schemas with their JSON Schemas. Valibot passes only the items of a pipe to the hooks. */
function partsOf(
  { wrapped, item, value, entries = {} }: ValibotSchema,
  json: Record<PropertyKey, unknown>,
): [schema: unknown, json: unknown][] {
  const { properties } = json;
  const fields = isRecord(properties) ? properties : {};
  return [
    [wrapped, json],
    [item, json["items"]],
    [value, json["additionalProperties"]],
    ...Object.keys(entries).map((name): [unknown, unknown] => [entries[name], fields[name]]),
  ];
}

function marked(context: ValibotContext, keyword: string, what: string, type = ""): unknown {
  const [error] = context.errors ?? [];
  if (error === undefined) return undefined;
  const text = error.includes("cannot be converted") ? `the ${what} "${type}" of Valibot` : error;
  return { ...context.jsonSchema, [keyword]: text };
}
