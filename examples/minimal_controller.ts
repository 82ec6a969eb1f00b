/**
 * The smallest controller there can be: one watch request, and something done for each event.
 *
 * Prints `ADDED Pod NAME`, `MODIFIED Pod NAME`, `DELETED Pod NAME`, first for the Pods that are there, until the server
 * ends the watch. Real controllers need more than this: see `pod_controller.ts`.
 *
 * Permissions: `--allow-net --allow-read --allow-env=KUBE_TOKEN`, on the in-process server none:
 *
 * ```sh
 * deno run examples/minimal_controller.ts
 * KUBE_TOKEN=… deno run --allow-net --allow-env=KUBE_TOKEN examples/minimal_controller.ts --server https://…
 * ```
 *
 * @module
 */

import { Pods } from "@kubeloop/controller";
import { podLife } from "./_pod_life.ts";
import { runExample } from "./_session.ts";

const life = { during: podLife };

await runExample("Prints what happens to Pods.", life, async ({ client, namespace, signal }) => {
  for await (const event of await client.watch(Pods, { namespace, signal })) {
    console.log(`${event.type} Pod ${event.object.metadata.name}`);
  }
});
