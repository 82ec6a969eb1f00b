import {
  child,
  dnsLabel,
  dnsSubdomain,
  type FieldError,
  forbiddenField,
  getArray,
  getObject,
  getOwn,
  getString,
  invalidValue,
  isLegacyIpAddress,
  isObject,
  item,
  type JsonObject,
  NO_IP_ADDRESS,
  required,
  tooLong,
} from "../../../values/mod.ts";
import { objects } from "../../shared/mod.ts";

const MAX_NAME_SERVERS = 3;
const MAX_SEARCH_PATHS = 32;
const MAX_SEARCH_CHARACTERS = 2048;
const MAX_DOMAIN = 253;
const MAX_HOSTNAME = 64;
const SEARCH_PART = /^_?[a-z0-9](?:[-_a-z0-9]*[a-z0-9])?$/;
const SEARCH_ERROR =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?(\\._?[a-z0-9]([-_a-z0-9]*[a-z0-9])?)*')";

/** Returns the errors of the DNS configuration of a Pod. */
export function validateDns(spec: JsonObject, field: string): FieldError[] {
  const config = getOwn(spec, "dnsConfig");
  const at = child(field, "dnsConfig");
  const servers = getArray(config, "nameservers").map(String);
  if (getString(spec, "dnsPolicy") === "None") {
    const text = "when `dnsPolicy` is None";
    if (!isObject(config)) return [required(at, `must provide \`dnsConfig\` ${text}`)];
    if (servers.length === 0) {
      const where = child(at, "nameservers");
      return [required(where, `must provide at least one DNS nameserver ${text}`)];
    }
  }
  const errors: FieldError[] = [];
  if (servers.length > MAX_NAME_SERVERS) {
    const text = `must not have more than ${MAX_NAME_SERVERS} nameservers`;
    errors.push(invalidValue(child(at, "nameservers"), servers, text));
  }
  servers.forEach((server, index) => {
    if (isLegacyIpAddress(server)) return;
    errors.push(invalidValue(item(child(at, "nameservers"), index), server, NO_IP_ADDRESS));
  });
  errors.push(...validateSearches(getArray(config, "searches").map(String), child(at, "searches")));
  objects(config, "options").forEach((option, index) => {
    if (getString(option, "name") !== "") return;
    errors.push(required(item(child(at, "options"), index), "must not be empty"));
  });
  return errors;
}

function validateSearches(searches: string[], field: string): FieldError[] {
  const errors: FieldError[] = [];
  const limit = (text: string) =>
    errors.push(invalidValue(field, searches, `must not have more than ${text}`));
  if (searches.length > MAX_SEARCH_PATHS) limit(`${MAX_SEARCH_PATHS} search paths`);
  if (searches.join(" ").length > MAX_SEARCH_CHARACTERS) {
    limit(`${MAX_SEARCH_CHARACTERS} characters (including spaces) in the search list`);
  }
  searches.forEach((search, index) => {
    if (search === ".") return;
    const domain = search.endsWith(".") ? search.slice(0, -1) : search;
    const at = item(field, index);
    if (domain.length > MAX_DOMAIN) {
      errors.push(invalidValue(at, domain, `must be no more than ${MAX_DOMAIN} characters`));
    }
    if (!domain.split(".").every((part) => SEARCH_PART.test(part))) {
      errors.push(invalidValue(at, domain, SEARCH_ERROR));
    }
  });
  return errors;
}

/** Returns the errors of the name that replaces the hostname of a Pod. */
export function validateHostname(spec: JsonObject, field: string): FieldError[] {
  const name = getOwn(spec, "hostnameOverride");
  const at = child(field, "hostnameOverride");
  if (typeof name !== "string") return [];
  const errors = ["setHostnameAsFQDN", "hostNetwork"]
    .filter((flag) => getOwn(spec, flag) === true)
    .map((flag) => forbiddenField(at, `may not be specified when ${flag} is true`));
  if (name.length > MAX_HOSTNAME) errors.push(tooLong(at, MAX_HOSTNAME));
  return [...errors, ...dnsSubdomain(name).map((text) => invalidValue(at, name, text))];
}

/** Returns the errors of the hostname and the subdomain of a Pod. */
export function validateHostLabels(spec: JsonObject, field: string): FieldError[] {
  return ["hostname", "subdomain"].flatMap((name) => {
    const value = getString(spec, name);
    if (value === "") return [];
    return dnsLabel(value).map((text) => invalidValue(child(field, name), value, text));
  });
}

/** Returns the errors of the names that a Pod gives to addresses. */
export function validateHostAliases(spec: JsonObject, field: string): FieldError[] {
  return objects(spec, "hostAliases").flatMap((alias, index) => {
    const at = item(child(field, "hostAliases"), index);
    const ip = getString(alias, "ip");
    const errors = isLegacyIpAddress(ip) ? [] : [invalidValue(child(at, "ip"), ip, NO_IP_ADDRESS)];
    getArray(alias, "hostnames").map(String).forEach((name, position) => {
      const where = item(child(at, "hostnames"), position);
      errors.push(...dnsSubdomain(name).map((text) => invalidValue(where, name, text)));
    });
    return errors;
  });
}

/**
 * Returns an error for each port whose `hostPort` differs from its `containerPort`, for a Pod with `hostNetwork`. That
 * of a Pod template may be missing.
 */
export function validateHostNetwork(spec: JsonObject, field: string, isPod: boolean): FieldError[] {
  if (getOwn(spec, "hostNetwork") !== true) return [];
  return objects(spec, "containers").flatMap((container, index) =>
    objects(container, "ports").flatMap((port, position) => {
      const own = Number(getOwn(port, "hostPort") ?? 0);
      if (own === Number(getOwn(port, "containerPort") ?? 0) || (own === 0 && !isPod)) return [];
      const at = child(item(child(field, "containers"), index), "ports");
      const text = "must match `containerPort` when `hostNetwork` is true";
      return [invalidValue(child(item(at, position), "hostPort"), own, text)];
    })
  );
}

/** Returns the errors of a Pod with its own user namespace that shares another namespace with the node. */
export function validateHostUsers(
  spec: JsonObject,
  field: string,
  containers: readonly { readonly container: JsonObject; readonly at: string }[],
): FieldError[] {
  if (getOwn(spec, "hostUsers") !== false) return [];
  const text = "when `hostUsers` is false";
  const flags = { hostNetwork: "hostNetwork", hostPID: "HostPID", hostIPC: "HostIPC" };
  return [
    ...Object.entries(flags).filter(([flag]) => getOwn(spec, flag) === true)
      .map(([, name]) => forbiddenField(child(field, name), text)),
    ...containers
      .filter(({ container }) => objects(getObject(container), "volumeDevices").length > 0)
      .map(({ at }) => forbiddenField(child(at, "volumeDevices"), text)),
  ];
}
