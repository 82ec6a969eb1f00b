import { CONTROL_ANNOTATIONS } from "../base/mod.ts";
import type { KubeObject } from "./minimal/mod.ts";

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
  // A server has only texts here.
  if (typeof value !== "string" || value === "false") return undefined;
  const pause = { annotation, value, untilMs: undefined, isInvalid: false };
  if (value === "true") return pause;
  const untilMs = TIME.test(value) ? Date.parse(value.toUpperCase()) : NaN;
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
