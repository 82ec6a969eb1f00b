import {
  child,
  type FieldError,
  getString,
  invalidValue,
  type JsonObject,
  notSupported,
  qualifiedName,
  required,
} from "../../../../values/mod.ts";
import { canonical } from "./resources.ts";

/** The fields of a Pod that the downward API can name without a subscript. */
const LABELED: ReadonlySet<string> = new Set([
  "metadata.annotations",
  "metadata.labels",
  "metadata.name",
  "metadata.namespace",
  "metadata.uid",
  "spec.nodeName",
  "spec.restartPolicy",
  "spec.schedulerName",
  "spec.serviceAccountName",
  "status.hostIP",
  "status.hostIPs",
  "status.phase",
  "status.podIP",
  "status.podIPs",
]);

const RESOURCES = [
  "limits.cpu",
  "limits.ephemeral-storage",
  "limits.memory",
  "requests.cpu",
  "requests.ephemeral-storage",
  "requests.memory",
];

const BYTE_DIVISORS = "1, 1k, 1M, 1G, 1T, 1P, 1E, 1Ki, 1Mi, 1Gi, 1Ti, 1Pi, 1Ei";

/** The divisors of each resource, and how errors call the resource. */
const DIVISORS: readonly (readonly [match: RegExp, name: string])[] = [
  [/^(?:limits|requests)\.memory$/, "memory"],
  [/^(?:limits|requests)\.ephemeral-storage$/, "local ephemeral storage"],
  [/^(?:limits|requests)\.hugepages-/, "hugepages"],
];

/** Returns the errors of a reference to a field of the Pod. `allowed` are the fields that can be named. */
export function validateFieldRef(
  reference: JsonObject,
  field: string,
  allowed: readonly string[],
): FieldError[] {
  const version = getString(reference, "apiVersion");
  if (version === "") return [required(child(field, "apiVersion"))];
  const path = getString(reference, "fieldPath");
  const at = child(field, "fieldPath");
  if (path === "") return [required(at)];
  const refuse = (why: string) => [invalidValue(at, path, `error converting fieldPath: ${why}`)];
  if (version !== "v1") return refuse(`unsupported pod version: ${version}`);
  const subscript = path.endsWith("']") ? path.lastIndexOf("['", path.length - 3) : -1;
  if (subscript > 0) {
    const base = path.slice(0, subscript);
    const key = path.slice(subscript + 2, -2);
    if (base === "metadata.annotations") return keyErrors(key.toLowerCase(), field);
    if (base === "metadata.labels") return keyErrors(key, field);
    return refuse(`field label does not support subscript: ${path}`);
  }
  if (!LABELED.has(path)) return refuse(`field label not supported: ${path}`);
  return allowed.includes(path) ? [] : [notSupported(at, path, allowed)];
}

function keyErrors(key: string, field: string): FieldError[] {
  return qualifiedName(key).map((text) => invalidValue(field, key, text));
}

/** Returns the errors of a reference to a resource of a container, which a volume must name. */
export function validateResourceRef(
  reference: JsonObject,
  field: string,
  isVolume: boolean,
): FieldError[] {
  const resource = getString(reference, "resource");
  const errors: FieldError[] = [];
  if (isVolume && getString(reference, "containerName") === "") {
    errors.push(required(child(field, "containerName")));
  } else if (resource === "") errors.push(required(child(field, "resource")));
  else if (!RESOURCES.includes(resource) && !/^(?:limits|requests)\.hugepages-/.test(resource)) {
    errors.push(notSupported(child(field, "resource"), resource, RESOURCES));
  }
  const divisor = canonical(getString(reference, "divisor") || "0");
  if (divisor === "0") return errors;
  if (resource === "limits.cpu" || resource === "requests.cpu") {
    if (divisor === "1m" || divisor === "1") return errors;
    const text = "only divisor's values 1m and 1 are supported with the cpu resource";
    return [...errors, invalidValue(child(field, "divisor"), resource, text)];
  }
  const name = DIVISORS.find(([match]) => match.test(resource))?.[1];
  if (name === undefined || BYTE_DIVISORS.split(", ").includes(divisor)) return errors;
  const text = `only divisor's values ${BYTE_DIVISORS} are supported with the ${name} resource`;
  return [...errors, invalidValue(child(field, "divisor"), resource, text)];
}
