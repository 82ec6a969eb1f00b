/**
 * Watches one ConfigMap by its name: its changes, its deletion, and its successor of the same name, whether the watch
 * ends, the server restarts or cannot be reached.
 *
 * On an in-process server, without any permission; or on the cluster of a kubeconfig, whose server is at HOST:PORT:
 *
 * ```sh
 * deno run examples/scripts/watch_object.ts
 * deno run --allow-net=HOST:PORT --allow-read=FILE examples/scripts/watch_object.ts --kubeconfig FILE settings
 * ```
 *
 * @module
 */

import { ConfigMaps, SharedInformer } from "@kubeloop/controller";
import { fieldSelector } from "@kubeloop/controller/client";
import { runExample } from "../_session.ts";
import { changing } from "./_life.ts";

await runExample("Watches a ConfigMap: give its name.", changing, async (session) => {
  const { args: [name = ""], client, namespace = "default", signal } = session;
  const only = { namespace, fieldSelector: fieldSelector({ "metadata.name": name }) };
  const informer = new SharedInformer(client.listerWatcher(ConfigMaps, only));
  const print = (what: string, data: unknown) => console.log(`${what} ${JSON.stringify(data)}`);
  informer.addEventHandler({
    onAdd: ({ data }) => print("added", data),
    onUpdate: (old, { data, metadata }) =>
      print(old.metadata.uid === metadata.uid ? "changed" : "replaced", data),
    onDelete: () => console.log("deleted"),
  });
  await informer.run({ signal });
});
