import type { ValidationRule, VersionSchema } from "../types/mod.ts";
import { cannotExpress } from "./cannot_express.ts";
import { finishSchema } from "./finish.ts";
import { isObject, type JsonObject, plainJson, sortKeys } from "./json.ts";
import { readSchema } from "./read_schema.ts";
import { toStructural } from "./structural.ts";

/** The schema of `metav1.Condition`, but with an optional reason and message, as in the `Condition` of this library. */
const CONDITIONS: JsonObject = {
  description: "The conditions of the object, one of each type.",
  items: {
    properties: {
      lastTransitionTime: { format: "date-time", type: "string" },
      message: { maxLength: 32768, type: "string" },
      observedGeneration: { format: "int64", minimum: 0, type: "integer" },
      reason: {
        maxLength: 1024,
        minLength: 1,
        pattern: "^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$",
        type: "string",
      },
      status: { enum: ["False", "True", "Unknown"], type: "string" },
      type: {
        maxLength: 316,
        pattern:
          "^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$",
        type: "string",
      },
    },
    required: ["lastTransitionTime", "status", "type"],
    type: "object",
  },
  type: "array",
  "x-kubernetes-list-map-keys": ["type"],
  "x-kubernetes-list-type": "map",
};

const OBSERVED_GENERATION: JsonObject = {
  description: "The generation of the object that the status is based on.",
  format: "int64",
  type: "integer",
};

/**
 * Returns the structural schema of one version: `spec` and `status`.
 *
 * @param version The schemas of the version.
 * @param path The kind, and the name of another version, for errors.
 */
export function schemaOfVersion(version: VersionSchema, path: string): JsonObject {
  const properties: JsonObject = {};
  const required: string[] = [];
  const rules = rulesOf(version.rules, path);
  if (version.spec !== undefined) {
    const where = `${path}.spec`;
    const raw = withRules(readSchema(version.spec, where), rules);
    const finished = finishSchema(toStructural(raw, where), where);
    properties["spec"] = finished;
    if (finished["default"] === undefined) required.push("spec");
  } else if (rules.length > 0) {
    throw new TypeError(`${path}: "rules" are those of the spec, so they need a "spec"`);
  }
  if (version.status !== undefined) {
    const where = `${path}.status`;
    const status = toStructural(readSchema(version.status, where), where);
    properties["status"] = finishSchema(withStandardFields(status, where), where);
  }
  return {
    ...(Object.keys(properties).length > 0 ? { properties } : {}),
    ...(required.length > 0 ? { required } : {}),
    type: "object",
  };
}

/** Adds the rules. It precedes the conversion, which accepts a refinement of the whole spec only if there are rules. */
function withRules(spec: JsonObject, rules: JsonObject[]): JsonObject {
  if (rules.length === 0) return spec;
  const given = spec["x-kubernetes-validations"];
  const all = [...rules, ...(Array.isArray(given) ? given : [])];
  return { ...spec, "x-kubernetes-validations": all };
}

function rulesOf(rules: readonly ValidationRule[] | undefined, path: string): JsonObject[] {
  if (rules !== undefined && !Array.isArray(rules)) {
    throw new TypeError(`${path}.rules: expected an array of rules`);
  }
  return (rules ?? []).map((rule: ValidationRule, index) => {
    const plain = plainJson(rule, `${path}.rules[${index}]`);
    if (!isObject(plain) || typeof plain["rule"] !== "string" || plain["rule"].trim() === "") {
      throw new TypeError(`${path}.rules[${index}]: "rule" must be a CEL expression`);
    }
    return sortKeys(plain) as JsonObject;
  });
}

/** Adds `conditions` and `observedGeneration`, and makes the conditions a list map. */
function withStandardFields(status: JsonObject, path: string): JsonObject {
  if (status["type"] !== "object") {
    const remedy = "conditions and observedGeneration must have a place";
    throw cannotExpress(path, "a status that is no object", remedy);
  }
  const properties: JsonObject = isObject(status["properties"]) ? { ...status["properties"] } : {};
  const { conditions } = properties;
  properties["conditions"] = isObject(conditions) ? asListMap(conditions) : CONDITIONS;
  properties["observedGeneration"] ??= OBSERVED_GENERATION;
  return { ...status, properties };
}

function asListMap(conditions: JsonObject): JsonObject {
  if (conditions["x-kubernetes-list-type"] !== undefined || conditions["type"] !== "array") {
    return conditions;
  }
  return {
    ...conditions,
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": ["type"],
  };
}
