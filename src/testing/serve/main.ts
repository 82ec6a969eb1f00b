/**
 * A throw-away Kubernetes API server on a socket, for kubectl, controllers, scripts and every other client.
 *
 * ```sh
 * deno run --allow-net=127.0.0.1 jsr:@kubeloop/testing/serve --port 8001
 * ```
 *
 * The program prints a kubeconfig and serves until Ctrl-C. It stores, validates and watches objects like the newest
 * kube-apiserver that it knows, or like that of `--kubernetes`. Without `--nodes` it runs no controllers and no kubelet, so Pods never start; with `--nodes`, `--lives` says when
 * they crash, what they log and what they answer. By default it listens on the loopback interface, and every client is
 * an administrator: `--hostname` and `--token` change that. kubectl and client-go send a token over TLS only: `--tls`
 * creates a certificate, which the kubeconfig trusts. `--help` lists all flags.
 *
 * Web pages that a browser on this machine shows cannot use the server: it refuses requests of other origins, and
 * requests for other hosts than localhost and the address of `--hostname`. A container that calls it by another name
 * needs `--accept-hosts host.docker.internal`.
 *
 * ```sh
 * # A cluster with initial objects that survives restarts; on average every tenth list of Pods fails:
 * deno task serve --load manifests.yaml --save state --fault "GET /api/v1/namespaces/web/pods:503:10%"
 * ```
 *
 * `--fault` takes `[METHOD ]PATH:CODE[:PERCENT%]`. Without a method it applies to all methods; `*` in the path matches
 * any characters; without a percentage every matching request fails. A response with status 429 has `Retry-After: 1`.
 * `--load` applies objects with server-side apply, namespaces and CustomResourceDefinitions first, and leaves out the
 * fields that only a server sets.
 *
 * Permissions: `--allow-net=127.0.0.1` for the socket (or the address of `--hostname`). `--load`, `--lives`, `--save` and
 * `--kubeconfig-out` need `--allow-read` for their files. `--save` and `--kubeconfig-out` also need `--allow-write` for
 * the folder of their file, because they write a new file there, and then rename it; `--save` needs `--allow-read` for
 * that folder too. For files in the current folder, `--allow-read=. --allow-write=.` is enough.
 *
 * @module
 */

import module from "node:module";
import process from "node:process";

if (import.meta.main) {
  // Most of the time to start is that in which Node compiles the modules. From the second start on, they are compiled.
  module.enableCompileCache?.();
  const { runServe } = await import("./run_serve.ts");
  const stop = new AbortController();
  // More signals change nothing: they would end the program while it saves its state.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => stop.abort());
  // The reader of the output may leave first. That must not end the program before it has saved its state.
  for (const output of [process.stdout, process.stderr]) output.on("error", () => {});
  process.exitCode = await runServe(process.argv.slice(2), {
    print: (text) => process.stdout.write(`${text}\n`),
    warn: (text) => process.stderr.write(`${text}\n`),
    signal: stop.signal,
  });
}
