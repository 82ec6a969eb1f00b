import {
  badRequest,
  failure,
  getArray,
  getString,
  type JsonObject,
  notImplemented,
} from "../../../../values/mod.ts";
import type { ClusterView } from "../../record/mod.ts";
import { requireAddress } from "./pod_kubelet.ts";

/** Refuses a request for the proxy of a Pod. */
export function refusePodProxy(pod: JsonObject): never {
  if (getString(pod, "status", "podIP") === "") throw badRequest("address not allowed");
  throw notImplemented("This server does not serve pods/proxy: no containers run in its Pods");
}

/** Refuses a request for the proxy of a node. */
export function refuseNodeProxy(node: JsonObject): never {
  requireAddress(node);
  throw notImplemented("This server does not serve nodes/proxy: no kubelet runs on its nodes");
}

/** Refuses a request for the proxy of a Service. */
export function refuseServiceProxy(service: JsonObject, port: string, cluster: ClusterView): never {
  const name = getString(service, "metadata", "name");
  if (/^[0-9]+$/.test(port)) {
    const ports = getArray(service, "spec", "ports") as JsonObject[];
    if (!ports.some((one) => one["port"] === Number(port))) {
      throw unavailable(`no service port ${port} found for service ${JSON.stringify(name)}`);
    }
  }
  const endpoints = cluster.get("endpoints", cluster.namespace, name);
  // A real server always has the Endpoints of a Service, which its controllers write.
  if (endpoints !== undefined && getArray(endpoints, "subsets").length === 0) {
    throw unavailable(`no endpoints available for service ${JSON.stringify(name)}`);
  }
  throw notImplemented("This server does not serve services/proxy: no containers run in its Pods");
}

function unavailable(message: string): Error {
  return failure(503, message, { reason: "ServiceUnavailable" });
}
