import { Nodes, Pods } from "@kubeloop/controller";
import type { Client } from "../../src/client/mod.ts";
import { binary } from "./binaries.ts";

/** A kubelet without containers, and the Node that it serves. */
export class Kubelet implements AsyncDisposable {
  readonly #process: Deno.ChildProcess;
  readonly #port: number;

  private constructor(process: Deno.ChildProcess, port: number) {
    this.#process = process;
    this.#port = port;
  }

  /** Starts the kubelet. */
  static async start(): Promise<Kubelet> {
    const process = new Deno.Command(await binary("kubelet"), {
      stdin: "null",
      stdout: "piped",
      stderr: "null",
    }).spawn();
    const reader = process.stdout.pipeThrough(new TextDecoderStream()).getReader();
    let line = "";
    while (!line.includes("\n")) {
      const { done, value } = await reader.read();
      if (done) throw new Error("The kubelet did not start");
      line += value;
    }
    await reader.cancel();
    return new Kubelet(process, Number(line));
  }

  /** Creates the Node of this kubelet, and Pods that run on it: the names of their containers, by the names of the Pods. */
  async serve(
    client: Client,
    containers: Readonly<Record<string, string>> = { web: "web" },
  ): Promise<void> {
    await client.create(Nodes, { metadata: { name: "node" } });
    await client.patchStatus(Nodes, "node", {
      status: {
        addresses: [{ type: "InternalIP", address: "127.0.0.1" }],
        daemonEndpoints: { kubeletEndpoint: { Port: this.#port } },
      },
    } as never);
    for (const [name, container] of Object.entries(containers)) {
      await client.create(Pods, {
        metadata: { name, namespace: "default" },
        spec: { nodeName: "node", containers: [{ name: container, image: "web" }] },
      });
      const status = { phase: "Running" as const };
      await client.patchStatus(Pods, name, { status }, { namespace: "default" });
    }
  }

  /** Kills the process, as `kill -9` does. */
  async kill(): Promise<void> {
    try {
      this.#process.kill("SIGKILL");
    } catch {
      // It is dead already.
    }
    await this.#process.status;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.kill();
  }
}
