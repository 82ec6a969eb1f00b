import { isRecord } from "../base/mod.ts";
import type { StandardIssue, StandardJSONSchemaV1 } from "../types/mod.ts";
import { convertArkType } from "./arktype.ts";
import { TARGET } from "./markers.ts";
import { VALIBOT_OPTIONS } from "./valibot.ts";
import { ZOD_OPTIONS } from "./zod.ts";

/**
 * Returns the JSON Schema of the values that a schema of a library accepts.
 *
 * Libraries silently drop constructs that JSON Schema cannot express, such as refinements of Zod and `Date` of ArkType. Hooks
 * mark these constructs for Zod, Valibot and ArkType. Other libraries are converted by the standard method.
 */
export function convertByLibrary(schema: StandardJSONSchemaV1): unknown {
  const { vendor, jsonSchema } = schema["~standard"];
  if (vendor === "arktype") return convertArkType(schema);
  const libraryOptions = vendor === "zod"
    ? ZOD_OPTIONS
    : vendor === "valibot"
    ? VALIBOT_OPTIONS
    : undefined;
  return jsonSchema.input({ target: TARGET, libraryOptions });
}

/** Reports whether a value implements `StandardJSONSchemaV1`. */
export function isStandardSchema(value: unknown): value is StandardJSONSchemaV1 {
  const props = standardProps(value);
  return isRecord(props) && isRecord(props["jsonSchema"]) &&
    typeof props["jsonSchema"]["input"] === "function";
}

/** Returns the `~standard` of a schema of a library; undefined for a plain JSON Schema. Schemas of ArkType are functions. */
export function standardProps(value: unknown): unknown {
  const holder = typeof value === "object" || typeof value === "function" ? value : undefined;
  return (holder as { readonly "~standard"?: unknown } | null | undefined)?.["~standard"];
}

/**
 * Reports whether an issue comes from a check in code, so that its message says more than the type of the field. Zod and
 * ArkType set `code`, Valibot `kind`.
 */
export function isFromCheck(issue: StandardIssue): boolean {
  const { code, kind } = issue as { readonly code?: unknown; readonly kind?: unknown };
  return code === "custom" || code === "predicate" || kind === "validation";
}
