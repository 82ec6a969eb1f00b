import type { Release } from "../../release/mod.ts";
import {
  child,
  dns1035Label,
  dnsLabel,
  dnsSubdomain,
  type FieldError,
  getArray,
  getObject,
  getOwn,
  getString,
  givenOf,
  invalidValue,
  isIpAddress,
  isObject,
  item,
  type JsonObject,
  notSupported,
  pathSegmentName,
  portName,
  portNumber,
  required,
} from "../../../values/mod.ts";
import { objects } from "../shared/mod.ts";

const PATH_TYPES = ["Exact", "ImplementationSpecific", "Prefix"];

/** Texts that a path of type Exact or Prefix must not contain, and must not end with. */
const BAD_PARTS = ["//", "/./", "/../", "%2f", "%2F"];
const BAD_ENDS = ["/..", "/."];

/** Returns the errors of an Ingress apart from its metadata. */
export function validateIngress(ingress: JsonObject, release: Release): FieldError[] {
  const spec = getObject(ingress, "spec");
  const rules = objects(spec, "rules");
  const backend = getOwn(spec, "defaultBackend");
  const errors: FieldError[] = [];
  if (rules.length === 0 && backend === undefined) {
    const reason = "either `defaultBackend` or `rules` must be specified";
    errors.push(invalidValue("spec", givenOf(spec, "rules"), reason));
  }
  if (isObject(backend)) errors.push(...validateBackend(backend, "spec.defaultBackend", release));
  rules.forEach((rule, index) =>
    errors.push(...validateRule(rule, item("spec.rules", index), release))
  );
  objects(spec, "tls").forEach((tls, index) => {
    errors.push(...validateTls(tls, item("spec.tls", index)));
  });
  const name = getOwn(spec, "ingressClassName");
  if (typeof name === "string") errors.push(...subdomain(name, "spec.ingressClassName"));
  return errors;
}

function subdomain(text: string, field: string): FieldError[] {
  return dnsSubdomain(text).map((reason) => invalidValue(field, text, reason));
}

function hostErrors(host: string, field: string): FieldError[] {
  const reasons = host.includes("*") ? wildcard(host) : dnsSubdomain(host);
  return reasons.map((reason) => invalidValue(field, host, reason));
}

function wildcard(host: string): string[] {
  if (host.startsWith("*.") && dnsSubdomain(host.slice(2)).length === 0) return [];
  return [
    "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of " +
    "lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character (e.g. '*.example.com', " +
    "regex used for validation is '\\*\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
  ];
}

function validateRule(rule: JsonObject, field: string, release: Release): FieldError[] {
  const host = getString(rule, "host");
  const at = child(field, "host");
  const errors: FieldError[] = [];
  if (host !== "" && isIpAddress(host)) {
    errors.push(invalidValue(at, host, "must be a DNS name, not an IP address"));
  }
  if (host !== "") errors.push(...hostErrors(host, at));
  const http = getOwn(rule, "http");
  if (!isObject(http)) return errors;
  const list = child(field, "http.paths");
  const paths = objects(http, "paths");
  if (paths.length === 0) errors.push(required(list));
  paths.forEach((path, index) => errors.push(...validatePath(path, item(list, index), release)));
  return errors;
}

function validatePath(path: JsonObject, field: string, release: Release): FieldError[] {
  const errors: FieldError[] = [];
  const type = getOwn(path, "pathType");
  const text = getString(path, "path");
  const at = child(field, "path");
  const refuse = (reason: string) => errors.push(invalidValue(at, text, reason));
  if (type === undefined || type === null) {
    return [required(child(field, "pathType"), "pathType must be specified")];
  }
  if (type === "Exact" || type === "Prefix") {
    if (!text.startsWith("/")) refuse("must be an absolute path");
    if (text !== "") {
      for (const part of BAD_PARTS) if (text.includes(part)) refuse(`must not contain '${part}'`);
      for (const end of BAD_ENDS) if (text.endsWith(end)) refuse(`cannot end with '${end}'`);
    }
  } else if (type === "ImplementationSpecific") {
    if (text !== "" && !text.startsWith("/")) refuse("must be an absolute path");
  } else errors.push(notSupported(child(field, "pathType"), type, PATH_TYPES));
  return [
    ...errors,
    ...validateBackend(getObject(path, "backend"), child(field, "backend"), release),
  ];
}

function validateBackend(backend: JsonObject, field: string, release: Release): FieldError[] {
  const resource = getOwn(backend, "resource");
  const service = getOwn(backend, "service");
  if (isObject(resource) && isObject(service)) {
    return [invalidValue(field, "", "cannot set both resource and service backends")];
  }
  if (isObject(resource)) return validateResource(resource, child(field, "resource"));
  if (!isObject(service)) {
    return [invalidValue(field, "", "resource or service backend is required")];
  }
  return validateService(service, field, release);
}

function validateResource(resource: JsonObject, field: string): FieldError[] {
  const group = getOwn(resource, "apiGroup");
  return [
    ...(typeof group === "string" ? subdomain(group, child(field, "apiGroup")) : []),
    ...["kind", "name"].flatMap((name) => {
      const value = getString(resource, name);
      const at = child(field, name);
      if (value === "") return [required(at)];
      return pathSegmentName(value).map((reason) => invalidValue(at, value, reason));
    }),
  ];
}

function validateService(service: JsonObject, field: string, release: Release): FieldError[] {
  const at = child(field, "service");
  const name = getString(service, "name");
  const errors = name === ""
    ? [required(child(at, "name"))]
    : (release.isOn("RelaxedServiceNameValidation") ? dnsLabel : dns1035Label)(name).map((reason) =>
      invalidValue(child(at, "name"), name, reason)
    );
  const portText = getString(service, "port", "name");
  const port = Number(getOwn(getObject(service, "port"), "number") ?? 0);
  if (portText !== "" && port !== 0) {
    return [...errors, invalidValue(field, "", "cannot set both port name & port number")];
  }
  if (portText !== "") {
    const where = child(at, "port.name");
    return [
      ...errors,
      ...portName(portText).map((reason) => invalidValue(where, portText, reason)),
    ];
  }
  if (port === 0) return [...errors, required(field, "port name or number is required")];
  const where = child(at, "port.number");
  return [...errors, ...portNumber(port).map((reason) => invalidValue(where, port, reason))];
}

function validateTls(tls: JsonObject, field: string): FieldError[] {
  const hosts = getArray(tls, "hosts").map(String);
  const secret = getString(tls, "secretName");
  return [
    ...hosts.flatMap((host, index) => hostErrors(host, item(child(field, "hosts"), index))),
    ...(secret === "" ? [] : subdomain(secret, child(field, "secretName"))),
  ];
}
