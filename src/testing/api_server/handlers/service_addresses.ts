import type { KubeObject } from "@kubeloop/controller/types";
import {
  allocatesNodePorts,
  needsClusterIp,
  needsHealthCheckPort,
  needsNodePorts,
  objects,
} from "../kinds/mod.ts";
import type { KindInfo } from "../schema/mod.ts";
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
  type Json,
  type JsonObject,
  NO_IP_ADDRESS,
} from "../values/mod.ts";
import type { ResourceStore } from "../storage/mod.ts";

/** The addresses of Services are taken from 10.0.0.0/24, as in the recordings; the lowest that is free. */
const NETWORK = "10.0.0.";
const LAST_HOST = 254;

/** The lowest addresses are taken last, since people choose from them. */
const FIRST_FREE_HOST = 17;

/** The range of node ports; the lowest are taken last, since people choose from them. */
const FIRST_NODE_PORT = 30_000;
const LAST_NODE_PORT = 32_767;
const FIRST_FREE_NODE_PORT = 30_086;

/** What is changed of a Service, by whom, and what there is besides. */
export interface Allocation {
  /** The kind of Services. */
  readonly kind: KindInfo;
  /** The Service as it was; absent for a new one. */
  readonly old?: KubeObject | undefined;
  /** All Services. */
  readonly store: ResourceStore;
}

/**
 * Gives a Service the addresses and node ports that it needs and does not have.
 *
 * @throws {ApiError} 422 when it names one that it cannot have.
 */
export function allocateAddresses(
  service: KubeObject,
  { kind, old, store }: Allocation,
): KubeObject {
  const wanted = service as unknown as JsonObject;
  const spec: JsonObject = { ...getObject(wanted, "spec") };
  const before = getObject(old as unknown as JsonObject | undefined, "spec");
  const uid = getString(wanted, "metadata", "uid");
  const others = store.list("").map((stored) => stored.parse() as unknown as JsonObject)
    .filter((other) => getString(other, "metadata", "uid") !== uid)
    .map((other) => getObject(other, "spec"));
  const errors = [
    ...allocateClusterIp(spec, before, others),
    ...allocateNodePorts(spec, before, others),
  ];
  const [error] = errors;
  if (error !== undefined) throw invalid(kind, getString(wanted, "metadata", "name"), [error]);
  return { ...service, spec } as KubeObject;
}

function allocateClusterIp(
  spec: JsonObject,
  before: JsonObject,
  others: readonly JsonObject[],
): FieldError[] {
  if (!needsClusterIp(spec)) return [];
  const asked = getString(spec, "clusterIP");
  const addresses = getArray(spec, "clusterIPs");
  const taken = new Set(others.map((other) => getString(other, "clusterIP")));
  // An address that a Service has stays its own; validation says so.
  if (getString(before, "clusterIP") === "") {
    const error = refusedAddresses(asked, addresses, taken);
    if (error !== undefined) return [error];
  }
  const clusterIP = asked || freeAddress(taken);
  spec["clusterIP"] = clusterIP;
  if (addresses.length === 0) spec["clusterIPs"] = [clusterIP];
  setFamilies(spec);
  return [];
}

/** Why the Service cannot have the addresses that it asks for. */
function refusedAddresses(
  asked: string,
  addresses: readonly Json[],
  taken: ReadonlySet<string>,
): FieldError | undefined {
  const field = "spec.clusterIPs";
  const all = [...addresses];
  if (asked === "" && all.length > 0) {
    return invalidValue(field, all, "must be empty when `clusterIP` is not specified");
  }
  if (asked === "" || asked === "None") return undefined;
  if (all.length > 0 && all[0] !== asked) {
    return invalidValue(field, all, "first value must match `clusterIP`");
  }
  if (!isIpAddress(asked)) return invalidValue(`${field}[0]`, asked, NO_IP_ADDRESS);
  const refuse = (why: string) =>
    invalidValue(field, [asked], `failed to allocate IP ${asked}: ${why}`);
  const host = ipv4Parts(asked)?.[3] ?? 0;
  if (!asked.startsWith(NETWORK) || host < 1 || host > LAST_HOST) {
    return refuse("the provided network does not match the current range");
  }
  return taken.has(asked) ? refuse("provided IP is already allocated") : undefined;
}

/** A headless Service whose endpoints somebody else writes is open to both families, every other one to the cluster's. */
function setFamilies(spec: JsonObject): void {
  const selects = Object.keys(getObject(spec, "selector")).length > 0;
  const open = getString(spec, "clusterIP") === "None" && !selects;
  if (getArray(spec, "ipFamilies").length === 0) {
    spec["ipFamilies"] = open ? ["IPv4", "IPv6"] : ["IPv4"];
  }
  if (getString(spec, "ipFamilyPolicy") === "") {
    spec["ipFamilyPolicy"] = open ? "RequireDualStack" : "SingleStack";
  }
}

function freeAddress(taken: ReadonlySet<string>): string {
  for (const host of lowestLast(1, FIRST_FREE_HOST, LAST_HOST)) {
    if (!taken.has(NETWORK + host)) return NETWORK + host;
  }
  // The real server refuses; a test with this many Services has no use for their addresses.
  return NETWORK + LAST_HOST;
}

function* lowestLast(first: number, firstFree: number, last: number): Generator<number> {
  for (let number = firstFree; number <= last; number++) yield number;
  for (let number = first; number < firstFree; number++) yield number;
}

/** A node port and its protocol. */
type PortKey = `${number}/${string}`;

function keysOf(spec: JsonObject): PortKey[] {
  const keys = objects(spec, "ports").map(keyOf).filter((key) => !key.startsWith("0/"));
  const healthCheck = Number(getOwn(spec, "healthCheckNodePort") ?? 0);
  return healthCheck === 0 ? keys : [...keys, `${healthCheck}/TCP`];
}

function keyOf(port: JsonObject): PortKey {
  return `${Number(getOwn(port, "nodePort") ?? 0)}/${getString(port, "protocol")}`;
}

function allocateNodePorts(
  spec: JsonObject,
  before: JsonObject,
  others: readonly JsonObject[],
): FieldError[] {
  if (!needsNodePorts(spec)) return [];
  const taken = new Set(others.flatMap(keysOf));
  const own = new Set(keysOf(before));
  const ports = objects(spec, "ports").map((port) => ({ ...port }));
  for (const [index, port] of ports.entries()) {
    const key = keyOf(port);
    if (key.startsWith("0/")) continue;
    const nodePort = Number(getOwn(port, "nodePort"));
    const field = `spec.ports[${index}].nodePort`;
    if (!own.has(key) && (nodePort < FIRST_NODE_PORT || nodePort > LAST_NODE_PORT)) {
      const range = `${FIRST_NODE_PORT}-${LAST_NODE_PORT}`;
      const why = `provided port is not in the valid range. The range of valid ports is ${range}`;
      return [invalidValue(field, nodePort, why)];
    }
    if (taken.has(key)) {
      return [invalidValue(field, nodePort, "provided port is already allocated")];
    }
    taken.add(key);
  }
  const free = () => freePort(taken);
  if (allocatesNodePorts(spec)) {
    for (const port of ports) if (!getOwn(port, "nodePort")) port["nodePort"] = free();
  }
  if (ports.length > 0) spec["ports"] = ports;
  if (needsHealthCheckPort(spec) && !getOwn(spec, "healthCheckNodePort")) {
    spec["healthCheckNodePort"] = free();
  }
  return [];
}

/** A node port that nothing has, of no protocol. */
function freePort(taken: Set<PortKey>): number {
  for (const port of lowestLast(FIRST_NODE_PORT, FIRST_FREE_NODE_PORT, LAST_NODE_PORT)) {
    if (["TCP", "UDP", "SCTP"].some((protocol) => taken.has(`${port}/${protocol}`))) continue;
    taken.add(`${port}/TCP`);
    return port;
  }
  return LAST_NODE_PORT;
}
