/**
 * Lists Pods, and then watches them from the resource version of the list. Informers and controllers are built on these
 * two requests.
 *
 * The example prints the resource version of the list and the names of its Pods, and then each event as the server sent
 * it. No change is missing and none is repeated.
 *
 * On an in-process server, without any permission; or on the cluster of a kubeconfig, whose server is at HOST:PORT:
 *
 * ```sh
 * deno run examples/list_and_watch.ts
 * deno run --allow-net=HOST:PORT --allow-read=FILE examples/list_and_watch.ts --kubeconfig FILE --namespace default
 * ```
 *
 * @module
 */

import { Pods } from "@kubeloop/controller";
import { newPod, podLife } from "./_pod_life.ts";
import { type Life, runExample } from "./_session.ts";

const life: Life = {
  before: ({ client }) => client.create(Pods, newPod("here-already"), { namespace: "default" }),
  during: podLife,
};

await runExample("Lists Pods, then watches.", life, async ({ client, namespace, signal }) => {
  const { metadata, items } = await client.list(Pods, { namespace, signal });
  const { resourceVersion } = metadata;
  console.log(`${items.length} Pods at resourceVersion ${resourceVersion}`);
  for (const pod of items) console.log(`  ${pod.metadata.namespace}/${pod.metadata.name}`);

  console.log(`watching from resourceVersion ${resourceVersion}`);
  const watch = await client.watch(Pods, {
    namespace,
    signal,
    ...(resourceVersion === undefined ? {} : { resourceVersion }),
  });
  for await (const event of watch) console.log(JSON.stringify(event));
});
