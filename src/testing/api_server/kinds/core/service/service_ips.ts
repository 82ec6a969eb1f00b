import {
  type FieldError,
  getArray,
  getOwn,
  getString,
  invalidValue,
  isLegacyIpAddress,
  item,
  type JsonObject,
  NO_IP_ADDRESS,
} from "../../../../values/mod.ts";
import { duplicate, getObject, isIpAddress, notSupported } from "../../../../values/mod.ts";

const MAX_CLUSTER_IPS = 2;

/** Returns the errors of the cluster IPs of a Service, and of their families. */
export function validateClusterIps(spec: JsonObject): FieldError[] {
  const field = "spec.clusterIPs";
  const ips = getArray(spec, "clusterIPs").map(String);
  const refuse = (why: string) => invalidValue(field, ips, why);
  const errors: FieldError[] = [];
  const first = getString(spec, "clusterIP");
  if (ips.length > 0 && (first === "" || ips[0] !== first)) {
    const why = first === ""
      ? "must be empty when `clusterIP` is not specified"
      : "first value must match `clusterIP`";
    errors.push(refuse(why));
  }
  const policy = getOwn(spec, "ipFamilyPolicy");
  const families = getArray(spec, "ipFamilies").map(String);
  errors.push(...familyValueErrors(families, typeof policy === "string" ? policy : undefined));
  const wrong = ips.flatMap((ip, index) => {
    if (index === 0 && ip === "None") {
      return ips.length > 1 ? [refuse("'None' must be the first and only value")] : [];
    }
    return isLegacyIpAddress(ip) ? [] : [invalidValue(item(field, index), ip, NO_IP_ADDRESS)];
  });
  errors.push(...wrong);
  if (ips.length > MAX_CLUSTER_IPS) errors.push(refuse("may only hold up to 2 values"));
  if (wrong.length > 0 || ips.length < 2) return errors;
  if (new Set(ips.map(familyOf)).size === 1) {
    errors.push(refuse("may specify no more than one IP for each IP family"));
  }
  return errors;
}

function familyOf(ip: string): string {
  return ip.includes(":") ? "IPv6" : "IPv4";
}

const FAMILIES = ["IPv4", "IPv6"];
const POLICIES = ["PreferDualStack", "RequireDualStack", "SingleStack"];

/** The only IP family of the cluster. */
const CONFIGURED = "IPv4";

/**
 * Returns the errors of the IP families of a Service and of their policy, in a cluster of one family.
 *
 * @param policyBefore The policy before an update, which a Service without one keeps.
 */
export function familyErrors(spec: JsonObject, policyBefore: string): FieldError[] {
  const families = getArray(spec, "ipFamilies").map(String);
  const isOpen = isOpenService(spec);
  const given = getString(spec, "ipFamilyPolicy");
  const policy = given || policyBefore || (isOpen ? "RequireDualStack" : "SingleStack");
  const errors = [
    ...familyValueErrors(families, policy),
    ...addressErrors(spec, families),
  ];
  if (errors.length > 0) return errors;
  if (policy === "SingleStack" && families.length > 1) {
    const why =
      "must be 'RequireDualStack' or 'PreferDualStack' when multiple IP families are specified";
    return [invalidValue("spec.ipFamilyPolicy", policy, why)];
  }
  if (isOpen) return [];
  if (policy === "RequireDualStack") {
    const why = "this cluster is not configured for dual-stack services";
    errors.push(invalidValue("spec.ipFamilyPolicy", policy, why));
  }
  families.forEach((family, index) => {
    if (family === CONFIGURED) return;
    const why = "not configured on this cluster";
    errors.push(invalidValue(item("spec.ipFamilies", index), family, why));
  });
  return errors;
}

/** Reports whether a Service is headless and has no selector. */
export function isOpenService(spec: JsonObject): boolean {
  return getString(spec, "clusterIP") === "None" &&
    Object.keys(getObject(spec, "selector")).length === 0;
}

/** Returns the errors of families, and of a policy for them, that no cluster knows. */
export function familyValueErrors(
  families: readonly string[],
  policy: string | undefined,
): FieldError[] {
  const errors = families.flatMap((family, index) => {
    const at = item("spec.ipFamilies", index);
    return [
      ...(FAMILIES.includes(family) ? [] : [notSupported(at, family, FAMILIES)]),
      ...(families.indexOf(family) < index ? [duplicate(at, family)] : []),
    ];
  });
  return policy === undefined || POLICIES.includes(policy)
    ? errors
    : [...errors, notSupported("spec.ipFamilyPolicy", policy, POLICIES)];
}

/** Returns the errors of addresses that are not of the family at the same place. */
function addressErrors(spec: JsonObject, families: readonly string[]): FieldError[] {
  return getArray(spec, "clusterIPs").map(String).flatMap((ip, index) => {
    const family = families[index];
    if (family === undefined || !isIpAddress(ip)) return [];
    if (ip.includes(":") === (family === "IPv6")) return [];
    const why = `expected an ${family} value as indicated by \`ipFamilies[${index}]\``;
    return [invalidValue(item("spec.clusterIPs", index), ip, why)];
  });
}
