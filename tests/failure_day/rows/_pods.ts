import { Client } from "../../../src/client/mod.ts";
import { ApiServer, type PodProgram } from "../../../src/testing/mod.ts";
import { Nodes, Pods } from "../../../src/types/mod.ts";
import { namespace } from "../day.ts";

/** The Pod `a`. */
export const object = { resource: Pods, name: "a" };

/** Creates the Pod `a`, which runs on a Node. */
export async function prepare(client: Client): Promise<void> {
  await client.create(Nodes, {
    metadata: { name: "node" },
    status: { addresses: [{ type: "InternalIP", address: "10.0.0.1" }] },
  } as never);
  await client.create(Pods, {
    metadata: { name: "a", namespace, labels: { app: "a" } },
    spec: { nodeName: "node", containers: [{ name: "main", image: "i" }] },
  });
  const state = { running: { startedAt: "2026-01-01T00:00:00Z" } };
  const main = { name: "main", image: "i", imageID: "i", ready: true, restartCount: 0, state };
  const status = { phase: "Running", containerStatuses: [main] };
  await client.patchStatus(Pods, "a", { status } as never, { namespace });
}

/** The program of the container: repeats its input, and prints the size of its terminal. */
export const echo: PodProgram = {
  exec: async ({ command, stdin, stdout, stderr, resized }) => {
    if (command[0] === "size") {
      for await (const { columns, rows } of resized) {
        await stdout.write(`${columns}x${rows}`);
        break;
      }
    }
    for await (const bytes of stdin) await stdout.write(bytes);
    await stderr.write("done");
    return 3;
  },
  attach: async ({ stdin, stdout }) => {
    for await (const bytes of stdin) await stdout.write(bytes);
  },
  ports: {
    80: async ({ incoming, write }) => {
      for await (const bytes of incoming) {
        await write(bytes);
        break;
      }
    },
  },
};

/** Reads a stream to its end, as text. */
export async function textOf(stream: ReadableStream<Uint8Array> | undefined): Promise<string> {
  let text = "";
  const decoder = new TextDecoder();
  const reader = stream?.getReader();
  for (;;) {
    const { value } = await reader?.read() ?? {};
    if (value === undefined) return text;
    text += decoder.decode(value, { stream: true });
  }
}

/** Writes a text to a stream, and ends it. */
export async function writeTo(
  stream: WritableStream<Uint8Array> | undefined,
  text: string,
): Promise<void> {
  const writer = stream?.getWriter();
  await writer?.write(new TextEncoder().encode(text));
  // Why it cannot be closed, not only that.
  await writer?.close().catch(() => writer.closed);
}

// The code for streams is loaded when it is first needed, and a virtual clock does not wait for that.
{
  await using server = new ApiServer();
  await using client = new Client(server.clientOptions);
  await client.exec("none", ["x"], { namespace }).catch(() => {});
}
