import { delay, type Logger, silentLogger } from "../../../src/base/mod.ts";
import { Client, type ClientOptions } from "../../../src/client/mod.ts";
import { Nodes, type Pod, Pods } from "../../../src/types/mod.ts";
import { ApiServer, type ApiServerOptions, type PodProgram } from "../../../src/testing/mod.ts";

export const NAMESPACE = "default";

/** A server with Pods that run on a node, and clients of it: in this process, or over a socket. */
export class PodWorld implements AsyncDisposable {
  readonly server: ApiServer;
  readonly client: Client;
  readonly #clients: Client[] = [];

  private constructor(server: ApiServer, client: Client) {
    this.server = server;
    this.client = client;
    this.#clients.push(client);
  }

  /** Starts a server with the Pod `web`, whose container is `web`. */
  static async create(
    programs: readonly PodProgram[],
    { over = "process", logger = silentLogger, ...options }: ApiServerOptions & {
      readonly over?: "process" | "socket";
      readonly logger?: Logger;
    } = {},
  ): Promise<PodWorld> {
    const server = new ApiServer({ programs, logger, ...options });
    const connection: ClientOptions = over === "process"
      ? server.clientOptions
      : { server: (await server.serve()).url, logger };
    const world = new PodWorld(server, new Client(connection));
    await world.client.create(Nodes, {
      metadata: { name: "node" },
      status: { addresses: [{ type: "InternalIP", address: "10.0.0.1" }] },
    } as never);
    await world.run("web");
    return world;
  }

  /** Creates a Pod that runs. */
  async run(name: string, containers: readonly string[] = ["web"]): Promise<Pod> {
    const { client } = this;
    await client.create(Pods, {
      metadata: { name, namespace: NAMESPACE, labels: { app: name } },
      spec: {
        nodeName: "node",
        containers: containers.map((container) => ({ name: container, image: "web" })),
      },
    });
    return await this.setPhase(name, "Running");
  }

  /** Sets the phase of a Pod. */
  setPhase(name: string, phase: "Running" | "Succeeded" | "Failed"): Promise<Pod> {
    return this.client.patchStatus(Pods, name, { status: { phase } }, { namespace: NAMESPACE });
  }

  /** Resolves when the server has no open stream: over a socket, it learns of the end a moment later. */
  async untilQuiet(): Promise<void> {
    while (this.server.openStreams > 0) await delay(1);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const client of this.#clients) await client.close();
    await this.server.close();
  }
}

/** Programs as in a small container. */
export const shell: PodProgram = {
  exec: async ({ command, stdin, stdout, stderr, tty, resized, signal }) => {
    const [name, ...args] = command;
    switch (name) {
      case "cat":
        for await (const bytes of stdin) await stdout.write(bytes);
        return 0;
      case "echo":
        await stdout.write(`${args.join(" ")}\n`);
        return 0;
      case "fail":
        await stderr.write("it failed\n");
        return Number(args[0]);
      case "zeros": {
        const part = new Uint8Array(64 * 1024);
        for (let left = Number(args[0]); left > 0; left -= part.length) {
          await stdout.write(part.subarray(0, left));
        }
        return 0;
      }
      case "size":
        for await (const { columns, rows } of resized) {
          await stdout.write(`${tty} ${columns}x${rows}`);
          return 0;
        }
        return 1;
      case "sleep":
        await stdout.write("asleep");
        await new Promise<void>((resolve) =>
          signal.addEventListener("abort", () => resolve(), { once: true })
        );
        return 0;
      default:
        throw new Error(`exec: "${name}": executable file not found in $PATH`);
    }
  },
};
