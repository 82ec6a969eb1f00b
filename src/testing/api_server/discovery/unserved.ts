import { encodeJson, notImplemented } from "../values/mod.ts";
import type { RequestInfo } from "../http/mod.ts";

/** The resources that a real API server serves and this one does not, by group. */
const RESOURCES: Readonly<Record<string, string>> = {
  "":
    "bindings componentstatuses endpoints limitranges persistentvolumeclaims persistentvolumes podtemplates replicationcontrollers resourcequotas",
  "admissionregistration.k8s.io":
    "mutatingadmissionpolicies mutatingadmissionpolicybindings validatingadmissionpolicies validatingadmissionpolicybindings",
  "apiregistration.k8s.io": "apiservices",
  apps: "controllerrevisions daemonsets statefulsets",
  "authentication.k8s.io": "tokenreviews",
  "authorization.k8s.io": "localsubjectaccessreviews",
  autoscaling: "horizontalpodautoscalers",
  batch: "cronjobs",
  "certificates.k8s.io": "certificatesigningrequests",
  "discovery.k8s.io": "endpointslices",
  "flowcontrol.apiserver.k8s.io": "flowschemas prioritylevelconfigurations",
  "networking.k8s.io": "ingressclasses ingresses ipaddresses networkpolicies servicecidrs",
  "node.k8s.io": "runtimeclasses",
  "resource.k8s.io": "deviceclasses resourceclaims resourceclaimtemplates resourceslices",
  "scheduling.k8s.io": "priorityclasses",
  "storage.k8s.io":
    "csidrivers csinodes csistoragecapacities storageclasses volumeattachments volumeattributesclasses",
};

const SUBRESOURCES: Readonly<Record<string, string>> = {
  nodes: "proxy",
  pods: "attach ephemeralcontainers exec portforward proxy resize",
  serviceaccounts: "token",
  services: "proxy",
};

/**
 * Refuses resources and subresources that a real API server serves and this one does not. A 501 shows a client that
 * they are missing here, where a 404 could be taken for a real answer.
 *
 * @throws {ApiError} 501, with the name of the resource.
 */
export function refuseUnserved({ group, resource, subresource }: RequestInfo): void {
  const name = group === "" ? resource : `${resource}.${group}`;
  if (has(RESOURCES, group, resource)) throw notImplemented(`This server does not serve ${name}`);
  if (group === "" && has(SUBRESOURCES, resource, subresource)) {
    throw notImplemented(`This server does not serve ${name}/${subresource}`);
  }
}

/**
 * Collections that are always empty, because nothing can be created in them. kubectl lists them to describe a
 * namespace.
 */
const EMPTY: Readonly<Record<string, string>> = {
  limitranges: "LimitRangeList",
  resourcequotas: "ResourceQuotaList",
};

/** Returns the answer to a list of a collection that is always empty; undefined for all other requests. */
export function emptyListText(
  { group, version, verb, resource }: RequestInfo,
  resourceVersion: string,
): string | undefined {
  if (verb !== "list" || group !== "" || version !== "v1") return undefined;
  if (!Object.hasOwn(EMPTY, resource)) return undefined;
  return encodeJson({
    kind: EMPTY[resource]!,
    apiVersion: "v1",
    metadata: { resourceVersion },
    items: [],
  });
}

function has(table: Readonly<Record<string, string>>, key: string, name: string): boolean {
  return Object.hasOwn(table, key) && table[key]!.split(" ").includes(name);
}
