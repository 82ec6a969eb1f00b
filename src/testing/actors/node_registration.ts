import type { Clock } from "@kubeloop/controller/internal/base";
import type { Client } from "@kubeloop/controller/client";
import {
  type Cached,
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
import { covers } from "./pods/mod.ts";

/** The namespace of the Leases of nodes. */
export const LEASE_NAMESPACE = "kube-node-lease";
/** The duration of a node Lease: kubelet's default. */
const LEASE_SECONDS = 40;

/** The renewals of the Leases of nodes, such as `ApiServer.nodeLeases`. */
export interface LeaseRenewals {
  /** Renews the Lease of a node now; returns false if that takes a request. */
  renew(node: string, renewTime: string): boolean;
  /** Calls `listener` after each write of the Lease of a node; returns a function that removes it. */
  onRenewal(listener: (node: string) => void): () => void;
}

/** The system information of a node. */
type NodeInfo = Required<NonNullable<Node["status"]>>["nodeInfo"];

/** The facts that a node reports about itself. */
export interface NodeDescription {
  readonly name: string;
  readonly address: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly capacity: Readonly<Record<string, string>>;
  readonly info: Partial<NodeInfo> | undefined;
  readonly clock: Clock;
  /** Renews the Lease without a request; absent if the server offers no such way. */
  readonly leases: LeaseRenewals | undefined;
  /** Returns the Node as the kubelet last saw it; undefined if there is none. */
  readonly known: () => Cached<Node> | undefined;
}

/** Registers a Node and keeps its status and its Lease up to date. */
export class NodeRegistration {
  readonly #client: Client;
  readonly #node: NodeDescription;
  #uid: string | undefined;
  #readySince = "";
  #isDeleted = false;
  /** Whether the known Node was found to have the status that it should have. */
  #isCovered = false;

  /** Creates a registration. The first {@linkcode NodeRegistration.renew} registers the node. */
  constructor(client: Client, node: NodeDescription) {
    this.#client = client;
    this.#node = node;
  }

  /** Makes the next renewal register the node again, as after a reboot. */
  forget(): void {
    this.#uid = undefined;
    this.#isDeleted = false;
    this.#isCovered = false;
  }

  /** Makes the next renewal look at the status of the Node, which has changed. */
  check(): void {
    this.#isCovered = false;
  }

  /**
   * Renews the Lease of the node, and corrects its status. A Node that was deleted is registered again only after
   * {@linkcode NodeRegistration.forget}.
   */
  async renew(signal: AbortSignal): Promise<void> {
    if (this.#isDeleted) return;
    if (this.#uid === undefined) await this.#register(signal);
    // The Lease is renewed first: while it is stale, the node controller overwrites a Ready status with Unknown.
    const hasLease = await this.#renewLease(signal);
    if (!this.#isCovered) {
      const status = this.#status();
      this.#isCovered = covers(this.#node.known()?.status, status);
      if (!this.#isCovered) await this.#patchStatus(status, signal);
    }
    if (!hasLease && !this.#isDeleted) await this.#createLease(signal);
  }

  async #patchStatus(status: NonNullable<Node["status"]>, signal: AbortSignal): Promise<void> {
    try {
      const call = { type: "strategic", signal } as const;
      await this.#client.patchStatus(Nodes, this.#node.name, { status }, call);
    } catch (error) {
      if (!isNotFound(error)) throw error;
      this.#isDeleted = true;
    }
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
    const { leases, name } = this.#node;
    const spec = this.#leaseSpec();
    if (leases?.renew(name, spec.renewTime)) return true;
    const call = { namespace: LEASE_NAMESPACE, signal };
    try {
      await this.#client.patch(Leases, name, { spec }, call);
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

  #leaseSpec(): NonNullable<Lease["spec"]> & { readonly renewTime: string } {
    return {
      holderIdentity: this.#node.name,
      leaseDurationSeconds: LEASE_SECONDS,
      renewTime: formatMicroTime(this.#node.clock.wallNow()),
    };
  }

  #status(): NonNullable<Node["status"]> {
    const { address, capacity, info, name } = this.#node;
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
      // The server adds the fields that are missing.
      ...(info !== undefined && { nodeInfo: info as NodeInfo }),
    };
  }
}
