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
import { familyValueErrors } from "./service_families.ts";

const MAX_CLUSTER_IPS = 2;

/** Returns the errors of the cluster IPs of a Service, and of their families. */
export function validateClusterIps(spec: JsonObject): FieldError[] {
  const field = "spec.clusterIPs";
  const ips = getArray(spec, "clusterIPs").map(String);
  const refuse = (why: string) => invalidValue(field, ips, why);
  const errors: FieldError[] = [];
  const first = getString(spec, "clusterIP");
  if (ips.length > 0 && ips[0] !== first) {
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
