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

/** The label of all Leases of one sharding, with its name. */
export const SHARDING_LABEL = "kubeloop/sharding";

/** What to do next. */
export type ShardingStep =
  | { readonly kind: "wait"; readonly untilMs: number }
  | {
    readonly kind: "lease";
    readonly name: string;
    readonly step: Exclude<LeaseStep, { kind: "wait" | "done" }>;
    readonly answers: LeaseAnswers;
  }
  /** List the Leases with the label; then call `listed` or `listFailed`. */
  | { readonly kind: "list" }
  /** Delete this version of a Lease; then call `deleted`. */
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
 * The part of sharding that decides, without a promise, a timer or a clock; see `Sharding` for what it is for.
 *
 * Each replica is a *member*: it has a Lease of its own, with a random token in its name, and renews it as a leader does
 * ({@linkcode Election}). One more Lease is the *table*: which token owns which shard. It is written only when that
 * changes. So a replica makes two requests in each retry period, whatever the number of shards: it renews its Lease, and
 * it lists all Leases of the sharding. (A Lease for each shard would have to be renewed for each shard.)
 *
 * Why no shard has two owners, if clocks are as `Election` assumes:
 *
 * 1. A member owns a shard from when its own write of the table was answered, and until `renewDeadlineMs` after it has
 *    sent the last successful renewal of its Lease, or the last read or write of the table that names it, whichever was
 *    earlier. What a list says makes nobody an owner: a write of the member itself that is still under way could take
 *    that back.
 * 2. Others take a shard in the table only if it is free there, or if its owner's Lease has no holder: then its owner is
 *    *dead*. The owner frees it after the shard is drained. Each write of the table is based on the version that was
 *    read, and makes a new version, so of two that take a shard, one is refused, and what arrives late is void.
 * 3. A member is made dead by others only after its Lease has not changed for its duration, by a write based on the
 *    version that was seen. By then its deadline has passed, and it cannot renew its Lease any more. A token that is dead
 *    stays so: the replica joins again with another one.
 * 4. The Lease of a dead member is deleted when the table does not name it. If the Lease of a member is missing although
 *    the table names it, somebody has deleted it, or a write came very late: it is made dead after a whole lease.
 * 5. A member says in its Lease that it may have shards, before it takes the first one. If the table is missing or
 *    unreadable, the owners find out within a deadline. Another one is written after a whole lease, or at once by a
 *    replica that has never seen a table, nor a member that may have shards: the first one. (What nobody can see is a
 *    table that is written and deleted between two lists of a replica.)
 */
export class ShardingCore {
  readonly #settings: ShardingSettings;
  readonly #labels: Readonly<Record<string, string>>;
  readonly #peers: Peers;
  readonly #mine: HeldShards;
  #token!: string;
  #member!: Election;
  #hasJoined = false;
  /** Whether the Lease of the member says, or is to say, that the member may have shards. */
  #isAnnounced = false;
  #isToAnnounce = false;
  #joinDueMs = -Infinity;
  /** Tokens that this replica has had: nobody acts for them any more. */
  readonly #past = new Set<string>();
  #table: ShardTable | undefined;
  /** The Lease of the table, also if it is unreadable. */
  #tableLease: Stored<Lease> | undefined;
  #hasSeenTable = false;
  #tableGoneAtMs: number | undefined;
  /** When the last read or write of the table was sent that was answered. */
  #tableSentMs = -Infinity;
  #listSentMs = -Infinity;
  #listDueMs = -Infinity;
  #sentMs = 0;
  /** Whether a write may be based on the view. */
  #isFresh = false;
  #conflicts = 0;
  #isStopping = false;
  #endMs = Infinity;
  #isDone = false;

  /** Creates a replica that is no member yet. */
  constructor(settings: ShardingSettings, events: ShardEvents) {
    this.#settings = settings;
    this.#mine = new HeldShards(events);
    this.#labels = { [SHARDING_LABEL]: settings.name };
    this.#peers = new Peers(settings.leaseDurationMs);
    this.#join(-Infinity);
  }

  /** When the shards are no longer this member's, unless a renewal succeeds before. */
  get deadlineMs(): number {
    const { renewDeadlineMs } = this.#settings;
    return Math.min(this.#member.deadlineMs, this.#tableSentMs + renewDeadlineMs);
  }

  /** The shards of this member, with those that are being drained. */
  get shards(): ReadonlyMap<number, Ownership> {
    return this.#mine.all;
  }

  /** Whether this replica has a Lease. */
  isMember(nowMs: number): boolean {
    return this.#member.holds(nowMs);
  }

  /** The number of members that take shards, as last seen, with this one. */
  members(nowMs: number): number {
    const others = this.#peers.active(this.#settings.shards, nowMs).length;
    return others + (this.isMember(nowMs) && !this.#isStopping ? 1 : 0);
  }

  /** Why this replica has no shards; undefined if it has, or if there is no reason but the time. */
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

  /** Reports whether what belongs to the shard may run at `nowMs`: also while the shard is drained. */
  holds(shard: number, nowMs: number): boolean {
    const ownership = this.#mine.all.get(shard);
    return ownership !== undefined && ownership !== "drained" && nowMs < this.deadlineMs &&
      this.#member.holds(nowMs);
  }

  /** Reports whether something new that belongs to the shard may begin at `nowMs`. */
  owns(shard: number, nowMs: number): boolean {
    return this.#mine.all.get(shard) === "owned" && this.holds(shard, nowMs);
  }

  /** Notices that the deadline has passed. */
  check(nowMs: number): void {
    this.#member.check(nowMs);
    if (this.#mine.all.size === 0) return;
    if (this.#member.isLost) this.#loseAll(this.#member.lossReason);
    else if (nowMs >= this.deadlineMs) {
      this.#loseAll(`no Lease could be read within ${this.#settings.renewDeadlineMs} ms`);
    }
  }

  /** Loses all shards, because no request can succeed any more. */
  fail(reason: string): void {
    this.#loseAll(reason);
  }

  /** Takes no more shards, drains all, frees them, and leaves. */
  stop(nowMs: number): void {
    if (this.#isStopping) return;
    this.#isStopping = true;
    this.#member.hurry();
    this.#mine.drain(this.#mine.owned);
    this.#planEnd(nowMs);
  }

  /** Takes that nothing of the shard runs any more. */
  drained(shard: number, nowMs: number): void {
    if (this.#mine.drained(shard)) this.#planEnd(nowMs);
  }

  /** Returns what to do at `nowMs`. If that is a request, the owner must send it before it does anything else. */
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

  /** Takes the answer to the list. */
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
    this.#peers.see(members, named as Set<string>, nowMs);
    for (const token of this.#past) if (!members.has(token)) this.#past.delete(token);
    this.#isFresh = true;
    this.#giveUpSurplus(nowMs);
    this.#planList(nowMs);
  }

  /** Takes that the list has failed. */
  listFailed(nowMs: number): void {
    const { retryPeriodMs } = this.#settings;
    this.#listDueMs = Math.max(this.#listSentMs + retryPeriodMs, nowMs + retryPeriodMs / 4);
    this.check(nowMs);
  }

  /** Takes that a deletion has failed: this member tries again to leave, until its time is up. */
  deleteFailed(lease: Stored<Lease>, failure: LeaseFailure, nowMs: number): void {
    const isOwn = lease.metadata.name === this.#memberName(this.#token);
    if (!isOwn || failure === "final" || failure === "forbidden") return this.deleted(lease);
    this.#isFresh = false;
    this.#listDueMs = nowMs + this.#settings.retryPeriodMs / 2;
  }

  /** Takes that the Lease is deleted, or will not be. */
  deleted(lease: Stored<Lease>): void {
    const token = lease.metadata.name.slice(this.#memberName("").length);
    if (token === this.#token) this.#isDone = true;
    this.#peers.forget(token);
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

  /** Becomes a member, with a token that nobody has had. */
  #join(dueMs: number): void {
    if (this.#hasJoined) this.#past.add(this.#token);
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
    return { kind: "lease", name: this.#memberName(this.#token), step, answers: this.#joining() };
  }

  /** Passes answers on to the member, but tries another token if there is a Lease with this one. */
  #joining(): LeaseAnswers {
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

  /** Takes the table from the list: shards that it does not give to this member are lost. */
  #seeTable(nowMs: number): void {
    const lease = this.#tableLease;
    const before = this.#table;
    if (lease === undefined) this.#table = undefined;
    else if (before === undefined || !isSameVersion(before.lease, lease)) {
      this.#table = readTable(lease);
    }
    this.#hasSeenTable ||= lease !== undefined;
    // Between two lists that are far apart, there may have been a table.
    const isGap = this.#listSentMs - this.#tableSentMs > 2 * this.#settings.retryPeriodMs;
    if (this.#table !== undefined) this.#tableGoneAtMs = undefined;
    else if (isGap || this.#tableGoneAtMs === undefined) this.#tableGoneAtMs = nowMs;
    this.#tableSentMs = this.#listSentMs;
    const owners = this.#hasOurShards() ? this.#table?.owners ?? [] : [];
    this.#mine.keep((shard) => owners[shard] === this.#token, "the table of shards was changed");
  }

  #hasOurShards(): boolean {
    return this.#table?.owners.length === this.#settings.shards;
  }

  /** Plans the next list: soon, if shards are about to be handed over to this member. */
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

  /** The number of shards of this member when all are spread evenly; those who have more keep more. */
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
    const owned = this.#mine.owned.sort((a, b) => b - a);
    const surplus = owned.length - this.#quota(nowMs);
    if (surplus > 0) this.#mine.drain(owned.slice(0, surplus));
  }

  #loseAll(reason: string): void {
    this.#isFresh = false;
    this.#mine.loseAll(reason);
  }

  /** When all is drained, what is left to write is tried for one deadline. */
  #planEnd(nowMs: number): void {
    if (!this.#isStopping || this.#mine.running > 0) return;
    this.#endMs = Math.min(this.#endMs, nowMs + this.#settings.renewDeadlineMs);
  }

  #nextWrite(nowMs: number, wallMs: number): ShardingStep | undefined {
    for (const peer of this.#peers.all()) {
      if (isDead(peer) || !(isExpired(peer, nowMs) || this.#past.has(peer.token))) continue;
      return this.#bury(peer, wallMs);
    }
    const write = this.#writeTable(nowMs, wallMs);
    if (write !== undefined) return write;
    for (const peer of this.#peers.all()) {
      if (peer.lease === undefined || !isDead(peer) || this.#countOf(peer.token) > 0) continue;
      return { kind: "delete", lease: peer.lease };
    }
    return this.#isStopping && this.#mine.all.size === 0 ? this.#leave() : undefined;
  }

  /** Deletes this member's own Lease, after the table does not name it any more. */
  #leave(): ShardingStep {
    const lease = this.#member.lease;
    if (lease === undefined) return { kind: "done" };
    return { kind: "delete", lease };
  }

  /** Makes a member dead whose time is up. */
  #bury({ token, lease }: Peer, wallMs: number): ShardingStep {
    const { namespace } = this.#settings;
    const name = this.#memberName(token);
    const body: LeaseBody = lease === undefined
      ? { metadata: { name, namespace, labels: { ...this.#labels } }, spec: { holderIdentity: "" } }
      : releasedLease(lease, wallMs);
    return this.#write(
      name,
      { kind: lease === undefined ? "create" : "update", lease: body },
      (written, nowMs) => this.#peers.seeOne(token, written, nowMs),
    );
  }

  #writeTable(nowMs: number, wallMs: number): ShardingStep | undefined {
    const owners = this.#wantedOwners(nowMs);
    if (owners === undefined) return undefined;
    if (!this.#isAnnounced) {
      // If it fails, it is tried again with the next renewals, at their pace.
      if (this.#isToAnnounce) return undefined;
      this.#isToAnnounce = true;
      this.#member.hurry();
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

  /** Returns the owners to write; undefined if nothing needs to be written, or may be. */
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
    // What this member has, and what it is to keep of what the table says without its knowledge.
    let count = this.#mine.running;
    owners.forEach((owner, shard) => {
      const ownership = this.#mine.all.get(shard);
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
      if (!isFree || count >= quota || this.#mine.all.has(shard)) return;
      owners[shard] = token;
      count++;
      isChanged = true;
    });
    return isChanged ? owners : undefined;
  }

  /** Reports whether somebody may have shards although there is no table. */
  #mayHaveOwners(): boolean {
    return this.#hasSeenTable || this.#peers.haveOwner();
  }

  /** Reports whether all who use another number of shards have stopped. */
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
      // Something between here and the server has changed it.
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
      if (owner !== this.#token) this.#mine.release(shard);
      else if (!this.#mine.all.has(shard)) acquired.push(shard);
    });
    this.#mine.acquire(acquired);
    if (this.#isStopping) this.#mine.drain(acquired);
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

  /** Reads everything again before the next write; after some refusals in a row, others are given time. */
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
