import type { KubeObject } from "./minimal/mod.ts";

/**
 * The annotations by which people control the controllers of a manager, one object at a time.
 *
 * - `paused`: the object is not reconciled, but its cleanup still runs.
 * - `cleanupPaused`: the finalizers of the controllers do not clean up, so that a deletion waits.
 * - `reconcile`: a change of the value reconciles the object now. The value is the time of the request.
 *
 * @internal
 */
export const CONTROL_ANNOTATIONS = {
  paused: "kubeloop.dev/paused",
  cleanupPaused: "kubeloop.dev/cleanup-paused",
  reconcile: "kubeloop.dev/reconcile-requested-at",
} as const;

/** A time of RFC 3339. */
const TIME = /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(\.\d{1,9})?([Zz]|[+-]\d{2}:\d{2})$/;

/**
 * The pause of an object.
 *
 * @internal
 */
export interface Pause {
  /** The annotation that pauses the object. */
  readonly annotation: string;
  /** The end, in milliseconds since the Unix epoch; undefined if the pause lasts until the annotation is removed. */
  readonly untilMs: number | undefined;
  /** Whether the value of the annotation is none of the known ones. */
  readonly isInvalid: boolean;
  /** The value of the annotation. */
  readonly value: string;
}

/**
 * Returns the pause that the value of an annotation means. `"true"` pauses until the annotation is removed, a time of RFC 3339
 * until that time. `"false"` and a past time do not pause. Any other value pauses, because its author wanted something.
 *
 * @param annotation The name of the annotation.
 * @param value Its value; undefined if the object does not have it.
 * @param wallMs The time, in milliseconds since the Unix epoch.
 *
 * @internal
 */
export function pauseOf(annotation: string, value: unknown, wallMs: number): Pause | undefined {
  if (value === undefined || value === "false") return undefined;
  const text = String(value);
  const pause = { annotation, value: text, untilMs: undefined, isInvalid: false };
  if (text === "true") return pause;
  const untilMs = TIME.test(text) ? Date.parse(text.toUpperCase()) : NaN;
  if (Number.isNaN(untilMs)) return { ...pause, isInvalid: true };
  return untilMs > wallMs ? { ...pause, untilMs } : undefined;
}

/**
 * Returns the pause of an object: of its cleanup if it is being deleted, of its reconciles otherwise.
 *
 * @param object The object.
 * @param wallMs The time, in milliseconds since the Unix epoch.
 *
 * @internal
 */
export function pauseOfObject(
  { metadata: { annotations, deletionTimestamp } }: Pick<KubeObject, "metadata">,
  wallMs: number,
): Pause | undefined {
  const { cleanupPaused, paused } = CONTROL_ANNOTATIONS;
  const name = deletionTimestamp === undefined ? paused : cleanupPaused;
  return pauseOf(name, annotations?.[name], wallMs);
}
