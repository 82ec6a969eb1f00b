import {
  child,
  encodeJson,
  type FieldError,
  forbiddenField,
  getOwn,
  getString,
  invalidValue,
  item,
  notSupported,
  required,
} from "../../values/mod.ts";
import type { Structural } from "../../structural/mod.ts";
import { MAX_REQUEST_SIZE } from "../schema/mod.ts";
import { type CompiledRule, compileRules } from "./compile_rule.ts";
import { resolveFieldPath } from "./field_path.ts";
import { type Rule, rulesOf, shownRule } from "./rule.ts";

/** The maximum estimated cost of one rule. */
const RULE_LIMIT = 10_000_000n;

/** The maximum estimated cost of all rules of a schema together. */
const SCHEMA_LIMIT = 100_000_000n;

/** The number of expensive rules that errors name. */
const SHOWN_RULES = 4;

const MAX_COST = 2n ** 64n - 1n;
const least = (a: bigint, b: bigint) => a < b ? a : b;

const REASONS = [
  "FieldValueDuplicate",
  "FieldValueForbidden",
  "FieldValueInvalid",
  "FieldValueRequired",
];

const hasLineBreak = (text: string) => /[\n\r]/.test(text);

function places(field: string): string {
  return child(field, "x-kubernetes-validations");
}

/** Returns the errors in the form of the rules of one schema, without their expressions. */
export function checkRuleForms(schema: Structural, field: string): FieldError[] {
  return rulesOf(schema.raw).flatMap((rule, index) =>
    checkForm(rule, schema, item(places(field), index))
  );
}

function checkForm(rule: Rule, schema: Structural, field: string): FieldError[] {
  const errors: FieldError[] = [];
  const text = rule.rule.trim();
  const message = rule.message.trim();
  const at = child(field, "message");
  if (text === "") errors.push(required(child(field, "rule"), "rule is not specified"));
  else if (rule.message !== "" && message === "") {
    errors.push(invalidValue(at, rule.message, "must be non-empty if specified"));
  } else if (hasLineBreak(message)) {
    errors.push(invalidValue(at, rule.message, "must not contain line breaks"));
  } else if (hasLineBreak(text) && message === "") {
    errors.push(required(at, "message must be specified if rule contains line breaks"));
  }
  if (rule.messageExpression !== "" && rule.messageExpression.trim() === "") {
    const why = "messageExpression must be non-empty if specified";
    errors.push(required(child(field, "messageExpression"), why));
  }
  if (rule.reason !== undefined && !REASONS.includes(rule.reason)) {
    errors.push(notSupported(child(field, "reason"), rule.reason, REASONS));
  }
  const path = child(field, "fieldPath");
  if (rule.fieldPath === "") return errors;
  if (rule.fieldPath.trim() === "") {
    errors.push(invalidValue(path, rule.fieldPath, "must be non-empty if specified"));
  }
  if (hasLineBreak(rule.fieldPath)) {
    errors.push(invalidValue(path, rule.fieldPath, "must not contain line breaks"));
  }
  if (resolveFieldPath(rule.fieldPath, schema) === undefined) {
    errors.push(invalidValue(path, rule.fieldPath, "must be a valid path"));
  }
  return errors;
}

/** A rule that costs much. */
interface Expense {
  readonly field: string;
  readonly cost: bigint;
}

/**
 * Returns the errors of the expressions of all rules of a schema: compilation errors, and estimated costs above the
 * limits.
 *
 * @param isNew Whether the schema is new. In a schema that was accepted before, the cost of a single rule is not limited.
 */
export function checkRules(schema: Structural, field: string, isNew: boolean): FieldError[] {
  return new RuleCheck(isNew).run(schema, field);
}

/** The properties that a schema inherits from its parents. */
interface Scope {
  readonly root: boolean;
  /** The number of values that an object may have; undefined if nothing limits it. */
  readonly count: bigint | undefined;
  /** The path of the list or map whose items cannot be compared with those before; undefined if there is none. */
  readonly uncorrelated: string | undefined;
}

class RuleCheck {
  readonly #isNew: boolean;
  #total = 0n;
  #expenses: Expense[] = [];

  constructor(isNew: boolean) {
    this.#isNew = isNew;
  }

  run(schema: Structural, field: string): FieldError[] {
    const errors = this.#visit(schema, field, { root: true, count: 1n, uncorrelated: undefined });
    if (this.#total <= SCHEMA_LIMIT) return errors;
    const what = "x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema";
    return [
      ...errors,
      ...this.#expenses.map((expense) =>
        forbiddenField(
          expense.field,
          "contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema",
        )
      ),
      forbiddenField(field, tooExpensive(what, this.#total, SCHEMA_LIMIT)),
    ];
  }

  #observe(field: string, cost: bigint): void {
    this.#total = least(this.#total + cost, MAX_COST);
    if (cost < SCHEMA_LIMIT / 100n) return;
    this.#expenses.push({ field, cost });
    this.#expenses.sort((a, b) => b.cost > a.cost ? 1 : b.cost < a.cost ? -1 : 0);
    this.#expenses = this.#expenses.slice(0, SHOWN_RULES);
  }

  #visit(schema: Structural, field: string, scope: Scope): FieldError[] {
    const { additional, items, properties, raw } = schema;
    const count = below(schema, scope.count);
    const errors: FieldError[] = [];
    const visit = (part: Structural, at: string, uncorrelated: string | undefined) => {
      errors.push(...this.#visit(part, at, { root: part.embedded, count, uncorrelated }));
    };
    if (typeof additional === "object") {
      visit(additional, child(field, "additionalProperties"), scope.uncorrelated);
    }
    const mapType = getOwn(raw, "x-kubernetes-map-type");
    const correlated = mapType === undefined || mapType === "granular" || mapType === "atomic";
    for (const [name, property] of [...properties].sort(([a], [b]) => a < b ? -1 : 1)) {
      const at = item(child(field, "properties"), name);
      visit(property, at, correlated ? scope.uncorrelated : scope.uncorrelated ?? field);
    }
    if (items !== undefined) {
      const isMap = getString(raw, "x-kubernetes-list-type") === "map";
      visit(items, child(field, "items"), isMap ? scope.uncorrelated : scope.uncorrelated ?? field);
    }
    return [...errors, ...this.#own(schema, field, scope)];
  }

  #own(schema: Structural, field: string, { root, count, uncorrelated }: Scope): FieldError[] {
    const rules = rulesOf(schema.raw);
    if (rules.length === 0) return [];
    const compiled = compileRules(rules, schema, root);
    if (compiled === undefined) {
      const why =
        "Internal error: internal error: failed to construct type information for x-kubernetes-validations rules: unable to convert structural schema to CEL declarations";
      return [{ reason: "InternalError", message: why, field: places(field) }];
    }
    const most = BigInt(Math.floor(MAX_REQUEST_SIZE / (compiled.type.minSize + 1)));
    return compiled.rules.flatMap((rule, index) =>
      this.#rule(rule, item(places(field), index), count ?? most, uncorrelated)
    );
  }

  #rule(
    compiled: CompiledRule,
    field: string,
    count: bigint,
    uncorrelated: string | undefined,
  ): FieldError[] {
    const errors: FieldError[] = [];
    const { rule } = compiled;
    const at = child(field, "rule");
    const cost = least(compiled.cost * count, MAX_COST);
    if (this.#isNew && cost > RULE_LIMIT) {
      errors.push(forbiddenField(at, tooExpensive("estimated rule cost", cost, RULE_LIMIT)));
    }
    this.#observe(at, cost);
    if (compiled.error !== undefined) {
      errors.push(invalidRule(at, rule, compiled.error));
    }
    const messageAt = child(field, "messageExpression");
    if (compiled.messageError !== undefined) {
      errors.push(invalidRule(messageAt, rule, compiled.messageError));
    } else if (compiled.message !== undefined) {
      const messageCost = compiled.messageCost;
      if (this.#isNew && messageCost > RULE_LIMIT) {
        const why = tooExpensive("estimated messageExpression cost", messageCost, RULE_LIMIT);
        errors.push(forbiddenField(messageAt, why));
      }
      this.#observe(messageAt, messageCost);
    }
    if (compiled.usesOldSelf && uncorrelated !== undefined) {
      const why =
        `oldSelf cannot be used on the uncorrelatable portion of the schema within ${uncorrelated}`;
      errors.push(invalidValue(at, rule.rule, why));
    } else if (!compiled.usesOldSelf && rule.optionalOldSelf !== undefined) {
      const why = "may not be set if oldSelf is not used in rule";
      errors.push(invalidValue(child(field, "optionalOldSelf"), rule.optionalOldSelf, why));
    }
    return errors;
  }
}

/** Returns the error of a rule. It shows the whole rule, with the characters escaped that HTML gives a meaning. */
function invalidRule(field: string, rule: Rule, detail: string): FieldError {
  const shown = encodeJson(shownRule(rule));
  return { reason: "FieldValueInvalid", message: `Invalid value: ${shown}: ${detail}`, field };
}

/** Returns the number of values below a schema. */
function below(
  { type, additional, raw }: Structural,
  count: bigint | undefined,
): bigint | undefined {
  const limit = (name: string) => {
    const value = getOwn(raw, name);
    if (count === undefined || typeof value !== "number") return undefined;
    return least(count * BigInt(Math.max(0, value)), MAX_COST);
  };
  if (type === "array") return limit("maxItems");
  return type === "object" && additional !== undefined ? limit("maxProperties") : count;
}

function tooExpensive(what: string, cost: bigint, limit: bigint): string {
  const factor = Number(cost) / Number(limit);
  const shown = factor > 100
    ? "more than 100x"
    : factor < 1.5
    ? `${factor.toFixed(6)}x`
    : `${factor.toFixed(1)}x`;
  return `${what} exceeds budget by factor of ${shown} (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)`;
}
