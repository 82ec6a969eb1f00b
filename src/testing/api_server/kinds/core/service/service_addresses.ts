import {
  type FieldError,
  getArray,
  getObject,
  getOwn,
  getString,
  invalid,
  invalidValue,
  ipv4Parts,
  isIpAddress,
  item,
  type Json,
  type JsonObject,
} from "../../../../values/mod.ts";
import type { Allocation } from "../../record/mod.ts";
import { needsClusterIp } from "./service_fields.ts";
import { familyErrors, isOpenService } from "./service_ips.ts";
import { allocateNodePorts, lowestLast, nodePorts } from "./service_node_ports.ts";

/** Cluster IPs come from 10.0.0.0/24, as in the recordings of a real server. */
const NETWORK = "10.0.0.";
const LAST_HOST = 254;

/**
 * The lowest free address from here on is allocated first. The addresses below are allocated last, because users choose
 * from those.
 */
const FIRST_FREE_HOST = 17;

/** The kind that validation errors name. */
const SERVICE = { group: "", kind: "Service" };

/**
 * Allocates the cluster IP and the node ports that a Service needs and does not have. Returns the Service with them.
 *
 * @param allocation The values of other Services, and whether this is a dry run.
 * @throws {ApiError} 422, if the Service requests an address or a port that it cannot have.
 */
export function allocateAddresses(
  service: JsonObject,
  old: JsonObject | undefined,
  allocation: Allocation,
): JsonObject {
  const spec: JsonObject = { ...getObject(service, "spec") };
  const before = getObject(old, "spec");
  const errors = needsClusterIp(spec)
    ? familyErrors(spec, getString(before, "ipFamilyPolicy"))
    : [];
  if (errors.length === 0) {
    errors.push(...[
      ...allocateClusterIp(spec, before, allocation),
      ...allocateNodePorts(spec, old === undefined ? undefined : before, allocation),
    ].slice(0, 1));
  }
  if (errors.length > 0) throw invalid(SERVICE, getString(service, "metadata", "name"), errors);
  return { ...service, spec };
}

/** Returns the cluster IP and the node ports of a Service. */
export function allocatedValues(service: JsonObject): (string | number)[] {
  const spec = getObject(service, "spec");
  const clusterIP = getString(spec, "clusterIP");
  return [...(clusterIP === "" ? [] : [clusterIP]), ...nodePorts(spec)];
}

function allocateClusterIp(
  spec: JsonObject,
  before: JsonObject,
  { isTaken, dryRun }: Allocation,
): FieldError[] {
  if (!needsClusterIp(spec)) return [];
  const asked = getString(spec, "clusterIP");
  const addresses = getArray(spec, "clusterIPs");
  // An address that the Service has already is not checked here; validation refuses a change of it.
  if (getString(before, "clusterIP") === "") {
    const error = refusedAddresses(asked, addresses, dryRun ? undefined : isTaken);
    if (error !== undefined) return [error];
  }
  if (asked === "" && addresses.length > 0) return [];
  if (getOwn(spec, "ipFamilyPolicy") === "RequireDualStack" && !isOpenService(spec)) {
    const why = "this cluster is not configured for dual-stack services";
    return [invalidValue("spec.ipFamilyPolicy", "RequireDualStack", why)];
  }
  const clusterIP = asked || (dryRun ? `${NETWORK}0` : freeAddress(isTaken));
  spec["clusterIP"] = clusterIP;
  if (addresses.length === 0) spec["clusterIPs"] = [clusterIP];
  setFamilies(spec, getString(before, "ipFamilyPolicy"));
  return [];
}

/**
 * Returns the error for requested addresses that cannot be allocated; undefined if they can.
 *
 * @param isTaken Whether another Service has an address; undefined in a dry run, which does not look at them.
 */
function refusedAddresses(
  asked: string,
  addresses: readonly Json[],
  isTaken: Allocation["isTaken"] | undefined,
): FieldError | undefined {
  const field = "spec.clusterIPs";
  // Validation refuses addresses that are none, and lists that begin with another one.
  if (asked === "" || asked === "None" || !isIpAddress(asked)) return undefined;
  if (addresses.length > 0 && addresses[0] !== asked) return undefined;
  if (asked.includes(":")) {
    const why = "IPv6 is not configured on this cluster";
    return invalidValue(item(field, 0), [asked], why);
  }
  const refuse = (why: string) =>
    invalidValue(field, [asked], `failed to allocate IP ${asked}: ${why}`);
  const host = ipv4Parts(asked)?.[3] ?? 0;
  if (!asked.startsWith(NETWORK) || host < 1 || host > LAST_HOST) {
    return refuse(
      isTaken === undefined
        ? `the provided IP (${asked}) is not in the valid range. The range of valid IPs is ${NETWORK}0/24`
        : "the provided network does not match the current range",
    );
  }
  return isTaken?.(asked) === true ? refuse("provided IP is already allocated") : undefined;
}

/**
 * Sets the IP families and their policy. A headless Service without a selector is dual-stack; every other Service has
 * the single family of the cluster. A policy that the Service had before stays.
 */
function setFamilies(spec: JsonObject, policyBefore: string): void {
  const open = isOpenService(spec);
  if (getOwn(spec, "ipFamilyPolicy") === undefined) {
    spec["ipFamilyPolicy"] = policyBefore || (open ? "RequireDualStack" : "SingleStack");
  }
  if (getArray(spec, "ipFamilies").length === 0) {
    const dual = open && spec["ipFamilyPolicy"] !== "SingleStack";
    spec["ipFamilies"] = dual ? ["IPv4", "IPv6"] : ["IPv4"];
  }
}

function freeAddress(isTaken: Allocation["isTaken"]): string {
  for (const host of lowestLast(1, FIRST_FREE_HOST, LAST_HOST)) {
    if (!isTaken(NETWORK + host)) return NETWORK + host;
  }
  // A real server refuses the Service. This one reuses an address: a test with so many Services does not use them.
  return NETWORK + LAST_HOST;
}
