/**
 * A scenario for the in-process server, which creates, changes and deletes Pods.
 *
 * @module
 */

import { type Client, type Pod, Pods } from "@kubeloop/controller";
import type { ApiServer } from "@kubeloop/testing";

/** The pause between two steps: long enough to follow the output, short enough to wait for the end. */
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

/** Returns a Pod with one container. */
export function newPod(name: string, labels: Record<string, string> = {}): Pod {
  return {
    metadata: { name, labels },
    spec: { containers: [{ name: "main", image: "nginx:1.29" }] },
  };
}

/** Waits for the first watch, and then creates, changes and deletes three Pods step by step. */
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
