import type { KubeObject, Stored } from "../../types/mod.ts";

/**
 * The result of a {@linkcode WaitPredicate}: true if the wait is over. Otherwise it may be a text that says what is
 * missing, as in `1 of 3 replicas are updated`; `Client.waitFor` shows the last one after its time-out.
 */
export type Verdict = boolean | string | undefined;

/**
 * Says whether a wait is over. A predicate is called with each state of the object that the server reports, and with
 * undefined while there is no such object. It must be synchronous and fast.
 *
 * If the object can never get there, the predicate throws: the wait then ends at once with that error.
 *
 * @typeParam T The interface of the object.
 *
 * @example
 * ```ts
 * import type { WaitPredicate } from "@kubeloop/controller/client";
 * import type { Pod } from "@kubeloop/controller/types";
 * import { assertEquals } from "@std/assert";
 *
 * const succeeded: WaitPredicate<Pod> = (pod) => {
 *   const phase = pod?.status?.phase;
 *   if (phase === "Failed") throw new Error(`Pod ${pod?.metadata.name} has failed`);
 *   return phase === "Succeeded" || `it is ${phase ?? "absent"}`;
 * };
 * assertEquals(succeeded(undefined), "it is absent");
 * ```
 */
export interface WaitPredicate<T extends KubeObject = KubeObject> {
  /** Returns the verdict about the object; undefined means that there is no object of that name. */
  (object: Stored<T> | undefined): Verdict;
  /** The text of the time-out error, as in `was not rolled out`. Default: names the predicate. */
  readonly unmet?: string;
}

/**
 * A predicate that holds only for an object that exists, so that `Client.waitFor` returns an object.
 *
 * @typeParam T The interface of the object.
 */
export interface ObjectPredicate<T extends KubeObject = KubeObject> extends WaitPredicate<T> {
  /** Always true. */
  readonly needsObject: true;
}

/** The verdict about an object that does not exist. */
export const ABSENT = "it does not exist";

/** Returns a predicate of objects that exist, from a function that is only called with such objects. */
export function objectPredicate(
  unmet: string,
  judge: (object: Stored<KubeObject>) => Verdict,
): ObjectPredicate {
  return Object.assign(
    (object: Stored<KubeObject> | undefined) => object === undefined ? ABSENT : judge(object),
    { unmet, needsObject: true as const },
  );
}

/** Returns the name of an object for messages, as in `Deployment default/web`. */
export function nameOf(kind: string, name: string, namespace: string | undefined): string {
  return `${kind} ${namespace === undefined ? "" : `${namespace}/`}${name}`;
}
