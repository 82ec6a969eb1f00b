import { Controller } from "@kubeloop/controller/controller";
import { type Clock, describeError } from "@kubeloop/controller/internal/base";
import type { Details } from "../record/mod.ts";
import { inReconcile } from "./ambient.ts";

/**
 * Records the reconciles of the controllers of processes from now on. `processOf` returns the process of a controller, by the
 * clock that it has inherited. The returned function ends that. The times at which anything happens stay the same.
 */
export function recordReconciles(
  details: Details,
  processOf: (clock: Clock) => string | undefined,
): () => void {
  const { prototype } = Controller;
  const { callReconcile } = prototype;
  let isOver = false;
  const ours: typeof callReconcile = function (this: Controller, key, context) {
    const process = isOver ? undefined : processOf(this.clock);
    if (process === undefined) return callReconcile.call(this, key, context);
    const reconcile = details.begin({ process, controller: this.name, key });
    let returned: ReturnType<typeof callReconcile>;
    try {
      returned = inReconcile(reconcile, () => callReconcile.call(this, key, context));
    } catch (error) {
      details.end(reconcile, describeError(error));
      throw error;
    }
    if (returned instanceof Promise) {
      returned.then(
        () => details.end(reconcile),
        (error) => details.end(reconcile, describeError(error)),
      );
    } else details.end(reconcile);
    return returned;
  };
  Object.assign(prototype, { callReconcile: ours });
  return () => {
    isOver = true;
    // Another run may have wrapped it since.
    if (prototype.callReconcile === ours) Object.assign(prototype, { callReconcile });
  };
}
