import { getObject, getOwn, getString, isObject, type JsonObject } from "../../../../values/mod.ts";
import { APP_ARMOR } from "../pod_spec/mod.ts";
import {
  containers,
  containersOf,
  named,
  quoted,
  security,
  setters,
  several,
  type Subject,
  unique,
  type Violation,
} from "./subject.ts";

const APP_ARMOR_TYPES = ["", "RuntimeDefault", "Localhost"];
const SELINUX_TYPES = ["", "container_t", "container_init_t", "container_kvm_t"];

/** The minor version since which a Pod may have the SELinux type of a container engine. */
const ENGINE_TYPE = 31;

/** The minor version since which probes and lifecycle handlers may not name a host. */
const HANDLER_HOSTS = 34;

/** Returns the AppArmor profiles that a Pod may not have. */
export function appArmor(spec: JsonObject, { annotations }: Subject): Violation | undefined {
  const typeOf = (context: JsonObject) => getString(context, "appArmorProfile", "type");
  const isBad = (context: JsonObject) => !APP_ARMOR_TYPES.includes(typeOf(context));
  const values = [security(spec), ...containersOf(spec).map(security)].filter(isBad).map(typeOf);
  const bad = Object.keys(annotations).filter((key) =>
    key.startsWith(APP_ARMOR) && !isAllowedProfile(getString(annotations, key))
  ).map((key) => `${key}=${JSON.stringify(getString(annotations, key))}`).sort();
  const shown = [...unique(values), ...bad];
  if (shown.length === 0) return undefined;
  const who = [setters(spec, isBad), bad.length === 0 ? "" : several("annotation", bad)]
    .filter((one) => one !== "").join(" and ");
  const list = shown.map((one) => `"${one}"`).join(", ");
  return {
    reason: several("forbidden AppArmor profile", shown),
    detail: `${who} must not set AppArmor profile type to ${list}`,
  };
}

function isAllowedProfile(value: string): boolean {
  return value === "" || value === "runtime/default" || value.startsWith("localhost/");
}

/** Returns the SELinux options that a Pod may not have. */
export function seLinux(spec: JsonObject, { minor }: Subject): Violation | undefined {
  const options = (context: JsonObject) => getObject(context, "seLinuxOptions");
  const hasBadType = (context: JsonObject) => {
    const type = getString(options(context), "type");
    return !SELINUX_TYPES.includes(type) &&
      !(type === "container_engine_t" && minor >= ENGINE_TYPE);
  };
  const sets = (context: JsonObject, name: string) => getString(options(context), name) !== "";
  const isBad = (context: JsonObject) =>
    hasBadType(context) || sets(context, "user") || sets(context, "role");
  const who = setters(spec, isBad);
  if (who === "") return undefined;
  const contexts = [security(spec), ...containersOf(spec).map(security)];
  const types = unique(
    contexts.filter(hasBadType).map((context) => getString(options(context), "type")),
  );
  const details = types.length === 0 ? [] : [`${several("type", types)} ${quoted(types)}`];
  for (const name of ["user", "role"]) {
    if (contexts.some((context) => sets(context, name))) details.push(`${name} may not be set`);
  }
  return {
    reason: "seLinuxOptions",
    detail: `${who} set forbidden securityContext.seLinuxOptions: ${details.join("; ")}`,
  };
}

/** Returns the hosts that probes and lifecycle handlers of a Pod may not name. */
export function handlerHosts(spec: JsonObject, { minor }: Subject): Violation | undefined {
  if (minor < HANDLER_HOSTS) return undefined;
  const names = named(spec, (one) => hostsOf(one).length > 0);
  if (names.length === 0) return undefined;
  const hosts = unique(containersOf(spec).flatMap(hostsOf));
  const use = names.length === 1 ? "uses" : "use";
  return {
    reason: "probe or lifecycle host",
    detail: `${containers(names)} ${use} ${several("probe or lifecycle host", hosts)} ${
      quoted(hosts)
    }`,
  };
}

function hostsOf(container: JsonObject): string[] {
  const lifecycle = getObject(container, "lifecycle");
  const handlers = [
    ...["livenessProbe", "readinessProbe", "startupProbe"].map((name) => getOwn(container, name)),
    ...["postStart", "preStop"].map((name) => getOwn(lifecycle, name)),
  ];
  return handlers.filter((one) => isObject(one)).flatMap((handler) =>
    ["httpGet", "tcpSocket"].map((name) => getString(handler, name, "host"))
  ).filter((host) => host !== "");
}
