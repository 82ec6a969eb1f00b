import {
  child,
  dnsSubdomain,
  duplicate,
  type FieldError,
  forbiddenField,
  getArray,
  getInteger,
  getObject,
  getOwn,
  getPath,
  getString,
  invalidValue,
  isLegacyIpAddress,
  isObject,
  item,
  type JsonObject,
  NO_IP_ADDRESS,
  qualifiedName,
} from "../../../../values/mod.ts";
import type { Release } from "../../../release/mod.ts";
import { immutable, objects } from "../../shared/mod.ts";
import { validateAnnotationsUpdate } from "../pod_spec/mod.ts";

const SYSTEM_CONDITIONS = ["PodScheduled", "Ready", "Initialized"];
const NEGATIVE = "must be a non-negative integer";

/** Returns the validation errors of an update to the status of a Pod. */
export function validatePodStatusUpdate(
  next: JsonObject,
  old: JsonObject,
  release: Release,
): FieldError[] {
  const status = getObject(next, "status");
  const errors = validateAnnotationsUpdate(next, old);
  objects(status, "conditions").forEach((condition, index) => {
    const at = item("status.conditions", index);
    errors.push(...negative(condition, child(at, "observedGeneration")));
    const type = getString(condition, "type");
    if (SYSTEM_CONDITIONS.includes(type)) return;
    errors.push(...qualifiedName(type).map((text) => invalidValue(child(at, "Type"), type, text)));
  });
  errors.push(...validateNomination(next, old));
  errors.push(...negative(status, "status.observedGeneration"));
  errors.push(...immutable(next, old, "status", "qosClass"));
  errors.push(...validateStates(next, old), ...validateClaims(next, release));
  return [...errors, ...validateAddresses(next, old)];
}

function negative(object: JsonObject, field: string): FieldError[] {
  const generation = getInteger(object, "observedGeneration");
  return generation < 0 ? [invalidValue(field, generation, NEGATIVE)] : [];
}

function validateNomination(next: JsonObject, old: JsonObject): FieldError[] {
  const node = getString(next, "status", "nominatedNodeName");
  if (node === "" || node === getString(old, "status", "nominatedNodeName")) return [];
  const at = "status.nominatedNodeName";
  const errors = dnsSubdomain(node).map((text) => invalidValue(at, node, text));
  if (getString(old, "spec", "nodeName") === "") return errors;
  const text = "may not be set on pods that are already bound to a node";
  return [...errors, forbiddenField(at, text)];
}

/** Returns an error for each container that has ended for good, and is not reported as ended any more. */
function validateStates(next: JsonObject, old: JsonObject): FieldError[] {
  const spec = getObject(old, "spec");
  const lists = {
    containers: "containerStatuses",
    initContainers: "initContainerStatuses",
    ephemeralContainers: "ephemeralContainerStatuses",
  };
  return Object.entries(lists).flatMap(([list, name]) => {
    const now = objects(next, "status", name);
    return objects(old, "status", name).flatMap((status, index) => {
      const ended = getPath(status, "state", "terminated");
      if (!isObject(ended)) return [];
      const own = getString(status, "name");
      const resumed = now.find((one) =>
        getString(one, "name") === own && !isObject(getPath(one, "state", "terminated"))
      );
      if (resumed === undefined || mayRestart(spec, list, own, ended)) return [];
      const at = child(item(child("status", name), index), "state");
      return [forbiddenField(at, "may not be transitioned to non-terminated state")];
    });
  });
}

function mayRestart(spec: JsonObject, list: string, name: string, ended: JsonObject): boolean {
  if (list === "ephemeralContainers") return false;
  const container = objects(spec, list).find((one) => getString(one, "name") === name);
  // Of an init container that is gone from the spec nothing is known; the rules of the Pod hold.
  if (container === undefined && list === "containers") return false;
  const code = Number(getOwn(ended, "exitCode") ?? 0);
  for (const rule of objects(container, "restartPolicyRules")) {
    const values = getArray(rule, "exitCodes", "values");
    const isIn = getString(rule, "exitCodes", "operator") === "In";
    if (values.includes(code) === isIn) return true;
  }
  const policy = getString(container, "restartPolicy") || getString(spec, "restartPolicy");
  return policy === "Always" || (policy === "OnFailure" && code !== 0);
}

function validateClaims(pod: JsonObject, release: Release): FieldError[] {
  const known = objects(pod, "spec", "resourceClaims").map((claim) => getString(claim, "name"));
  const seen = new Set<string>();
  return objects(pod, "status", "resourceClaimStatuses").flatMap((status, index) => {
    const field = item("status.resourceClaimStatuses", index);
    const at = child(field, "name");
    const name = getString(status, "name");
    const errors: FieldError[] = [];
    if (!known.includes(name)) {
      const text = "must match the name of an entry in `spec.resourceClaims`";
      errors.push(invalidValue(at, name, text));
    }
    if (seen.has(name)) errors.push(duplicate(at, name));
    seen.add(name);
    const claim = getOwn(status, "resourceClaimName");
    if (typeof claim !== "string") return errors;
    const shown = release.has({ since: "1.36" }) ? child(field, "resourceClaimName") : at;
    return [...errors, ...dnsSubdomain(claim).map((text) => invalidValue(shown, claim, text))];
  });
}

function validateAddresses(next: JsonObject, old: JsonObject): FieldError[] {
  const errors: FieldError[] = [];
  for (const list of ["podIPs", "hostIPs"]) {
    const field = child("status", list);
    const all = (pod: JsonObject) =>
      objects(pod, "status", list).map((one) => getString(one, "ip"));
    const addresses = all(next);
    const [first] = addresses;
    if (
      list === "hostIPs" && first !== undefined && first !== getString(next, "status", "hostIP")
    ) {
      const text = "must be equal to `hostIP`";
      errors.push(invalidValue(child(item(field, 0), "ip"), first, text));
    }
    const before = all(old);
    addresses.forEach((ip, index) => {
      if (isLegacyIpAddress(ip) || before.includes(ip)) return;
      errors.push(invalidValue(item(field, index), ip, NO_IP_ADDRESS));
    });
    if (addresses.length < 2) continue;
    const wrong = addresses.findIndex((ip) => !isLegacyIpAddress(ip));
    if (wrong >= 0) {
      const why = `invalid IP[${wrong}]: ${addresses[wrong]}`;
      const text = `failed to check for dual stack with error:${why}`;
      errors.push({ reason: "InternalError", message: `Internal error: ${text}`, field });
    }
    const families = new Set(addresses.map((ip) => ip.includes(":")));
    if (wrong >= 0 || families.size < 2 || addresses.length > 2) {
      const text = "may specify no more than one IP for each IP family";
      errors.push(invalidValue(field, addresses.map((ip) => ({ ip })), text));
    }
  }
  return errors;
}
