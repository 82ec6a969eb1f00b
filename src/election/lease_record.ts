import { stringifyJson } from "../base/mod.ts";
import { formatMicroTime, type Lease, type Stored } from "../types/mod.ts";

/** A Lease to create or to write. */
export type LeaseBody = Lease & { metadata: { name: string; namespace: string } };

/** Labels and annotations that a Lease gets. */
export interface LeaseMetadata {
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** The last times of a Lease that are still formatted with a year of four digits. */
const MAX_WALL_MS = Date.UTC(9999, 11, 31);
const DAY_MS = 86_400_000;

/** Returns the holder of a Lease; empty if nobody holds it. A holder that is no text counts as one that is unknown. */
export function holderOf(lease: Lease): string {
  const holder: unknown = lease.spec?.holderIdentity;
  return holder === undefined || holder === null ? "" : String(holder);
}

/**
 * Reports whether the Lease has been given back. Whoever does that makes it last for a second at most, as client-go does.
 * A Lease that lasts longer and has no holder was edited by somebody, and its holder does not know yet.
 */
export function isReleased(lease: Lease): boolean {
  return holderOf(lease) === "" && (durationMsOf(lease) ?? 0) <= 1000;
}

/** Returns the duration that the holder has put into the Lease; undefined if there is none that makes sense. */
export function durationMsOf(lease: Lease): number | undefined {
  const seconds: unknown = lease.spec?.leaseDurationSeconds;
  return typeof seconds === "number" && seconds > 0 ? seconds * 1000 : undefined;
}

/** Returns how often the Lease has changed its holder. */
export function transitionsOf(lease: Lease): number {
  const transitions: unknown = lease.spec?.leaseTransitions;
  return typeof transitions === "number" && Number.isSafeInteger(transitions) && transitions >= 0
    ? transitions
    : 0;
}

/** Returns a text that is another one after each write of the holder, and the same after a change of labels. */
export function recordOf(lease: Lease): string {
  return stringifyJson([lease.metadata.uid, lease.spec]);
}

/** Returns the next number of transitions, which the server keeps in 32 bits. */
export function nextTransition(transitions: number): number {
  return transitions >= 2 ** 31 - 1 ? 0 : transitions + 1;
}

/**
 * Returns `wallMs`, or a later time if that is what makes the record differ from the one before: a write that changes
 * nothing is no write for the server, and the others would not see that the holder is alive. The wall clock of the
 * holder may stand still or go back.
 */
export function renewalWallMs(wallMs: number, previous: string | undefined): number {
  const previousMs = previous === undefined ? NaN : Date.parse(previous);
  const nowMs = Number.isFinite(wallMs) ? Math.min(Math.max(0, wallMs), MAX_WALL_MS) : 0;
  // A time far ahead is nonsense that somebody has written, and any other time differs from it.
  return previousMs >= nowMs && previousMs - nowMs < DAY_MS ? previousMs + 1 : nowMs;
}

/** Returns the Lease as held by `identity`, based on `lease` if there is one. */
export function heldLease(
  lease: Stored<Lease> | undefined,
  held: {
    readonly name: string;
    readonly namespace: string;
    readonly identity: string;
    readonly leaseDurationMs: number;
    readonly wallMs: number;
    readonly metadata: LeaseMetadata;
  },
): LeaseBody {
  const { name, namespace, identity, leaseDurationMs } = held;
  const isMine = lease !== undefined && holderOf(lease) === identity;
  const wallMs = renewalWallMs(held.wallMs, lease?.spec?.renewTime);
  const renewTime = formatMicroTime(wallMs);
  const acquired = isMine ? lease.spec?.acquireTime : undefined;
  return {
    ...lease,
    metadata: { ...lease?.metadata, name, namespace, ...mergedMetadata(lease, held.metadata) },
    spec: {
      ...lease?.spec,
      holderIdentity: identity,
      leaseDurationSeconds: leaseDurationMs / 1000,
      acquireTime: acquired ?? renewTime,
      renewTime,
      leaseTransitions: lease === undefined
        ? 0
        : isMine
        ? transitionsOf(lease)
        : nextTransition(transitionsOf(lease)),
    },
  };
}

/** Returns the Lease as client-go releases it: without a holder, for a second. */
export function releasedLease(lease: Stored<Lease>, wallMs: number): LeaseBody {
  const time = formatMicroTime(renewalWallMs(wallMs, lease.spec?.renewTime));
  return {
    ...lease,
    metadata: { ...lease.metadata, namespace: lease.metadata.namespace ?? "" },
    spec: {
      ...lease.spec,
      holderIdentity: "",
      leaseDurationSeconds: 1,
      acquireTime: time,
      renewTime: time,
      leaseTransitions: transitionsOf(lease),
    },
  };
}

function mergedMetadata(lease: Lease | undefined, { labels, annotations }: LeaseMetadata) {
  return {
    ...(labels && { labels: { ...lease?.metadata.labels, ...labels } }),
    ...(annotations && { annotations: { ...lease?.metadata.annotations, ...annotations } }),
  };
}
