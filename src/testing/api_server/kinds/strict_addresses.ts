import {
  child,
  type FieldError,
  firstAddress,
  getOwn,
  getString,
  invalidValue,
  ipv4Parts,
  isIpAddress,
  isLegacyIpAddress,
  isObject,
  item,
  type Json,
  type JsonObject,
  parseCidr,
  parseLegacyCidr,
} from "../../values/mod.ts";
import type { KindInfo } from "../schema/mod.ts";

/** The fields of a kind that take addresses in old forms, as paths with `[]` for each item of a list. */
interface Fields {
  /** Addresses that a real server checks when it allocates them, before it validates anything. */
  readonly allocated?: readonly string[];
  readonly ips?: readonly string[];
  readonly cidrs?: readonly string[];
}

const POD_IPS = ["dnsConfig.nameservers[]", "hostAliases[].ip"];
const TEMPLATE: Fields = { ips: POD_IPS.map((path) => `spec.template.spec.${path}`) };
const BLOCKS = ["ingress[].from[]", "egress[].to[]"].flatMap((peer) =>
  ["cidr", "except[]"].map((name) => `spec.${peer}.ipBlock.${name}`)
);
const PODS = "status.podIPs[].ip";
const HOSTS = "status.hostIPs[].ip";
const RANGES = "spec.loadBalancerSourceRanges[]";
const BALANCER_IP = "status.loadBalancer.ingress[].ip";

const FIELDS: Readonly<Record<string, Fields>> = {
  CronJob: { ips: POD_IPS.map((path) => `spec.jobTemplate.spec.template.spec.${path}`) },
  DaemonSet: TEMPLATE,
  Deployment: TEMPLATE,
  EndpointSlice: { ips: ["endpoints[].addresses[]"] },
  Endpoints: { ips: ["subsets[].addresses[].ip", "subsets[].notReadyAddresses[].ip"] },
  Ingress: { ips: [BALANCER_IP] },
  Job: TEMPLATE,
  NetworkPolicy: { cidrs: BLOCKS },
  Node: { cidrs: ["spec.podCIDRs[]"] },
  Pod: {
    ips: [
      ...POD_IPS.map((path) => `spec.${path}`),
      PODS,
      HOSTS,
    ],
  },
  PodTemplate: { ips: POD_IPS.map((path) => `template.spec.${path}`) },
  ReplicaSet: TEMPLATE,
  ReplicationController: TEMPLATE,
  Service: {
    allocated: ["spec.clusterIPs[]"],
    ips: ["spec.externalIPs[]", BALANCER_IP],
    cidrs: [RANGES],
  },
  StatefulSet: TEMPLATE,
};

/** The functions that return the name of a field in errors, by its path. Other fields keep their names. */
const NAMES: Readonly<Record<string, (field: string) => string>> = {
  [PODS]: (field) => field.replace(".ip", ""),
  [HOSTS]: (field) => field.replace(".ip", ""),
  [RANGES]: (field) => field.replace("loadBalancer", "LoadBalancer"),
};

/**
 * Adds the errors of addresses and blocks in old forms, which a real server refuses by default since Kubernetes 1.36, to
 * the errors that a kind has found itself. An update may keep values that the object already had.
 */
export function withStrictAddresses(
  { kind, custom, release }: KindInfo,
  object: JsonObject,
  old: JsonObject | undefined,
  own: readonly FieldError[],
): FieldError[] {
  const fields = Object.hasOwn(FIELDS, kind) ? FIELDS[kind] : undefined;
  if (fields === undefined || custom !== undefined) return [...own];
  if (!release.isOn("StrictIPCIDRValidation")) return [...own];
  if (kind === "EndpointSlice" && getString(object, "addressType") !== "IPv4") return [...own];
  const allocated = strictErrors({ ips: fields.allocated ?? [] }, object, old);
  if (allocated.length > 0) return allocated;
  const errors = [...own];
  const lists = [...fields.ips ?? [], ...fields.cidrs ?? []].map((path) => path.split("[]")[0]!);
  for (const error of strictErrors(fields, object, old)) {
    const next = errors.findIndex((one) => isBefore(error.field, one.field, lists));
    errors.splice(next < 0 ? errors.length : next, 0, error);
  }
  return errors;
}

/**
 * Reports whether the error of a field precedes that of another, as the real server validates one list after another, and
 * fields before the object that has them.
 */
function isBefore(field: string, other: string, lists: readonly string[]): boolean {
  if (field.startsWith(`${other}.`)) return true;
  const [own, its] = [field, other].map((one) => {
    const [list = "", index = ""] = one.split(/[[\]]/);
    return [lists.findIndex((known) => known.toLowerCase() === list.toLowerCase()), Number(index)];
  });
  if (its![0]! < 0) return false;
  return own![0] === its![0] ? own![1]! < its![1]! : own![0]! < its![0]!;
}

function strictErrors(
  fields: Fields,
  object: JsonObject,
  old: JsonObject | undefined,
): FieldError[] {
  const check = (paths: readonly string[] = [], reasonOf: (text: string) => string | undefined) =>
    paths.flatMap((path) => {
      const known = new Set(textsAt(old, path).map(([, text]) => text));
      return textsAt(object, path).flatMap(([field, text]) => {
        const reason = known.has(text) ? undefined : reasonOf(text);
        const name = NAMES[path]?.(field) ?? field;
        return reason === undefined ? [] : [invalidValue(name, text, reason)];
      });
    });
  return [...check(fields.ips, ipReason), ...check(fields.cidrs, cidrReason)];
}

function ipReason(text: string): string | undefined {
  if (!isLegacyIpAddress(text)) return undefined;
  if (!isIpAddress(text)) return "must not have leading 0s";
  return isMapped(text) ? "must not be an IPv4-mapped IPv6 address" : undefined;
}

function cidrReason(text: string): string | undefined {
  const cidr = parseLegacyCidr(text);
  if (cidr === undefined) return undefined;
  if (parseCidr(text) === undefined || /\/0[0-9]/.test(text)) {
    return "must not have leading 0s in IP or prefix length";
  }
  if (isMapped(text.split("/")[0]!)) return "must not have an IPv4-mapped IPv6 address";
  return firstAddress(cidr) === cidr.address
    ? undefined
    : "must not have bits set beyond the prefix length";
}

/** Reports whether an IPv6 address contains an IPv4 address, as in `::ffff:10.0.0.1`. */
function isMapped(text: string): boolean {
  if (ipv4Parts(text) !== undefined) return false;
  return new URL(`http://[${text}]/`).hostname.startsWith("[::ffff:");
}

/** Returns the texts at a path with their fields. */
function textsAt(value: Json | undefined, path: string): [field: string, text: string][] {
  let found: [string, Json | undefined][] = [["", value]];
  for (const part of path.split(".")) {
    const name = part.replace("[]", "");
    found = found.flatMap(([field, parent]): [string, Json | undefined][] => {
      if (!isObject(parent)) return [];
      const at = field === "" ? name : child(field, name);
      const own = getOwn(parent, name);
      if (!part.endsWith("[]")) return [[at, own]];
      return Array.isArray(own) ? own.map((one, index) => [item(at, index), one]) : [];
    });
  }
  return found.flatMap(([field, text]): [string, string][] =>
    typeof text === "string" ? [[field, text.trim()]] : []
  );
}
