/**
 * A throw-away Kubernetes API on a socket, for everything that speaks to a cluster: kubectl, controllers, scripts.
 *
 * ```sh
 * deno run --allow-net=127.0.0.1 jsr:@kubeloop/testing/serve --port 8001
 * ```
 *
 * It prints a kubeconfig and serves until Ctrl-C. Nothing runs on it: objects are stored, validated and watched as on
 * kube-apiserver v1.35, but no Pod ever starts by itself. It listens on the loopback interface and everyone who reaches
 * it is administrator, unless `--hostname` and `--token` say otherwise. kubectl and client-go send a token over TLS only:
 * `--tls` makes a certificate that the kubeconfig trusts. `--help` lists all flags.
 *
 * ```sh
 * # A cluster with some objects in it that survives restarts, where every tenth list of Pods fails:
 * deno task serve --load manifests.yaml --save state --fault "GET /api/v1/namespaces/web/pods:503:10%"
 * ```
 *
 * `--fault` takes `[METHOD ]PATH:CODE[:PERCENT%]`: without a method it is for all of them, `*` in the path stands for any
 * characters, and without a share every such request fails. 429 carries `Retry-After: 1`. What `--load` names is applied
 * server-side, namespaces and definitions first, with what only a server sets left out.
 *
 * Permissions: `--allow-net=127.0.0.1` for the socket (or the address of `--hostname`). `--load`, `--save` and
 * `--kubeconfig-out` need `--allow-read` of their files, and the last two `--allow-write` of theirs and of `FILE.partial-PID`
 * beside them, since they are replaced in one step: `--allow-read=. --allow-write=.` does for files below the present folder.
 *
 * @module
 */

import process from "node:process";
import { runServe } from "./run_serve.ts";

if (import.meta.main) {
  const stop = new AbortController();
  // Only the first of each ends it in good order; a second one ends it at once.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.abort());
  process.exitCode = await runServe(process.argv.slice(2), {
    print: (text) => process.stdout.write(`${text}\n`),
    warn: (text) => process.stderr.write(`${text}\n`),
    signal: stop.signal,
  });
}
