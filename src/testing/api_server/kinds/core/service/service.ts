import {
  getArray,
  getObject,
  getOwn,
  getString,
  type Json,
  type JsonObject,
} from "../../../../values/mod.ts";
import {
  AGE,
  balancerIpWarnings,
  column,
  fill,
  fillPointer,
  getNumber,
  NAME,
  named,
  objects,
  selectorText,
} from "../../shared/mod.ts";
import { at, connection, defineKind, type KindRecord, STATUS } from "../../record/mod.ts";
import { SERVICE_QUOTA } from "./service_quota.ts";
import { refuseServiceProxy } from "../connections/mod.ts";
import { allocateAddresses, allocatedValues } from "./service_addresses.ts";
import { isExternal, prepareServiceUpdate, serviceWarnings } from "./service_fields.ts";
import {
  validateService,
  validateServiceStatus,
  validateServiceUpdate,
} from "./service_validation.ts";

/** Services. */
export const SERVICE: KindRecord = defineKind("v1", "services", "Service", {
  storagePath: "services/specs",
  shortNames: ["svc"],
  categories: ["all"],
  subresources: [connection("proxy", "ServiceProxyOptions"), STATUS],
  connections: { proxy: refuseServiceProxy },
  quota: SERVICE_QUOTA,
  allowCreateOnUpdate: true,
  defaults: defaultService,
  prepareUpdate: prepareServiceUpdate,
  allocator: { valuesOf: allocatedValues, allocate: allocateAddresses },
  warnings: serviceWarnings,
  statusWarnings: balancerIpWarnings,
  names: "dns1035",
  validatesAgain: false,
  validate: (service) => validateService(service),
  validateChange: (next, old) => [...validateServiceUpdate(next, old), ...validateService(next)],
  validateStatus: validateServiceStatus,
  deletion: { returnsObject: true },
  fields: { "spec.clusterIP": at("spec", "clusterIP"), "spec.type": at("spec", "type") },
  table: {
    columns: [
      NAME,
      column(
        "Type",
        'type determines how the Service is exposed. Defaults to ClusterIP. Valid options are ExternalName, ClusterIP, NodePort, and LoadBalancer. "ClusterIP" allocates a cluster-internal IP address for load-balancing to endpoints. Endpoints are determined by the selector or if that is not specified, by manual construction of an Endpoints object or EndpointSlice objects. If clusterIP is "None", no virtual IP is allocated and the endpoints are published as a set of endpoints rather than a virtual IP. "NodePort" builds on ClusterIP and allocates a port on every node which routes to the same endpoints as the clusterIP. "LoadBalancer" builds on NodePort and creates an external load-balancer (if supported in the current cloud) which routes to the same endpoints as the clusterIP. "ExternalName" aliases this service to the specified externalName. Several other fields do not apply to ExternalName services. More info: https://kubernetes.io/docs/concepts/services-networking/service/#publishing-services-service-types',
      ),
      column(
        "Cluster-IP",
        'clusterIP is the IP address of the service and is usually assigned randomly. If an address is specified manually, is in-range (as per system configuration), and is not in use, it will be allocated to the service; otherwise creation of the service will fail. This field may not be changed through updates unless the type field is also being changed to ExternalName (which requires this field to be blank) or the type field is being changed from ExternalName (in which case this field may optionally be specified, as describe above).  Valid values are "None", empty string (""), or a valid IP address. Setting this to "None" makes a "headless service" (no virtual IP), which is useful when direct endpoint connections are preferred and proxying is not required.  Only applies to types ClusterIP, NodePort, and LoadBalancer. If this field is specified when creating a Service of type ExternalName, creation will fail. This field will be wiped when updating a Service to type ExternalName. More info: https://kubernetes.io/docs/concepts/services-networking/service/#virtual-ips-and-service-proxies',
      ),
      column(
        "External-IP",
        "externalIPs is a list of IP addresses for which nodes in the cluster will also accept traffic for this service.  These IPs are not managed by Kubernetes.  The user is responsible for ensuring that traffic arrives at a node with this IP.  A common example is external load-balancers that are not part of the Kubernetes system.",
      ),
      column(
        "Port(s)",
        "The list of ports that are exposed by this service. More info: https://kubernetes.io/docs/concepts/services-networking/service/#virtual-ips-and-service-proxies",
      ),
      AGE,
      column(
        "Selector",
        "Route service traffic to pods with label keys and values matching this selector. If empty or not present, the service is assumed to have an external process managing its endpoints, which Kubernetes will not modify. Only applies to types ClusterIP, NodePort, and LoadBalancer. Ignored if type is ExternalName. More info: https://kubernetes.io/docs/concepts/services-networking/service/",
        1,
      ),
    ],
    row: named(serviceCells, (service) => [
      selectorText({ matchLabels: getObject(service, "spec", "selector") }) || "<none>",
    ]),
  },
}, { gate: "RelaxedServiceNameValidation", names: "label" });

function defaultService(service: JsonObject): void {
  const spec = getObject(service, "spec");
  fill(spec, "sessionAffinity", "None");
  if (spec["sessionAffinity"] === "None") delete spec["sessionAffinityConfig"];
  if (spec["sessionAffinity"] === "ClientIP") {
    const seconds = getOwn(getObject(spec, "sessionAffinityConfig", "clientIP"), "timeoutSeconds");
    if (seconds === undefined) {
      spec["sessionAffinityConfig"] = { clientIP: { timeoutSeconds: 10_800 } };
    }
  }
  fill(spec, "type", "ClusterIP");
  for (const port of objects(spec, "ports")) {
    fill(port, "protocol", "TCP");
    if (!getOwn(port, "targetPort")) port["targetPort"] = getOwn(port, "port") ?? 0;
  }
  const type = spec["type"];
  if (isExternal(spec)) fill(spec, "externalTrafficPolicy", "Cluster");
  if (type !== "ExternalName") fillPointer(spec, "internalTrafficPolicy", "Cluster");
  if (type !== "LoadBalancer") return;
  if (getOwn(spec, "allocateLoadBalancerNodePorts") === undefined) {
    spec["allocateLoadBalancerNodePorts"] = true;
  }
  for (const point of objects(service, "status", "loadBalancer", "ingress")) {
    if (getString(point, "ip") !== "") fillPointer(point, "ipMode", "VIP");
  }
}

function serviceCells(service: JsonObject): Json[] {
  const ports = objects(service, "spec", "ports").map((port) => {
    const nodePort = getNumber(port, "nodePort");
    const number = `${getNumber(port, "port")}${nodePort > 0 ? `:${nodePort}` : ""}`;
    return `${number}/${getString(port, "protocol")}`;
  });
  const [clusterIp] = getArray(service, "spec", "clusterIPs");
  return [
    getString(service, "spec", "type"),
    clusterIp ?? "<none>",
    externalIp(service),
    ports.join(",") || "<none>",
  ];
}

function externalIp(service: JsonObject): string {
  const external = getArray(service, "spec", "externalIPs").map(String);
  switch (getString(service, "spec", "type")) {
    case "ClusterIP":
    case "NodePort":
      return external.join(",") || "<none>";
    case "LoadBalancer": {
      const ingress = objects(service, "status", "loadBalancer", "ingress")
        .map((one) => getString(one, "ip") || getString(one, "hostname"))
        .filter((one) => one !== "");
      return [...[...new Set(ingress)].sort(), ...external].join(",") || "<pending>";
    }
    case "ExternalName":
      return getString(service, "spec", "externalName");
    default:
      return "<unknown>";
  }
}
