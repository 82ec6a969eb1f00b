import {
  child,
  duplicate,
  type FieldError,
  forbiddenField,
  getArray,
  getObject,
  getOwn,
  getString,
  invalidValue,
  isNumber,
  isObject,
  item,
  type Json,
  type JsonObject,
  notSupported,
  required,
  tooLong,
} from "../../../../values/mod.ts";
import type { Release } from "../../../release/mod.ts";
import { descendingPath, objects } from "../../shared/mod.ts";
import { placedContainers } from "./placed_containers.ts";
import { validateWindowsOptions } from "./pod_os.ts";

const MAX_INT32 = 2_147_483_647;
const PROFILE_TYPES = ["Localhost", "RuntimeDefault", "Unconfined"];
const MAX_PROFILE_BYTES = 4095;
const MAX_SYSCTL = 253;
const SYSCTL_TEXT = "^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$";

/** Returns the errors of the security context of a Pod. */
export function validatePodSecurity(
  spec: JsonObject,
  field: string,
  release: Release,
): FieldError[] {
  const context = getObject(spec, "securityContext");
  const at = child(field, "securityContext");
  const isLast = release.has({ since: "1.37" });
  const errors: FieldError[] = [];
  for (const name of ["fsGroup", "runAsUser", "runAsGroup"]) {
    errors.push(...idErrors(getOwn(context, name), child(at, name)));
  }
  getArray(context, "supplementalGroups").forEach((group, index) =>
    errors.push(...idErrors(group, item(child(at, "supplementalGroups"), index)))
  );
  if (!isLast) errors.push(...shareErrors(spec, at));
  errors.push(...validateSysctls(spec, objects(context, "sysctls"), child(at, "sysctls")));
  errors.push(...choice(context, at, "fsGroupChangePolicy", ["Always", "OnRootMismatch"]));
  errors.push(...validateSeccomp(context, at));
  errors.push(...validateWindowsOptions(context, at));
  errors.push(...validateAppArmor(context, at));
  errors.push(...choice(context, at, "supplementalGroupsPolicy", ["Merge", "Strict"]));
  const isMounted = release.isOn("SELinuxMount");
  const changes = [...(isMounted ? ["MountOption"] : []), "Recursive"];
  errors.push(...choice(context, at, "seLinuxChangePolicy", changes));
  return isLast ? [...errors, ...shareErrors(spec, field)] : errors;
}

/** Returns the error of a Pod whose containers share processes, with each other and with the host. */
function shareErrors(spec: JsonObject, field: string): FieldError[] {
  if (getOwn(spec, "shareProcessNamespace") !== true || getOwn(spec, "hostPID") !== true) return [];
  const text = "ShareProcessNamespace and HostPID cannot both be enabled";
  return [invalidValue(child(field, "shareProcessNamespace"), true, text)];
}

function idErrors(value: Json | undefined, field: string): FieldError[] {
  if (!isNumber(value) || (value >= 0 && value <= MAX_INT32)) return [];
  return [invalidValue(field, value, `must be between 0 and ${MAX_INT32}, inclusive`)];
}

function choice(
  context: JsonObject,
  field: string,
  name: string,
  known: readonly string[],
): FieldError[] {
  const value = getOwn(context, name);
  if (typeof value !== "string" || known.includes(value)) return [];
  return [notSupported(child(field, name), value, known)];
}

function validateSysctls(
  spec: JsonObject,
  sysctls: readonly JsonObject[],
  field: string,
): FieldError[] {
  const names = new Set<string>();
  return sysctls.flatMap((sysctl, index) => {
    const at = child(item(field, index), "name");
    const name = getString(sysctl, "name");
    const errors: FieldError[] = [];
    if (name === "") errors.push(required(at));
    else if (!isSysctl(name)) {
      const text = `must have at most ${MAX_SYSCTL} characters and match regex ${SYSCTL_TEXT}`;
      errors.push(invalidValue(at, name, text));
    } else if (names.has(name)) errors.push(duplicate(at, name));
    names.add(name);
    const shared = namespaceOf(name.replaceAll("/", "."));
    if (shared !== undefined && getOwn(spec, shared) === true) {
      errors.push(invalidValue(at, name, `may not be specified when '${shared}' is true`));
    }
    return errors;
  });
}

/** Matches the kernel parameters of the namespace for communication between processes. */
const IPC_SYSCTL = /^kernel\.(sem|shm(all|max|mni|_rmid_forced)?|msg(max|mnb|mni)?)$|^fs\.mqueue\./;

/** Returns the field that gives a Pod the namespace of its host to which a kernel parameter belongs. */
function namespaceOf(sysctl: string): "hostIPC" | "hostNetwork" | undefined {
  if (sysctl.startsWith("net.")) return "hostNetwork";
  return IPC_SYSCTL.test(sysctl) ? "hostIPC" : undefined;
}

function isSysctl(name: string): boolean {
  return name.length <= MAX_SYSCTL &&
    name.split(/[./]/).every((part) => /^[a-z0-9](?:[-_a-z0-9]*[a-z0-9])?$/.test(part));
}

/**
 * Returns the errors of the security context of a container.
 *
 * @param hostUsers Whether the Pod has the users of its host.
 */
export function validateContainerSecurity(
  container: JsonObject,
  field: string,
  hostUsers: boolean,
): FieldError[] {
  const context = getOwn(container, "securityContext");
  const at = child(field, "securityContext");
  if (!isObject(context)) return [];
  const errors = [
    ...idErrors(getOwn(context, "runAsUser"), child(at, "runAsUser")),
    ...idErrors(getOwn(context, "runAsGroup"), child(at, "runAsGroup")),
    ...choice(context, at, "procMount", ["Default", "Unmasked"]),
  ];
  if (hostUsers && getOwn(context, "procMount") === "Unmasked") {
    const text = "`hostUsers` must be false to use `Unmasked`";
    errors.push(invalidValue(child(at, "procMount"), "Unmasked", text));
  }
  errors.push(...validateSeccomp(context, at));
  if (getOwn(context, "allowPrivilegeEscalation") === false) {
    const refuse = (what: string) => {
      const text = `cannot set \`allowPrivilegeEscalation\` to false and ${what}`;
      errors.push(invalidValue(at, context, text));
    };
    if (getOwn(context, "privileged") === true) refuse("`privileged` to true");
    for (const capability of getArray(context, "capabilities", "add")) {
      if (capability === "CAP_SYS_ADMIN") refuse("`capabilities.Add` CAP_SYS_ADMIN");
    }
  }
  return [...errors, ...validateWindowsOptions(context, at), ...validateAppArmor(context, at)];
}

/** Returns the errors of a Pod with users of its own, which cannot share other namespaces of its host. */
export function validateHostUsers(spec: JsonObject, field: string): FieldError[] {
  if (getOwn(spec, "hostUsers") !== false) return [];
  const refuse = (name: string) => forbiddenField(child(field, name), "when `hostUsers` is false");
  const shared = [["hostNetwork", "hostNetwork"], ["hostPID", "HostPID"], ["hostIPC", "HostIPC"]];
  return [
    ...shared.filter(([name]) => getOwn(spec, name!) === true).map(([, shown]) => refuse(shown!)),
    ...placedContainers(spec, field)
      .filter(({ container }) => getArray(container, "volumeDevices").length > 0)
      .map(({ at }) => forbiddenField(child(at, "volumeDevices"), "when `hostUsers` is false")),
  ];
}

function validateSeccomp(context: JsonObject, field: string): FieldError[] {
  const profile = getOwn(context, "seccompProfile");
  const at = child(field, "seccompProfile");
  if (!isObject(profile)) return [];
  const type = getString(profile, "type");
  const local = getOwn(profile, "localhostProfile");
  const errors = type === ""
    ? [required(child(at, "type"), "type is required when seccompProfile is set")]
    : PROFILE_TYPES.includes(type)
    ? []
    : [notSupported(child(at, "type"), type, PROFILE_TYPES)];
  const where = child(at, "localhostProfile");
  if (type !== "Localhost") {
    if (typeof local !== "string") return errors;
    const text = "can only be set when seccomp type is Localhost";
    return [...errors, invalidValue(where, profile, text)];
  }
  if (typeof local === "string") return [...errors, ...descendingPath(local, where)];
  return [...errors, required(where, "must be set when seccomp type is Localhost")];
}

/** Returns the errors of the AppArmor profile of a security context. */
function validateAppArmor(context: JsonObject, field: string): FieldError[] {
  const profile = getOwn(context, "appArmorProfile");
  const at = child(field, "appArmorProfile");
  if (!isObject(profile)) return [];
  const type = getString(profile, "type");
  if (type === "") {
    return [required(child(at, "type"), "type is required when appArmorProfile is set")];
  }
  if (!PROFILE_TYPES.includes(type)) return [notSupported(child(at, "type"), type, PROFILE_TYPES)];
  const local = getOwn(profile, "localhostProfile");
  const where = child(at, "localhostProfile");
  if (type !== "Localhost") {
    if (typeof local !== "string") return [];
    return [invalidValue(where, local, "can only be set when AppArmor type is Localhost")];
  }
  if (typeof local !== "string" || local === "") {
    return [required(where, "must be set when AppArmor type is Localhost")];
  }
  const errors = local === local.trim()
    ? []
    : [invalidValue(where, local, "must not be padded with whitespace")];
  return local.length > MAX_PROFILE_BYTES ? [...errors, tooLong(where, MAX_PROFILE_BYTES)] : errors;
}
