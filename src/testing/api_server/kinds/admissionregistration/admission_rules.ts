import { aloneErrors } from "../shared/mod.ts";
import {
  child,
  type FieldError,
  getArray,
  getOwn,
  invalidValue,
  item,
  type Json,
  type JsonObject,
  notSupported,
  required,
} from "../../../values/mod.ts";

const OPERATIONS = ["*", "CONNECT", "CREATE", "DELETE", "UPDATE"];
const SCOPES = ["*", "Cluster", "Namespaced"];

/** Returns the errors of a rule about the requests that an admission webhook or policy sees. */
export function validateRule(rule: JsonObject, field: string): FieldError[] {
  const operations = getArray(rule, "operations");
  const errors = listErrors(operations, child(field, "operations"), "operations");
  operations.forEach((operation, index) => {
    if (OPERATIONS.includes(String(operation))) return;
    const at = item(child(field, "operations"), index);
    errors.push(notSupported(at, String(operation), OPERATIONS));
  });
  const groups = getArray(rule, "apiGroups");
  const versions = getArray(rule, "apiVersions");
  errors.push(...listErrors(groups, child(field, "apiGroups"), "API groups"));
  errors.push(...listErrors(versions, child(field, "apiVersions"), "API versions"));
  versions.forEach((version, index) => {
    if (version === "") errors.push(required(item(child(field, "apiVersions"), index)));
  });
  errors.push(...validateResources(getArray(rule, "resources"), child(field, "resources")));
  const scope = getOwn(rule, "scope");
  if (typeof scope === "string" && !SCOPES.includes(scope)) {
    errors.push(notSupported(child(field, "scope"), scope, SCOPES));
  }
  return errors;
}

/** Returns the errors of a list that must not be empty, and in which `*` must be alone. */
function listErrors(values: readonly Json[], field: string, what: string): FieldError[] {
  return values.length === 0 ? [required(field)] : aloneErrors(values, field, what);
}

function validateResources(resources: readonly Json[], field: string): FieldError[] {
  if (resources.length === 0) return [required(field)];
  const errors: FieldError[] = [];
  const wholeResources = new Set<string>();
  const wholeSubresources = new Set<string>();
  let plain = false;
  resources.forEach((value, index) => {
    const text = String(value);
    if (text === "") {
      errors.push(required(item(field, index)));
      return;
    }
    const slash = text.indexOf("/");
    if (slash < 0) {
      plain = text !== "*";
      return;
    }
    const [resource, subresource] = [text.slice(0, slash), text.slice(slash + 1)];
    const covered = (by: string) =>
      invalidValue(item(field, index), text, `if '${by}' is present, must not specify ${text}`);
    if (wholeResources.has(resource)) errors.push(covered(`${resource}/*`));
    if (wholeSubresources.has(subresource)) errors.push(covered(`*/${subresource}`));
    if (subresource === "*") wholeResources.add(resource);
    if (resource === "*") wholeSubresources.add(subresource);
  });
  if (resources.length > 1 && resources.includes("*/*")) {
    const detail = "if '*/*' is present, must not specify other resources";
    errors.push(invalidValue(field, resources as Json, detail));
  }
  if (resources.includes("*") && plain) {
    const detail = "if '*' is present, must not specify other resources without subresources";
    errors.push(invalidValue(field, resources as Json, detail));
  }
  return errors;
}
