import { showJson, visibleText } from "@kubeloop/controller/internal/base";
import {
  child,
  getArray,
  getObject,
  getOwn,
  isNumber,
  isObject,
  item,
  type Json,
  jsonKey,
  type JsonObject,
} from "../values/mod.ts";

/** Maximum length of a value in a message, in characters. */
const MAX_SHOWN = 100;

/** A change of a schema that can break a client or a stored object. */
export interface SchemaChange {
  /** The path of the field, such as `spec.ports[*].name`; empty for the whole object. */
  readonly path: string;
  /** The name of the rule. */
  readonly rule: string;
  /** The change in words. */
  readonly message: string;
}

/** Describes how a keyword changed; undefined if its change breaks nothing. */
type Compare = (before: Json | undefined, after: Json | undefined) => string | undefined;

const changed: Compare = (before, after) => {
  if (before === undefined) return `added: ${shown(after)}`;
  return after === undefined ? `removed: ${shown(before)}` : `${shown(before)} → ${shown(after)}`;
};

/** A limit that may only become looser: higher if `isUpper`. */
const limit = (isUpper: boolean): Compare => (before, after) => {
  if (!isNumber(after)) return undefined;
  if (!isNumber(before)) return `added: ${after}`;
  const isTighter = isUpper ? after < before : after > before;
  return isTighter ? `${before} → ${after}` : undefined;
};

/** A list whose order does not matter. */
const options = (breaks: { readonly added: boolean }): Compare => (before, after) => {
  const [old, now] = [keyed(before), keyed(after)];
  const removed = [...old].filter(([key]) => !now.has(key)).map(([, value]) => shown(value));
  const added = [...now].filter(([key]) => !old.has(key)).map(([, value]) => shown(value));
  if (old.size === 0) return `added: ${added.join(", ")}`;
  if (removed.length > 0) return `removed: ${removed.join(", ")}`;
  return added.length > 0 && breaks.added ? `added: ${added.join(", ")}` : undefined;
};

/** CEL rules. Their messages and paths may change. */
const celRules: Compare = (before, after) => {
  const [old, now] = [rulesOf(before), rulesOf(after)];
  const removed = [...old].filter(([key]) => !now.has(key)).map(([, rule]) => shown(rule));
  const added = [...now].filter(([key]) => !old.has(key)).map(([, rule]) => shown(rule));
  const parts = [
    ...(added.length > 0 ? [`added: ${added.join(", ")}`] : []),
    ...(removed.length > 0 ? [`removed: ${removed.join(", ")}`] : []),
  ];
  return parts.length > 0 ? parts.join("; ") : undefined;
};

/** The keywords whose changes do not always break something. */
const COMPARISONS: Readonly<Record<string, Compare>> = {
  maximum: limit(true),
  maxLength: limit(true),
  maxItems: limit(true),
  maxProperties: limit(true),
  minimum: limit(false),
  minLength: limit(false),
  minItems: limit(false),
  minProperties: limit(false),
  enum: options({ added: true }),
  oneOf: options({ added: true }),
  allOf: options({ added: true }),
  anyOf: options({ added: false }),
  not: (before, after) => after === undefined ? undefined : changed(before, after),
  uniqueItems: (_, after) => after === undefined ? undefined : "added",
  "x-kubernetes-validations": celRules,
};

/** The names of rules that differ from those of their keywords. */
const NAMES: Readonly<Record<string, string>> = { "x-kubernetes-validations": "xvalidations" };

/** Keywords that are compared with the parts of a schema, or that have no effect. */
const SKIPPED: ReadonlySet<string> = new Set([
  "$schema",
  "example",
  "externalDocs",
  "id",
  "items",
  "properties",
  "required",
  "title",
]);

/** Values of keywords with the same effect as if they were absent. */
const ABSENT: readonly ((keyword: string, value: Json) => boolean)[] = [
  (keyword, value) => value === false && keyword !== "default",
  (keyword, value) => value === "" && keyword !== "default",
  (keyword, value) => Array.isArray(value) && value.length === 0 && keyword !== "default",
  (keyword, value) => keyword === "x-kubernetes-list-type" && value === "atomic",
  (keyword, value) => keyword === "x-kubernetes-map-type" && value === "granular",
];

/** Returns the changes of a schema that can break something, in the order of the fields. */
export function compareSchemas(before: JsonObject, after: JsonObject): readonly SchemaChange[] {
  const changes: SchemaChange[] = [];
  compare(before, after, "", changes);
  return changes;
}

function compare(
  before: JsonObject,
  after: JsonObject,
  path: string,
  changes: SchemaChange[],
): void {
  for (const keyword of [...new Set([...Object.keys(before), ...Object.keys(after)])].sort()) {
    if (SKIPPED.has(keyword)) continue;
    const [old, now] = [valueOf(before, keyword), valueOf(after, keyword)];
    // The schema of values is a part; whether other fields are allowed is a keyword.
    if (keyword === "additionalProperties" && isObject(old) && isObject(now)) continue;
    if (jsonKey(old) === jsonKey(now)) continue;
    const message = (COMPARISONS[keyword] ?? changed)(old, now);
    if (message !== undefined) changes.push({ path, rule: NAMES[keyword] ?? keyword, message });
  }
  const [oldFields, fields] = [getObject(before, "properties"), getObject(after, "properties")];
  const required = new Set(getArray(before, "required").map(String));
  for (const name of new Set(getArray(after, "required").map(String))) {
    const field = getOwn(fields, name);
    if (required.has(name)) continue;
    // The server sets the default of a new field before it looks for the field.
    const isNew = getOwn(oldFields, name) === undefined;
    if (isNew && isObject(field) && getOwn(field, "default") !== undefined) continue;
    changes.push({ path: child(path, name), rule: "required", message: "required now" });
  }
  const down = (old: Json | undefined, now: Json | undefined, place: string) => {
    if (!isObject(old)) return;
    if (isObject(now)) compare(old, now, place, changes);
    else changes.push({ path: place, rule: "existingFieldRemoval", message: "removed" });
  };
  for (const name of Object.keys(oldFields)) {
    down(oldFields[name], getOwn(fields, name), child(path, name));
  }
  down(getOwn(before, "items"), getOwn(after, "items"), item(path, "*"));
  const [values, valuesNow] = [before, after].map((one) => getOwn(one, "additionalProperties"));
  if (isObject(valuesNow)) down(values, valuesNow, item(path, "*"));
}

/** Returns the value of a keyword; undefined if it has no effect. */
function valueOf(schema: JsonObject, keyword: string): Json | undefined {
  const value = getOwn(schema, keyword);
  if (value === undefined || ABSENT.some((isAbsent) => isAbsent(keyword, value))) return undefined;
  return value;
}

function keyed(list: Json | undefined): ReadonlyMap<string, Json> {
  return new Map((Array.isArray(list) ? list : []).map((value) => [jsonKey(value), value]));
}

function rulesOf(list: Json | undefined): ReadonlyMap<string, Json> {
  return new Map(
    (Array.isArray(list) ? list : []).filter(isObject).map((rule) => {
      const part = (name: string) => getOwn(rule, name) ?? null;
      return [jsonKey(["rule", "reason", "optionalOldSelf"].map(part)), part("rule")];
    }),
  );
}

function shown(value: Json | undefined): string {
  return visibleText(showJson(value), MAX_SHOWN);
}
