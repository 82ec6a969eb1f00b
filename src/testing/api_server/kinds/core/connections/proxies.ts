import {
  badRequest,
  failure,
  getArray,
  getString,
  type JsonObject,
  notImplemented,
} from "../../../../values/mod.ts";
import type { ProxyRequest } from "../../record/mod.ts";
import { requireAddress } from "./pod_kubelet.ts";

/** The label of an EndpointSlice that names its Service. */
const SERVICE_NAME = "kubernetes.io/service-name";

/** Refuses a request for the proxy of a Pod. */
export function refusePodProxy({ target }: ProxyRequest): never {
  if (getString(target(), "status", "podIP") === "") throw badRequest("address not allowed");
  throw notImplemented("This server does not serve pods/proxy: no containers run in its Pods");
}

/** Refuses a request for the proxy of a node. */
export function refuseNodeProxy({ target }: ProxyRequest): never {
  requireAddress(target());
  throw notImplemented("This server does not serve nodes/proxy: no kubelet runs on its nodes");
}

/** Refuses a request for the proxy of a Service. */
export function refuseServiceProxy(asked: ProxyRequest): never {
  const { name, port, target } = asked;
  if (/^[0-9]+$/.test(port)) {
    const ports = getArray(target(), "spec", "ports") as JsonObject[];
    if (!ports.some((one) => one["port"] === Number(port))) {
      throw unavailable(`no service port ${port} found for service ${JSON.stringify(name)}`);
    }
  }
  const hasEndpoints = asked.cluster.release.has({ since: "1.37" }) ? inSlices : inEndpoints;
  if (!hasEndpoints(asked)) {
    throw unavailable(`no endpoints available for service ${JSON.stringify(name)}`);
  }
  throw notImplemented("This server does not serve services/proxy: no containers run in its Pods");
}

/**
 * Reports whether the Endpoints of a Service name an address. They do if they are missing: a real cluster always has them,
 * because its controllers write them.
 */
function inEndpoints({ name, cluster, target }: ProxyRequest): boolean {
  target();
  const endpoints = cluster.get("endpoints", cluster.namespace, name);
  return endpoints === undefined || getArray(endpoints, "subsets").length > 0;
}

/**
 * Reports whether the EndpointSlices of a Service name an address. They do if the Service exists and they are missing, for
 * the same reason. A real server does not read the Service itself.
 */
function inSlices({ name, cluster }: ProxyRequest): boolean {
  const slices = cluster.list("endpointslices.discovery.k8s.io", cluster.namespace)
    .filter((slice) => getString(slice, "metadata", "labels", SERVICE_NAME) === name);
  return slices.length === 0
    ? cluster.get("services", cluster.namespace, name) !== undefined
    : slices.some((slice) => getArray(slice, "endpoints").length > 0);
}

function unavailable(message: string): Error {
  return failure(503, message, { reason: "ServiceUnavailable" });
}
