import type { SharedInformer } from "@kubeloop/controller/cache";
import { type Cached, formatTime } from "@kubeloop/controller/types";
import {
  type Actor,
  type ActorOptions,
  isBeingDeleted,
  isReady,
  isSame,
  keyOf,
  Reconciler,
  unlessNotFound,
  whenTerminating,
} from "../control/mod.ts";
import {
  type Endpoint,
  type EndpointAddress,
  type Endpoints,
  EndpointsResource,
  type EndpointSubset,
  type Service,
  Services,
} from "./service_kinds.ts";
import { endpointLabels, hasEndpoints, ServicePods } from "./service_pods.ts";

const MANAGED_BY = "endpoints.kubernetes.io/managed-by";
const MANAGER = "endpoint-controller";
const TRIGGER = "endpoints.kubernetes.io/last-change-trigger-time";

/** Keeps the Endpoints of Services with a selector, as kube-controller-manager does. */
export class EndpointsController implements Actor {
  /** `endpoint-controller` */
  readonly name: string = "endpoint-controller";
  readonly #frame: Reconciler<Service>;
  readonly #pods: ServicePods;
  readonly #endpoints: SharedInformer<Endpoints>;

  /** Creates a controller, which does nothing until {@linkcode EndpointsController.run} is called. */
  constructor(options: ActorOptions) {
    this.#frame = new Reconciler(options, {
      name: this.name,
      resource: Services,
      reconcile: (service, signal) => this.#reconcile(service, signal),
      gone: (key, signal) => this.#remove(key, signal),
    });
    this.#pods = new ServicePods(this.#frame);
    this.#endpoints = this.#frame.related(EndpointsResource);
    const enqueue = (endpoints: Cached<Endpoints>) => this.#frame.enqueue(keyOf(endpoints));
    // Endpoints without a Service are removed when the controller starts.
    this.#endpoints.addEventHandler({ onAdd: enqueue, onUpdate: (_old, one) => enqueue(one) });
  }

  /** Runs the controller until `signal` aborts. */
  run(call: { readonly signal: AbortSignal }): Promise<void> {
    return this.#frame.run(call);
  }

  async #reconcile(service: Cached<Service>, signal: AbortSignal): Promise<void> {
    if (!hasEndpoints(service) || isBeingDeleted(service)) return;
    const { name, namespace = "" } = service.metadata;
    const present = this.#endpoints.indexer.getByKey(keyOf(service));
    const subsets = this.#subsetsOf(service);
    const labels = { ...endpointLabels(service), [MANAGED_BY]: MANAGER };
    if (present !== undefined) {
      if (isSame(subsets, present.subsets) && isSame(labels, present.metadata.labels)) return;
    }
    const annotations = {
      ...present?.metadata.annotations,
      [TRIGGER]: formatTime(this.#frame.clock.wallNow()),
    };
    const { client } = this.#frame;
    if (present === undefined) {
      const metadata = { name, namespace, labels, annotations };
      await client.create(EndpointsResource, { metadata, subsets }, { signal }).catch((error) => {
        if (!whenTerminating(error)) throw error;
      });
    } else {
      const metadata = { ...present.metadata, labels, annotations };
      const changed = { ...present, metadata, subsets } as unknown as Endpoints;
      await client.update(EndpointsResource, changed, { signal });
    }
  }

  /** Endpoints have no owner: their controller removes them with the Service. */
  async #remove(key: string, signal: AbortSignal): Promise<void> {
    const endpoints = this.#endpoints.indexer.getByKey(key);
    if (endpoints?.metadata.labels?.[MANAGED_BY] !== MANAGER) return;
    const { name, namespace = "" } = endpoints.metadata;
    await this.#frame.client.delete(EndpointsResource, name, { namespace, signal })
      .catch(unlessNotFound);
  }

  #subsetsOf(service: Cached<Service>): EndpointSubset[] {
    const isPublished = service.spec?.publishNotReadyAddresses === true;
    const groups = new Map<string, EndpointSubset>();
    for (const { endpoint, pod, ports } of this.#pods.of(service)) {
      if (isBeingDeleted(pod) && !isPublished) continue;
      const key = JSON.stringify(ports);
      const subset = groups.get(key) ?? { ports: [...ports].map(unnamed) };
      const list = isReady(pod) || isPublished ? "addresses" : "notReadyAddresses";
      subset[list] = [...subset[list] ?? [], addressOf(endpoint)];
      groups.set(key, subset);
    }
    return [...groups.values()];
  }
}

function addressOf({ addresses, hostname, nodeName, targetRef }: Endpoint): EndpointAddress {
  return {
    ip: addresses[0] ?? "",
    ...(hostname !== undefined && { hostname }),
    ...(nodeName !== undefined && { nodeName }),
    ...(targetRef !== undefined && { targetRef }),
  };
}

/** The only port of a Service needs no name. */
function unnamed<P extends { name?: string }>({ name, ...port }: P): P {
  return { ...(name && { name }), ...port } as P;
}
