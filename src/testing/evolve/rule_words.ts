import { showJson } from "@kubeloop/controller/internal/base";
import {
  getArray,
  getOwn,
  getString,
  isNumber,
  isObject,
  type Json,
  type JsonObject,
} from "../values/mod.ts";
import { code, escaped } from "./markdown.ts";

/** The deepest alternatives that are written out. */
const MAX_DEPTH = 5;

/** Returns the type of a field in words. */
export function typeWords(schema: JsonObject): string {
  if (getOwn(schema, "x-kubernetes-int-or-string") === true) return "integer or string";
  const type = getString(schema, "type");
  if (type === "array") {
    const items = getOwn(schema, "items");
    return isObject(items) ? `list of ${typeWords(items)}` : "list";
  }
  const values = getOwn(schema, "additionalProperties");
  if (isObject(values)) return `map of ${typeWords(values)}`;
  if (getOwn(schema, "x-kubernetes-embedded-resource") === true) return "resource";
  return type === "" ? "any" : escaped(type);
}

/** Returns the rules of a schema in words, as Markdown. The rules of its fields and items are not among them. */
export function ruleWords(schema: JsonObject, depth = 0): readonly string[] {
  if (depth > MAX_DEPTH) return ["…"];
  const parts = (keyword: string) =>
    getArray(schema, keyword).filter(isObject)
      .map((part) => ruleWords(part, depth + 1).join(" and ") || "anything");
  const [oneOf, anyOf, allOf] = ["oneOf", "anyOf", "allOf"].map(parts);
  const not = getOwn(schema, "not");
  const options = getArray(schema, "enum");
  const [pattern, format] = [getString(schema, "pattern"), getString(schema, "format")];
  const isIntOrString = getOwn(schema, "x-kubernetes-int-or-string") === true;
  return [
    ...(depth > 0 && getString(schema, "type") !== "" ? [`type ${typeWords(schema)}`] : []),
    ...(depth > 0 ? requiredWords(schema) : []),
    ...(options.length > 0 ? [`one of ${options.map(json).join(", ")}`] : []),
    ...numberWords(schema),
    ...sizeWords(schema, "Length", "character"),
    ...sizeWords(schema, "Items", "item"),
    ...sizeWords(schema, "Properties", "field"),
    ...(pattern === "" ? [] : [`matches ${code(pattern)}`]),
    ...(format === "" ? [] : [`format ${escaped(format)}`]),
    ...listWords(schema),
    ...(getOwn(schema, "nullable") === true ? ["may be null"] : []),
    ...(getOwn(schema, "x-kubernetes-preserve-unknown-fields") === true
      ? ["may have other fields"]
      : []),
    ...(oneOf!.length > 0 ? [`exactly one of: ${oneOf!.join("; ")}`] : []),
    // The type says it already.
    ...(anyOf!.length > 0 && !isIntOrString ? [`at least one of: ${anyOf!.join("; ")}`] : []),
    ...allOf!,
    ...(isObject(not) ? [`not: ${ruleWords(not, depth + 1).join(" and ") || "anything"}`] : []),
    ...getArray(schema, "x-kubernetes-validations").filter(isObject).map(celWords),
  ];
}

/** Returns a value as JSON, as Markdown. */
export function json(value: Json): string {
  return code(showJson(value));
}

function requiredWords(schema: JsonObject): readonly string[] {
  const names = getArray(schema, "required").map((name) => code(String(name)));
  return names.length === 0
    ? []
    : [`${names.join(" and ")} ${names.length === 1 ? "is" : "are"} set`];
}

function numberWords(schema: JsonObject): readonly string[] {
  const [least, most, step] = ["minimum", "maximum", "multipleOf"].map((keyword) => {
    const value = getOwn(schema, keyword);
    return isNumber(value) ? value : undefined;
  });
  const isOver = getOwn(schema, "exclusiveMinimum") === true;
  const isUnder = getOwn(schema, "exclusiveMaximum") === true;
  const range = least !== undefined && most !== undefined && !isOver && !isUnder
    ? [`from ${least} to ${most}`]
    : [
      ...(least === undefined ? [] : [`${isOver ? "more than" : "at least"} ${least}`]),
      ...(most === undefined ? [] : [`${isUnder ? "less than" : "at most"} ${most}`]),
    ];
  return [...range, ...(step === undefined ? [] : [`a multiple of ${step}`])];
}

function sizeWords(schema: JsonObject, what: string, unit: string): readonly string[] {
  const [least, most] = [getOwn(schema, `min${what}`), getOwn(schema, `max${what}`)];
  const units = (count: Json) => `${String(count)} ${unit}${count === 1 ? "" : "s"}`;
  if (isNumber(least) && isNumber(most)) {
    return [least === most ? `exactly ${units(most)}` : `${least} to ${units(most)}`];
  }
  return [
    ...(isNumber(least) ? [`at least ${units(least)}`] : []),
    ...(isNumber(most) ? [`at most ${units(most)}`] : []),
  ];
}

function listWords(schema: JsonObject): readonly string[] {
  const type = getString(schema, "x-kubernetes-list-type");
  if (type === "set" || getOwn(schema, "uniqueItems") === true) return ["no item twice"];
  if (type !== "map") return [];
  const keys = getArray(schema, "x-kubernetes-list-map-keys").map((key) => code(String(key)));
  return [`one item for each ${keys.join(" and ")}`];
}

function celWords(rule: JsonObject): string {
  const [message, expression] = [getString(rule, "message"), code(getString(rule, "rule"))];
  return message === "" ? `must hold: ${expression}` : `${escaped(message)} (${expression})`;
}
