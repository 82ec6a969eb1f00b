/**
 * A little life for the in-process server: Pods that come, run, change and go.
 *
 * @module
 */

import { type Client, type Pod, Pods } from "@kubeloop/controller";
import type { ApiServer } from "@kubeloop/testing";

/** Long enough to watch, short enough to wait for. */
const STEP_MS = 150;

/** Resolves after `ms` milliseconds, or rejects when `signal` aborts. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", onAbort);
      resolve();
    }, ms);
    signal.addEventListener("abort", onAbort, { once: true });
  });
}

/** A Pod as one would write it. */
export function newPod(name: string, labels: Record<string, string> = {}): Pod {
  return {
    metadata: { name, labels },
    spec: { containers: [{ name: "main", image: "nginx:1.29" }] },
  };
}

/** Three Pods come, run, change and go, one step after another, once somebody watches. */
export async function podLife(
  world: { client: Client; server: ApiServer; signal: AbortSignal },
): Promise<void> {
  const { client, server, signal } = world;
  const call = { namespace: "default", signal };
  const step = () => pause(STEP_MS, signal);
  do await step(); while (server.openWatches === 0);
  for (const name of ["web-1", "web-2", "web-3"]) {
    await client.create(Pods, newPod(name, { app: "web" }), call);
    await step();
  }
  await client.patchStatus(Pods, "web-1", { status: { phase: "Running" } }, call);
  await step();
  await client.patch(Pods, "web-2", { metadata: { labels: { canary: "yes" } } }, call);
  await step();
  await client.delete(Pods, "web-3", call);
  await client.delete(Pods, "web-2", call);
  await step();
}
