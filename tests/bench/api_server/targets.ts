/**
 * The servers of the API server benchmark: ours, as a separate process, and the real one.
 *
 * @module
 */

import { Client, loadConfig } from "@kubeloop/controller";
import { Cluster } from "../../e2e/cluster.ts";
import { fileURLToPath } from "node:url";

/** A running server. */
export interface Target extends AsyncDisposable {
  readonly name: string;
  readonly client: Client;
  /** The time from the start of the process to the first answer, in milliseconds. */
  readonly readyMs: number;
  /** Returns the resident memory of all processes of the server, in MiB. */
  residentMiB(): Promise<number>;
}

async function residentMiB(pids: readonly number[]): Promise<number> {
  // Uses ps, because Deno allows reads of /proc only with all permissions.
  const args = ["-o", "rss=", "-p", pids.join(",")];
  const { stdout } = await new Deno.Command("ps", { args }).output();
  const kilobytes = new TextDecoder().decode(stdout).trim().split(/\s+/).map(Number);
  return kilobytes.reduce((sum, value) => sum + value, 0) / 1024;
}

async function answers(client: Client): Promise<void> {
  while (true) {
    try {
      await client.getRaw("/readyz");
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  }
}

/** Starts the program of `deno task serve` as a process. */
export async function ourServer(): Promise<Target> {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr;
  listener.close();
  const startedAt = performance.now();
  const process = new Deno.Command(Deno.execPath(), {
    args: ["run", "--allow-net=127.0.0.1", "src/testing/serve/main.ts", "--port", `${port}`],
    cwd: fileURLToPath(new URL("../../../", import.meta.url)),
    stdin: "null",
    stdout: "null",
    stderr: "null",
  }).spawn();
  const client = new Client({ server: `http://127.0.0.1:${port}` });
  await answers(client);
  return {
    name: "kubeloop",
    client,
    readyMs: performance.now() - startedAt,
    residentMiB: () => residentMiB([process.pid]),
    async [Symbol.asyncDispose]() {
      await client.close();
      process.kill("SIGTERM");
      await process.status;
    },
  };
}

/** Starts kube-apiserver and etcd. */
export async function realServer(): Promise<Target> {
  const startedAt = performance.now();
  const cluster = await Cluster.start();
  const readyMs = performance.now() - startedAt;
  const client = new Client(await loadConfig({ kubeconfig: cluster.kubeconfig }));
  const { apiServer, etcd } = cluster.pids;
  return {
    name: "kube-apiserver + etcd",
    client,
    readyMs,
    residentMiB: () => residentMiB([apiServer, etcd]),
    async [Symbol.asyncDispose]() {
      await client.close();
      await cluster[Symbol.asyncDispose]();
    },
  };
}
