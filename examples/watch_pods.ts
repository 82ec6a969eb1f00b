/**
 * A typed watch of all namespaces that is reopened whenever it ends. The server ends every watch after some time.
 *
 * The example prints `Pod NAME added`, `Pod NAME modified` and `Pod NAME deleted`. When the watch ends, the example
 * opens another one from the last resource version. If that resource version has expired, the example starts again with
 * a list. An informer does all this for you, and also reports the changes that were missed in between: see
 * `pod_controller.ts`.
 *
 * On an in-process server, without any permission; or on the cluster of a kubeconfig, whose server is at HOST:PORT:
 *
 * ```sh
 * deno run examples/watch_pods.ts
 * deno run --allow-net=HOST:PORT --allow-read=FILE examples/watch_pods.ts --kubeconfig FILE
 * ```
 *
 * @module
 */

import { isExpired, Pods } from "@kubeloop/controller";
import { pause, podLife } from "./_pod_life.ts";
import { type Life, runExample, type Session } from "./_session.ts";

const VERBS = { ADDED: "added", MODIFIED: "modified", DELETED: "deleted" } as const;

/** Watches from `resourceVersion` until the server ends the watch, and returns the last resource version. */
async function watchFrom(
  { client, namespace, signal }: Session,
  resourceVersion: string,
): Promise<string> {
  let reached = resourceVersion;
  const watch = await client.watch(Pods, {
    namespace,
    resourceVersion,
    allowWatchBookmarks: true,
    signal,
  });
  for await (const { type, object } of watch) {
    reached = object.metadata.resourceVersion ?? reached;
    if (type !== "BOOKMARK") console.log(`Pod ${object.metadata.name} ${VERBS[type]}`);
  }
  return reached;
}

async function watchForEver(session: Session): Promise<void> {
  const { client, namespace, signal, logger } = session;
  const newest = async () =>
    (await client.list(Pods, { namespace, signal })).metadata.resourceVersion ?? "";
  let resourceVersion = await newest();
  while (!signal.aborted) {
    try {
      resourceVersion = await watchFrom(session, resourceVersion);
      logger.info(`the watch ended; going on from resourceVersion ${resourceVersion}`);
    } catch (error) {
      if (signal.aborted) throw error;
      logger.warn(`the watch broke: ${error instanceof Error ? error.message : error}`);
      if (isExpired(error)) resourceVersion = await newest();
    }
    // Avoids a hot loop if the server ends watches immediately.
    await pause(1000, signal);
  }
}

const life: Life = {
  async during(world) {
    await podLife(world);
    world.server.closeWatches();
    await pause(500, world.signal);
    await world.client.delete(Pods, "web-1", { namespace: "default" });
    await pause(1000, world.signal);
  },
};

await runExample("Prints what happens to Pods, for as long as it runs.", life, watchForEver);
