import {
  child,
  dnsLabel,
  dnsSubdomain,
  duplicate,
  type FieldError,
  forbiddenField,
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
  required,
} from "../../../values/mod.ts";
import { aloneErrors, getNumber, objects } from "../shared/mod.ts";

const METHODS = ["ByNamespace", "ByUser"];
const MAX_PRECEDENCE = 10_000;
/** The kinds of subjects, each with the field that describes it. */
const SUBJECTS: ReadonlyMap<string, string> = new Map([
  ["Group", "group"],
  ["ServiceAccount", "serviceAccount"],
  ["User", "user"],
]);
/** The order in which the real server reports fields of other kinds of subjects. */
const REPORTED = ["ServiceAccount", "User", "Group"];
const VERBS = [
  "create",
  "delete",
  "deletecollection",
  "get",
  "list",
  "patch",
  "proxy",
  "update",
  "watch",
];

/** Returns the errors of the conditions of a FlowSchema or PriorityLevelConfiguration. */
export function flowConditionErrors(object: JsonObject): FieldError[] {
  const types = objects(object, "status", "conditions").map((one) => getString(one, "type"));
  const seen = new Set<string>();
  return types.flatMap((type, index) => {
    const field = child(item("status.conditions", index), "type");
    const isRepeated = seen.has(type);
    seen.add(type);
    return [
      ...(isRepeated ? [duplicate(field, type)] : []),
      ...(type === "" ? [required(field)] : []),
    ];
  });
}

/** Returns the errors of a FlowSchema apart from its metadata. */
export function validateFlowSchema(schema: JsonObject): FieldError[] {
  const spec = getObject(schema, "spec");
  const errors = validatePrecedence(spec, getString(schema, "metadata", "name"));
  const method = getOwn(spec, "distinguisherMethod");
  if (isObject(method) && !METHODS.includes(getString(method, "type"))) {
    errors.push(notSupported("spec.distinguisherMethod.type", method, METHODS));
  }
  const level = getString(spec, "priorityLevelConfiguration", "name");
  const field = "spec.priorityLevelConfiguration.name";
  if (level === "") errors.push(required(field, "must reference a priority level"));
  else errors.push(...dnsSubdomain(level).map((text) => invalidValue(field, level, text)));
  objects(spec, "rules").forEach((rule, index) => {
    errors.push(...validateRule(rule, item("spec.rules", index)));
  });
  return errors;
}

function validatePrecedence(spec: JsonObject, name: string): FieldError[] {
  const precedence = getNumber(spec, "matchingPrecedence");
  const refuse = (why: string) => [invalidValue("spec.matchingPrecedence", precedence, why)];
  if (precedence <= 0) return refuse("must be a positive value");
  if (precedence > MAX_PRECEDENCE) return refuse(`must not be greater than ${MAX_PRECEDENCE}`);
  if (precedence === 1 && name !== "exempt") {
    return refuse("only the schema named 'exempt' may have matchingPrecedence 1");
  }
  return [];
}

function validateRule(rule: JsonObject, field: string): FieldError[] {
  const subjects = objects(rule, "subjects");
  const errors = subjects.length === 0
    ? [required(child(field, "subjects"), "subjects must contain at least one value")]
    : subjects.flatMap((one, index) => validateSubject(one, item(child(field, "subjects"), index)));
  const resources = objects(rule, "resourceRules");
  const paths = objects(rule, "nonResourceRules");
  if (resources.length === 0 && paths.length === 0) {
    const reason = "at least one of resourceRules and nonResourceRules has to be non-empty";
    errors.push(required(field, reason));
  }
  resources.forEach((one, index) => {
    errors.push(...validateResourceRule(one, item(child(field, "resourceRules"), index)));
  });
  paths.forEach((one, index) => {
    errors.push(...validatePathRule(one, item(child(field, "nonResourceRules"), index)));
  });
  return errors;
}

function validateSubject(subject: JsonObject, field: string): FieldError[] {
  const kind = getString(subject, "kind");
  const own = SUBJECTS.get(kind);
  if (own === undefined) return [notSupported(child(field, "kind"), kind, [...SUBJECTS.keys()])];
  const described = getOwn(subject, own);
  const errors = isObject(described)
    ? validateDescription(described, kind, child(field, own))
    : [required(child(field, own), `${own} is required when subject kind is '${kind}'`)];
  for (const other of REPORTED) {
    const name = SUBJECTS.get(other)!;
    if (other === kind || !isObject(getOwn(subject, name))) continue;
    const reason = `${name} is forbidden when subject kind is not '${other}'`;
    errors.push(forbiddenField(child(field, name), reason));
  }
  return errors;
}

function validateDescription(subject: JsonObject, kind: string, field: string): FieldError[] {
  const at = child(field, "name");
  const name = getString(subject, "name");
  const errors = name === "" ? [required(at)] : [];
  if (kind !== "ServiceAccount") return errors;
  if (name !== "" && name !== "*") {
    errors.push(...dnsSubdomain(name).map((text) => invalidValue(at, name, text)));
  }
  const namespace = getString(subject, "namespace");
  const space = child(field, "namespace");
  if (namespace === "") {
    return [...errors, required(space, "must specify namespace for service account")];
  }
  return [...errors, ...dnsLabel(namespace).map((text) => invalidValue(space, namespace, text))];
}

function validateResourceRule(rule: JsonObject, field: string): FieldError[] {
  const lists: readonly (readonly [name: string, one: string, several: string])[] = [
    ["apiGroups", "api group", "api groups"],
    ["resources", "resource", "resources"],
  ];
  const errors = validateVerbs(rule, field);
  for (const [name, one, several] of lists) {
    const values = getArray(rule, name);
    const at = child(field, name);
    if (values.length === 0) {
      errors.push(required(at, `resource rules must supply at least one ${one}`));
    } else errors.push(...aloneErrors(values, at, several));
  }
  const namespaces = getArray(rule, "namespaces");
  const at = child(field, "namespaces");
  if (namespaces.length === 0 && getOwn(rule, "clusterScope") !== true) {
    const reason = "resource rules that are not cluster scoped must supply at least one namespace";
    errors.push(required(at, reason));
  } else if (namespaces.includes("*")) errors.push(...aloneErrors(namespaces, at, "namespaces"));
  return errors;
}

function validatePathRule(rule: JsonObject, field: string): FieldError[] {
  const errors = validateVerbs(rule, field);
  const paths = getArray(rule, "nonResourceURLs");
  const at = child(field, "nonResourceURLs");
  if (paths.length === 0) {
    errors.push(required(at, "nonResourceURLs must contain at least one value"));
  } else if (paths.includes("*")) errors.push(...aloneErrors(paths, at, "non-resource URLs"));
  else {
    paths.forEach((path, index) => {
      const reason = pathError(String(path));
      if (reason !== undefined) errors.push(invalidValue(item(at, index), path, reason));
    });
  }
  return errors;
}

/** Returns why a non-resource URL is invalid; undefined if it is valid. */
function pathError(path: string): string | undefined {
  if (path === "") return "must not be empty";
  if (path === "/") return undefined;
  if (!path.startsWith("/")) return "must start with slash";
  if (path.includes(" ")) return "must not contain white-space";
  if (path.includes("//")) return "must not contain double slash";
  const [, ...after] = path.split("*");
  const isSuffix = after.length === 0 || (after.length === 1 && path.endsWith("/*"));
  return isSuffix ? undefined : "wildcard can only do suffix matching";
}

function validateVerbs(rule: JsonObject, field: string): FieldError[] {
  const verbs = getArray(rule, "verbs");
  const at = child(field, "verbs");
  if (verbs.length === 0) return [required(at, "verbs must contain at least one value")];
  if (verbs.includes("*")) return aloneErrors(verbs, at, "verbs");
  return verbs.every((verb) => VERBS.includes(String(verb)))
    ? []
    : [notSupported(at, verbs as Json, VERBS)];
}
