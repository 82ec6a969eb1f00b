import { isRecord, splitUnescaped } from "../../base/mod.ts";
import type { Cached, KubeObject } from "../../types/mod.ts";

/** A term of a field selector, such as `status.phase!=Failed`. */
export interface FieldTerm {
  readonly path: readonly string[];
  readonly value: string;
  readonly isEqual: boolean;
}

/** Parses a field selector. Invalid terms are skipped. */
export function fieldTerms(selector: string): FieldTerm[] {
  return splitUnescaped(selector).flatMap((text): FieldTerm[] => {
    const at = text.indexOf("=");
    if (at <= 0) return [];
    const isEqual = text[at - 1] !== "!";
    const path = text.slice(0, isEqual ? at : at - 1).trim().split(".");
    const value = text.slice(text[at + 1] === "=" ? at + 2 : at + 1);
    return [{ path, value: value.replace(/\\(.)/g, "$1"), isEqual }];
  });
}

/** Reports whether an object may match a term. Only the server knows the default of a missing field. */
export function mayMatch({ path, value, isEqual }: FieldTerm, object: Cached<KubeObject>): boolean {
  let found: unknown = object;
  for (const name of path) found = isRecord(found) ? found[name] : undefined;
  if (found === undefined || found === null) {
    return isEqual ? ["", "false", "0"].includes(value) : value !== "";
  }
  return typeof found === "object" || (String(found) === value) === isEqual;
}
