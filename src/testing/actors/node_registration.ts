import type { Clock } from "@kubeloop/controller/base";
import type { Client } from "@kubeloop/controller/client";
import {
  type Condition,
  formatMicroTime,
  formatTime,
  isAlreadyExists,
  isNotFound,
  type Lease,
  Leases,
  type Node,
  Nodes,
} from "@kubeloop/controller/types";

/** Where the Leases of nodes are. */
export const LEASE_NAMESPACE = "kube-node-lease";
/** For how long a Lease says that its node is alive: kubelet's default. */
const LEASE_SECONDS = 40;

/** What a node says of itself. */
export interface NodeDescription {
  readonly name: string;
  readonly address: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly capacity: Readonly<Record<string, string>>;
  readonly clock: Clock;
}

/** Keeps the Node and its Lease in the API server. */
export class NodeRegistration {
  readonly #client: Client;
  readonly #node: NodeDescription;
  #uid: string | undefined;
  #readySince = "";
  #isDeleted = false;

  /** A node that the API server has not heard of yet. */
  constructor(client: Client, node: NodeDescription) {
    this.#client = client;
    this.#node = node;
  }

  /** Makes the next renewal begin with a new registration, as after a reboot. */
  forget(): void {
    this.#uid = undefined;
    this.#isDeleted = false;
  }

  /** Says that the node is alive. A Node that was deleted comes back only after {@linkcode NodeRegistration.forget}. */
  async renew(signal: AbortSignal): Promise<void> {
    if (this.#isDeleted) return;
    if (this.#uid === undefined) await this.#register(signal);
    // The Lease comes before the status, which says nothing of a node that counts as lost.
    const hasLease = await this.#renewLease(signal);
    try {
      const patch = { status: this.#status() };
      await this.#client.patchStatus(Nodes, this.#node.name, patch, { type: "strategic", signal });
    } catch (error) {
      if (!isNotFound(error)) throw error;
      this.#isDeleted = true;
      return;
    }
    if (!hasLease) await this.#createLease(signal);
  }

  async #register(signal: AbortSignal): Promise<void> {
    const { clock, labels, name } = this.#node;
    this.#readySince = formatTime(clock.wallNow());
    const node: Node = { metadata: { name, labels: { ...labels } }, status: this.#status() };
    let registered: Node;
    try {
      registered = await this.#client.create(Nodes, node, { signal });
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
      registered = await this.#client.get(Nodes, name, { signal });
    }
    this.#uid = registered.metadata.uid;
  }

  async #renewLease(signal: AbortSignal): Promise<boolean> {
    const call = { namespace: LEASE_NAMESPACE, signal };
    try {
      await this.#client.patch(Leases, this.#node.name, { spec: this.#leaseSpec() }, call);
      return true;
    } catch (error) {
      if (!isNotFound(error)) throw error;
      return false;
    }
  }

  async #createLease(signal: AbortSignal): Promise<void> {
    const { name } = this.#node;
    const owner = { apiVersion: "v1", kind: "Node", name, uid: this.#uid ?? "" };
    const lease = { metadata: { name, ownerReferences: [owner] }, spec: this.#leaseSpec() };
    await this.#client.create(Leases, lease, { namespace: LEASE_NAMESPACE, signal });
  }

  #leaseSpec(): NonNullable<Lease["spec"]> {
    return {
      holderIdentity: this.#node.name,
      leaseDurationSeconds: LEASE_SECONDS,
      renewTime: formatMicroTime(this.#node.clock.wallNow()),
    };
  }

  #status(): NonNullable<Node["status"]> {
    const { address, capacity, name } = this.#node;
    const ready: Condition & { lastHeartbeatTime: string } = {
      type: "Ready",
      status: "True",
      reason: "KubeletReady",
      message: "kubelet is posting ready status",
      lastHeartbeatTime: this.#readySince,
      lastTransitionTime: this.#readySince,
    };
    return {
      capacity: { ...capacity },
      allocatable: { ...capacity },
      conditions: [ready],
      addresses: [{ type: "InternalIP", address }, { type: "Hostname", address: name }],
    };
  }
}
