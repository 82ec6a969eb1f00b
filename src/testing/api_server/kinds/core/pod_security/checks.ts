import { getArray, getObject, getOwn, getString, type JsonObject } from "../../../../values/mod.ts";
import { objects } from "../../shared/mod.ts";
import { appArmor, handlerHosts, seLinux } from "./profiles.ts";
import {
  type Check,
  containers,
  containersOf,
  ifAny,
  named,
  quoted,
  security,
  setters,
  several,
  type Subject,
  unique,
  type Violation,
} from "./subject.ts";

const CAPABILITIES = [
  "AUDIT_WRITE",
  "CHOWN",
  "DAC_OVERRIDE",
  "FOWNER",
  "FSETID",
  "KILL",
  "MKNOD",
  "NET_BIND_SERVICE",
  "SETFCAP",
  "SETGID",
  "SETPCAP",
  "SETUID",
  "SYS_CHROOT",
];

/** The sysctls that a Pod may set, with the minor version of Kubernetes since which it may. */
const SYSCTLS: ReadonlyMap<string, number> = new Map([
  ["kernel.shm_rmid_forced", 0],
  ["net.ipv4.ip_local_port_range", 0],
  ["net.ipv4.ip_local_reserved_ports", 27],
  ["net.ipv4.ip_unprivileged_port_start", 0],
  ["net.ipv4.ping_group_range", 0],
  ["net.ipv4.tcp_fin_timeout", 29],
  ["net.ipv4.tcp_keepalive_intvl", 29],
  ["net.ipv4.tcp_keepalive_probes", 29],
  ["net.ipv4.tcp_keepalive_time", 29],
  ["net.ipv4.tcp_rmem", 32],
  ["net.ipv4.tcp_syncookies", 0],
  ["net.ipv4.tcp_wmem", 32],
]);

/** The minor version since which Pods with their own user namespace may break some rules. */
const USER_NAMESPACES = 35;

const SAFE_VOLUMES = [
  "configMap",
  "csi",
  "downwardAPI",
  "emptyDir",
  "ephemeral",
  "image",
  "persistentVolumeClaim",
  "projected",
  "secret",
];

const BASELINE: readonly Check[] = [
  appArmor,
  addedCapabilities,
  hostNamespaces,
  hostPaths,
  hostPorts,
  handlerHosts,
  privileged,
  procMount,
  seLinux,
  badSeccomp,
  sysctls,
  hostProcess,
];

const RESTRICTED: readonly Check[] = [
  appArmor,
  hostNamespaces,
  hostPorts,
  handlerHosts,
  privileged,
  procMount,
  seLinux,
  sysctls,
  hostProcess,
  privilegeEscalation,
  restrictedCapabilities,
  volumeTypes,
  rootAllowed,
  rootUser,
  restrictedSeccomp,
];

/**
 * Returns the violations of a level of the Pod Security Standards in a Pod.
 *
 * @param version The version of the standards: `latest`, or one as `v1.30`.
 */
export function violations(level: string, version: string, pod: JsonObject): Violation[] {
  const checks = level === "restricted" ? RESTRICTED : level === "baseline" ? BASELINE : [];
  const subject: Subject = {
    annotations: getObject(pod, "metadata", "annotations"),
    minor: version === "latest" ? Infinity : Number(version.replace("v1.", "")),
  };
  const spec = getObject(pod, "spec");
  return checks.map((check) => check(spec, subject)).filter((one) => one !== undefined);
}

function hostNamespaces(spec: JsonObject): Violation | undefined {
  const used = ["hostNetwork", "hostPID", "hostIPC"].filter((name) => getOwn(spec, name) === true);
  if (used.length === 0) return undefined;
  return { reason: "host namespaces", detail: used.map((name) => `${name}=true`).join(", ") };
}

function privileged(spec: JsonObject): Violation | undefined {
  const names = named(spec, (one) => getOwn(security(one), "privileged") === true);
  return ifAny(names, "privileged", (all) => `${all} must not set securityContext.privileged=true`);
}

function added(container: JsonObject): string[] {
  return getArray(security(container), "capabilities", "add").map(String);
}

function addedCapabilities(spec: JsonObject): Violation | undefined {
  const bad = (one: JsonObject) => added(one).filter((name) => !CAPABILITIES.includes(name));
  const list = quoted(unique(containersOf(spec).flatMap(bad)));
  return ifAny(
    named(spec, (one) => bad(one).length > 0),
    "non-default capabilities",
    (all) => `${all} must not include ${list} in securityContext.capabilities.add`,
  );
}

function restrictedCapabilities(spec: JsonObject): Violation | undefined {
  const bad = (one: JsonObject) => added(one).filter((name) => name !== "NET_BIND_SERVICE");
  const kept = named(
    spec,
    (one) => !getArray(security(one), "capabilities", "drop").includes("ALL"),
  );
  const adding = named(spec, (one) => bad(one).length > 0);
  const details: string[] = [];
  if (kept.length > 0) {
    details.push(`${containers(kept)} must set securityContext.capabilities.drop=["ALL"]`);
  }
  if (adding.length > 0) {
    const list = quoted(unique(containersOf(spec).flatMap(bad)));
    details.push(
      `${containers(adding)} must not include ${list} in securityContext.capabilities.add`,
    );
  }
  if (details.length === 0 || isWindows(spec)) return undefined;
  return { reason: "unrestricted capabilities", detail: details.join("; ") };
}

function hostPaths(spec: JsonObject): Violation | undefined {
  const names = objects(spec, "volumes").filter((one) => getOwn(one, "hostPath") !== undefined)
    .map((one) => getString(one, "name"));
  if (names.length === 0) return undefined;
  return { reason: "hostPath volumes", detail: `${several("volume", names)} ${quoted(names)}` };
}

function volumeTypes(spec: JsonObject): Violation | undefined {
  const typeOf = (volume: JsonObject) => Object.keys(volume).find((name) => name !== "name") ?? "";
  const bad = objects(spec, "volumes").filter((one) => !SAFE_VOLUMES.includes(typeOf(one)));
  if (bad.length === 0) return undefined;
  const names = bad.map((one) => getString(one, "name"));
  const types = unique(bad.map(typeOf));
  return {
    reason: "restricted volume types",
    detail: `${several("volume", names)} ${quoted(names)} ${names.length === 1 ? "uses" : "use"} ` +
      `${several("restricted volume type", types)} ${quoted(types)}`,
  };
}

function hostPorts(spec: JsonObject): Violation | undefined {
  const ports = (one: JsonObject) =>
    objects(one, "ports").map((port) => Number(getOwn(port, "hostPort") ?? 0))
      .filter((port) => port !== 0).map(String);
  const names = named(spec, (one) => ports(one).length > 0);
  const used = unique(containersOf(spec).flatMap(ports));
  const use = names.length === 1 ? "uses" : "use";
  return ifAny(
    names,
    "hostPort",
    (all) => `${all} ${use} ${several("hostPort", used)} ${used.join(", ")}`,
  );
}

function procMount(spec: JsonObject, { minor }: Subject): Violation | undefined {
  if (isContained(spec, minor)) return undefined;
  const mount = (one: JsonObject) => getString(security(one), "procMount");
  const names = named(spec, (one) => !["", "Default"].includes(mount(one)));
  const used = unique(
    containersOf(spec).map(mount).filter((one) => !["", "Default"].includes(one)),
  );
  return ifAny(
    names,
    "procMount",
    (all) => `${all} must not set securityContext.procMount to ${quoted(used)}`,
  );
}

function sysctls(spec: JsonObject, { minor }: Subject): Violation | undefined {
  const bad = objects(spec, "securityContext", "sysctls").map((one) => getString(one, "name"))
    .filter((name) => !isKnownSysctl(name, minor));
  return bad.length === 0 ? undefined : { reason: "forbidden sysctls", detail: bad.join(", ") };
}

function isKnownSysctl(name: string, minor: number): boolean {
  const since = SYSCTLS.get(name);
  return since !== undefined && since <= minor;
}

function hostProcess(spec: JsonObject): Violation | undefined {
  const bad = setters(
    spec,
    (context) => getOwn(getObject(context, "windowsOptions"), "hostProcess") === true,
  );
  if (bad === "") return undefined;
  const detail = `${bad} must not set securityContext.windowsOptions.hostProcess=true`;
  return { reason: "hostProcess", detail };
}

function privilegeEscalation(spec: JsonObject): Violation | undefined {
  if (isWindows(spec)) return undefined;
  return ifAny(
    named(spec, (one) => getOwn(security(one), "allowPrivilegeEscalation") !== false),
    "allowPrivilegeEscalation != false",
    (all) => `${all} must set securityContext.allowPrivilegeEscalation=false`,
  );
}

function rootAllowed(spec: JsonObject, { minor }: Subject): Violation | undefined {
  if (isContained(spec, minor)) return undefined;
  const reason = "runAsNonRoot != true";
  const bad = setters(spec, (context) => getOwn(context, "runAsNonRoot") === false);
  if (bad !== "") {
    return { reason, detail: `${bad} must not set securityContext.runAsNonRoot=false` };
  }
  if (getOwn(security(spec), "runAsNonRoot") === true) return undefined;
  const names = named(spec, (one) => getOwn(security(one), "runAsNonRoot") === undefined);
  return ifAny(names, reason, (all) => `pod or ${all} must set securityContext.runAsNonRoot=true`);
}

function rootUser(spec: JsonObject, { minor }: Subject): Violation | undefined {
  if (isContained(spec, minor)) return undefined;
  const bad = setters(spec, (context) => getOwn(context, "runAsUser") === 0);
  if (bad === "") return undefined;
  return { reason: "runAsUser=0", detail: `${bad} must not set runAsUser=0` };
}

function badSeccomp(spec: JsonObject): Violation | undefined {
  const type = (context: JsonObject) => getString(context, "seccompProfile", "type");
  const isBad = (context: JsonObject) =>
    !["", "Localhost", "RuntimeDefault"].includes(type(context));
  const bad = setters(spec, isBad);
  if (bad === "") return undefined;
  const used = [security(spec), ...containersOf(spec).map(security)].filter(isBad).map(type);
  return {
    reason: "seccompProfile",
    detail: `${bad} must not set securityContext.seccompProfile.type to ${quoted(unique(used))}`,
  };
}

function restrictedSeccomp(spec: JsonObject): Violation | undefined {
  if (isWindows(spec)) return undefined;
  const bad = badSeccomp(spec);
  if (bad !== undefined) return bad;
  const isSet = (context: JsonObject) => getString(context, "seccompProfile", "type") !== "";
  if (isSet(security(spec))) return undefined;
  return ifAny(
    named(spec, (one) => !isSet(security(one))),
    "seccompProfile",
    (all) =>
      `pod or ${all} must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"`,
  );
}

function isWindows(spec: JsonObject): boolean {
  return getString(spec, "os", "name") === "windows";
}

/** Reports whether a Pod has its own user namespace, so that its root is not root on the node. */
function isContained(spec: JsonObject, minor: number): boolean {
  return minor >= USER_NAMESPACES && getOwn(spec, "hostUsers") === false;
}
