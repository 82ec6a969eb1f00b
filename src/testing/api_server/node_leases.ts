import { formatTime, type Lease, Leases } from "@kubeloop/controller/types";
import type { ServerContext } from "./handlers/mod.ts";
import type { FaultInjector } from "./http/mod.ts";
import { encodeJson } from "../values/mod.ts";
import { objectKey, type StoredObject } from "./storage/mod.ts";

const LEASES = "leases.coordination.k8s.io";
const NAMESPACE = "kube-node-lease";

/**
 * The renewals of the Leases of nodes, which are the only requests of a cluster in which nothing happens.
 *
 * A renewal stores the object that the PATCH of a kubelet would store, without the request. `ApiServer.nodeLeases` renews
 * the Leases of its server.
 *
 * @example
 * ```ts
 * import { ApiServer, startActors, VirtualClock } from "@kubeloop/testing";
 * import { assertEquals } from "@std/assert";
 *
 * const clock = new VirtualClock();
 * await using server = new ApiServer({ clock });
 * await using _actors = startActors(server, { nodes: 2 });
 * const renewed: string[] = [];
 * server.nodeLeases.onRenewal((node) => renewed.push(node));
 * await clock.advance(11_000);
 * assertEquals([...new Set(renewed)], ["node-1", "node-2"]);
 * ```
 */
export class NodeLeases {
  readonly #context: ServerContext;
  readonly #faults: FaultInjector;
  /** The Leases that renewals have stored. */
  readonly #renewable = new WeakMap<StoredObject, Lease>();

  /** Creates the renewals of a server. */
  constructor(context: ServerContext, faults: FaultInjector) {
    this.#context = context;
    this.#faults = faults;
  }

  /**
   * Renews the Lease of a node now.
   *
   * @param node The name of the node.
   * @param renewTime The time of the kubelet, as in `spec.renewTime`.
   * @returns Whether it is renewed. If not, the kubelet sends its request: there is no Lease yet, another client has changed
   * it, or a fault, a lag, a webhook or a policy may change the answer.
   */
  renew(node: string, renewTime: string): boolean {
    const { admission, clock, lags, registry, storage } = this.#context;
    if (!this.#faults.isEmpty || lags.isActive || !admission.isIdle) return false;
    const store = storage.store(LEASES);
    const stored = store.get(objectKey(NAMESPACE, node));
    const before = stored && this.#leaseOf(stored);
    if (before === undefined) return false;
    // The fields of `before` are in the order of their kind, because its text was encoded in that order.
    const lease = renewed(before, renewTime, formatTime(clock.wallNow()));
    const next = storage.put(store, lease, (numbered) => encodeJson(numbered));
    this.#renewable.set(next, lease);
    this.#context.written(registry.get(Leases)!, next);
    return true;
  }

  /**
   * Calls `listener` synchronously with the name of a node after each write of its Lease, also by a request. The returned
   * function removes the listener.
   */
  onRenewal(listener: (node: string) => void): () => void {
    return this.#context.storage.onWrite((resource, { object, type }) => {
      if (resource !== LEASES || object.namespace !== NAMESPACE || type === "DELETED") return;
      listener(object.name);
    });
  }

  /** Returns the Lease that only the kubelet of its node has written; otherwise undefined. */
  #leaseOf(stored: StoredObject): Lease | undefined {
    const known = this.#renewable.get(stored);
    if (known !== undefined) return known;
    const lease = stored.parse() as Lease;
    return isOwn(lease) ? lease : undefined;
  }
}

/** Reports whether only the kubelet has written a Lease, so that a renewal changes no more than times. */
function isOwn({ metadata, spec }: Lease): boolean {
  const [entry, ...others] = metadata.managedFields ?? [];
  return spec?.holderIdentity === metadata.name && spec?.renewTime !== undefined &&
    entry?.manager === "kubelet" && entry.operation === "Update" && others.length === 0;
}

function renewed({ metadata, spec, ...rest }: Lease, renewTime: string, time: string): Lease {
  const managedFields = metadata.managedFields!.map((entry) => ({ ...entry, time }));
  return { ...rest, metadata: { ...metadata, managedFields }, spec: { ...spec, renewTime } };
}
