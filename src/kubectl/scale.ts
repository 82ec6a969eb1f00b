import {
  describeValue,
  isCount,
  isFlag,
  isSignal,
  type OptionChecks,
  requireCount,
  requireOptions,
} from "@kubeloop/controller/internal/base";
import { type Client, retryOnConflict } from "@kubeloop/controller/client";
import { type KubeObject, resourceName } from "@kubeloop/controller/types";
import { shownBy } from "./shown.ts";
import { type ObjectTarget, placeOf } from "./target.ts";

/** The subresource `scale` of a workload. */
export interface Scale extends KubeObject {
  /** The desired number of replicas; the server omits 0. */
  readonly spec?: { readonly replicas?: number };
  /** The observed number of replicas, and the selector of their Pods. */
  readonly status?: { readonly replicas?: number; readonly selector?: string };
}

/** Options of {@linkcode scale}. */
export interface ScaleOptions {
  /** The desired number of replicas that the workload must have before the change. Default: any. */
  readonly currentReplicas?: number | undefined;
  /** Whether the server only tries the change. Default false. */
  readonly dryRun?: boolean | undefined;
  /** Stops the requests. */
  readonly signal?: AbortSignal | undefined;
}

const CHECKS: OptionChecks<ScaleOptions> = {
  currentReplicas: isCount(0),
  dryRun: isFlag,
  signal: isSignal,
};

/**
 * Sets the desired number of replicas of any object with the subresource `scale`, as `kubectl scale` does.
 *
 * @param client The client that makes the requests.
 * @param target The workload.
 * @param replicas The new desired number of replicas.
 * @param options The expected current number, a dry run, and a signal.
 * @returns The scale of the workload.
 * @throws {Error} If the desired number is not `currentReplicas`.
 *
 * @example
 * ```ts
 * import { Client } from "@kubeloop/controller/client";
 * import { scale } from "@kubeloop/kubectl";
 * import { Deployments } from "@kubeloop/controller/types";
 * import { ApiServer } from "@kubeloop/testing";
 * import { assertEquals } from "@std/assert";
 *
 * await using server = new ApiServer();
 * await using client = new Client(server.clientOptions);
 * const web = await client.create(Deployments, {
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
 * const { spec } = await scale(client, web, 5, { currentReplicas: 2 });
 * assertEquals(spec?.replicas, 5);
 * ```
 */
export async function scale(
  client: Client,
  target: ObjectTarget,
  replicas: number,
  options: ScaleOptions = {},
): Promise<Scale> {
  requireOptions("scale()", options, CHECKS);
  const { currentReplicas, dryRun, signal } = options;
  requireCount("replicas", replicas, 0);
  const { resource, name, namespace } = await placeOf(client, target, "scale", signal);
  const call = { namespace, subresource: "scale", signal };
  const spec = { replicas };
  if (currentReplicas === undefined) {
    return await client.patch<Scale>(resource, name, { spec }, { ...call, dryRun });
  }
  return await retryOnConflict(async () => {
    const current = await client.get<Scale>(resource, name, call);
    const found: unknown = current.spec?.replicas ?? 0;
    if (found !== currentReplicas) {
      const what = `${resourceName(resource)} ${
        namespace === undefined ? "" : `${namespace}/`
      }${name}`;
      const now = typeof found === "number" ? found : describeValue(found);
      throw new Error(
        shownBy(client)(
          `Cannot scale ${what} from ${currentReplicas} to ${replicas} replicas: it wants ${now} now`,
        ),
      );
    }
    return await client.update<Scale>(resource, { ...current, spec }, { ...call, dryRun });
  }, { clock: client.environment.clock, random: client.environment.random, signal });
}
