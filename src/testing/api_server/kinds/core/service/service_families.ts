import {
  duplicate,
  type FieldError,
  getArray,
  getObject,
  getString,
  invalidValue,
  isIpAddress,
  item,
  type JsonObject,
  notSupported,
} from "../../../../values/mod.ts";

const FAMILIES = ["IPv4", "IPv6"];
const POLICIES = ["PreferDualStack", "RequireDualStack", "SingleStack"];

/** The only IP family of the cluster. */
const CONFIGURED = "IPv4";

/** Returns the errors of the IP families of a Service and of their policy, in a cluster of one family. */
export function familyErrors(spec: JsonObject): FieldError[] {
  const families = getArray(spec, "ipFamilies").map(String);
  const policy = getString(spec, "ipFamilyPolicy");
  const errors = [
    ...familyValueErrors(families, policy || undefined),
    ...addressErrors(spec, families),
  ];
  if (errors.length > 0) return errors;
  if (policy === "SingleStack" && families.length > 1) {
    const why =
      "must be 'RequireDualStack' or 'PreferDualStack' when multiple IP families are specified";
    return [invalidValue("spec.ipFamilyPolicy", policy, why)];
  }
  const headless = getString(spec, "clusterIP") === "None";
  if (headless && Object.keys(getObject(spec, "selector")).length === 0) return [];
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
