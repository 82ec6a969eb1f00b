import type { Condition } from "@kubeloop/controller/internal/cel";
import { type FieldError, invalidValue } from "../../../values/mod.ts";

/** Returns the error of an expression that does not compile; none if it does. */
export function expressionErrors(
  field: string,
  expression: string,
  compiled: Condition,
): FieldError[] {
  if (!("error" in compiled)) return [];
  const { error, isInternal = false } = compiled;
  if (!isInternal) return [invalidValue(field, expression, error)];
  return [{ reason: "InternalError", message: `Internal error: ${error}`, field }];
}
