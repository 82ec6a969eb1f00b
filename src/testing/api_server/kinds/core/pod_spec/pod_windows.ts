import {
  child,
  dnsSubdomain,
  type FieldError,
  forbiddenField,
  getArray,
  getOwn,
  getPath,
  getString,
  invalidValue,
  isObject,
  type JsonObject,
  notSupported,
  required,
} from "../../../../values/mod.ts";
import { type PlacedContainer, placedContainers } from "./placed_containers.ts";

const MAX_SPEC_KIB = 64;
const MAX_DOMAIN = 256;
const MAX_USER = 104;
const NET_BIOS = /^[^\\/:*?"<>|.][^\\/:*?"<>|]{0,14}$/;
const DNS_PART = /^[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?$/;
const NOT_FOR_WINDOWS = "cannot be set for a windows pod";

/** The fields of the security context of a Pod that Windows does not have. */
const POD_FIELDS = [
  "appArmorProfile",
  "seLinuxOptions",
  "/hostUsers",
  "/hostPID",
  "/hostIPC",
  "seccompProfile",
  "fsGroup",
  "fsGroupChangePolicy",
  "sysctls",
  "/shareProcessNamespace",
  "runAsUser",
  "runAsGroup",
  "supplementalGroups",
  "supplementalGroupsPolicy",
  "seLinuxChangePolicy",
];

/** The fields of the security context of a container that Windows does not have. */
const CONTAINER_FIELDS = [
  "appArmorProfile",
  "seLinuxOptions",
  "seccompProfile",
  "capabilities",
  "readOnlyRootFilesystem",
  "privileged",
  "allowPrivilegeEscalation",
  "procMount",
  "runAsUser",
  "runAsGroup",
];

/** Returns the errors of the options for Windows in a security context. */
export function validateWindowsOptions(context: JsonObject, field: string): FieldError[] {
  const options = getOwn(context, "windowsOptions");
  const at = child(field, "windowsOptions");
  if (!isObject(options)) return [];
  const errors: FieldError[] = [];
  const name = getOwn(options, "gmsaCredentialSpecName");
  if (typeof name === "string") {
    const where = child(at, "gmsaCredentialSpecName");
    errors.push(...dnsSubdomain(name).map((text) => invalidValue(where, name, text)));
  }
  const spec = getOwn(options, "gmsaCredentialSpec");
  if (typeof spec === "string") {
    const refuse = (text: string) =>
      errors.push(
        invalidValue(child(at, "gmsaCredentialSpec"), spec, `gmsaCredentialSpec ${text}`),
      );
    if (spec === "") refuse("cannot be an empty string");
    else if (spec.length > MAX_SPEC_KIB * 1024) refuse(`size must be under ${MAX_SPEC_KIB} KiB`);
  }
  const user = getOwn(options, "runAsUserName");
  if (typeof user === "string") {
    const where = child(at, "runAsUserName");
    errors.push(
      ...userErrors(user).map((text) => invalidValue(where, user, `runAsUserName${text}`)),
    );
  }
  return errors;
}

function userErrors(name: string): string[] {
  if (name === "") return [" cannot be an empty string"];
  // deno-lint-ignore no-control-regex
  if (/[\x00-\x1f\x7f]/.test(name)) return [" cannot contain control characters"];
  const parts = name.split("\\");
  if (parts.length > 2) return [" cannot contain more than one backslash"];
  const user = parts.at(-1)!;
  const domain = parts.length === 2 ? parts[0] : undefined;
  const errors: string[] = [];
  if (domain !== undefined && domain.length >= MAX_DOMAIN) {
    errors.push(`'s Domain length must be under ${MAX_DOMAIN} characters`);
  }
  if (
    domain !== undefined && !NET_BIOS.test(domain) &&
    !domain.split(".").every((part) => DNS_PART.test(part))
  ) errors.push("'s Domain doesn't match the NetBios nor the DNS format");
  if (user === "") errors.push("'s User cannot be empty");
  else if (user.length > MAX_USER) {
    errors.push(`'s User length must not be longer than ${MAX_USER} characters`);
  }
  if (/^[. ]+$/.test(user)) errors.push("'s User cannot contain only periods or spaces");
  if (/["/\\:;|=,+*?<>@[\]]/.test(user)) {
    errors.push(`'s User cannot contain the following characters: "/\\:;|=,+*?<>@[]`);
  }
  return errors;
}

/** Returns the errors of a Pod with containers that run as processes of a Windows node. */
export function validateHostProcess(spec: JsonObject, field: string): FieldError[] {
  const ofPod = getPath(spec, "securityContext", "windowsOptions", "hostProcess");
  const containers = placedContainers(spec, field);
  const errors: FieldError[] = [];
  let count = 0;
  for (const { container, at } of containers) {
    const own = getPath(container, "securityContext", "windowsOptions", "hostProcess");
    if (typeof ofPod === "boolean" && typeof own === "boolean" && own !== ofPod) {
      const text = `pod hostProcess value must be identical if both are specified, was ${ofPod}`;
      const where = child(at, "securityContext.windowsOptions.hostProcess");
      errors.push(invalidValue(where, own, text));
    }
    if ((own ?? ofPod) === true) count++;
  }
  if (count === 0) return errors;
  if (count !== containers.length) {
    const text =
      "If pod contains any hostProcess containers then all containers must be HostProcess containers";
    errors.push(invalidValue(field, "", text));
  }
  if (getOwn(spec, "hostNetwork") !== true) {
    const text = "hostNetwork must be true if pod contains any hostProcess containers";
    errors.push(invalidValue(child(field, "hostNetwork"), false, text));
  }
  return errors;
}

/** Returns the errors of the operating system of a Pod, and of fields that it does not have. */
export function validateOs(spec: JsonObject, field: string): FieldError[] {
  const os = getOwn(spec, "os");
  if (!isObject(os)) return [];
  const name = getString(os, "name");
  const at = child(field, "os");
  if (name === "") return [required(child(at, "name"))];
  if (name !== "linux" && name !== "windows") return [notSupported(at, name, ["linux", "windows"])];
  const containers = placedContainers(spec, field);
  return name === "linux"
    ? validateLinux(spec, field, containers)
    : validateWindows(spec, field, containers);
}

function validateLinux(
  spec: JsonObject,
  field: string,
  containers: readonly PlacedContainer[],
): FieldError[] {
  const all = [{ container: spec, at: field }, ...containers];
  return all
    .filter(({ container }) => isObject(getPath(container, "securityContext", "windowsOptions")))
    .map(({ at }) => {
      const where = child(at, "securityContext.windowsOptions");
      return forbiddenField(where, "windows options cannot be set for a linux pod");
    });
}

function validateWindows(
  spec: JsonObject,
  field: string,
  containers: readonly PlacedContainer[],
): FieldError[] {
  const given = (object: JsonObject, name: string) => {
    const value = getPath(object, ...name.split("."));
    if (name === "hostPID" || name === "hostIPC") return value === true;
    if (name.endsWith("sysctls")) return getArray(object, ...name.split(".")).length > 0;
    return value !== undefined && value !== null;
  };
  const check = (object: JsonObject, at: string, names: readonly string[]) =>
    names.map((name) => name.startsWith("/") ? name.slice(1) : `securityContext.${name}`)
      .filter((name) => given(object, name))
      .map((name) => forbiddenField(child(at, name), NOT_FOR_WINDOWS));
  return [
    ...check(spec, field, POD_FIELDS),
    ...containers.flatMap(({ container, at }) => check(container, at, CONTAINER_FIELDS)),
  ];
}
