import type { KubeObject } from "../../types/mod.ts";
import type { ResourceStore } from "./resource_store.ts";

type ServicePort = { port?: number; protocol?: string; nodePort?: number };

type ServiceObject = KubeObject & {
  spec?: {
    type?: string;
    selector?: Record<string, string>;
    clusterIP?: string;
    clusterIPs?: string[];
    ipFamilies?: string[];
    ipFamilyPolicy?: string;
    ports?: ServicePort[];
  };
};

/** The addresses of Services are taken from 10.0.0.0/24, as in the recordings; the lowest that is free. */
const NETWORK = "10.0.0.";
const LAST_HOST = 254;

/** The range of node ports. */
const FIRST_NODE_PORT = 30_000;
const LAST_NODE_PORT = 32_767;

/** Gives a Service the addresses and node ports that it needs and does not have, keeping those it had. */
export function allocateAddresses(
  service: KubeObject,
  old: KubeObject | undefined,
  store: ResourceStore,
): KubeObject {
  const { spec } = service as ServiceObject;
  if (spec === undefined || spec.type === "ExternalName") return service;
  const others = store.list("").map((stored) => stored.parse() as ServiceObject);
  const before = (old as ServiceObject | undefined)?.spec;
  const clusterIP = spec.clusterIP || before?.clusterIP || freeAddress(others);
  const ports = needsNodePorts(spec.type)
    ? withNodePorts(spec.ports ?? [], before?.ports ?? [], others)
    : spec.ports;
  return {
    ...service,
    spec: {
      ...spec,
      clusterIP,
      clusterIPs: spec.clusterIPs ?? [clusterIP],
      ...families(spec),
      ...(ports === undefined ? {} : { ports }),
    },
  } as KubeObject;
}

/** A headless Service whose endpoints somebody else writes is open to both families, every other one to the cluster's. */
function families(spec: NonNullable<ServiceObject["spec"]>): object {
  const open = spec.clusterIP === "None" && Object.keys(spec.selector ?? {}).length === 0;
  return {
    ipFamilies: spec.ipFamilies ?? (open ? ["IPv4", "IPv6"] : ["IPv4"]),
    ipFamilyPolicy: spec.ipFamilyPolicy ?? (open ? "RequireDualStack" : "SingleStack"),
  };
}

function needsNodePorts(type: string | undefined): boolean {
  return type === "NodePort" || type === "LoadBalancer";
}

function freeAddress(others: readonly ServiceObject[]): string {
  const taken = new Set(others.map(({ spec }) => spec?.clusterIP));
  for (let host = 1; host <= LAST_HOST; host++) {
    if (!taken.has(NETWORK + host)) return NETWORK + host;
  }
  // The real server refuses; a test with this many Services has no use for their addresses.
  return NETWORK + LAST_HOST;
}

function withNodePorts(
  ports: readonly ServicePort[],
  before: readonly ServicePort[],
  others: readonly ServiceObject[],
): ServicePort[] {
  const taken = new Set(
    others.flatMap(({ spec }) => spec?.ports ?? []).map(({ nodePort }) => nodePort),
  );
  return ports.map((port) => {
    if (port.nodePort) return port;
    const kept = before.find((one) => one.port === port.port && one.protocol === port.protocol);
    const nodePort = kept?.nodePort || freePort(taken);
    taken.add(nodePort);
    return { ...port, nodePort };
  });
}

function freePort(taken: ReadonlySet<number | undefined>): number {
  for (let port = FIRST_NODE_PORT; port <= LAST_NODE_PORT; port++) {
    if (!taken.has(port)) return port;
  }
  return LAST_NODE_PORT;
}
