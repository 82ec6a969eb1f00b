/**
 * Follows the logs of all Pods of a selector: each line once, through restarts, broken connections, and Pods that come and
 * go.
 *
 * On an in-process server, without any permission; or on the cluster of a kubeconfig, whose server is at HOST:PORT:
 *
 * ```sh
 * deno run examples/scripts/follow_logs.ts
 * deno run --allow-net=HOST:PORT --allow-read=FILE examples/scripts/follow_logs.ts --kubeconfig FILE app=web
 * ```
 *
 * @module
 */

import { followLogs } from "@kubeloop/controller/logs";
import { runExample } from "../_session.ts";
import { logging } from "./_life.ts";

await runExample("Follows logs: give a label selector.", logging, async (session) => {
  const { args: [labelSelector], client, namespace, signal } = session;
  const lines = followLogs(client, { namespace, labelSelector, signal });
  for await (const { pod, container, line } of lines) {
    console.log(`[${pod} ${container}] ${line}`);
  }
});
