/**
 * Forwards a free local port to a port of a Pod, until Ctrl-C, also when the Pod is replaced by one of its name.
 *
 * On an in-process server, or on the cluster of a kubeconfig, whose server is at HOST:PORT:
 *
 * ```sh
 * deno run --allow-net=127.0.0.1 examples/scripts/port_forward.ts
 * deno run --allow-net=HOST:PORT,127.0.0.1:0 --allow-read=FILE examples/scripts/port_forward.ts --kubeconfig FILE web 8080
 * ```
 *
 * @module
 */

import { runExample } from "../_session.ts";
import { running } from "./_life.ts";

await runExample("Forwards a port: give a Pod and the port.", running, async (session) => {
  const { args: [pod = "", port], client, namespace = "default", onCluster, signal } = session;
  const options = { namespace, signal, waitForPodMs: 60_000 };
  await using forward = await client.portForward(pod, Number(port), options);
  const url = `http://${forward.address}:${forward.ports[0]?.localPort}`;
  console.log(`${url} is port ${port} of ${pod}`);
  if (!onCluster) console.log(await (await fetch(url)).text());
  else await forward.finished;
});
