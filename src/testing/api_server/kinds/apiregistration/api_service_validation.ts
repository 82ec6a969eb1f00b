import {
  dns1035Label,
  dnsSubdomain,
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
import { base64Bytes, getNumber, objects, servicePortErrors } from "../shared/mod.ts";

/** The states of a condition, in the order in which the real server lists them. */
const STATUSES = ["True", "False", "Unknown"];

/** The highest values of the fields that order groups and versions. */
const MAX_PRIORITIES = { groupPriorityMinimum: 20_000, versionPriority: 1000 };

/** Returns the errors of an APIService apart from its metadata. */
export function validateApiService(service: JsonObject): FieldError[] {
  const spec = getObject(service, "spec");
  const name = getString(service, "metadata", "name");
  const group = getString(spec, "group");
  const version = getString(spec, "version");
  const wanted = `${version}.${group}`;
  const errors: FieldError[] = [];
  if (name !== wanted) {
    const reason = `must be \`spec.version+"."+spec.group\`: ${JSON.stringify(wanted)}`;
    errors.push(invalidValue("metadata.name", name, reason));
  }
  if (group === "" && version !== "v1") {
    const reason = "only v1 may have an empty group and it better be legacy kube";
    errors.push(required("spec.group", reason));
  }
  if (group !== "") {
    errors.push(...dnsSubdomain(group).map((text) => invalidValue("spec.group", group, text)));
  }
  errors.push(...dns1035Label(version).map((text) => invalidValue("spec.version", version, text)));
  for (const [field, limit] of Object.entries(MAX_PRIORITIES)) {
    const value = getNumber(spec, field);
    if (value > 0 && value <= limit) continue;
    const reason = `must be positive and less than ${limit}`;
    errors.push(invalidValue(`spec.${field}`, value, reason));
  }
  return [...errors, ...validateConnection(spec)];
}

/** Returns the errors of the status of an APIService. */
export function validateApiServiceStatus(service: JsonObject): FieldError[] {
  return objects(service, "status", "conditions").flatMap((condition, index) => {
    const status = getString(condition, "status");
    const field = `${item("status.conditions", index)}.status`;
    return STATUSES.includes(status) ? [] : [notSupported(field, status, STATUSES)];
  });
}

/** Returns the errors of the fields by which an aggregated server is reached. */
function validateConnection(spec: JsonObject): FieldError[] {
  const errors: FieldError[] = [];
  const bundle = getString(spec, "caBundle");
  const insecure = getOwn(spec, "insecureSkipTLSVerify") === true;
  const skips = (reason: string) => {
    if (insecure) errors.push(invalidValue("spec.insecureSkipTLSVerify", true, reason));
  };
  const service = getOwn(spec, "service");
  if (!isObject(service)) {
    if (bundle !== "") {
      const shown = `${base64Bytes(bundle)} bytes`;
      const reason = "local APIServices may not have a caBundle";
      errors.push(invalidValue("spec.caBundle", shown, reason));
    }
    skips("local APIServices may not have insecureSkipTLSVerify");
    return errors;
  }
  for (const name of ["namespace", "name"]) {
    if (getString(service, name) === "") errors.push(required(`spec.service.${name}`));
  }
  errors.push(...servicePortErrors(service, "spec.service"));
  if (bundle !== "") skips("may not be true if caBundle is present");
  return errors;
}
