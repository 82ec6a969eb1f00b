import {
  byteLength,
  child,
  duplicate,
  type FieldError,
  forbiddenField,
  getOwn,
  invalidValue,
  isObject,
  item,
  type Json,
  jsonEqual,
  type JsonObject,
  quote,
  required,
} from "../../values/mod.ts";
import { previousItems, type Structural } from "../../structural/mod.ts";
import { type Activation, CostError, type Outcome, type Program } from "../program/mod.ts";
import { toValue } from "../schema/mod.ts";
import { CelError, Optional } from "../values/mod.ts";
import { type CompiledRule, type CompiledRules, compileRules } from "./compile_rule.ts";
import { nameOfRule, rulesOf } from "./rule.ts";

/** The cost that the rules of one object may have together. */
const BUDGET = 10_000_000;

/** The maximum length of a message that an expression makes, in bytes. */
const MAX_MESSAGE = 5 * 1024;

const OUT_OF_BUDGET =
  "validation failed due to running out of cost budget, no further validation rules will be run";

/** The rules of a schema and of its parts. */
interface RuleTree {
  readonly schema: Structural;
  readonly root: boolean;
  readonly compiled: CompiledRules | undefined;
  readonly items: RuleTree | undefined;
  readonly additional: RuleTree | undefined;
  readonly properties: ReadonlyMap<string, RuleTree>;
}

const trees = new WeakMap<Structural, { readonly tree: RuleTree | undefined }>();

/** Returns the compiled rules of a whole object's schema. They are kept as long as the schema is. */
function treeOf(schema: Structural): RuleTree | undefined {
  let known = trees.get(schema);
  if (known === undefined) {
    known = { tree: compileTree(schema, true) };
    trees.set(schema, known);
  }
  return known.tree;
}

/** Compiles the rules of a schema and of its parts; undefined if there are none. */
function compileTree(schema: Structural, root: boolean): RuleTree | undefined {
  const own = rulesOf(schema.raw);
  const inner = (part: Structural | undefined | true) =>
    typeof part === "object" ? compileTree(part, part.embedded) : undefined;
  const properties = new Map<string, RuleTree>();
  for (const [name, part] of schema.properties) {
    const tree = inner(part);
    if (tree !== undefined) properties.set(name, tree);
  }
  const tree: RuleTree = {
    schema,
    root,
    compiled: own.length === 0 ? undefined : compileRules(own, schema, root),
    items: inner(schema.items),
    additional: inner(schema.additional),
    properties,
  };
  const isEmpty = tree.compiled === undefined && tree.items === undefined &&
    tree.additional === undefined && properties.size === 0;
  return isEmpty ? undefined : tree;
}

/** A value of the new object, with what it was before. */
interface Place {
  readonly value: Json;
  /** The value before, as `oldSelf`; undefined if there is none. */
  readonly old: Json | undefined;
  /** Whether the value, or the smallest part around it that can be compared, is as it was. */
  readonly unchanged: boolean;
  /** The value before, for the comparison of unchanged parts; undefined if there is none. */
  readonly before: Json | undefined;
  /** The path; empty for the whole object. */
  readonly field: string;
}

/** The result of the rules of an object. */
export interface RuleFindings {
  readonly errors: readonly FieldError[];
  /** The errors in parts that are as they were before: they are only warnings. */
  readonly warnings: readonly string[];
}

/**
 * Evaluates the rules of a schema for an object.
 *
 * @param old The object before an update; undefined for a new object.
 */
export function evaluateRules(
  schema: Structural,
  object: JsonObject,
  old?: JsonObject,
): RuleFindings {
  const tree = treeOf(schema);
  if (tree === undefined) return { errors: [], warnings: [] };
  const run = new RuleRun();
  const unchanged = old !== undefined && jsonEqual(object, old);
  run.visit(tree, { value: object, old, before: old, unchanged, field: "" });
  return run;
}

/** Ends the evaluation, because it has cost too much. */
class BudgetStop extends Error {}

class RuleRun implements RuleFindings {
  readonly errors: FieldError[] = [];
  readonly warnings: string[] = [];
  #budget = BUDGET;

  visit(tree: RuleTree, place: Place): void {
    try {
      this.#visit(tree, place);
    } catch (error) {
      if (!(error instanceof BudgetStop)) throw error;
    }
  }

  #visit(tree: RuleTree, place: Place): void {
    const { value } = place;
    if (value === null) return;
    for (const compiled of tree.compiled?.rules ?? []) this.#rule(compiled, tree, place);
    if (Array.isArray(value)) this.#items(tree, place, value);
    else if (isObject(value)) this.#fields(tree, place, value);
  }

  #items({ items, schema }: RuleTree, place: Place, values: readonly Json[]): void {
    if (items === undefined) return;
    const matches = previousItems(schema, place.old);
    const befores = previousItems(schema, place.before);
    values.forEach((value, index) => {
      const before = befores(value);
      this.#visit(items, {
        value,
        old: matches(value),
        before,
        unchanged: before === undefined ? place.unchanged : jsonEqual(value, before),
        field: item(place.field, index),
      });
    });
  }

  #fields({ additional, properties }: RuleTree, place: Place, object: JsonObject): void {
    const visit = (tree: RuleTree, name: string, field: string) => {
      const value = object[name]!;
      const of = (json: Json | undefined) => isObject(json) ? getOwn(json, name) : undefined;
      const before = of(place.before);
      // The version of an object is not compared: it has been converted.
      const never = place.field === "" && ["apiVersion", "kind"].includes(name);
      const unchanged = before === undefined ? place.unchanged : jsonEqual(value, before);
      this.#visit(tree, {
        value,
        old: of(place.old),
        before,
        unchanged: unchanged && !never,
        field,
      });
    };
    for (const name of Object.keys(object)) {
      if (additional !== undefined) visit(additional, name, item(place.field, name));
      const tree = properties.get(name);
      if (tree !== undefined) visit(tree, name, child(place.field, name));
    }
  }

  #rule(compiled: CompiledRule, tree: RuleTree, place: Place): void {
    const { rule, program } = compiled;
    const field = place.field === "" ? "<nil>" : place.field;
    const type = tree.root ? "object" : tree.schema.type;
    const fail = (why: string) => this.errors.push(invalidValue(field, type, why));
    if (this.#budget <= 0) {
      fail(OUT_OF_BUDGET);
      throw new BudgetStop();
    }
    if (compiled.error !== undefined) fail(`rule compile error: ${compiled.error}`);
    if (program === undefined) return;
    const optional = rule.optionalOldSelf === true;
    const hasOld = place.old !== undefined && place.old !== null;
    if (compiled.usesOldSelf && !hasOld && !optional) return;
    const activation = activate(tree, place, optional);
    const outcome = program.run(activation);
    if (outcome.cost > this.#budget) {
      fail(OUT_OF_BUDGET);
      throw new BudgetStop();
    }
    this.#budget -= outcome.cost;
    if ("error" in outcome) {
      fail(failure(outcome.error, nameOfRule(rule)));
      if (outcome.error instanceof CostError) throw new BudgetStop();
      return;
    }
    if (outcome.value === true) return;
    this.#broken(compiled, tree, place, activation);
  }

  /** Adds the error of a rule that is not kept. */
  #broken(
    compiled: CompiledRule,
    { schema, root }: RuleTree,
    place: Place,
    activation: Activation,
  ): void {
    const { rule, message } = compiled;
    const path = compiled.fieldPath === "" ? place.field : join(place.field, compiled.fieldPath);
    const field = path === "" ? "<nil>" : path;
    const type = root ? "object" : schema.type;
    const add = (error: FieldError) => {
      if (compiled.usesOldSelf || !place.unchanged) this.errors.push(error);
      else this.warnings.push(`${error.field}: ${error.message}`);
    };
    let detail: string | undefined;
    if (message !== undefined) {
      const made = this.#message(message, rule.messageExpression, activation);
      if ("stop" in made) {
        add(invalidValue(field, type, made.stop));
        throw new BudgetStop();
      }
      detail = made.text;
    }
    detail ??= rule.message === "" ? `failed rule: ${nameOfRule(rule)}` : nameOfRule(rule);
    add(errorOf(rule.reason, field, type, place.value, detail));
  }

  /** Returns the message that an expression makes: undefined if it makes none, or why all ends. */
  #message(
    program: Program,
    source: string,
    activation: Activation,
  ): { readonly text: string | undefined } | { readonly stop: string } {
    const outcome: Outcome = program.run(activation);
    if (outcome.cost > this.#budget) {
      return {
        stop:
          "messageExpression evaluation failed due to running out of cost budget, no further validation rules will be run",
      };
    }
    if ("error" in outcome && outcome.error instanceof CostError) {
      return {
        stop:
          `no further validation rules will be run due to call cost exceeds limit for messageExpression: ${
            quote(source)
          }`,
      };
    }
    this.#budget -= outcome.cost;
    const value = "value" in outcome ? outcome.value : undefined;
    const text = typeof value === "string" ? value.trim() : "";
    const usable = text !== "" && !text.includes("\n") && byteLength(text) <= MAX_MESSAGE;
    return { text: usable ? text : undefined };
  }
}

function join(field: string, path: string): string {
  return path.startsWith("[") ? `${field}${path}` : child(field, path);
}

/** Returns the variables of the rules of a value. */
function activate(
  { schema, root }: RuleTree,
  { value, old }: Place,
  optional: boolean,
): Activation {
  const read = (json: Json) => toValue(json, schema, root);
  const self = once(() => read(value));
  const oldSelf = once(() => {
    const before = old === undefined || old === null ? undefined : read(old);
    if (optional) return new Optional(before);
    return before ?? null;
  });
  return (name) => {
    if (name === "self") return self();
    if (name === "oldSelf") return oldSelf();
    throw new CelError(`no such attribute(s): ${name}`);
  };
}

function once<T>(make: () => T): () => T {
  let known: { readonly value: T } | undefined;
  return () => (known ??= { value: make() }).value;
}

function failure(error: CelError, name: string): string {
  if (error.message.startsWith("no such overload")) {
    return `'${error.message}': call arguments did not match a supported operator, function or macro signature for rule: ${name}`;
  }
  if (error instanceof CostError) {
    return `'${error.message}': no further validation rules will be run due to call cost exceeds limit for rule: ${name}`;
  }
  return `${error.message} evaluating rule: ${name}`;
}

function errorOf(
  reason: string | undefined,
  field: string,
  type: string,
  value: Json,
  detail: string,
): FieldError {
  const isCompound = type === "object" || type === "array";
  switch (reason) {
    case "FieldValueForbidden":
      return forbiddenField(field, detail);
    case "FieldValueRequired":
      return required(field, detail);
    case "FieldValueDuplicate":
      return isCompound
        ? { reason: "FieldValueDuplicate", message: "Duplicate value", field }
        : duplicate(field, value);
    default:
      return isCompound
        ? { reason: "FieldValueInvalid", message: `Invalid value: ${detail}`, field }
        : invalidValue(field, value, detail);
  }
}
