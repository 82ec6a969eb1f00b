import { showJson } from "../base/mod.ts";
import { cannotExpress } from "./cannot_express.ts";
import { isObject, type Json, type JsonObject } from "./json.ts";

const LIST_TYPE = "x-kubernetes-list-type";
const LIST_MAP_KEYS = "x-kubernetes-list-map-keys";
const MAP_TYPE = "x-kubernetes-map-type";
const EMBEDDED = "x-kubernetes-embedded-resource";

/** The types of scalar values. */
export const SCALARS: readonly string[] = ["boolean", "integer", "number", "string"];

const RULE_FIELDS: readonly string[] = [
  "fieldPath",
  "message",
  "messageExpression",
  "optionalOldSelf",
  "reason",
  "rule",
];

const isTrue = (value: Json) => value === true;
const oneOf = (...values: Json[]) => (value: Json) => values.includes(value);

/** The keywords of Kubernetes: a check of the value, and the valid values in words. The server drops other keywords silently. */
const EXTENSIONS: Readonly<Record<string, readonly [(value: Json) => boolean, string]>> = {
  [EMBEDDED]: [isTrue, "true"],
  "x-kubernetes-int-or-string": [isTrue, "true"],
  [LIST_MAP_KEYS]: [isNames, "a list of different names"],
  [LIST_TYPE]: [oneOf("atomic", "map", "set"), "atomic, map or set"],
  [MAP_TYPE]: [oneOf("atomic", "granular"), "atomic or granular"],
  "x-kubernetes-preserve-unknown-fields": [isTrue, "true"],
  "x-kubernetes-validations": [
    isRules,
    `a list of rules with the fields ${RULE_FIELDS.join(", ")}`,
  ],
};

function isNames(value: Json): boolean {
  return Array.isArray(value) && value.length > 0 && new Set(value).size === value.length &&
    value.every((name) => typeof name === "string");
}

function isRules(value: Json): boolean {
  return Array.isArray(value) &&
    value.every((rule) =>
      isObject(rule) && typeof rule["rule"] === "string" &&
      Object.keys(rule).every((field) => RULE_FIELDS.includes(field))
    );
}

/**
 * Checks a keyword that begins with `x-kubernetes-`.
 *
 * @throws {TypeError} If the API does not have the keyword, or its value is invalid.
 */
export function checkExtension(keyword: string, value: Json, path: string): void {
  const known = Object.hasOwn(EXTENSIONS, keyword) ? EXTENSIONS[keyword] : undefined;
  if (known === undefined) {
    const remedy = `the server has only ${Object.keys(EXTENSIONS).join(", ")}`;
    throw cannotExpress(path, `the keyword "${keyword}"`, remedy);
  }
  const [isValid, wanted] = known;
  if (isValid(value)) return;
  throw cannotExpress(
    path,
    `"${keyword}": ${showJson(value)}`,
    `make it ${wanted}, or leave it out`,
  );
}

/**
 * Checks the keywords of Kubernetes against the structure of a schema.
 *
 * @throws {TypeError} If the API server would refuse one of them.
 */
export function checkStructure(node: JsonObject, path: string): void {
  for (const keyword of [EMBEDDED, MAP_TYPE]) {
    if (node[keyword] === undefined || node["type"] === "object") continue;
    throw cannotExpress(path, `"${keyword}" of a field that is no object`, "leave it out");
  }
  const isOpen = node["x-kubernetes-preserve-unknown-fields"] === true;
  if (node[EMBEDDED] === true && node["properties"] === undefined && !isOpen) {
    const remedy = 'list "properties", or say "x-kubernetes-preserve-unknown-fields": true';
    throw cannotExpress(path, "an embedded resource without fields", remedy);
  }
  checkList(node, path);
}

function checkList(node: JsonObject, path: string): void {
  const listType = node[LIST_TYPE];
  if (node[LIST_MAP_KEYS] !== undefined && listType !== "map") {
    throw cannotExpress(
      path,
      `"${LIST_MAP_KEYS}" of a list that is no map`,
      `say "${LIST_TYPE}": "map"`,
    );
  }
  if (listType === undefined) return;
  if (node["type"] !== "array") {
    throw cannotExpress(path, `"${LIST_TYPE}" of a field that is no array`, "leave it out");
  }
  const items = isObject(node["items"]) ? node["items"] : {};
  if (listType !== "atomic" && items["nullable"] === true) {
    throw cannotExpress(
      path,
      `a list ${listType} of items that can be null`,
      "null has no identity",
    );
  }
  if (listType === "set") {
    const atomic = items["x-kubernetes-map-type"] === "atomic" || items[LIST_TYPE] === "atomic";
    if (!SCALARS.includes(String(items["type"])) && !atomic) {
      throw cannotExpress(
        path,
        "a set of objects",
        'identify them by fields: "x-kubernetes-list-type": "map" with "x-kubernetes-list-map-keys"',
      );
    }
  } else if (listType === "map") checkMapKeys(node, items, path);
}

function checkMapKeys(node: JsonObject, items: JsonObject, path: string): void {
  const keys = node[LIST_MAP_KEYS];
  if (!Array.isArray(keys)) {
    throw cannotExpress(path, "a list map without keys", 'say "x-kubernetes-list-map-keys"');
  }
  const properties = isObject(items["properties"]) ? items["properties"] : {};
  const required = Array.isArray(items["required"]) ? items["required"] : [];
  for (const key of keys.map(String)) {
    const field = Object.hasOwn(properties, key) ? properties[key] : undefined;
    if (!isObject(field) || !(required.includes(key) || field["default"] !== undefined)) {
      throw cannotExpress(
        path,
        `the key "${key}" of a list map`,
        "it must be a field of the items that is required or has a default",
      );
    }
    if (!SCALARS.includes(String(field["type"])) || field["nullable"] === true) {
      throw cannotExpress(
        path,
        `the key "${key}" of a list map`,
        `its type must be one of ${SCALARS.join(", ")}, and it cannot be null`,
      );
    }
  }
}
