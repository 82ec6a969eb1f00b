/**
 * Waits until a Deployment is rolled out, as `kubectl rollout status` does, and says what is missing meanwhile.
 *
 * On an in-process server, without any permission; or on the cluster of a kubeconfig, whose server is at HOST:PORT:
 *
 * ```sh
 * deno run examples/scripts/rollout_wait.ts
 * deno run --allow-net=HOST:PORT --allow-read=FILE examples/scripts/rollout_wait.ts --kubeconfig FILE web
 * ```
 *
 * @module
 */

import { type Deployment, Deployments, type Stored } from "@kubeloop/controller";
import { rolledOut } from "@kubeloop/controller/client";
import { runExample } from "../_session.ts";
import { rollout } from "./_life.ts";

await runExample("Waits for a Deployment: give its name.", rollout, async (session) => {
  const { args: [name = ""], client, namespace = "default", signal } = session;
  const saying = Object.assign((deployment: Stored<Deployment> | undefined) => {
    const verdict = rolledOut(deployment);
    if (typeof verdict === "string") console.log(verdict);
    return verdict;
  }, rolledOut);
  await client.waitFor(Deployments, name, saying, { namespace, signal, timeoutMs: 600_000 });
  console.log(`${name} is rolled out`);
});
