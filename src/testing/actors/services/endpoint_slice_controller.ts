import {
  type Cached,
  controllerReference,
  formatTime,
  isControlledBy,
  type Stored,
} from "@kubeloop/controller/types";
import {
  type Actor,
  type ActorOptions,
  Expectations,
  isBeingDeleted,
  isSame,
  Ownership,
  Reconciler,
  unlessGone,
  whenTerminating,
} from "../control/mod.ts";
import {
  type Endpoint,
  type EndpointPort,
  type EndpointSlice,
  EndpointSlices,
  type Service,
  Services,
} from "./service_kinds.ts";
import { endpointLabels, hasEndpoints, ServicePods } from "./service_pods.ts";

const SERVICE_NAME = "kubernetes.io/service-name";
const MANAGED_BY = "endpointslice.kubernetes.io/managed-by";
const MANAGER = "endpointslice-controller.k8s.io";
const TRIGGER = "endpoints.kubernetes.io/last-change-trigger-time";
/** The number of endpoints in a slice. */
const MAX_ENDPOINTS = 100;

/** The content of a slice. */
interface Content {
  readonly endpoints: Endpoint[];
  readonly ports: readonly EndpointPort[];
}

/** Keeps the EndpointSlices of Services with a selector, as kube-controller-manager does. */
export class EndpointSliceController implements Actor {
  /** `endpoint-slice-controller` */
  readonly name: string = "endpoint-slice-controller";
  readonly #frame: Reconciler<Service>;
  readonly #expectations: Expectations;
  readonly #pods: ServicePods;
  readonly #slices: Ownership<Service, EndpointSlice>;

  /** Creates a controller, which does nothing until {@linkcode EndpointSliceController.run} is called. */
  constructor(options: ActorOptions) {
    this.#frame = new Reconciler(options, {
      name: this.name,
      resource: Services,
      reconcile: (service, signal) => this.#reconcile(service, signal),
    });
    this.#expectations = new Expectations(this.#frame.clock);
    this.#pods = new ServicePods(this.#frame);
    this.#slices = new Ownership(this.#frame, {
      owner: Services,
      resource: EndpointSlices,
      expectations: this.#expectations,
    });
  }

  /** Runs the controller until `signal` aborts. */
  run(call: { readonly signal: AbortSignal }): Promise<void> {
    return this.#frame.run(call);
  }

  async #reconcile(
    service: Cached<Service>,
    signal: AbortSignal,
  ): Promise<{ requeueAfterMs: number } | void> {
    if (!hasEndpoints(service) || isBeingDeleted(service)) return;
    const requeueAfterMs = this.#expectations.waitMs(service.metadata.uid);
    if (requeueAfterMs > 0) return { requeueAfterMs };
    const present = this.#slices.of(service)
      .filter(({ metadata }) => metadata.labels?.[MANAGED_BY] === MANAGER)
      .sort((a, b) => a.metadata.name < b.metadata.name ? -1 : 1);
    const wanted = this.#contentsOf(service);
    const unused = [...present];
    for (const content of wanted) {
      // A slice of the same ports stays, so that few slices change.
      const index = unused.findIndex(({ ports = [] }) => isSame(ports, content.ports));
      const [slice] = index < 0 ? [] : unused.splice(index, 1);
      if (slice === undefined) await this.#create(service, content, signal);
      else await this.#update(service, slice, content, signal);
    }
    for (const { metadata } of unused) {
      const { name, namespace = "", uid } = metadata;
      const call = { namespace, preconditions: { uid }, signal };
      await this.#frame.client.delete(EndpointSlices, name, call).catch(unlessGone);
    }
  }

  /** Returns the endpoints in slices of equal ports; without endpoints, one empty slice. */
  #contentsOf(service: Cached<Service>): Content[] {
    const groups = new Map<string, Content>();
    for (const { endpoint, ports } of this.#pods.of(service)) {
      const key = JSON.stringify(ports);
      const group = groups.get(key) ?? { endpoints: [], ports };
      group.endpoints.push(endpoint);
      groups.set(key, group);
    }
    if (groups.size === 0) return [{ endpoints: [], ports: [] }];
    return [...groups.values()].flatMap(({ endpoints, ports }) =>
      Array.from({ length: Math.ceil(endpoints.length / MAX_ENDPOINTS) }, (_, i) => ({
        endpoints: endpoints.slice(i * MAX_ENDPOINTS, (i + 1) * MAX_ENDPOINTS),
        ports,
      }))
    );
  }

  async #create(
    service: Cached<Service>,
    { endpoints, ports }: Content,
    signal: AbortSignal,
  ): Promise<void> {
    const { name, namespace = "", uid } = service.metadata;
    this.#expectations.expect(uid, 1);
    const slice: EndpointSlice = {
      metadata: {
        generateName: `${name}-`,
        namespace,
        labels: labelsOf(service),
        annotations: this.#trigger(),
        ownerReferences: [controllerReference(service as Stored<Service>, Services)],
      },
      addressType: "IPv4",
      endpoints,
      ports: [...ports],
    };
    try {
      await this.#frame.client.create(EndpointSlices, slice, { signal });
    } catch (error) {
      this.#expectations.creationObserved(uid);
      if (whenTerminating(error)) return;
      throw error;
    }
  }

  async #update(
    service: Cached<Service>,
    slice: Cached<EndpointSlice>,
    { endpoints, ports }: Content,
    signal: AbortSignal,
  ): Promise<void> {
    const labels = labelsOf(service);
    const isRight = isSame(labels, slice.metadata.labels) && isSame(endpoints, slice.endpoints) &&
      isSame(ports, slice.ports) && isControlledBy(slice, service);
    if (isRight) return;
    const annotations = { ...slice.metadata.annotations, ...this.#trigger() };
    await this.#frame.client.update(EndpointSlices, {
      ...slice,
      metadata: { ...slice.metadata, labels, annotations },
      endpoints,
      ports: [...ports],
    } as EndpointSlice, { signal });
  }

  #trigger(): Record<string, string> {
    return { [TRIGGER]: formatTime(this.#frame.clock.wallNow()) };
  }
}

function labelsOf(service: Cached<Service>): Record<string, string> {
  return {
    ...endpointLabels(service),
    [SERVICE_NAME]: service.metadata.name,
    [MANAGED_BY]: MANAGER,
  };
}
