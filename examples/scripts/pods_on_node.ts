/**
 * Prints the Pods on a node. The server selects them, so only these are sent.
 *
 * On an in-process server, without any permission; or on the cluster of a kubeconfig, whose server is at HOST:PORT:
 *
 * ```sh
 * deno run examples/scripts/pods_on_node.ts
 * deno run --allow-net=HOST:PORT --allow-read=FILE examples/scripts/pods_on_node.ts --kubeconfig FILE n1
 * ```
 *
 * @module
 */

import { Pods } from "@kubeloop/controller";
import { fieldSelector } from "@kubeloop/controller/client";
import { runExample } from "../_session.ts";
import { nodes } from "./_life.ts";

await runExample("Prints the Pods on a node: give its name.", nodes, async (session) => {
  const { args: [node = ""], client, namespace, signal } = session;
  await client.eachListItem(Pods, ({ metadata, status }) => {
    console.log(`${metadata.namespace}/${metadata.name} ${status?.phase ?? "Unknown"}`);
  }, { namespace, fieldSelector: fieldSelector({ "spec.nodeName": node }), signal });
});
