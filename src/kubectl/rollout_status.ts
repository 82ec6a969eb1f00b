import {
  isSignal,
  isTimeLimit,
  LinkedAbort,
  type OptionChecks,
  requireOptions,
} from "@kubeloop/controller/internal/base";
import {
  type Client,
  type ObjectPredicate,
  rolledOut,
  type Verdict,
  type WaitForOptions,
} from "@kubeloop/controller/client";
import type { KubeObject, Stored } from "@kubeloop/controller/types";
import { shownBy } from "./shown.ts";
import { type ObjectTarget, placeOf } from "./target.ts";

/** The progress of a rollout. */
export interface RolloutProgress {
  /** The missing condition, such as `1 of 3 replicas are updated`; `it is rolled out` at the end. */
  readonly message: string;
  /** Whether the workload is rolled out. */
  readonly isDone: boolean;
  /** The workload; undefined while it does not exist. */
  readonly object: Stored<KubeObject> | undefined;
}

const CHECKS: OptionChecks<Omit<WaitForOptions, "namespace">> = {
  signal: isSignal,
  timeoutMs: isTimeLimit,
};

/**
 * Follows the rollout of a Deployment, StatefulSet or DaemonSet, as `kubectl rollout status` does.
 *
 * The iteration ends when the workload is rolled out, and throws if the rollout fails, by the rules of `rolledOut`. It waits
 * for a workload that does not exist yet, and throws if the workload is deleted. A slow reader gets only the newest progress.
 *
 * @param client The client that makes the requests.
 * @param target The workload.
 * @param options A signal and a time limit.
 * @returns The progress, after each change.
 * @throws {DOMException} `TimeoutError`, after `timeoutMs`. The message names the missing condition.
 *
 * @example
 * ```ts
 * import { Client } from "@kubeloop/controller/client";
 * import { rolloutStatus } from "@kubeloop/kubectl";
 * import { Deployments } from "@kubeloop/controller/types";
 * import { ApiServer, startActors, VirtualClock } from "@kubeloop/testing";
 * import { assertEquals } from "@std/assert";
 *
 * const clock = new VirtualClock();
 * await using server = new ApiServer({ clock });
 * await using client = new Client(server.clientOptions);
 * await using _actors = startActors(server);
 * const created = client.create(Deployments, {
 *   metadata: { name: "web", namespace: "default" },
 *   spec: {
 *     replicas: 2,
 *     selector: { matchLabels: { app: "web" } },
 *     template: {
 *       metadata: { labels: { app: "web" } },
 *       spec: { containers: [{ name: "main", image: "nginx" }] },
 *     },
 *   },
 * });
 *
 * let last = "";
 * async function follow() {
 *   for await (const { message } of rolloutStatus(client, await created)) last = message;
 * }
 * await clock.run(follow());
 * assertEquals(last, "it is rolled out");
 * ```
 */
export async function* rolloutStatus(
  client: Client,
  target: ObjectTarget,
  options: Omit<WaitForOptions, "namespace"> = {},
): AsyncGenerator<RolloutProgress, void> {
  requireOptions("rolloutStatus()", options, CHECKS);
  const { resource, name, namespace } = await placeOf(
    client,
    target,
    "rolloutStatus",
    options.signal,
  );
  const shown = shownBy(client);
  const stop = new LinkedAbort(options.signal);
  let latest: RolloutProgress | undefined;
  /** The UID of the workload; undefined until it exists. */
  let uid: string | undefined;
  let told: string | undefined;
  let end: { readonly error?: unknown } | undefined;
  let wake = () => {};
  const judge = (object: Stored<KubeObject> | undefined): Verdict => {
    if (uid !== undefined && object?.metadata.uid !== uid) {
      throw new Error(
        shown(`${resource.kind} ${namespace}/${name} was deleted during its rollout`),
      );
    }
    uid = object?.metadata.uid;
    const verdict = rolledOut(object);
    const isDone = verdict === true;
    const message = isDone ? "it is rolled out" : shown(String(verdict));
    latest = { message, isDone, object };
    wake();
    return verdict;
  };
  const unmet = rolledOut.unmet ?? "";
  const predicate: ObjectPredicate = Object.assign(judge, { unmet, needsObject: true } as const);
  const waiting = client.waitFor(resource, name, predicate, {
    namespace,
    signal: stop.signal,
    timeoutMs: options.timeoutMs,
  }).then(() => end = {}, (error) => end = { error }).finally(() => wake());
  try {
    for (;;) {
      const progress: RolloutProgress | undefined = latest;
      latest = undefined;
      if (progress !== undefined && progress.message !== told) {
        told = progress.message;
        yield progress;
      } else if (end !== undefined) {
        if ("error" in end) throw end.error;
        return;
      } else if (latest === undefined) await new Promise<void>((resolve) => wake = resolve);
    }
  } finally {
    stop.abort(new DOMException("Nobody follows the rollout any more", "AbortError"));
    await waiting;
  }
}
