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

/** Annotations to set; null removes one. */
export type AnnotationChange = Readonly<Record<string, string | null>>;

/**
 * Returns the annotations that pause an object.
 *
 * @param value `true`, or the end of the pause (RFC 3339).
 * @param withCleanup Whether the cleanup of finalizers is paused too.
 * @internal
 */
export function pauseAnnotations(value: string, withCleanup: boolean): AnnotationChange {
  const { cleanupPaused, paused } = CONTROL_ANNOTATIONS;
  return { [paused]: value, ...(withCleanup && { [cleanupPaused]: value }) };
}

/**
 * Returns the annotations that end the pause of an object and of its cleanup.
 *
 * @internal
 */
export function resumeAnnotations(): AnnotationChange {
  return { [CONTROL_ANNOTATIONS.paused]: null, [CONTROL_ANNOTATIONS.cleanupPaused]: null };
}

/**
 * Returns the annotations that reconcile an object now.
 *
 * @param wallMs The time, in milliseconds since the Unix epoch.
 * @internal
 */
export function reconcileAnnotations(wallMs: number): AnnotationChange {
  return { [CONTROL_ANNOTATIONS.reconcile]: new Date(wallMs).toISOString() };
}
