import {
  byteLength,
  child,
  dnsLabel,
  dnsSearchDomain,
  dnsSubdomain,
  type FieldError,
  forbiddenField,
  getArray,
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
} from "../../../../values/mod.ts";
import { objects } from "../../shared/mod.ts";

const MAX_NAME_SERVERS = 3;

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
  return [
    ...errors,
    ...validateSearches(getArray(config, "searches").map(String), at),
    ...objects(config, "options").flatMap((option, index) =>
      getString(option, "name") === ""
        ? [required(item(child(at, "options"), index), "must not be empty")]
        : []
    ),
  ];
}

const MAX_SEARCHES = 32;
const MAX_SEARCHES_BYTES = 2048;

function validateSearches(searches: readonly string[], field: string): FieldError[] {
  const at = child(field, "searches");
  const errors: FieldError[] = [];
  if (searches.length > MAX_SEARCHES) {
    const text = `must not have more than ${MAX_SEARCHES} search paths`;
    errors.push(invalidValue(at, [...searches], text));
  }
  if (byteLength(searches.join(" ")) > MAX_SEARCHES_BYTES) {
    const text =
      `must not have more than ${MAX_SEARCHES_BYTES} characters (including spaces) in the search list`;
    errors.push(invalidValue(at, [...searches], text));
  }
  searches.forEach((search, index) => {
    if (search === ".") return;
    const name = search.replace(/\.$/, "");
    errors.push(
      ...dnsSearchDomain(name).map((text) => invalidValue(item(at, index), name, text)),
    );
  });
  return errors;
}

const MAX_HOSTNAME = 64;

/** Returns the errors of a name that replaces the hostname of a Pod. */
export function validateHostnameOverride(spec: JsonObject, field: string): FieldError[] {
  const name = getOwn(spec, "hostnameOverride");
  const at = child(field, "hostnameOverride");
  if (typeof name !== "string") return [];
  const conflicts = ["setHostnameAsFQDN", "hostNetwork"].filter((one) =>
    getOwn(spec, one) === true
  );
  return [
    ...conflicts.map((one) => forbiddenField(at, `may not be specified when ${one} is true`)),
    ...(byteLength(name) > MAX_HOSTNAME ? [tooLong(at, MAX_HOSTNAME)] : []),
    ...dnsSubdomain(name).map((text) => invalidValue(at, name, text)),
  ];
}

/** Returns the errors of the hostname and the subdomain of a Pod. */
export function validateHostLabels(spec: JsonObject, field: string): FieldError[] {
  return ["hostname", "subdomain"].flatMap((name) => {
    const value = getString(spec, name);
    if (value === "") return [];
    return dnsLabel(value).map((text) => invalidValue(child(field, name), value, text));
  });
}

/** Returns the errors of the host aliases of a Pod. */
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
