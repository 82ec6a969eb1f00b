/**
 * Runs a command in a container, prints what it writes, and ends with its exit code.
 *
 * On an in-process server, without any permission; or on the cluster of a kubeconfig, whose server is at HOST:PORT:
 *
 * ```sh
 * deno run examples/scripts/exec_command.ts
 * deno run --allow-net=HOST:PORT --allow-read=FILE examples/scripts/exec_command.ts --kubeconfig FILE web ls
 * ```
 *
 * @module
 */

import process from "node:process";
import { runExample } from "../_session.ts";
import { running } from "./_life.ts";

await runExample("Runs a command: give a Pod and the command.", running, async (session) => {
  const { args: [pod = "", ...command], client, namespace = "default", signal } = session;
  const { exitCode, stderr, stdout } = await client.exec(pod, command, { namespace, signal });
  process.stdout.write(stdout);
  process.stderr.write(stderr);
  process.exitCode = exitCode;
});
