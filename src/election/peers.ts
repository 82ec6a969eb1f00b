import type { Lease, Stored } from "../types/mod.ts";
import { durationMsOf, isReleased, recordOf } from "./lease_record.ts";

/** The annotations of a member's Lease. */
export const SHARDS_ANNOTATION = "kubeloop/shard-count";
export const LEAVING_ANNOTATION = "kubeloop/leaving";
/** On the Lease of each member that may have shards, from before it takes the first one. */
export const OWNER_ANNOTATION = "kubeloop/owner";

/** Another member, as it was last seen. */
export interface Peer {
  readonly token: string;
  /** Undefined if the table names a member that has no Lease. */
  readonly lease: Stored<Lease> | undefined;
  readonly record: string;
  /** When the record was first seen like this, on this process's own clock. */
  readonly atMs: number;
  readonly durationMs: number;
}

/** The other members: each lives until its Lease says that it does not, or has not changed for its duration. */
export class Peers {
  readonly #leaseDurationMs: number;
  #peers = new Map<string, Peer>();

  /** Creates an empty view. `leaseDurationMs` is the duration of Leases that do not say it. */
  constructor(leaseDurationMs: number) {
    this.#leaseDurationMs = leaseDurationMs;
  }

  /** Takes what was listed, and the members that the table names. */
  see(
    leases: ReadonlyMap<string, Stored<Lease>>,
    named: Iterable<string>,
    nowMs: number,
  ): void {
    const before = this.#peers;
    this.#peers = new Map();
    for (const [token, lease] of leases) this.#see(token, lease, before.get(token), nowMs);
    for (const token of named) {
      if (!leases.has(token)) this.#see(token, undefined, before.get(token), nowMs);
    }
  }

  /** Takes the Lease of one member, as it was written. */
  seeOne(token: string, lease: Stored<Lease>, nowMs: number): void {
    this.#see(token, lease, this.#peers.get(token), nowMs);
  }

  /** Forgets a member whose Lease was deleted. */
  forget(token: string): void {
    this.#peers.delete(token);
  }

  /** Returns all members that were seen, dead ones included. */
  all(): Iterable<Peer> {
    return this.#peers.values();
  }

  /** Reports whether the Lease of a member says that its shards are free. */
  isDead(token: string): boolean {
    return isDead(this.#peers.get(token));
  }

  /** Reports whether another member may have shards, whatever the table says. */
  haveOwner(): boolean {
    for (const peer of this.#peers.values()) {
      const isOwner = peer.lease?.metadata.annotations?.[OWNER_ANNOTATION] !== undefined;
      if (isOwner && !isDead(peer)) return true;
    }
    return false;
  }

  /** Returns the tokens of the members that take shards out of `shards`. */
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

  #see(
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

/** Reports whether two reads have given the same version of a Lease, so that nothing need be compared. */
export function isSameVersion(a: Stored<Lease>, b: Stored<Lease>): boolean {
  return a.metadata.resourceVersion === b.metadata.resourceVersion &&
    a.metadata.uid === b.metadata.uid;
}

/** Reports whether the Lease of a member has not changed for its duration. */
export function isExpired({ atMs, durationMs }: Peer, nowMs: number): boolean {
  return nowMs >= atMs + durationMs;
}

/** Reports whether the Lease of a member was given back. */
export function isDead(peer: Peer | undefined): boolean {
  return peer?.lease !== undefined && isReleased(peer.lease);
}
