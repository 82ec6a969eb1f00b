import {
  child,
  dnsSubdomain,
  type FieldError,
  getInteger,
  getObject,
  getOwn,
  getString,
  invalidValue,
  isObject,
  item,
  type JsonObject,
  required,
  tooLong,
} from "../../../values/mod.ts";
import type { Release } from "../../release/mod.ts";
import { driverErrors, immutable, objects, validateNodeSelector } from "../shared/mod.ts";
import { counterSetErrors, featureErrors } from "./device_features.ts";
import { deviceNameErrors, labelErrors, poolNameErrors, setErrors } from "./claim_validation.ts";

const MAX_DEVICES = 128;
const MAX_ENTRIES = 32;
const MAX_TEXT = 64;

const ONE_OF =
  "exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required";

const VERSION =
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-((?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\.(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*))?(?:\+([0-9a-zA-Z-]+(?:\.[0-9a-zA-Z-]+)*))?$/;

/** The fields of an attribute. Exactly one must be set. */
const VALUES = ["int", "bool", "string", "version"];

/** Returns the errors of a ResourceSlice. `old` is absent on a create. */
export function validateSlice(
  slice: JsonObject,
  old: JsonObject | undefined,
  release: Release,
): FieldError[] {
  const spec = getObject(slice, "spec");
  const fixed = (...path: string[]) =>
    old === undefined ? [] : immutable(slice, old, "spec", ...path);
  return [
    ...driverErrors(getString(spec, "driver"), "spec.driver"),
    ...poolErrors(getObject(spec, "pool"), "spec.pool"),
    ...fixed("pool", "name"),
    ...fixed("driver"),
    ...fixed("nodeName"),
    ...placeErrors(spec, "spec"),
    ...setErrors(
      objects(spec, "devices"),
      "spec.devices",
      MAX_DEVICES,
      (device, field) => [
        ...deviceErrors(device, field, release),
        ...featureErrors(device, getOwn(spec, "perDeviceNodeSelection") === true, field),
      ],
      (device) => getString(device, "name"),
    ),
    ...counterSetErrors(spec, "spec.sharedCounters"),
  ];
}

function poolErrors(pool: JsonObject, field: string): FieldError[] {
  const count = getInteger(pool, "resourceSliceCount");
  const generation = getInteger(pool, "generation");
  const at = (name: string) => child(field, name);
  return [
    ...poolNameErrors(getString(pool, "name"), at("name")),
    ...(count > 0
      ? []
      : [invalidValue(at("resourceSliceCount"), count, "must be greater than zero")]),
    ...(generation >= 0
      ? []
      : [invalidValue(at("generation"), generation, "must be greater than or equal to zero")]),
  ];
}

/** Returns the errors of the fields that select the nodes of the devices. */
function placeErrors(spec: JsonObject, field: string): FieldError[] {
  const errors: FieldError[] = [];
  const set: string[] = [];
  const [name, selector, all] = ["nodeName", "nodeSelector", "allNodes"].map((one) =>
    getOwn(spec, one)
  );
  if (name === "") {
    const reason = "must be either unset or set to a non-empty string";
    errors.push(invalidValue(child(field, "nodeName"), name, reason));
  } else if (typeof name === "string") {
    set.push("`nodeName`");
    const at = child(field, "nodeName");
    errors.push(...dnsSubdomain(name).map((text) => invalidValue(at, name, text)));
  }
  if (isObject(selector)) {
    set.push("`nodeSelector`");
    errors.push(...selectorErrors(selector, child(field, "nodeSelector")));
  }
  if (all === true) set.push("`allNodes`");
  else if (all === false) {
    errors.push(
      invalidValue(child(field, "allNodes"), all, "must be either unset or set to true"),
    );
  }
  const perDevice = getOwn(spec, "perDeviceNodeSelection");
  if (perDevice === true) set.push("`perDeviceNodeSelection`");
  else if (perDevice === false) {
    errors.push(
      invalidValue(
        child(field, "perDeviceNodeSelection"),
        perDevice,
        "must be either unset or set to true",
      ),
    );
  }
  if (set.length === 0) errors.push(required(field, ONE_OF));
  else if (set.length > 1) {
    const shown = `{${set.join(", ")}}`;
    errors.push(invalidValue(field, shown, `${ONE_OF}, but multiple fields are set`));
  }
  return errors;
}

function selectorErrors(selector: JsonObject, field: string): FieldError[] {
  const errors = validateNodeSelector(selector, field);
  const terms = objects(selector, "nodeSelectorTerms");
  if (terms.length === 1) return errors;
  const at = child(field, "nodeSelectorTerms");
  return [...errors, invalidValue(at, terms, "must have exactly one node selector term")];
}

function deviceErrors(device: JsonObject, field: string, release: Release): FieldError[] {
  const [attributes, capacity] = [getObject(device, "attributes"), getObject(device, "capacity")];
  const errors = labelErrors(getString(device, "name"), child(field, "name"));
  const count = Object.keys(attributes).length + Object.keys(capacity).length;
  if (count > MAX_ENTRIES) {
    const reason = `the total number of attributes and capacities must not exceed ${MAX_ENTRIES}`;
    errors.push(invalidValue(field, count, reason));
  }
  const keyField = (list: string, name: string) =>
    release.has({ since: "1.36" }) ? child(field, list) : item(child(field, list), name);
  for (const name of Object.keys(attributes)) {
    errors.push(
      ...deviceNameErrors(name, keyField("attributes", name)),
      ...attributeErrors(getObject(attributes, name), item(child(field, "attributes"), name)),
    );
  }
  for (const name of Object.keys(capacity)) {
    errors.push(...deviceNameErrors(name, keyField("capacity", name)));
  }
  return errors;
}

function attributeErrors(attribute: JsonObject, field: string): FieldError[] {
  const errors: FieldError[] = [];
  for (const name of ["string", "version"]) {
    const value = getString(attribute, name);
    const at = child(field, name);
    if (name === "version" && getOwn(attribute, name) !== undefined && !VERSION.test(value)) {
      const reason = "must be a string compatible with semver.org spec 2.0.0";
      errors.push(invalidValue(at, value, reason));
    }
    if (value.length > MAX_TEXT) errors.push(tooLong(at, MAX_TEXT));
  }
  const set = VALUES.filter((name) => getOwn(attribute, name) !== undefined);
  const reason = "exactly one value must be specified";
  if (set.length === 0) errors.push(invalidValue(field, "", reason));
  if (set.length > 1) {
    errors.push(invalidValue(field, attribute, reason));
  }
  return errors;
}
