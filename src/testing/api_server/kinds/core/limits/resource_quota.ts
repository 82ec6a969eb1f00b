import {
  child,
  type FieldError,
  getArray,
  getObject,
  getString,
  givenOf,
  invalidValue,
  item,
  jsonEqual,
  type JsonObject,
  required,
} from "../../../../values/mod.ts";
import {
  AGE,
  amountErrors,
  column,
  firstErrors,
  isQuotaResource,
  NAME,
  named,
  objects,
  quotaResourceErrors,
  roundAll,
} from "../../shared/mod.ts";
import { defineKind, type KindRecord, objectCount, STATUS } from "../../record/mod.ts";

/** ResourceQuotas. */
export const RESOURCE_QUOTA: KindRecord = defineKind("v1", "resourcequotas", "ResourceQuota", {
  shortNames: ["quota"],
  quota: objectCount("resourcequotas", "resourcequotas"),
  subresources: [STATUS],
  defaults: (quota) => {
    roundAll(getObject(quota, "spec"), "hard");
    roundAll(getObject(quota, "status"), "hard", "used");
  },
  names: "subdomain",
  wholeFirst: true,
  validate: validateQuota,
  validateChange: (next, old) => {
    const scopes = (one: JsonObject) => [...getArray(one, "spec", "scopes")].map(String).sort();
    const same = jsonEqual(scopes(next), scopes(old));
    const shown = [...getArray(next, "spec", "scopes")];
    return same ? [] : [invalidValue("spec.scopes", shown, "field is immutable")];
  },
  validateStatus: (quota) =>
    ["hard", "used"].flatMap((name) =>
      validateAmounts(getObject(quota, "status", name), child("status", name))
    ),
  deletion: { returnsObject: true },
  table: {
    columns: [
      NAME,
      column(
        "Request",
        "Request represents a minimum amount of cpu/memory that a container may consume.",
      ),
      column(
        "Limit",
        "Limits control the maximum amount of cpu/memory that a container may use independent of contention on the node.",
      ),
      AGE,
    ],
    row: named((quota) => [usageText(quota, false), usageText(quota, true)]),
  },
});

function usageText(quota: JsonObject, limits: boolean): string {
  const hard = getObject(quota, "status", "hard");
  return Object.keys(hard).sort().filter((name) => name.startsWith("limits.") === limits)
    .map((name) => {
      const used = getString(quota, "status", "used", name) || "0";
      return `${name}: ${used}/${getString(hard, name)}`;
    })
    .join(", ");
}

const SCOPES = [
  "BestEffort",
  "CrossNamespacePodAffinity",
  "NotBestEffort",
  "NotTerminating",
  "PriorityClass",
  "Terminating",
  "VolumeAttributesClass",
];

/** The scopes that exclude each other. */
const PAIRS = [["BestEffort", "NotBestEffort"], ["NotTerminating", "Terminating"]];

function validateQuota(quota: JsonObject): FieldError[] {
  const spec = getObject(quota, "spec");
  const hard = getObject(spec, "hard");
  return [
    ...validateAmounts(hard, "spec.hard"),
    ...validateScopes(getArray(spec, "scopes").map(String), Object.keys(hard)),
    ...validateSelector(spec),
  ];
}

function validateAmounts(hard: JsonObject, field: string): FieldError[] {
  return Object.keys(hard).flatMap((name) => {
    const at = item(field, name);
    return [
      ...quotaResourceErrors(name, at),
      ...amountErrors(name, getString(hard, name), at),
    ];
  });
}

/** Reports whether a scope can be applied to a resource. */
function applies(scope: string, resource: string): boolean {
  if (!isQuotaResource(resource) || resource === "pods") return true;
  if (scope === "BestEffort") return false;
  if (scope === "VolumeAttributesClass") {
    return resource === "persistentvolumeclaims" || resource === "requests.storage";
  }
  return /^(?:(?:requests|limits)\.)?(?:cpu|memory)$/.test(resource);
}

/** Returns a function that returns an error for each resource of `hard` to which a scope cannot be applied. */
function unsuitedTo(hard: readonly string[]) {
  // Each scope is compared with the resources once, however often it is repeated.
  const wrong = new Map(SCOPES.map((scope) => [
    scope,
    hard.filter((name) => !applies(scope, name)),
  ]));
  return (scope: string, error: (reason: string) => FieldError): FieldError[] =>
    wrong.get(scope)?.map(() => error("unsupported scope applied to resource")) ??
      [error("unsupported scope")];
}

function validateScopes(scopes: readonly string[], hard: readonly string[]): FieldError[] {
  const refuse = oncePerReason((reason) => invalidValue("spec.scopes", [...scopes], reason));
  const unsuited = unsuitedTo(hard);
  return [
    ...firstErrors(scopes, (scope) => unsuited(scope, refuse)),
    ...conflicts(scopes).map(() => refuse(CONFLICTING)),
  ];
}

/** Remembers errors that show a long value: it is encoded once for each reason. */
function oncePerReason(error: (reason: string) => FieldError): (reason: string) => FieldError {
  const known = new Map<string, FieldError>();
  return (reason) => {
    const made = known.get(reason) ?? error(reason);
    known.set(reason, made);
    return made;
  };
}

const CONFLICTING = "conflicting scopes";

function conflicts(scopes: readonly string[]): readonly string[][] {
  return PAIRS.filter((pair) => pair.every((one) => scopes.includes(one)));
}

/** Returns the errors of the selector of scopes. */
function validateSelector(spec: JsonObject): FieldError[] {
  const field = "spec.scopeSelector.matchExpressions";
  const expressions = objects(spec, "scopeSelector", "matchExpressions");
  const unsuited = unsuitedTo(Object.keys(getObject(spec, "hard")));
  const scopes = expressions.map((one) => getString(one, "scopeName"));
  const refuse = oncePerReason((reason) =>
    invalidValue(field, getObject(spec, "scopeSelector"), reason)
  );
  return [
    ...firstErrors(expressions, (one) => {
      const scope = getString(one, "scopeName");
      const error = (reason: string) =>
        reason === "unsupported scope"
          ? invalidValue(child(field, "scopeName"), scope, reason)
          : refuse(reason);
      return [...unsuited(scope, error), ...validateExpression(one)];
    }),
    ...conflicts(scopes).map(() => invalidValue(field, givenOf(spec, "scopes"), CONFLICTING)),
  ];
}

function validateExpression(one: JsonObject): FieldError[] {
  const field = "spec.scopeSelector.matchExpressions";
  const scope = getString(one, "scopeName");
  const operator = getString(one, "operator");
  const values = getArray(one, "values");
  const errors: FieldError[] = [];
  const wholes = SCOPES.filter((name) =>
    name !== "PriorityClass" && name !== "VolumeAttributesClass"
  );
  if (wholes.includes(scope) && operator !== "Exists") {
    const reason = "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, " +
      "ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or " +
      "ResourceQuotaScopeCrossNamespacePodAffinity";
    errors.push(invalidValue(child(field, "operator"), operator, reason));
  }
  if (operator === "In" || operator === "NotIn") {
    if (values.length === 0) {
      const reason =
        "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector";
      errors.push(required(child(field, "values"), reason));
    }
  } else if (operator === "Exists" || operator === "DoesNotExist") {
    if (values.length > 0) {
      const reason =
        "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector";
      errors.push(invalidValue(child(field, "values"), [...values], reason));
    }
  } else {
    errors.push(invalidValue(child(field, "operator"), operator, "not a valid selector operator"));
  }
  return errors;
}
