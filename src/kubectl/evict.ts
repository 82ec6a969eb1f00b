import { requireOptions } from "@kubeloop/controller/internal/base";
import type { Client } from "@kubeloop/controller/client";
import { EVICT_CHECKS, type EvictOptions } from "./evict_options.ts";
import { evictPod } from "./evict_pod.ts";
import { namedPlaceOf, type NamedTarget, requireClient } from "./target.ts";

/**
 * Evicts a Pod: deletes it as soon as its PodDisruptionBudgets allow that. Until then, the call tries again every five
 * seconds, or after the time that the server asks for, at most a minute.
 *
 * The call does not wait until the Pod is gone. If the target is an object, a new Pod with the same name is not evicted.
 *
 * @param client The client that makes the requests.
 * @param pod The Pod.
 * @param options The grace period and a time limit.
 * @returns `evicted` if the server has accepted the eviction; `gone` if the Pod does not exist.
 * @throws {DOMException} `TimeoutError`, after `timeoutMs`, with the last message of the server.
 * @throws {StatusError} If the server refuses for another reason.
 *
 * @example
 * ```ts
 * import { Client } from "@kubeloop/controller/client";
 * import { evict } from "@kubeloop/kubectl";
 * import { Pods } from "@kubeloop/controller/types";
 * import { ApiServer } from "@kubeloop/testing";
 * import { assertEquals } from "@std/assert";
 *
 * await using server = new ApiServer();
 * await using client = new Client(server.clientOptions);
 * const pod = await client.create(Pods, {
 *   metadata: { name: "web", namespace: "default" },
 *   spec: { containers: [{ name: "main", image: "nginx" }] },
 * });
 * assertEquals(await evict(client, pod), "evicted");
 * assertEquals(await evict(client, pod), "gone");
 * ```
 */
export async function evict(
  client: Client,
  pod: NamedTarget,
  options: EvictOptions = {},
): Promise<"evicted" | "gone"> {
  requireClient(client, "evict");
  const place = namedPlaceOf(pod, "evict");
  requireOptions("evict()", options, EVICT_CHECKS);
  return await evictPod(client, place, options, () => {});
}
