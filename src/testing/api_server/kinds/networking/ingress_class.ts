import {
  child,
  dnsLabel,
  dnsSubdomain,
  type FieldError,
  forbiddenField,
  getOwn,
  getPath,
  getString,
  invalidValue,
  isObject,
  type Json,
  type JsonObject,
  notSupported,
  pathSegmentName,
  required,
  tooLong,
} from "../../../values/mod.ts";
import {
  AGE,
  column,
  domainPrefixedPath,
  fillPointer,
  immutable,
  NAME,
  named,
} from "../shared/mod.ts";
import { defineKind, type KindRecord } from "../record/mod.ts";

/** IngressClasses. */
export const INGRESS_CLASS: KindRecord = defineKind(
  "networking.k8s.io/v1",
  "ingressclasses",
  "IngressClass",
  {
    namespaced: false,
    counts: [["spec"]],
    defaults: (one) => {
      const parameters = getPath(one, "spec", "parameters");
      if (isObject(parameters)) fillPointer(parameters, "scope", "Cluster");
    },
    names: "subdomain",
    validatesAgain: false,
    validate: validateClass,
    validateChange: (next, old) => [
      ...immutable(next, old, "spec", "controller"),
      ...validateClass(next),
    ],
    table: {
      columns: [
        NAME,
        column("Controller", "Controller that is responsible for handling this class"),
        column("Parameters", "A reference to a resource with additional parameters"),
        AGE,
      ],
      row: named(classCells),
    },
  },
);

function classCells(one: JsonObject): Json[] {
  const parameters = getPath(one, "spec", "parameters");
  const group = getString(parameters, "apiGroup");
  const text = isObject(parameters)
    ? `${getString(parameters, "kind")}${group === "" ? "" : `.${group}`}/${
      getString(parameters, "name")
    }`
    : "<none>";
  return [getString(one, "spec", "controller"), text];
}

const MAX_CONTROLLER = 250;

function validateClass(one: JsonObject): FieldError[] {
  const field = "spec.controller";
  const controller = getString(one, "spec", "controller");
  const long = controller.length > MAX_CONTROLLER ? [tooLong(field, MAX_CONTROLLER)] : [];
  return [...long, ...domainPrefixedPath(controller, field), ...validateParameters(one)];
}

function validateParameters(one: JsonObject): FieldError[] {
  const parameters = getPath(one, "spec", "parameters");
  if (!isObject(parameters)) return [];
  const field = "spec.parameters";
  const errors: FieldError[] = [];
  const group = getOwn(parameters, "apiGroup");
  if (typeof group === "string") {
    const at = child(field, "apiGroup");
    errors.push(...dnsSubdomain(group).map((reason) => invalidValue(at, group, reason)));
  }
  for (const name of ["kind", "name"]) {
    const value = getString(parameters, name);
    const at = child(field, name);
    if (value === "") errors.push(required(at));
    else errors.push(...pathSegmentName(value).map((reason) => invalidValue(at, value, reason)));
  }
  const scope = getString(parameters, "scope");
  const namespace = getOwn(parameters, "namespace");
  const at = child(field, "namespace");
  const scopes = ["Cluster", "Namespace"];
  if (!scopes.includes(scope)) {
    return [...errors, notSupported(child(field, "scope"), scope, scopes)];
  }
  const because = `\`parameters.scope\` is set to '${scope}'`;
  if (scope === "Cluster") {
    return namespace === undefined ? errors : [...errors, forbiddenField(at, because)];
  }
  if (typeof namespace !== "string") return [...errors, required(at, because)];
  return [...errors, ...dnsLabel(namespace).map((reason) => invalidValue(at, namespace, reason))];
}
