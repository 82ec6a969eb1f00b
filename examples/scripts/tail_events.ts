/**
 * Prints each Event as it happens, and again when it happens once more.
 *
 * On an in-process server, without any permission; or on the cluster of a kubeconfig, whose server is at HOST:PORT:
 *
 * ```sh
 * deno run examples/scripts/tail_events.ts
 * deno run --allow-net=HOST:PORT --allow-read=FILE examples/scripts/tail_events.ts --kubeconfig FILE
 * ```
 *
 * @module
 */

import { type Cached, type Event, Events, SharedInformer } from "@kubeloop/controller";
import { runExample } from "../_session.ts";
import { talking } from "./_life.ts";

await runExample("Prints Events as they happen.", talking, async (session) => {
  const { client, namespace, signal } = session;
  const print = ({ count = 1, involvedObject, message, reason, type }: Cached<Event>) =>
    console.log(
      `${type} ${involvedObject.kind}/${involvedObject.name}: ${reason} ×${count}: ${message}`,
    );
  const informer = new SharedInformer(client.listerWatcher(Events, { namespace }));
  informer.addEventHandler({
    onAdd: (event, isInInitialList) => isInInitialList ? undefined : print(event),
    onUpdate: (_, event) => print(event),
  });
  await informer.run({ signal });
});
