import { getArray, getOwn, getString, isObject, type JsonObject } from "../../values/mod.ts";

/** One entry of `x-kubernetes-validations`. */
export interface Rule {
  readonly rule: string;
  readonly message: string;
  readonly messageExpression: string;
  /** The reason of the error; undefined if the rule gives none. */
  readonly reason: string | undefined;
  readonly fieldPath: string;
  /** Whether `oldSelf` is an optional value; undefined if the rule does not say. */
  readonly optionalOldSelf: boolean | undefined;
}

/** Returns the rules of a schema itself, not of its parts. */
export function rulesOf(raw: JsonObject): Rule[] {
  return getArray(raw, "x-kubernetes-validations").filter(isObject).map((rule) => {
    const reason = getOwn(rule, "reason");
    const optional = getOwn(rule, "optionalOldSelf");
    return {
      rule: getString(rule, "rule"),
      message: getString(rule, "message"),
      messageExpression: getString(rule, "messageExpression"),
      reason: typeof reason === "string" ? reason : undefined,
      fieldPath: getString(rule, "fieldPath"),
      optionalOldSelf: typeof optional === "boolean" ? optional : undefined,
    };
  });
}

/** Returns a rule as the real server prints its internal type. */
export function shownRule(rule: Rule): JsonObject {
  return {
    Rule: rule.rule,
    Message: rule.message,
    MessageExpression: rule.messageExpression,
    Reason: rule.reason ?? null,
    FieldPath: rule.fieldPath,
    OptionalOldSelf: rule.optionalOldSelf ?? null,
  };
}

/** Returns what errors call a rule: its message, or else the rule itself. */
export function nameOfRule({ rule, message }: Rule): string {
  return (message === "" ? rule : message).trim();
}
