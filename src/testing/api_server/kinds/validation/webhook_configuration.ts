import {
  child,
  dnsSubdomain,
  duplicate,
  type FieldError,
  getArray,
  getObject,
  getOwn,
  getString,
  invalidValue,
  isObject,
  item,
  type Json,
  type JsonObject,
  notSupported,
  qualifiedName,
  required,
  tooMany,
} from "../../values/mod.ts";
import { compileCondition } from "../../cel/mod.ts";
import { objects } from "../defaults/pod_defaults.ts";
import { validateClientConfig, validateReviewVersions } from "./webhook_client.ts";
import { validateLabelSelector } from "./workloads.ts";

/** The fields that take one of a few values. */
const CHOICES: readonly (readonly [string, readonly string[]])[] = [
  ["failurePolicy", ["Fail", "Ignore"]],
  ["matchPolicy", ["Equivalent", "Exact"]],
];
/** The maximum number of conditions of a webhook. */
const MAX_CONDITIONS = 64;
const SIDE_EFFECTS = ["None", "NoneOnDryRun"];
const REINVOCATIONS = ["IfNeeded", "Never"];
const OPERATIONS = ["*", "CONNECT", "CREATE", "DELETE", "UPDATE"];
const SCOPES = ["*", "Cluster", "Namespaced"];

/** Returns the validation errors of a configuration of admission webhooks, except those of its metadata. */
export function validateWebhooks(configuration: JsonObject): FieldError[] {
  const names = new Set<string>();
  return objects(configuration, "webhooks").flatMap((webhook, index) => {
    const field = item("webhooks", index);
    const errors = [
      ...validateWebhook(webhook, field),
      ...validateReviewVersions(webhook, field, "admissionReviewVersions"),
    ];
    const name = getString(webhook, "name");
    if (names.has(name)) errors.push(duplicate(child(field, "name"), name));
    if (name !== "") names.add(name);
    return errors;
  });
}

function validateWebhook(webhook: JsonObject, field: string): FieldError[] {
  const errors = validateName(getString(webhook, "name"), child(field, "name"));
  objects(webhook, "rules").forEach((rule, index) => {
    errors.push(...validateRule(rule, item(child(field, "rules"), index)));
  });
  for (const [name, choices] of CHOICES) errors.push(...oneOf(webhook, field, name, choices));
  const sideEffects = getString(webhook, "sideEffects");
  if (sideEffects === "") {
    const detail = `must specify one of ${SIDE_EFFECTS.join(", ")}`;
    errors.push(required(child(field, "sideEffects"), detail));
  } else errors.push(...oneOf(webhook, field, "sideEffects", SIDE_EFFECTS));
  const seconds = getOwn(webhook, "timeoutSeconds");
  if (typeof seconds === "number" && (seconds > 30 || seconds < 1)) {
    const detail = "the timeout value must be between 1 and 30 seconds";
    errors.push(invalidValue(child(field, "timeoutSeconds"), seconds, detail));
  }
  for (const name of ["namespaceSelector", "objectSelector"]) {
    const selector = getOwn(webhook, name);
    if (isObject(selector)) errors.push(...validateLabelSelector(selector, child(field, name)));
  }
  errors.push(...oneOf(webhook, field, "reinvocationPolicy", REINVOCATIONS));
  errors.push(
    ...validateClientConfig(getObject(webhook, "clientConfig"), child(field, "clientConfig")),
  );
  errors.push(...validateMatchConditions(webhook, child(field, "matchConditions")));
  return errors;
}

/** Returns the errors of the conditions (CEL) of a webhook. */
function validateMatchConditions(webhook: JsonObject, field: string): FieldError[] {
  const conditions = objects(webhook, "matchConditions");
  const errors: FieldError[] = [];
  if (conditions.length > MAX_CONDITIONS) {
    errors.push(tooMany(field, conditions.length, MAX_CONDITIONS));
  }
  const names = new Set<string>();
  conditions.forEach((condition, index) => {
    const at = item(field, index);
    const expression = getString(condition, "expression").trim();
    if (expression === "") errors.push(required(child(at, "expression")));
    else {
      const compiled = compileCondition(expression, { params: false, authorizer: true }, "bool");
      if ("error" in compiled) {
        errors.push(invalidValue(child(at, "expression"), expression, compiled.error));
      }
    }
    const name = getString(condition, "name");
    if (name === "") errors.push(required(child(at, "name")));
    else {
      errors.push(
        ...qualifiedName(name).map((text) => invalidValue(child(at, "name"), name, text)),
      );
      if (names.has(name)) errors.push(duplicate(child(at, "name"), name));
      names.add(name);
    }
  });
  return errors;
}

function validateName(name: string, field: string): FieldError[] {
  if (name === "") return [required(field)];
  const wrong = dnsSubdomain(name);
  if (wrong.length > 0) return [invalidValue(field, name, wrong.join(","))];
  if (name.split(".").length >= 3) return [];
  const detail = "should be a domain with at least three segments separated by dots";
  return [invalidValue(field, name, detail)];
}

function oneOf(
  webhook: JsonObject,
  field: string,
  name: string,
  choices: readonly string[],
): FieldError[] {
  const value = getOwn(webhook, name) ?? null;
  if (value === null || choices.includes(String(value))) return [];
  return [notSupported(child(field, name), value as string, choices)];
}

function validateRule(rule: JsonObject, field: string): FieldError[] {
  const operations = getArray(rule, "operations");
  const errors = listErrors(operations, child(field, "operations"), "operations");
  operations.forEach((operation, index) => {
    if (OPERATIONS.includes(String(operation))) return;
    const at = item(child(field, "operations"), index);
    errors.push(notSupported(at, String(operation), OPERATIONS));
  });
  const groups = getArray(rule, "apiGroups");
  const versions = getArray(rule, "apiVersions");
  errors.push(...listErrors(groups, child(field, "apiGroups"), "API groups"));
  errors.push(...listErrors(versions, child(field, "apiVersions"), "API versions"));
  versions.forEach((version, index) => {
    if (version === "") errors.push(required(item(child(field, "apiVersions"), index)));
  });
  errors.push(...validateResources(getArray(rule, "resources"), child(field, "resources")));
  const scope = getOwn(rule, "scope");
  if (typeof scope === "string" && !SCOPES.includes(scope)) {
    errors.push(notSupported(child(field, "scope"), scope, SCOPES));
  }
  return errors;
}

/** Returns the errors of a list that must not be empty, and in which `*` must be alone. */
function listErrors(values: readonly Json[], field: string, what: string): FieldError[] {
  if (values.length === 0) return [required(field)];
  if (values.length === 1 || !values.includes("*")) return [];
  const detail = `if '*' is present, must not specify other ${what}`;
  return [invalidValue(field, values as Json, detail)];
}

function validateResources(resources: readonly Json[], field: string): FieldError[] {
  if (resources.length === 0) return [required(field)];
  const errors: FieldError[] = [];
  const wholeResources = new Set<string>();
  const wholeSubresources = new Set<string>();
  let plain = false;
  resources.forEach((value, index) => {
    const text = String(value);
    if (text === "") {
      errors.push(required(item(field, index)));
      return;
    }
    const slash = text.indexOf("/");
    if (slash < 0) {
      plain = text !== "*";
      return;
    }
    const [resource, subresource] = [text.slice(0, slash), text.slice(slash + 1)];
    const covered = (by: string) =>
      invalidValue(item(field, index), text, `if '${by}' is present, must not specify ${text}`);
    if (wholeResources.has(resource)) errors.push(covered(`${resource}/*`));
    if (wholeSubresources.has(subresource)) errors.push(covered(`*/${subresource}`));
    if (subresource === "*") wholeResources.add(resource);
    if (resource === "*") wholeSubresources.add(subresource);
  });
  if (resources.length > 1 && resources.includes("*/*")) {
    const detail = "if '*/*' is present, must not specify other resources";
    errors.push(invalidValue(field, resources as Json, detail));
  }
  if (resources.includes("*") && plain) {
    const detail = "if '*' is present, must not specify other resources without subresources";
    errors.push(invalidValue(field, resources as Json, detail));
  }
  return errors;
}
