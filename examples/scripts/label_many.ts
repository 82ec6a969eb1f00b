/**
 * Labels all ConfigMaps of a namespace, 20 at a time, and says how far it is. It reads only their metadata.
 *
 * On an in-process server with 2,000 of them, without any permission; or on the cluster of a kubeconfig, whose server is
 * at HOST:PORT:
 *
 * ```sh
 * deno run examples/scripts/label_many.ts
 * deno run --allow-net=HOST:PORT --allow-read=FILE examples/scripts/label_many.ts --kubeconfig FILE season=winter
 * ```
 *
 * @module
 */

import { ConfigMaps, metadataOf } from "@kubeloop/controller";
import { parallelizeUntil } from "@kubeloop/controller/extras";
import { runExample } from "../_session.ts";
import { many } from "./_life.ts";

await runExample("Labels all ConfigMaps: give LABEL=VALUE.", many, async (session) => {
  const { args: [label = ""], client, namespace = "default", signal } = session;
  const [key = "", value] = label.split("=");
  if (key === "" || value === undefined) throw new TypeError("Give a label, as in season=winter");
  const { items } = await client.list(metadataOf(ConfigMaps), { namespace, signal });
  let done = 0;
  await parallelizeUntil(20, items.length, async (index) => {
    const patch = { metadata: { labels: { [key]: value } } };
    await client.patch(ConfigMaps, items[index]!.metadata.name, patch, { namespace, signal });
    if (++done % 500 === 0) console.log(`${done} of ${items.length}`);
  }, { signal });
  signal.throwIfAborted();
  console.log(`labeled ${done} ConfigMaps with ${label}`);
});
