import { type Random, randomInt } from "../base/mod.ts";
import type { Lease, Stored } from "../types/mod.ts";
import { Election, type LeaseFailure, type LeaseStep } from "./election.ts";
import type { Times } from "./election_times.ts";
import { HeldShards, type Ownership, type ShardEvents } from "./held_shards.ts";
import { type LeaseBody, type LeaseMetadata, releasedLease } from "./lease_record.ts";
import type { LeaseAnswers } from "./lease_requests.ts";
import {
  isDead,
  isExpired,
  isSameVersion,
  LEAVING_ANNOTATION,
  OWNER_ANNOTATION,
  type Peer,
  Peers,
  SHARDS_ANNOTATION,
} from "./peers.ts";
import { readTable, type ShardTable, writeTable } from "./shard_table.ts";

/** The label of all Leases of a sharding; the value is its name. */
export const SHARDING_LABEL = "kubeloop/sharding";

/** The next action. */
export type ShardingStep =
  | { readonly kind: "wait"; readonly untilMs: number }
  | {
    readonly kind: "lease";
    readonly name: string;
    readonly step: Exclude<LeaseStep, { kind: "wait" | "done" }>;
    readonly answers: LeaseAnswers;
  }
  /** List the Leases with the label, then call `listed` or `listFailed`. */
  | { readonly kind: "list" }
  /** Delete this version of a Lease, then call `deleted` or `deleteFailed`. */
  | { readonly kind: "delete"; readonly lease: Stored<Lease> }
  | { readonly kind: "done" };

/** The settings of a {@linkcode ShardingCore}. */
export interface ShardingSettings extends Times {
  readonly name: string;
  readonly namespace: string;
  readonly identity: string;
  readonly shards: number;
  readonly random: Random;
}

/**
 * The synchronous core of {@linkcode Sharding}: decides without a promise, a timer or a clock.
 *
 * Each replica is a *member*: it has a Lease of its own, with a random token in its name, and renews it like a leader
 * ({@linkcode Election}). One more Lease is the *table*: the owner of each shard, by token. It is written only when an owner
 * changes. So a replica makes two requests per retry period, whatever the number of shards: it renews its Lease, and lists
 * all Leases of the sharding. With a Lease for each shard, it would make a request for each shard.
 *
 * No shard has two owners, under the assumptions of `Election` about clocks:
 *
 * 1. A member owns a shard from the answer to its own write of the table. It stops owning the shard `renewDeadlineMs` after
 *    it sent its last successful renewal, or its last read or write of the table that names it, whichever was earlier. A
 *    list alone never makes a member an owner: a late write of the same member could undo what the list shows.
 * 2. Another member takes a shard only if it is free in the table, or if its owner is *dead*: the Lease of the owner has no
 *    holder. The owner frees a shard after draining it. Each write of the table is based on the version that was read and
 *    creates a new version. So if two members take one shard, one write is refused, and a late write has no effect.
 * 3. Other members mark a member as dead only after its Lease has not changed for its duration, by a write based on the
 *    version that they read. By then its deadline has passed, and its renewals are refused. A dead token stays dead: the
 *    replica joins again with a new one.
 * 4. The Lease of a dead member is deleted when the table no longer names it. If the table names a member without a Lease,
 *    the Lease was deleted or a write arrived very late. The member is marked as dead after a whole lease.
 * 5. A member announces in its Lease that it may own shards before it takes its first one. If the table is missing or
 *    unreadable, the owners lose their shards within a deadline. A new table is written after a whole lease. A replica that
 *    has seen neither a table nor an announced member writes it at once: it is the first one. (A table that is created and
 *    deleted between two lists of a replica goes unnoticed.)
 */
export class ShardingCore {
  readonly #settings: ShardingSettings;
  readonly #labels: Readonly<Record<string, string>>;
  readonly #peers: Peers;
  readonly #held: HeldShards;
  #token!: string;
  #member!: Election;
  #hasJoined = false;
  /** Whether the Lease announces that the member may own shards, and whether the next renewal will. */
  #isAnnounced = false;
  #isToAnnounce = false;
  #joinDueMs = -Infinity;
  /** The former tokens of this replica. No process acts for them any more. */
  readonly #formerTokens = new Set<string>();
  #table: ShardTable | undefined;
  /** The Lease of the table, even if the table is unreadable. */
  #tableLease: Stored<Lease> | undefined;
  #hasSeenTable = false;
  #tableGoneAtMs: number | undefined;
  /** The time at which the last successful read or write of the table was sent. */
  #tableSentMs = -Infinity;
  #listSentMs = -Infinity;
  #listDueMs = -Infinity;
  #sentMs = 0;
  /** Whether a write may be based on the last list. */
  #isFresh = false;
  #conflicts = 0;
  #isStopping = false;
  #endMs = Infinity;
  #isDone = false;

  constructor(settings: ShardingSettings, events: ShardEvents) {
    this.#settings = settings;
    this.#held = new HeldShards(events);
    this.#labels = { [SHARDING_LABEL]: settings.name };
    this.#peers = new Peers(settings.leaseDurationMs);
    this.#join(-Infinity);
  }

  /** The time at which the member loses its shards, unless a renewal succeeds before. */
  get deadlineMs(): number {
    const { renewDeadlineMs } = this.#settings;
    return Math.min(this.#member.deadlineMs, this.#tableSentMs + renewDeadlineMs);
  }

  /** The shards of this member, including draining ones. */
  get shards(): ReadonlyMap<number, Ownership> {
    return this.#held.all;
  }

  /** Reports whether this replica holds its Lease. */
  isMember(nowMs: number): boolean {
    return this.#member.holds(nowMs);
  }

  /** Returns the number of members that share the shards, including this one. */
  members(nowMs: number): number {
    const others = this.#peers.active(this.#settings.shards, nowMs).length;
    return others + (this.isMember(nowMs) && !this.#isStopping ? 1 : 0);
  }

  /** The reason why this replica gets no shards; undefined if it has some, or only needs to wait. */
  get obstacle(): string | undefined {
    const { shards } = this.#settings;
    const count = this.#table?.owners.length;
    if (count !== undefined && count !== shards) {
      return `other replicas use ${count} shards and not ${shards}: it waits until they have stopped`;
    }
    if (this.#tableGoneAtMs !== undefined && this.#mayHaveOwners()) {
      return "the table of shards was deleted or overwritten: it is written anew after a whole lease";
    }
    return undefined;
  }

  /** Reports whether work of the shard may run at `nowMs`; also while the shard is draining. */
  holds(shard: number, nowMs: number): boolean {
    const ownership = this.#held.all.get(shard);
    return ownership !== undefined && ownership !== "drained" && nowMs < this.deadlineMs &&
      this.#member.holds(nowMs);
  }

  /** Reports whether new work of the shard may begin at `nowMs`. */
  owns(shard: number, nowMs: number): boolean {
    return this.#held.all.get(shard) === "owned" && this.holds(shard, nowMs);
  }

  /** Loses the shards if the deadline has passed. */
  check(nowMs: number): void {
    this.#member.check(nowMs);
    if (this.#held.all.size === 0) return;
    if (this.#member.isLost) this.#loseAll(this.#member.lossReason);
    else if (nowMs >= this.deadlineMs) {
      this.#loseAll(`no Lease could be read within ${this.#settings.renewDeadlineMs} ms`);
    }
  }

  /** Loses all shards, because no request can succeed any more. */
  fail(reason: string): void {
    this.#loseAll(reason);
  }

  /** Begins to leave: takes no more shards, drains and frees all. */
  stop(nowMs: number): void {
    if (this.#isStopping) return;
    this.#isStopping = true;
    this.#member.makeDue();
    this.#held.drain(this.#held.owned);
    this.#planEnd(nowMs);
  }

  /** Records that no work of the shard runs any more. */
  drained(shard: number, nowMs: number): void {
    if (this.#held.drained(shard)) this.#planEnd(nowMs);
  }

  /** Returns the action at `nowMs`. The owner must send a request before it does anything else. */
  step(nowMs: number, wallMs: number): ShardingStep {
    this.check(nowMs);
    if (this.#isDone || nowMs >= this.#endMs) return { kind: "done" };
    if (this.#member.isLost) {
      if (this.#isStopping) return { kind: "done" };
      this.#join(nowMs);
    }
    if (nowMs < this.#joinDueMs) return this.#wait(this.#joinDueMs);
    if (this.#isStopping && !this.#hasJoined) return { kind: "done" };
    const step = this.#member.step(nowMs, wallMs);
    if (step.kind !== "wait" && step.kind !== "done") {
      return this.#memberStep(step);
    }
    const memberDueMs = step.kind === "wait" ? step.untilMs : nowMs;
    if (!this.#member.holds(nowMs)) return this.#wait(memberDueMs);
    if (nowMs >= this.#listDueMs) {
      this.#listSentMs = nowMs;
      this.#isFresh = false;
      return { kind: "list" };
    }
    this.#sentMs = nowMs;
    const write = this.#isFresh ? this.#nextWrite(nowMs, wallMs) : undefined;
    return write ?? this.#wait(Math.min(memberDueMs, this.#listDueMs));
  }

  /** Receives the answer to the list. */
  listed(leases: readonly Stored<Lease>[], nowMs: number): void {
    this.check(nowMs);
    const members = new Map<string, Stored<Lease>>();
    const prefix = this.#memberName("");
    this.#tableLease = undefined;
    for (const lease of leases) {
      const { name } = lease.metadata;
      if (name === this.#tableName) this.#tableLease = lease;
      else if (name.startsWith(prefix)) members.set(name.slice(prefix.length), lease);
    }
    members.delete(this.#token);
    this.#seeTable(nowMs);
    const named = new Set(this.#table?.owners);
    named.delete(undefined);
    named.delete(this.#token);
    this.#peers.update(members, named as Set<string>, nowMs);
    for (const token of this.#formerTokens) {
      if (!members.has(token)) this.#formerTokens.delete(token);
    }
    this.#isFresh = true;
    this.#giveUpSurplus(nowMs);
    this.#planList(nowMs);
  }

  /** Records that the list failed. */
  listFailed(nowMs: number): void {
    const { retryPeriodMs } = this.#settings;
    this.#listDueMs = Math.max(this.#listSentMs + retryPeriodMs, nowMs + retryPeriodMs / 4);
    this.check(nowMs);
  }

  /** Records that a deletion failed. The deletion of the own Lease is retried until the deadline of the leave. */
  deleteFailed(lease: Stored<Lease>, failure: LeaseFailure, nowMs: number): void {
    const isOwn = lease.metadata.name === this.#memberName(this.#token);
    if (!isOwn || failure === "final" || failure === "forbidden") return this.deleted(lease);
    this.#isFresh = false;
    this.#listDueMs = nowMs + this.#settings.retryPeriodMs / 2;
  }

  /** Records that the Lease is deleted, or that its deletion was given up. */
  deleted(lease: Stored<Lease>): void {
    const token = lease.metadata.name.slice(this.#memberName("").length);
    if (token === this.#token) this.#isDone = true;
    this.#peers.remove(token);
  }

  get #tableName(): string {
    return `${this.#settings.name}-shards`;
  }

  #memberName(token: string): string {
    return `${this.#settings.name}-member-${token}`;
  }

  #wait(untilMs: number): ShardingStep {
    // The owner of the shards checks their deadline with a timer.
    return { kind: "wait", untilMs: Math.min(untilMs, this.#endMs) };
  }

  /** Becomes a member, with a new token. */
  #join(dueMs: number): void {
    if (this.#hasJoined) this.#formerTokens.add(this.#token);
    const { random } = this.#settings;
    let token = "";
    while (token.length < 12) token += randomInt(random, 36).toString(36);
    this.#token = token;
    this.#hasJoined = false;
    this.#isAnnounced = false;
    this.#isToAnnounce = this.#hasSeenTable;
    this.#joinDueMs = dueMs;
    this.#isFresh = false;
    this.#listDueMs = -Infinity;
    this.#member = new Election({
      ...this.#settings,
      name: this.#memberName(token),
      metadata: () => this.#metadata(),
    });
  }

  #metadata(): LeaseMetadata {
    return {
      labels: this.#labels,
      annotations: {
        [SHARDS_ANNOTATION]: String(this.#settings.shards),
        ...(this.#isToAnnounce && { [OWNER_ANNOTATION]: "true" }),
        ...(this.#isStopping && { [LEAVING_ANNOTATION]: "true" }),
      },
    };
  }

  #memberStep(step: Exclude<LeaseStep, { kind: "wait" | "done" }>): ShardingStep {
    return {
      kind: "lease",
      name: this.#memberName(this.#token),
      step,
      answers: this.#memberAnswers(),
    };
  }

  /** Passes answers to the member. Joins with another token if a Lease with this one exists already. */
  #memberAnswers(): LeaseAnswers {
    const member = this.#member;
    const isTaken = (nowMs: number) => {
      if (this.#hasJoined) return false;
      this.#join(nowMs + this.#settings.retryPeriodMs / 4);
      return true;
    };
    return {
      observed: (lease, nowMs) => {
        if (lease === undefined || !isTaken(nowMs)) member.observed(lease, nowMs);
      },
      written: (lease, nowMs) => {
        member.written(lease, nowMs);
        this.#hasJoined ||= member.holds(nowMs);
        this.#isAnnounced = lease.metadata.annotations?.[OWNER_ANNOTATION] !== undefined;
        this.check(nowMs);
      },
      failed: (failure, nowMs, cause) => {
        if (failure === "conflict" && isTaken(nowMs)) return;
        member.failed(failure, nowMs, cause);
        this.check(nowMs);
      },
    };
  }

  /** Reads the table from the list. Shards that it does not give to this member are lost. */
  #seeTable(nowMs: number): void {
    const lease = this.#tableLease;
    const before = this.#table;
    if (lease === undefined) this.#table = undefined;
    else if (before === undefined || !isSameVersion(before.lease, lease)) {
      this.#table = readTable(lease);
    }
    this.#hasSeenTable ||= lease !== undefined;
    // A table may have existed between two lists that are far apart.
    const isGap = this.#listSentMs - this.#tableSentMs > 2 * this.#settings.retryPeriodMs;
    if (this.#table !== undefined) this.#tableGoneAtMs = undefined;
    else if (isGap || this.#tableGoneAtMs === undefined) this.#tableGoneAtMs = nowMs;
    this.#tableSentMs = this.#listSentMs;
    const owners = this.#hasOurShards() ? this.#table?.owners ?? [] : [];
    this.#held.retain((shard) => owners[shard] === this.#token, "the table of shards was changed");
  }

  #hasOurShards(): boolean {
    return this.#table?.owners.length === this.#settings.shards;
  }

  /** Plans the next list: soon, if this member waits for shards. */
  #planList(nowMs: number): void {
    const { retryPeriodMs, random } = this.#settings;
    const isWaiting = !this.#isStopping && this.#hasOurShards() &&
      this.#countOf(this.#token) < this.#quota(nowMs);
    const factor = isWaiting ? 0.25 : 0.85 + 0.1 * random.next();
    this.#listDueMs = Math.max(this.#listSentMs + retryPeriodMs * factor, nowMs);
  }

  #countOf(token: string): number {
    let count = 0;
    for (const owner of this.#table?.owners ?? []) if (owner === token) count++;
    return count;
  }

  /** Returns the share of this member. Members that have more shards get the remainder. */
  #quota(nowMs: number): number {
    if (this.#isStopping) return 0;
    const { shards } = this.#settings;
    const members = [...this.#peers.active(shards, nowMs), this.#token]
      .map((token) => ({ token, count: this.#countOf(token) }))
      .sort((a, b) => b.count - a.count || (a.token < b.token ? -1 : 1));
    const rank = members.findIndex(({ token }) => token === this.#token);
    const rest = shards % members.length;
    return Math.floor(shards / members.length) + (rank < rest ? 1 : 0);
  }

  #giveUpSurplus(nowMs: number): void {
    const owned = this.#held.owned.sort((a, b) => b - a);
    const surplus = owned.length - this.#quota(nowMs);
    if (surplus > 0) this.#held.drain(owned.slice(0, surplus));
  }

  #loseAll(reason: string): void {
    this.#isFresh = false;
    this.#held.loseAll(reason);
  }

  /** After the drain, the remaining writes are tried for `renewDeadlineMs`. */
  #planEnd(nowMs: number): void {
    if (!this.#isStopping || this.#held.running > 0) return;
    this.#endMs = Math.min(this.#endMs, nowMs + this.#settings.renewDeadlineMs);
  }

  #nextWrite(nowMs: number, wallMs: number): ShardingStep | undefined {
    for (const peer of this.#peers.all()) {
      if (isDead(peer) || !(isExpired(peer, nowMs) || this.#formerTokens.has(peer.token))) continue;
      return this.#markDead(peer, wallMs);
    }
    const write = this.#writeTable(nowMs, wallMs);
    if (write !== undefined) return write;
    for (const peer of this.#peers.all()) {
      if (peer.lease === undefined || !isDead(peer) || this.#countOf(peer.token) > 0) continue;
      return { kind: "delete", lease: peer.lease };
    }
    return this.#isStopping && this.#held.all.size === 0 ? this.#leave() : undefined;
  }

  /** Deletes the own Lease, after the table no longer names this member. */
  #leave(): ShardingStep {
    const lease = this.#member.lease;
    if (lease === undefined) return { kind: "done" };
    return { kind: "delete", lease };
  }

  /** Marks a member as dead: its Lease has expired. */
  #markDead({ token, lease }: Peer, wallMs: number): ShardingStep {
    const { namespace } = this.#settings;
    const name = this.#memberName(token);
    const body: LeaseBody = lease === undefined
      ? { metadata: { name, namespace, labels: { ...this.#labels } }, spec: { holderIdentity: "" } }
      : releasedLease(lease, wallMs);
    return this.#write(
      name,
      { kind: lease === undefined ? "create" : "update", lease: body },
      (written, nowMs) => this.#peers.updateOne(token, written, nowMs),
    );
  }

  #writeTable(nowMs: number, wallMs: number): ShardingStep | undefined {
    const owners = this.#wantedOwners(nowMs);
    if (owners === undefined) return undefined;
    if (!this.#isAnnounced) {
      // A failed announcement is repeated by the next renewals.
      if (this.#isToAnnounce) return undefined;
      this.#isToAnnounce = true;
      this.#member.makeDue();
      const step = this.#member.step(nowMs, wallMs);
      return step.kind === "wait" || step.kind === "done" ? undefined : this.#memberStep(step);
    }
    const { namespace } = this.#settings;
    const lease = this.#tableLease;
    const name = this.#tableName;
    const body = writeTable(lease, { name, namespace, labels: this.#labels, owners, wallMs });
    const sentMs = this.#sentMs;
    return this.#write(
      name,
      { kind: lease === undefined ? "create" : "update", lease: body },
      (written, nowMs) => this.#wroteTable(written, sentMs, nowMs),
    );
  }

  /** Returns the owners to write; undefined if no write is needed or allowed. */
  #wantedOwners(nowMs: number): (string | undefined)[] | undefined {
    const { shards, leaseDurationMs } = this.#settings;
    const token = this.#token;
    const table = this.#table;
    const isGone = this.#tableGoneAtMs !== undefined;
    if (isGone) {
      if (this.#isStopping) return undefined;
      const goneAtMs = this.#tableGoneAtMs ?? 0;
      if (this.#mayHaveOwners() && this.#listSentMs < goneAtMs + leaseDurationMs) return undefined;
    } else if (!this.#hasOurShards() && !this.#mayChangeShards(nowMs)) return undefined;
    const now = !isGone && this.#hasOurShards() ? table?.owners ?? [] : [];
    const owners = Array.from({ length: shards }, (_, shard) => now[shard]);
    const quota = this.#quota(nowMs);
    let isChanged = isGone || !this.#hasOurShards();
    // The held shards, and shards that the table gives to this member without its knowledge, up to its share.
    let count = this.#held.running;
    owners.forEach((owner, shard) => {
      const ownership = this.#held.all.get(shard);
      if (ownership === "drained") {
        owners[shard] = undefined;
        isChanged = true;
      } else if (owner === token && ownership === undefined) {
        if (count < quota) count++;
        else owners[shard] = undefined;
        isChanged = true;
      }
    });
    owners.forEach((owner, shard) => {
      const isFree = owner === undefined || this.#peers.isDead(owner);
      if (!isFree || count >= quota || this.#held.all.has(shard)) return;
      owners[shard] = token;
      count++;
      isChanged = true;
    });
    return isChanged ? owners : undefined;
  }

  /** Reports whether a member may own shards while the table of owners is missing. */
  #mayHaveOwners(): boolean {
    return this.#hasSeenTable || this.#peers.hasOwner();
  }

  /** Reports whether all replicas with another number of shards have stopped. */
  #mayChangeShards(nowMs: number): boolean {
    const owners = this.#table?.owners ?? [];
    return !this.#isStopping && this.#peers.active(owners.length, nowMs).length === 0 &&
      owners.every((owner) =>
        owner === undefined || owner === this.#token || this.#peers.isDead(owner)
      );
  }

  #wroteTable(lease: Stored<Lease>, sentMs: number, nowMs: number): void {
    this.check(nowMs);
    this.#tableLease = lease;
    const table = this.#table = readTable(lease);
    this.#hasSeenTable = true;
    if (table === undefined || table.owners.length !== this.#settings.shards) {
      // Admission, for example, has changed the table.
      this.#isFresh = false;
      return;
    }
    this.#tableGoneAtMs = undefined;
    if (!this.#member.holds(nowMs) || nowMs >= sentMs + this.#settings.renewDeadlineMs) {
      this.#isFresh = false;
      return;
    }
    this.#conflicts = 0;
    this.#tableSentMs = sentMs;
    const acquired: number[] = [];
    table.owners.forEach((owner, shard) => {
      if (owner !== this.#token) this.#held.release(shard);
      else if (!this.#held.all.has(shard)) acquired.push(shard);
    });
    this.#held.acquire(acquired);
    if (this.#isStopping) this.#held.drain(acquired);
  }

  #write(
    name: string,
    step: { readonly kind: "create" | "update"; readonly lease: LeaseBody },
    written: (lease: Stored<Lease>, nowMs: number) => void,
  ): ShardingStep {
    return {
      kind: "lease",
      name,
      step,
      answers: {
        observed: () => {},
        written,
        failed: (failure, nowMs) => this.#writeFailed(failure, nowMs),
      },
    };
  }

  /** Lists again before the next write. Repeated conflicts back off. */
  #writeFailed(failure: LeaseFailure, nowMs: number): void {
    const { retryPeriodMs, random } = this.#settings;
    this.#isFresh = false;
    const backoff = Math.min(16, 2 ** this.#conflicts++);
    const delayMs = failure === "conflict"
      ? retryPeriodMs / 16 * backoff * (0.2 + 0.8 * random.next())
      : retryPeriodMs / 2;
    this.#listDueMs = nowMs + delayMs;
    this.check(nowMs);
  }
}
