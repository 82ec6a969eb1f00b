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
