import { checkDeviceSelector } from "@kubeloop/controller/internal/cel";
import type { Release } from "../../release/mod.ts";
import {
  byteLength,
  child,
  cIdentifier,
  dnsLabel,
  dnsSubdomain,
  duplicate,
  encodeJson,
  type FieldError,
  forbiddenField,
  getArray,
  getInteger,
  getOwn,
  getString,
  invalidValue,
  isObject,
  item,
  type Json,
  jsonKey,
  type JsonObject,
  labelValue,
  notSupported,
  qualifiedName,
  required,
  tooLong,
  tooMany,
} from "../../../values/mod.ts";
import { driverErrors, objects } from "../shared/mod.ts";
import { TAINT_EFFECTS } from "./device_taints.ts";

const MAX_REQUESTS = 32;
const MAX_ALTERNATIVES = 8;
const MAX_ITEMS = 32;

/** The longest expression of a selector and the longest parameters for a driver, in bytes. */
const MAX_BYTES = 10 * 1024;

/** The longest name of an attribute, without its domain. */
const MAX_IDENTIFIER = 32;

const MODES = ["All", "ExactCount"];

const ONE_OF = "exactly one of `exactly` or `firstAvailable` is required";

/** The requests by name, each with the names of its alternatives. */
export type RequestNames = ReadonlyMap<string, readonly string[]>;

/** Returns the names of the requests for devices. */
export function requestNames(devices: JsonObject): RequestNames {
  return new Map(
    objects(devices, "requests").map((request) => [
      getString(request, "name"),
      objects(request, "firstAvailable").map((one) => getString(one, "name")),
    ]),
  );
}

/** Returns the errors of the devices that a ResourceClaim asks for. */
export function validateDevices(
  devices: JsonObject,
  field: string,
  release: Release,
): FieldError[] {
  const requests = objects(devices, "requests");
  const names = requestNames(devices);
  const ofRequests = (one: JsonObject, at: string) =>
    setErrors(
      getArray(one, "requests").map(String),
      child(at, "requests"),
      MAX_REQUESTS,
      (name, where) => referenceErrors(name, where, names),
      (name) => name,
    );
  return [
    ...setErrors(requests, child(field, "requests"), MAX_REQUESTS, requestErrors, nameOf),
    ...listErrors(objects(devices, "constraints"), child(field, "constraints"), (one, at) => [
      ...ofRequests(one, at),
      ...constraintErrors(one, at, release),
    ]),
    ...listErrors(objects(devices, "config"), child(field, "config"), (one, at) => [
      ...ofRequests(one, at),
      ...configErrors(one, at),
    ]),
  ];
}

function nameOf(one: JsonObject): string {
  return getString(one, "name");
}

/** Returns the errors of a name that is a DNS label. */
export function labelErrors(name: string, field: string): FieldError[] {
  return dnsLabel(name).map((text) => invalidValue(field, name, text));
}

function requestErrors(request: JsonObject, field: string): FieldError[] {
  const errors = labelErrors(nameOf(request), child(field, "name"));
  const exactly = getOwn(request, "exactly");
  const alternatives = objects(request, "firstAvailable");
  if (isObject(exactly) && alternatives.length > 0) {
    const many = `${ONE_OF}, but multiple fields are set`;
    return [...errors, invalidValue(field, null, many)];
  }
  if (isObject(exactly)) return [...errors, ...askedErrors(exactly, child(field, "exactly"))];
  if (alternatives.length === 0) return [...errors, required(field, ONE_OF)];
  const at = child(field, "firstAvailable");
  const check = (one: JsonObject, where: string) => [
    ...labelErrors(nameOf(one), child(where, "name")),
    ...askedErrors(one, where),
  ];
  return [...errors, ...setErrors(alternatives, at, MAX_ALTERNATIVES, check, nameOf)];
}

function askedErrors(asked: JsonObject, field: string): FieldError[] {
  const className = getString(asked, "deviceClassName");
  const at = child(field, "deviceClassName");
  return [
    ...(className === ""
      ? [required(at)]
      : dnsSubdomain(className).map((text) => invalidValue(at, className, text))),
    ...validateSelectors(asked, field),
    ...countErrors(asked, field),
    ...listErrors(objects(asked, "tolerations"), child(field, "tolerations"), tolerationErrors),
  ];
}

function tolerationErrors(toleration: JsonObject, field: string): FieldError[] {
  const key = getString(toleration, "key");
  const value = getString(toleration, "value");
  const effect = getString(toleration, "effect");
  const errors = key === ""
    ? []
    : qualifiedName(key).map((text) => invalidValue(child(field, "key"), key, text));
  errors.push(...operatorErrors(getString(toleration, "operator"), value, field));
  if (effect === "" || TAINT_EFFECTS.includes(effect)) return errors;
  return [...errors, notSupported(child(field, "effect"), effect, TAINT_EFFECTS)];
}

function operatorErrors(operator: string, value: string, field: string): FieldError[] {
  const at = child(field, "value");
  switch (operator) {
    case "Exists":
      return value === "" ? [] : [invalidValue(at, value, "must be empty for operator `Exists`")];
    case "Equal":
      return labelValue(value).map((text) => invalidValue(at, value, text));
    case "":
      return [required(child(field, "operator"))];
    default:
      return [notSupported(child(field, "operator"), operator, ["Equal", "Exists"])];
  }
}

function countErrors(asked: JsonObject, field: string): FieldError[] {
  const mode = getString(asked, "allocationMode");
  const count = getInteger(asked, "count");
  const at = child(field, "count");
  switch (mode) {
    case "All":
      if (count === 0) return [];
      return [invalidValue(at, count, "must not be specified when allocationMode is 'All'")];
    case "ExactCount":
      return count > 0 ? [] : [invalidValue(at, count, "must be greater than zero")];
    default:
      return [notSupported(child(field, "allocationMode"), mode, MODES)];
  }
}

/** Returns the errors of the selectors of devices. */
export function validateSelectors(asked: JsonObject, field: string): FieldError[] {
  return listErrors(objects(asked, "selectors"), child(field, "selectors"), (selector, at) => {
    const cel = getOwn(selector, "cel");
    if (!isObject(cel)) return [required(child(at, "cel"))];
    return expressionErrors(getString(cel, "expression"), child(at, "cel.expression"));
  });
}

function expressionErrors(expression: string, field: string): FieldError[] {
  if (byteLength(expression) > MAX_BYTES) return [tooLong(field, MAX_BYTES)];
  const { error, expensive = false } = checkDeviceSelector(expression);
  if (error !== undefined) return [invalidValue(field, expression, error)];
  return expensive ? [forbiddenField(field, "too complex, exceeds cost limit")] : [];
}

/** Returns the errors of the name of a request, or of an alternative of one. */
export function referenceErrors(name: string, field: string, names: RequestNames): FieldError[] {
  const text =
    "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'";
  const unknown = invalidValue(field, name, text);
  const segments = name.split("/");
  if (segments.length > 2) return [unknown];
  const [request = "", alternative] = segments;
  const known = names.get(request);
  const found = known !== undefined && (alternative === undefined || known.includes(alternative));
  return [
    ...segments.flatMap((one) => labelErrors(one, field)),
    ...(found ? [] : [unknown]),
  ];
}

/** The text of a real server for a constraint without an attribute, although it speaks of several. */
const NO_ATTRIBUTE =
  'exactly one of "matchAttribute" or "distinctAttribute" is required, but multiple fields are set';

function constraintErrors(constraint: JsonObject, field: string, release: Release): FieldError[] {
  for (const name of ["matchAttribute", "distinctAttribute"]) {
    const value = getOwn(constraint, name);
    if (typeof value === "string") return attributeErrors(value, child(field, name));
  }
  return [
    release.isOn("DRAConsumableCapacity")
      ? required(field, NO_ATTRIBUTE)
      : required(child(field, "matchAttribute")),
  ];
}

/** Returns the errors of an attribute of devices, such as `dra.example.com/numa`. */
function attributeErrors(name: string, field: string): FieldError[] {
  if (!name.includes("/")) {
    const text = "a fully qualified name must be a domain and a name separated by a slash";
    return [...identifierErrors(name, field), invalidValue(field, name, text)];
  }
  return deviceNameErrors(name, field);
}

/** Returns the errors of the name of what a device has, such as `numa` or `dra.example.com/numa`. */
export function deviceNameErrors(name: string, field: string): FieldError[] {
  const parts = name.split("/");
  const [domain = "", id = ""] = parts;
  if (parts.length === 1) return identifierErrors(name, field);
  // As the real server does, this accepts whatever has more slashes.
  if (parts.length > 2) return [];
  return [
    ...(domain === ""
      ? [invalidValue(field, "", "the domain must not be empty")]
      : driverErrors(domain, field)),
    ...(id === ""
      ? [invalidValue(field, "", "the name must not be empty")]
      : identifierErrors(id, field)),
  ];
}

function identifierErrors(id: string, field: string): FieldError[] {
  const errors = id.length > MAX_IDENTIFIER ? [tooLong(field, MAX_IDENTIFIER)] : [];
  return [...errors, ...cIdentifier(id).map((text) => invalidValue(field, id, text))];
}

/** Returns the errors of all configurations of devices. */
export function validateConfigs(owner: JsonObject, field: string): FieldError[] {
  return listErrors(objects(owner, "config"), child(field, "config"), configErrors);
}

/** Returns the errors of the configuration of devices. */
export function configErrors(config: JsonObject, field: string): FieldError[] {
  const at = child(field, "opaque");
  const opaque = getOwn(config, "opaque");
  if (!isObject(opaque)) return [required(at)];
  return [
    ...driverErrors(getString(opaque, "driver"), child(at, "driver")),
    ...parameterErrors(opaque, child(at, "parameters")),
  ];
}

function parameterErrors(opaque: JsonObject, field: string): FieldError[] {
  const parameters = getOwn(opaque, "parameters");
  if (parameters === undefined || parameters === null) return [required(field)];
  if (byteLength(encodeJson(parameters)) > MAX_BYTES) return [tooLong(field, MAX_BYTES)];
  if (isObject(parameters)) return [];
  return [invalidValue(field, "<value omitted>", "must be a valid JSON object")];
}

/** Returns the errors of a list. */
export function listErrors<T>(
  list: readonly T[],
  field: string,
  check: (one: T, field: string) => FieldError[],
  max: number = MAX_ITEMS,
): FieldError[] {
  if (list.length > max) return [tooMany(field, list.length, max)];
  return list.flatMap((one, index) => check(one, item(field, index)));
}

/** Returns the errors of a list whose items have keys of their own. */
export function setErrors<T>(
  list: readonly T[],
  field: string,
  max: number,
  check: (one: T, field: string) => FieldError[],
  keyOf: (one: T) => Json,
): FieldError[] {
  const errors = listErrors(list, field, check, max);
  if (list.length > max) return errors;
  const keys = list.map(keyOf);
  const texts = keys.map(jsonKey);
  texts.forEach((text, index) => {
    if (texts.indexOf(text) < index) errors.push(duplicate(item(field, index), keys[index]));
  });
  return errors;
}

const MAX_LENGTH = 253;

/** Returns the errors of the name of a pool of devices: DNS subdomains with slashes between them. */
export function poolNameErrors(name: string, field: string): FieldError[] {
  if (name === "") return [required(field)];
  const errors = name.length > MAX_LENGTH ? [tooLong(field, MAX_LENGTH)] : [];
  return [
    ...errors,
    ...name.split("/").flatMap((part) =>
      dnsSubdomain(part).map((text) => invalidValue(field, part, text))
    ),
  ];
}
