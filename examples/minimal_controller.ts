/**
 * The smallest possible controller: one watch request, and an action for each event.
 *
 * The example prints `ADDED Pod NAME`, `MODIFIED Pod NAME` and `DELETED Pod NAME`, starting with the existing Pods,
 * until the server ends the watch. A real controller needs more than this: see `pod_controller.ts`.
 *
 * On an in-process server, without any permission; or on a cluster, whose server is at HOST:PORT:
 *
 * ```sh
 * deno run examples/minimal_controller.ts
 * deno run --allow-net=HOST:PORT examples/minimal_controller.ts --server URL --token TOKEN
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
