/**
 * The scenario of `deno task demo`: changes to Pods on the in-process server, each announced on the console.
 *
 * @module
 */

import { Pods } from "@kubeloop/controller";
import { newPod, pause } from "./_pod_life.ts";
import type { Life, World } from "./_session.ts";

const STEP_MS = 600;

/** Creates, changes and deletes Pods. Each step prints what happens and what to look for. */
async function during({ client, server, signal, isSeen }: World): Promise<void> {
  const call = { namespace: "default", signal };
  const steps: [string, () => Promise<unknown>][] = [
    [
      "Three Pods are created: one sync for each.",
      () =>
        Promise.all(
          ["web-1", "web-2", "web-3"].map((name) => client.create(Pods, newPod(name), call)),
        ),
    ],
    [
      "The Pods start to run. The cache follows by watching, without another list.",
      async () => {
        for (const name of ["web-1", "web-2", "web-3"]) {
          await client.patchStatus(Pods, name, { status: { phase: "Running" } }, call);
        }
      },
    ],
    [
      "One Pod changes ten times in a row: the queue makes fewer syncs of it.",
      () =>
        Promise.all(
          Array.from({ length: 10 }, (_, i) =>
            client.patch(Pods, "web-1", { metadata: { labels: { step: `${i}` } } }, call)),
        ),
    ],
    [
      isSeen
        ? "A poisoned Pod appears, whose sync fails: it is retried after 5, 10, 20, 40 ms and so on. The page says so."
        : "A poisoned Pod appears, whose sync fails: five retries, after 5, 10, 20, 40 and 80 ms, then it is dropped.",
      () => client.create(Pods, newPod("poison", { poisoned: "yes" }), call),
    ],
    [
      "The server breaks every connection. A Pod is deleted meanwhile, and the controller misses nothing.",
      async () => {
        server.restart();
        await client.delete(Pods, "web-3", call);
      },
    ],
    ["The poisoned Pod is deleted: nothing is left to fail.", async () => {
      await pause(2 * STEP_MS, signal);
      await client.delete(Pods, "poison", call);
    }],
  ];
  // The page shows the poisoned Pod and its failures.
  if (isSeen) steps.pop();
  console.log(
    "A pod controller on an in-process API server. What happens in the cluster is marked with #.\n",
  );
  for (const [index, [what, act]] of steps.entries()) {
    await pause(STEP_MS, signal);
    console.log(`\n# ${index + 1}/${steps.length} ${what}`);
    await act();
  }
  await pause(STEP_MS, signal);
  if (!isSeen) console.log("\n# The end: the controller is told to stop.");
}

/** The scenario of the demo. */
export const demoLife: Life = { during };
