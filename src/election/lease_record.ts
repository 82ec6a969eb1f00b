import { stringifyJson } from "../base/mod.ts";
import { formatMicroTime, type Lease, type Stored } from "../types/mod.ts";

/** A Lease to create or update. */
export type LeaseBody = Lease & { metadata: { name: string; namespace: string } };

/** Labels and annotations to merge into a Lease. */
export interface LeaseMetadata {
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** The latest time that is formatted with a year of four digits. */
const MAX_WALL_MS = Date.UTC(9999, 11, 31);
const DAY_MS = 86_400_000;

/** Returns the holder of a Lease; empty if it has none. A holder of another type is converted to text. */
export function holderOf(lease: Lease): string {
  const holder: unknown = lease.spec?.holderIdentity;
  return holder === undefined || holder === null ? "" : String(holder);
}

/**
 * Reports whether a Lease was released. A released Lease has a duration of at most a second, as in client-go. A Lease
 * without a holder and with a longer duration was edited, and its holder may still act.
 */
export function isReleased(lease: Lease): boolean {
  return holderOf(lease) === "" && (durationMsOf(lease) ?? 0) <= 1000;
}

/** Returns the duration in the Lease, in milliseconds; undefined if it is missing or invalid. */
export function durationMsOf(lease: Lease): number | undefined {
  const seconds: unknown = lease.spec?.leaseDurationSeconds;
  return typeof seconds === "number" && seconds > 0 ? seconds * 1000 : undefined;
}

/** Returns the number of changes of the holder. */
export function transitionsOf(lease: Lease): number {
  const transitions: unknown = lease.spec?.leaseTransitions;
  return typeof transitions === "number" && Number.isSafeInteger(transitions) && transitions >= 0
    ? transitions
    : 0;
}

/** Returns a text that changes with each write of the holder, and not with the labels. */
export function recordOf(lease: Lease): string {
  return stringifyJson([lease.metadata.uid, lease.spec]);
}

/** Returns the next number of transitions, which the server keeps in 32 bits. */
export function nextTransition(transitions: number): number {
  return transitions >= 2 ** 31 - 1 ? 0 : transitions + 1;
}

/**
 * Returns `wallMs`, or the time after the previous one if the wall clock stood still or went back: the record must change
 * with each renewal, or other replicas would not see that the holder is alive.
 */
export function renewalWallMs(wallMs: number, previous: string | undefined): number {
  const previousMs = previous === undefined ? NaN : Date.parse(previous);
  const nowMs = Number.isFinite(wallMs) ? Math.min(Math.max(0, wallMs), MAX_WALL_MS) : 0;
  // A previous time far ahead is invalid, and any other time differs from it.
  return previousMs >= nowMs && previousMs - nowMs < DAY_MS ? previousMs + 1 : nowMs;
}

/** Returns the Lease as held by `identity`, based on `lease` if it exists. */
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

/** Returns the Lease as client-go releases it: without a holder, with a duration of one second. */
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
