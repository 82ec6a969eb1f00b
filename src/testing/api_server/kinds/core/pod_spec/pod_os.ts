import {
  byteLength,
  child,
  dnsSubdomain,
  type FieldError,
  forbiddenField,
  getArray,
  getObject,
  getOwn,
  getPath,
  getString,
  invalidValue,
  isObject,
  type JsonObject,
  notSupported,
  required,
} from "../../../../values/mod.ts";
import { placedContainers } from "./placed_containers.ts";

const WINDOWS_OPTIONS = ["securityContext", "windowsOptions"];

const MAX_GMSA_KIB = 64;
const MAX_DOMAIN = 256;
const MAX_USER = 104;
const MAX_LABEL = 63;
const DNS_LABEL = /^[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?$/;
const NETBIOS_DOMAIN = /^[^\\/:*?"<>|.][^\\/:*?"<>|]{0,14}$/;

/** Returns the errors of the options for Windows in a security context. */
export function validateWindowsOptions(context: JsonObject, field: string): FieldError[] {
  const options = getOwn(context, "windowsOptions");
  const at = child(field, "windowsOptions");
  if (!isObject(options)) return [];
  const invalid = (name: string, text: string) =>
    invalidValue(child(at, name), getOwn(options, name) ?? null, text);
  const errors: FieldError[] = [];
  const name = getOwn(options, "gmsaCredentialSpecName");
  if (typeof name === "string") {
    errors.push(...dnsSubdomain(name).map((text) => invalid("gmsaCredentialSpecName", text)));
  }
  const spec = getOwn(options, "gmsaCredentialSpec");
  if (spec === "") {
    errors.push(invalid("gmsaCredentialSpec", "gmsaCredentialSpec cannot be an empty string"));
  } else if (typeof spec === "string" && byteLength(spec) > MAX_GMSA_KIB * 1024) {
    const text = `gmsaCredentialSpec size must be under ${MAX_GMSA_KIB} KiB`;
    errors.push(invalid("gmsaCredentialSpec", text));
  }
  const user = getOwn(options, "runAsUserName");
  if (typeof user !== "string") return errors;
  return [...errors, ...userErrors(user).map((text) => invalid("runAsUserName", text))];
}

/** Returns why the name of a user on Windows is invalid. */
function userErrors(name: string): string[] {
  if (name === "") return ["runAsUserName cannot be an empty string"];
  // deno-lint-ignore no-control-regex
  if (/[\x00-\x1f\x7f]/.test(name)) return ["runAsUserName cannot contain control characters"];
  const parts = name.split("\\");
  if (parts.length > 2) return ["runAsUserName cannot contain more than one backslash"];
  const user = parts.at(-1)!;
  const domain = parts.length === 2 ? parts[0]! : undefined;
  const errors: string[] = [];
  if (domain !== undefined && byteLength(domain) >= MAX_DOMAIN) {
    errors.push(`runAsUserName's Domain length must be under ${MAX_DOMAIN} characters`);
  }
  if (domain !== undefined && !NETBIOS_DOMAIN.test(domain) && !isDnsDomain(domain)) {
    errors.push("runAsUserName's Domain doesn't match the NetBios nor the DNS format");
  }
  if (user === "") errors.push("runAsUserName's User cannot be empty");
  else if (byteLength(user) > MAX_USER) {
    errors.push(`runAsUserName's User length must not be longer than ${MAX_USER} characters`);
  }
  if (/^[. ]+$/.test(user)) {
    errors.push("runAsUserName's User cannot contain only periods or spaces");
  }
  if (/["/\\:;|=,+*?<>@[\]]/.test(user)) {
    errors.push(
      "runAsUserName's User cannot contain the following characters: \"/\\:;|=,+*?<>@[]",
    );
  }
  return errors;
}

/** Returns the errors of a Pod in which containers are processes of a Windows host. */
export function validateHostProcesses(spec: JsonObject, field: string): FieldError[] {
  const ofPod = getPath(spec, ...WINDOWS_OPTIONS, "hostProcess");
  const containers = placedContainers(spec, field);
  const errors: FieldError[] = [];
  const hosted = containers.filter(({ container, at }) => {
    const own = getPath(container, ...WINDOWS_OPTIONS, "hostProcess");
    if (typeof ofPod === "boolean" && typeof own === "boolean" && own !== ofPod) {
      const text = `pod hostProcess value must be identical if both are specified, was ${ofPod}`;
      errors.push(
        invalidValue(child(at, [...WINDOWS_OPTIONS, "hostProcess"].join(".")), own, text),
      );
    }
    return (own ?? ofPod) === true;
  });
  if (hosted.length === 0) return errors;
  if (hosted.length < containers.length) {
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

/** The fields that a Pod on Windows cannot have, in the order of a real server. */
const NOT_ON_WINDOWS = [
  "securityContext.appArmorProfile",
  "securityContext.seLinuxOptions",
  "hostUsers",
  "hostPID",
  "hostIPC",
  "securityContext.seccompProfile",
  "securityContext.fsGroup",
  "securityContext.fsGroupChangePolicy",
  "securityContext.sysctls",
  "shareProcessNamespace",
  "securityContext.runAsUser",
  "securityContext.runAsGroup",
  "securityContext.supplementalGroups",
  "securityContext.supplementalGroupsPolicy",
  "securityContext.seLinuxChangePolicy",
];

/** The fields of a security context that a container on Windows cannot have. */
const NOT_IN_WINDOWS = [
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

/** Returns the errors of the operating system of a Pod, and of fields that it does not have. */
export function validateOs(spec: JsonObject, field: string): FieldError[] {
  const os = getOwn(spec, "os");
  if (!isObject(os)) return [];
  const at = child(field, "os");
  const name = getString(os, "name");
  if (name === "") return [required(child(at, "name"))];
  if (name !== "linux" && name !== "windows") return [notSupported(at, name, ["linux", "windows"])];
  const containers = placedContainers(spec, field);
  if (name === "linux") {
    return [{ container: spec, at: field }, ...containers]
      .filter((one) => isObject(getPath(one.container, ...WINDOWS_OPTIONS)))
      .map((one) =>
        forbiddenField(
          child(one.at, WINDOWS_OPTIONS.join(".")),
          "windows options cannot be set for a linux pod",
        )
      );
  }
  const refuse = (where: string) => forbiddenField(where, "cannot be set for a windows pod");
  const isSet = (path: string) => {
    const value = getPath(spec, ...path.split("."));
    if (path === "hostPID" || path === "hostIPC") return value === true;
    if (path.endsWith(".sysctls")) return getArray(value).length > 0;
    return value !== undefined && value !== null;
  };
  return [
    ...NOT_ON_WINDOWS.filter(isSet).map((path) => refuse(child(field, path))),
    ...containers.flatMap(({ container, at: place }) => {
      const context = getObject(container, "securityContext");
      return NOT_IN_WINDOWS.filter((key) => (getOwn(context, key) ?? null) !== null)
        .map((key) => refuse(child(child(place, "securityContext"), key)));
    }),
  ];
}

function isDnsDomain(domain: string): boolean {
  return domain.split(".").every((label) => label.length <= MAX_LABEL && DNS_LABEL.test(label));
}
