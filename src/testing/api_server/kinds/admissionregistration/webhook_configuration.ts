import {
  child,
  dnsSubdomain,
  duplicate,
  type FieldError,
  getObject,
  getOwn,
  getString,
  invalidValue,
  isObject,
  item,
  type JsonObject,
  notSupported,
  required,
} from "../../../values/mod.ts";
import {
  objects,
  validateClientConfig,
  validateLabelSelector,
  validateReviewVersions,
} from "../shared/mod.ts";
import { validateRule } from "./admission_rules.ts";
import { validateMatchConditions } from "./match_conditions.ts";

/** The fields that take one of a few values. */
const CHOICES: readonly (readonly [string, readonly string[]])[] = [
  ["failurePolicy", ["Fail", "Ignore"]],
  ["matchPolicy", ["Equivalent", "Exact"]],
];
const SIDE_EFFECTS = ["None", "NoneOnDryRun"];
const REINVOCATIONS = ["IfNeeded", "Never"];

/** Returns the validation errors of a configuration of admission webhooks apart from its metadata. */
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
  errors.push(...validateMatchConditions(webhook, child(field, "matchConditions"), false));
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
