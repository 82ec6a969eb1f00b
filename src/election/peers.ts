import type { Lease, Stored } from "../types/mod.ts";
import { durationMsOf, isReleased, recordOf } from "./lease_record.ts";

/** Annotations of the Lease of a member: its number of shards, and whether it is leaving. */
export const SHARDS_ANNOTATION = "kubeloop/shard-count";
export const LEAVING_ANNOTATION = "kubeloop/leaving";
/** Annotation of the Lease of a member that may own shards. It is written before the member takes its first shard. */
export const OWNER_ANNOTATION = "kubeloop/owner";

/** Another member, as last observed. */
export interface Peer {
  readonly token: string;
  /** Undefined if the table names a member that has no Lease. */
  readonly lease: Stored<Lease> | undefined;
  readonly record: string;
  /** When the record was first seen like this, on this process's own clock. */
  readonly atMs: number;
  readonly durationMs: number;
}

/** The other members. Each is alive until its Lease is released, or has not changed for its duration. */
export class Peers {
  readonly #leaseDurationMs: number;
  #peers = new Map<string, Peer>();

  /** Creates an empty set; `leaseDurationMs` is the duration of Leases without one. */
  constructor(leaseDurationMs: number) {
    this.#leaseDurationMs = leaseDurationMs;
  }

  /** Replaces the members by the listed members and the members in the table. */
  update(
    leases: ReadonlyMap<string, Stored<Lease>>,
    named: Iterable<string>,
    nowMs: number,
  ): void {
    const before = this.#peers;
    this.#peers = new Map();
    for (const [token, lease] of leases) this.#set(token, lease, before.get(token), nowMs);
    for (const token of named) {
      if (!leases.has(token)) this.#set(token, undefined, before.get(token), nowMs);
    }
  }

  /** Updates the Lease of one member. */
  updateOne(token: string, lease: Stored<Lease>, nowMs: number): void {
    this.#set(token, lease, this.#peers.get(token), nowMs);
  }

  /** Removes a member whose Lease was deleted. */
  remove(token: string): void {
    this.#peers.delete(token);
  }

  /** Returns all members, including dead ones. */
  all(): Iterable<Peer> {
    return this.#peers.values();
  }

  /** Reports whether the Lease of a member was released, so that its shards are free. */
  isDead(token: string): boolean {
    return isDead(this.#peers.get(token));
  }

  /** Reports whether another member may own shards, whatever the table says. */
  hasOwner(): boolean {
    for (const peer of this.#peers.values()) {
      const isOwner = peer.lease?.metadata.annotations?.[OWNER_ANNOTATION] !== undefined;
      if (isOwner && !isDead(peer)) return true;
    }
    return false;
  }

  /** Returns the tokens of the members that share `shards` shards. */
  active(shards: number, nowMs: number): string[] {
    const active: string[] = [];
    for (const peer of this.#peers.values()) {
      if (peer.lease === undefined || isDead(peer) || isExpired(peer, nowMs)) continue;
      const annotations = peer.lease.metadata.annotations;
      if (annotations?.[LEAVING_ANNOTATION] !== undefined) continue;
      if (annotations?.[SHARDS_ANNOTATION] === String(shards)) active.push(peer.token);
    }
    return active;
  }

  #set(
    token: string,
    lease: Stored<Lease> | undefined,
    before: Peer | undefined,
    nowMs: number,
  ): void {
    if (before?.lease !== undefined && lease !== undefined && isSameVersion(before.lease, lease)) {
      this.#peers.set(token, before);
      return;
    }
    const record = lease === undefined ? "" : recordOf(lease);
    const durationMs = lease === undefined
      ? before?.durationMs ?? this.#leaseDurationMs
      : Math.max(durationMsOf(lease) ?? 0, this.#leaseDurationMs);
    const atMs = before?.record === record ? before.atMs : nowMs;
    this.#peers.set(token, { token, lease, record, atMs, durationMs });
  }
}

/** Reports whether two reads returned the same version of a Lease. */
export function isSameVersion(a: Stored<Lease>, b: Stored<Lease>): boolean {
  return a.metadata.resourceVersion === b.metadata.resourceVersion &&
    a.metadata.uid === b.metadata.uid;
}

/** Reports whether the Lease of a member has not changed for its duration. */
export function isExpired({ atMs, durationMs }: Peer, nowMs: number): boolean {
  return nowMs >= atMs + durationMs;
}

/** Reports whether the Lease of a member was released. */
export function isDead(peer: Peer | undefined): boolean {
  return peer?.lease !== undefined && isReleased(peer.lease);
}
