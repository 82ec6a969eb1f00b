import type { FieldError, JsonObject } from "../../../values/mod.ts";
import type { KindInfo } from "../../schema/mod.ts";
import { type DeclaredError, declaredErrors } from "./declared_errors.ts";

/**
 * Returns the errors that a kind has found itself, each once, followed by the errors of the rules of its type, which take
 * the place of the kind's errors about the same.
 *
 * @param old The object before an update; absent on a create.
 */
export function withDeclared(
  { schema, release }: KindInfo,
  next: JsonObject,
  old: JsonObject | undefined,
  own: readonly FieldError[],
): FieldError[] {
  const declared = declaredErrors(next, old, schema, release);
  const seen = new Set<string>();
  const kept = own.filter((error) => {
    const text = `${error.field}: ${error.message}`;
    const isNew = !seen.has(text);
    seen.add(text);
    return isNew && !declared.some((one) => covers(one, error));
  });
  return [...kept, ...declared.map(({ rule: _, ...error }) => error)];
}

/** Reports whether the error of a rule says the same as a kind's own error. */
function covers(declared: DeclaredError, own: FieldError): boolean {
  if (declared.field !== own.field) return false;
  switch (declared.rule) {
    case "immutable":
    case "update":
      return /immutable|are forbidden|may not change/.test(own.message);
    case "required":
      // Kinds call some empty texts invalid.
      return own.reason === declared.reason || /^(Invalid|Unsupported) value: ""/.test(own.message);
    case "minimum":
    case "maximum":
      return own.message === declared.message;
    case "union":
      return /one of|exactly one|mutually exclusive/.test(own.message);
    default:
      return own.reason === declared.reason;
  }
}
