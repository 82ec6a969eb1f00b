import { getObject, getOwn, getString, type JsonObject } from "../../../../values/mod.ts";
import { objects } from "../../shared/mod.ts";
import { countOf, type QuotaRules } from "../../record/mod.ts";

const COUNT = countOf("services");

const NAMES = [COUNT, "services", "services.loadbalancers", "services.nodeports"];

/** How Services count: their number, and by their type, which an update can change, load balancers and node ports. */
export const SERVICE_QUOTA: QuotaRules = {
  counts: (name) => NAMES.includes(name),
  usage: (service) => {
    const spec = getObject(service, "spec");
    const isBalanced = getString(spec, "type") === "LoadBalancer";
    return {
      [COUNT]: "1",
      services: "1",
      "services.loadbalancers": isBalanced ? "1" : "0",
      "services.nodeports": String(nodePorts(spec)),
    };
  },
  grows: (_next, _old, subresource) => subresource === "",
};

/** Returns the number of node ports that a Service has or gets. */
function nodePorts(spec: JsonObject): number {
  const ports = objects(spec, "ports");
  const type = getString(spec, "type");
  if (type === "NodePort") return ports.length;
  if (type !== "LoadBalancer") return 0;
  if (getOwn(spec, "allocateLoadBalancerNodePorts") !== false) return ports.length;
  return ports.filter((port) => Number(getOwn(port, "nodePort") ?? 0) !== 0).length;
}
