import {
  child,
  type FieldError,
  forbiddenField,
  getArray,
  getObject,
  getOwn,
  getString,
  invalidValue,
  isObject,
  item,
  jsonEqual,
  type JsonObject,
  notSupported,
  parseCidr,
  required,
  tooLong,
  tooMany,
} from "../../../values/mod.ts";
import type { Release } from "../../release/mod.ts";
import { driverErrors, objects, validateCondition, validateNodeSelector } from "../shared/mod.ts";
import {
  configErrors,
  labelErrors,
  listErrors,
  poolNameErrors,
  referenceErrors,
  type RequestNames,
  requestNames,
  setErrors,
} from "./claim_validation.ts";

const MAX_CONSUMERS = 256;
const MAX_RESULTS = 32;
const MAX_CONFIGS = 64;
const MAX_CONDITIONS = 8;
const MAX_IPS = 16;
const MAX_INTERFACE_NAME = 256;
const MAX_HARDWARE_ADDRESS = 128;

const SOURCES = ["FromClaim", "FromClass"];

const NO_ADDRESS = "must be a valid address in CIDR form, (e.g. 10.9.8.7/24 or 2001:db8::1/64)";

/** Returns the errors of the status of a ResourceClaim. */
export function validateClaimStatus(
  next: JsonObject,
  old: JsonObject,
  release: Release,
): FieldError[] {
  const status = getObject(next, "status");
  const [allocation, before] = [status, getObject(old, "status")].map((one) =>
    getOwn(one, "allocation")
  );
  const consumers = objects(status, "reservedFor");
  const errors = [
    ...setErrors(
      consumers,
      "status.reservedFor",
      MAX_CONSUMERS,
      consumerErrors,
      (one) => getString(one, "uid"),
    ),
    ...setErrors(
      objects(status, "devices"),
      "status.devices",
      Infinity,
      (device, field) => deviceErrors(device, field, allocatedDevices(status), release),
      deviceId,
    ),
  ];
  if (consumers.length > 0 && !isObject(allocation)) {
    const reason = "may not be specified when `allocated` is not set";
    errors.push(forbiddenField("status.reservedFor", reason));
  } else if (getString(next, "metadata", "deletionTimestamp") !== "") {
    const known = objects(old, "status", "reservedFor");
    if (consumers.some((one) => !known.some((other) => jsonEqual(one, other)))) {
      const reason =
        "new entries may not be added while `deallocationRequested` or `deletionTimestamp` are set";
      errors.push(forbiddenField("status.reservedFor", reason));
    }
  }
  if (!isObject(allocation)) return errors;
  if (!isObject(before)) {
    const names = requestNames(getObject(next, "spec", "devices"));
    return [...errors, ...allocationErrors(allocation, "status.allocation", names)];
  }
  if (jsonEqual(allocation, before)) return errors;
  return [...errors, invalidValue("status.allocation", allocation, "field is immutable")];
}

function consumerErrors(consumer: JsonObject, field: string): FieldError[] {
  return ["resource", "name", "uid"].filter((name) => getString(consumer, name) === "")
    .map((name) => required(child(field, name)));
}

function allocationErrors(
  allocation: JsonObject,
  field: string,
  names: RequestNames,
): FieldError[] {
  const devices = getObject(allocation, "devices");
  const at = child(field, "devices");
  const selector = getOwn(allocation, "nodeSelector");
  return [
    ...listErrors(objects(devices, "results"), child(at, "results"), (result, where) => [
      ...referenceErrors(getString(result, "request"), child(where, "request"), names),
      ...nameErrors(result, where),
    ], MAX_RESULTS),
    ...listErrors(objects(devices, "config"), child(at, "config"), (config, where) => [
      ...sourceErrors(getString(config, "source"), child(where, "source")),
      ...setErrors(
        getArray(config, "requests").map(String),
        child(where, "requests"),
        MAX_RESULTS,
        (name, place) => referenceErrors(name, place, names),
        (name) => name,
      ),
      ...configErrors(config, where),
    ], MAX_CONFIGS),
    ...(isObject(selector) ? validateNodeSelector(selector, child(field, "nodeSelector")) : []),
  ];
}

function sourceErrors(source: string, field: string): FieldError[] {
  if (source === "") return [required(field)];
  return SOURCES.includes(source) ? [] : [notSupported(field, source, SOURCES)];
}

/** Returns the errors of the names of a device. */
function nameErrors(device: JsonObject, field: string): FieldError[] {
  return [
    ...driverErrors(getString(device, "driver"), child(field, "driver")),
    ...poolNameErrors(getString(device, "pool"), child(field, "pool")),
    ...labelErrors(getString(device, "device"), child(field, "device")),
  ];
}

function deviceId(device: JsonObject): JsonObject {
  return {
    driver: getString(device, "driver"),
    pool: getString(device, "pool"),
    device: getString(device, "device"),
    shareID: getString(device, "shareID"),
  };
}

function allocatedDevices(status: JsonObject): JsonObject[] {
  return objects(getObject(status, "allocation", "devices"), "results").map(deviceId);
}

function deviceErrors(
  device: JsonObject,
  field: string,
  allocated: readonly JsonObject[],
  release: Release,
): FieldError[] {
  const errors = nameErrors(device, field);
  const id = deviceId(device);
  if (!allocated.some((one) => jsonEqual(one, id))) {
    errors.push(invalidValue(field, id, "must be an allocated device in the claim"));
  }
  const conditions = objects(device, "conditions");
  const list = child(field, "conditions");
  if (conditions.length > MAX_CONDITIONS) {
    errors.push(tooMany(list, conditions.length, MAX_CONDITIONS));
  }
  conditions.forEach((one, index) =>
    errors.push(...validateCondition(one, item(list, index), release))
  );
  return [...errors, ...networkErrors(device, child(field, "networkData"))];
}

function networkErrors(device: JsonObject, field: string): FieldError[] {
  const network = getObject(device, "networkData");
  const long = (name: string, limit: number) =>
    getString(network, name).length > limit ? [tooLong(child(field, name), limit)] : [];
  return [
    ...long("interfaceName", MAX_INTERFACE_NAME),
    ...long("hardwareAddress", MAX_HARDWARE_ADDRESS),
    ...setErrors(
      getArray(network, "ips").map(String),
      child(field, "ips"),
      MAX_IPS,
      (ip, at) => parseCidr(ip) === undefined ? [invalidValue(at, ip, NO_ADDRESS)] : [],
      (ip) => ip,
    ),
  ];
}
