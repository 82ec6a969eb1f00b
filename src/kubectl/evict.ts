import { requireOptions } from "@kubeloop/controller/internal/base";
import type { Client } from "@kubeloop/controller/client";
import { EVICT_CHECKS, type EvictOptions } from "./evict_options.ts";
import { evictPod } from "./evict_pod.ts";
import { namedPlaceOf, type NamedTarget, requireClient } from "./target.ts";

/**
 * Evicts a Pod: deletes it as soon as the PodDisruptionBudgets allow that. While they do not, the call tries again: after
 * five seconds, or as long as the server asks to wait, at most a minute.
 *
 * The call does not wait until the Pod is gone. If the target is an object, a new Pod of its name is left alone.
 *
 * @param client The client that makes the requests.
 * @param pod The Pod.
 * @param options The grace period and a time limit.
 * @returns Whether the server took the eviction; `gone`, if there was no such Pod.
 * @throws {DOMException} `TimeoutError`, after `timeoutMs`, with what the server said.
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
