import { complete, deleted, rolledOut, type WaitPredicate } from "@kubeloop/controller/client";
import { isRecord } from "@kubeloop/controller/internal/base";
import { fieldPaths, isBelow, managerEntries, valueAt } from "@kubeloop/controller/internal/fields";
import type { Story } from "@kubeloop/controller/operator";
import {
  type KubeObject,
  type OwnerReference,
  pauseOfObject,
  type Stored,
} from "@kubeloop/controller/types";

/** A field manager and the fields that it owns. */
export interface Writer {
  /** The field manager. */
  readonly manager: string;
  /** `Apply` or `Update`. */
  readonly operation: string;
  readonly subresource?: string | undefined;
  /** The time of its last write (RFC 3339). */
  readonly time?: string | undefined;
  /** The paths of the owned fields. */
  readonly fields: readonly string[];
}

/** An Event about the object. */
export interface SaidEvent {
  readonly type: string;
  readonly reason: string;
  readonly message: string;
  readonly count: number;
  readonly by: string;
  readonly time?: string | undefined;
}

/** An owner of an object. */
export interface Owner {
  readonly name: string;
  readonly isController: boolean;
}

/** An explanation of the state of an object. */
export interface Report {
  /** The object, as in `Pod default/web`. */
  readonly object: string;
  readonly created?: string | undefined;
  readonly generation?: number | undefined;
  /** The requested field. */
  readonly field?: string | undefined;
  /** The value of the requested field. */
  readonly value?: unknown;
  /** The owners, the nearest first. */
  readonly owners: readonly Owner[];
  /** Descriptions of the conditions that the object waits for. */
  readonly waits: readonly string[];
  /** The field managers, the last writer first. */
  readonly writers: readonly Writer[];
  /** The fields with several managers. */
  readonly shared: readonly string[];
  /** The last Events, the newest first. */
  readonly events: readonly SaidEvent[];
  /** The reconciles that have written the object or were caused by it. */
  readonly stories: readonly Story[];
}

/** The input of {@linkcode reportOf}. */
export interface ReportInput {
  readonly object: Stored<KubeObject>;
  readonly owners: readonly Owner[];
  readonly events: readonly unknown[];
  readonly stories: readonly Story[];
  /** The time, in milliseconds since the Unix epoch. */
  readonly wallMs: number;
  /** If set, the report is about this field and the fields below it. */
  readonly field?: string | undefined;
}

const MAX_EVENTS = 10;

/** Returns the report about an object. */
export function reportOf(
  { object, owners, events, stories, field, wallMs }: ReportInput,
): Report {
  const { kind = "Object", metadata } = object;
  const { name, namespace, creationTimestamp, generation } = metadata;
  const writers = writersOf(object, field);
  return {
    object: `${kind} ${namespace === undefined ? "" : `${namespace}/`}${name}`,
    created: creationTimestamp,
    ...(field === undefined ? {} : { field, value: valueAt(object, field) }),
    generation,
    owners,
    waits: waitsOf(object, wallMs),
    writers,
    shared: sharedOf(writers),
    events: events.filter(isRecord).map(eventOf).sort(newestFirst).slice(0, MAX_EVENTS),
    stories,
  };
}

function writersOf(object: KubeObject, field: string | undefined): Writer[] {
  const writers = managerEntries(object).map((entry): Writer => {
    const { manager, operation, subresource, time, fieldsV1 } = entry;
    const fields = fieldPaths(fieldsV1);
    return {
      manager: text(manager) ?? "unknown",
      operation: text(operation) ?? "Update",
      subresource: text(subresource),
      time: text(time),
      fields: field === undefined
        ? fields
        : fields.filter((path) => isBelow(path, field) || isBelow(field, path)),
    };
  });
  return writers.filter(({ fields }) => field === undefined || fields.length > 0).sort(newestFirst);
}

/** Returns the fields with more than one field manager. The managers may overwrite each other. */
function sharedOf(writers: readonly Writer[]): string[] {
  const seen = new Set<string>();
  const shared = new Set<string>();
  for (const { fields } of writers) {
    for (const path of fields) {
      if (seen.has(path)) shared.add(path);
      seen.add(path);
    }
  }
  return [...shared].sort();
}

/** Describes what an object waits for: its pause, its deletion, its controller, its conditions, its containers. */
function waitsOf(object: Stored<KubeObject>, wallMs: number): string[] {
  const waits: string[] = [];
  const pause = pauseOfObject(object, wallMs);
  if (pause !== undefined) {
    waits.push(`paused by its annotation ${pause.annotation}: ${JSON.stringify(pause.value)}`);
  }
  const { deletionTimestamp, generation } = object.metadata;
  if (deletionTimestamp !== undefined) waits.push(`being deleted: ${verdictOf(deleted(), object)}`);
  const status = (object as { status?: unknown }).status;
  if (!isRecord(status)) return waits;
  const observed = status.observedGeneration;
  if (typeof observed === "number" && generation !== undefined && observed < generation) {
    waits.push(
      `its controller has not yet seen the last change: generation ${generation}, observed ${observed}`,
    );
  }
  if (isWorkload(object)) waits.push(...wordsOf(verdictOf(rolledOut, object)));
  if (object.kind === "Job") waits.push(...wordsOf(verdictOf(complete, object)));
  for (const condition of records(status.conditions)) {
    const { type, status: is, reason, message, lastTransitionTime } = condition;
    if (!isBad(type, is)) continue;
    const why = [reason, message].map(text).filter((part) => part !== undefined).join(": ");
    const since = text(lastTransitionTime);
    waits.push(
      `${type}=${is}${since === undefined ? "" : ` since ${since}`}${why === "" ? "" : `: ${why}`}`,
    );
  }
  for (const list of ["initContainerStatuses", "containerStatuses"]) {
    for (const one of records(status[list])) waits.push(...containerWords(one));
  }
  return waits;
}

/** Matches conditions that are bad if they are true. Others are bad if they are false or unknown. */
const BAD_IF_TRUE = /Pressure|Failed|Failure|Unavailable|Degraded|Stalled|Disrupted|Terminating/;

function isBad(type: unknown, status: unknown): boolean {
  // The annotation tells it, and that an object is not paused is good.
  if (typeof type !== "string" || type === "Paused") return false;
  return BAD_IF_TRUE.test(type) ? status === "True" : status === "False" || status === "Unknown";
}

function isWorkload({ apiVersion, kind }: KubeObject): boolean {
  return apiVersion?.startsWith("apps/") === true &&
    ["Deployment", "StatefulSet", "DaemonSet"].includes(kind ?? "");
}

/** Returns the missing condition according to a predicate, including a condition that can never be met. */
function verdictOf(predicate: WaitPredicate, object: Stored<KubeObject>): string | undefined {
  try {
    const verdict = predicate(object);
    return typeof verdict === "string" ? verdict : undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

function wordsOf(verdict: string | undefined): string[] {
  return verdict === undefined ? [] : [verdict];
}

function containerWords(container: Record<string, unknown>): string[] {
  const { name, state, lastState, restartCount } = container;
  const words: string[] = [];
  const { waiting, terminated } = isRecord(state) ? state : {};
  if (isRecord(waiting)) words.push(`waits: ${reasonOf(waiting)}`);
  if (isRecord(terminated) && terminated.exitCode !== 0) {
    words.push(`ended with exit code ${terminated.exitCode}: ${reasonOf(terminated)}`);
  }
  const before = isRecord(lastState) ? lastState.terminated : undefined;
  if (isRecord(before) && typeof restartCount === "number" && restartCount > 0) {
    words.push(
      `restarted ${restartCount} times, last after exit code ${before.exitCode}: ${
        reasonOf(before)
      }`,
    );
  }
  return words.map((word) => `container ${name} ${word}`);
}

function reasonOf({ reason, message }: Record<string, unknown>): string {
  return [reason, message].map(text).filter((part) => part !== undefined).join(": ") || "no reason";
}

/** Reads an Event of either API. */
function eventOf(event: Record<string, unknown>): SaidEvent {
  const { type, reason, message, note, count, series, source, reportingController } = event;
  const { lastTimestamp, eventTime, deprecatedLastTimestamp, metadata } = event;
  const { count: seriesCount, lastObservedTime } = isRecord(series) ? series : {};
  const times = [lastObservedTime, lastTimestamp, deprecatedLastTimestamp, eventTime];
  const created = isRecord(metadata) ? metadata.creationTimestamp : undefined;
  return {
    type: text(type) ?? "Normal",
    reason: text(reason) ?? "",
    message: text(message) ?? text(note) ?? "",
    count: Math.max(1, ...[count, seriesCount].filter((one) => typeof one === "number")),
    by: text(reportingController) ?? text(isRecord(source) ? source.component : undefined) ?? "",
    time: [...times, created].map(text).find((time) => time !== undefined),
  };
}

function newestFirst(
  a: { readonly time?: string | undefined },
  b: { readonly time?: string | undefined },
): number {
  return (Date.parse(b.time ?? "") || 0) - (Date.parse(a.time ?? "") || 0);
}

/** Returns the owner references of an object. */
export function referencesOf({ metadata }: KubeObject): readonly OwnerReference[] {
  const references: unknown = metadata.ownerReferences;
  return Array.isArray(references)
    ? references.filter(isRecord) as unknown as OwnerReference[]
    : [];
}

function records(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
