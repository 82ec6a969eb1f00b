import { DeletedFinalStateUnknown, type SharedInformer } from "@kubeloop/controller/cache";
import { type Cached, type Pod, Pods } from "@kubeloop/controller/types";
import { isBeingDeleted, isOver, isReady, isSame, type Reconciler } from "../control/mod.ts";
import type { Endpoint, EndpointPort, Service } from "./service_kinds.ts";

/** A Pod of a Service, with its endpoint and ports. */
export interface ServicePod {
  readonly pod: Cached<Pod>;
  readonly endpoint: Endpoint;
  readonly ports: readonly EndpointPort[];
}

/** The label of Services, and of their endpoints, that have no address of their own. */
const HEADLESS = "service.kubernetes.io/headless";

/** The Pods that Services select. A Service is reconciled when one of its Pods changes in a way that endpoints show. */
export class ServicePods {
  readonly #pods: SharedInformer<Pod>;
  readonly #frame: Reconciler<Service>;

  /** Starts to watch Pods for a controller. */
  constructor(frame: Reconciler<Service>) {
    this.#frame = frame;
    this.#pods = frame.related(Pods);
    this.#pods.addEventHandler({
      onAdd: (pod) => this.#enqueue(pod),
      onUpdate: (old, pod) => {
        if (isSame(shown(old), shown(pod))) return;
        this.#enqueue(old);
        this.#enqueue(pod);
      },
      onDelete: (last) => {
        const pod = DeletedFinalStateUnknown.lastKnownState(last);
        if (pod !== undefined) this.#enqueue(pod);
      },
    });
  }

  /** Returns the Pods of a Service that have an address, sorted by name. */
  of(service: Cached<Service>): ServicePod[] {
    const { namespace = "" } = service.metadata;
    return this.#pods.indexer.byIndex("namespace", namespace)
      .filter((pod) => selects(service, pod) && !isOver(pod) && !!pod.status?.podIP)
      .sort((a, b) => a.metadata.name < b.metadata.name ? -1 : 1)
      .map((pod) => ({ pod, endpoint: endpointOf(service, pod), ports: portsOf(service, pod) }));
  }

  #enqueue(pod: Cached<Pod>): void {
    const { namespace = "" } = pod.metadata;
    for (const service of this.#frame.objects.indexer.byIndex("namespace", namespace)) {
      if (selects(service, pod)) this.#frame.enqueue(`${namespace}/${service.metadata.name}`);
    }
  }
}

/** Reports whether the controllers manage the endpoints of a Service. */
export function hasEndpoints({ spec }: Cached<Service>): boolean {
  return spec?.selector !== undefined && spec.type !== "ExternalName";
}

/** Returns the labels that the endpoints of a Service copy from it. */
export function endpointLabels({ metadata, spec }: Cached<Service>): Record<string, string> {
  const { [HEADLESS]: _, ...labels } = metadata.labels ?? {};
  return isHeadless(spec) ? { ...labels, [HEADLESS]: "" } : labels;
}

function isHeadless(spec: Cached<Service>["spec"]): boolean {
  return spec?.clusterIP === "None" || !spec?.clusterIP;
}

function selects(service: Cached<Service>, { metadata }: Cached<Pod>): boolean {
  return hasEndpoints(service) &&
    Object.entries(service.spec?.selector ?? {})
      .every(([key, value]) => metadata.labels?.[key] === value);
}

/** Returns the parts of a Pod that its endpoints depend on. */
function shown(pod: Cached<Pod>): unknown {
  const { metadata, spec, status } = pod;
  const isGone = isBeingDeleted(pod) ? "deleted" : isOver(pod) ? "over" : "";
  return [metadata.uid, metadata.labels, spec?.nodeName, status?.podIP, isReady(pod), isGone];
}

function endpointOf(service: Cached<Service>, pod: Cached<Pod>): Endpoint {
  const { metadata, spec, status } = pod;
  const serving = isReady(pod);
  const terminating = isBeingDeleted(pod);
  const isPublished = service.spec?.publishNotReadyAddresses === true;
  const { hostname, subdomain } = (spec ?? {}) as { hostname?: string; subdomain?: string };
  return {
    addresses: [status?.podIP ?? ""],
    conditions: { ready: isPublished || (serving && !terminating), serving, terminating },
    ...(hostname && subdomain === service.metadata.name && { hostname }),
    ...(spec?.nodeName && { nodeName: spec.nodeName }),
    targetRef: {
      kind: "Pod",
      namespace: metadata.namespace ?? "",
      name: metadata.name,
      uid: metadata.uid,
    },
  };
}

/** Returns the ports on a Pod; a port that the Pod does not have is left out. */
function portsOf({ spec }: Cached<Service>, pod: Cached<Pod>): EndpointPort[] {
  return (spec?.ports ?? []).flatMap((one): EndpointPort[] => {
    const { name = "", port, protocol = "TCP", targetPort = port } = one;
    const number = typeof targetPort === "number"
      ? targetPort
      : (pod.spec?.containers ?? []).flatMap(({ ports = [] }) => ports)
        .find((has) => has.name === targetPort && (has.protocol ?? "TCP") === protocol)
        ?.containerPort;
    const { appProtocol } = one as { appProtocol?: string };
    if (number === undefined) return [];
    return [{ name, port: number, protocol, ...(appProtocol !== undefined && { appProtocol }) }];
  });
}
