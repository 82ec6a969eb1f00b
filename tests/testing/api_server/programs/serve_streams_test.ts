import { assertEquals } from "@std/assert";
import { silentLogger } from "../../../../src/base/mod.ts";
import {
  OpenStreams,
  serveContainer,
  servePorts,
} from "../../../../src/testing/api_server/programs/mod.ts";
import { type PodProgram, VirtualClock } from "../../../../src/testing/mod.ts";
import { bytePipe } from "../../../../src/websocket/byte_socket.ts";
import { MessageSocket } from "../../../../src/websocket/mod.ts";

const V5 = "v5.channel.k8s.io";
const V4 = "v4.channel.k8s.io";
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** A client of a program, over a pipe. */
class Peer {
  readonly clock = new VirtualClock();
  readonly streams = new OpenStreams();
  readonly errors: string[] = [];
  readonly messages: MessageSocket;
  readonly served: Promise<void>;
  deleted: () => void = () => {};
  listeners = 0;

  constructor(
    program: PodProgram,
    { query = "", protocol = V5, ports }: {
      readonly query?: string;
      readonly protocol?: string;
      readonly ports?: readonly number[];
    } = {},
  ) {
    const [ours, theirs] = bytePipe();
    const { clock, streams } = this;
    const pod = {
      programs: [program],
      pod: { metadata: { name: "web", namespace: "default", uid: "u" } },
      onDeleted: (callback: () => void) => {
        this.deleted = callback;
        this.listeners++;
        return () => this.listeners--;
      },
      streams,
      clock,
      logger: { ...silentLogger, error: (text: string) => void this.errors.push(text) },
    };
    this.messages = new MessageSocket(ours, { role: "client", clock, protocol });
    this.served = ports === undefined
      ? serveContainer(theirs, protocol, {
        ...pod,
        container: "c",
        query: new URLSearchParams(query),
      })
      : servePorts(theirs, protocol, { ...pod, ports });
  }

  send(channel: number, data: string | Uint8Array = ""): Promise<void> {
    const bytes = typeof data === "string" ? encoder.encode(data) : data;
    return this.messages.send(new Uint8Array([channel, ...bytes]));
  }

  /** Reads until the end. Returns what came over each channel. */
  async read(): Promise<Record<number, string>> {
    const out: Record<number, string> = {};
    for (;;) {
      const message = await this.messages.receive().catch(() => undefined);
      if (message === undefined) break;
      const [channel = -1, ...bytes] = message;
      out[channel] = (out[channel] ?? "") + decoder.decode(new Uint8Array(bytes));
    }
    await this.served;
    return out;
  }
}

const cat: PodProgram = {
  exec: async ({ command, stderr, stdin, stdout, tty }) => {
    await stdout.write(`${command.join(" ")} ${tty}:`);
    await stderr.write("warning");
    for await (const bytes of stdin) await stdout.write(bytes);
    return 3;
  },
};

Deno.test("serveContainer() sends the output that the client has asked for, and the exit code", async () => {
  const all = "command=cat&command=-n&stdin=1&stdout=true&stderr=1";
  for (
    const [query, expected] of [
      [all, { 1: "cat -n false:ab", 2: "warning" }],
      [`${all}&tty=1`, { 1: "cat -n true:ab" }],
      ["command=cat&stdin=1&stderr=1", { 2: "warning" }],
      ["command=cat&stdout=1", { 1: "cat false:" }],
      ["command=cat&stdout=0&stdin=0", {}],
    ] as const
  ) {
    const peer = new Peer(cat, { query });
    const answer = peer.read();
    await peer.send(0, "a");
    await peer.send(1, "x");
    await peer.send(0, "b");
    await peer.send(255, Uint8Array.of(0));
    const { 3: status = "", ...output } = await answer;
    assertEquals(output, expected, query);
    const { details, message, reason } = JSON.parse(status);
    assertEquals([message, reason, details.causes], [
      "command terminated with non-zero exit code: exit status 3",
      "NonZeroExitCode",
      [{ reason: "ExitCode", message: "3" }],
    ]);
    assertEquals([peer.streams.size, peer.listeners, peer.errors], [0, 0, []]);
    assertEquals(peer.clock.pendingTimers, 0);
  }
});

Deno.test("serveContainer() ends stdin for version 5 only, and for no other channel", async () => {
  for (
    const [protocol, channel, ends] of [[V5, 0, true], [V5, 1, false], [V4, 0, false]] as const
  ) {
    const peer = new Peer(cat, { query: "command=cat&stdin=1&stdout=1", protocol });
    const answer = peer.read();
    let isOver = false;
    answer.then(() => isOver = true);
    await peer.send(255, Uint8Array.of(channel));
    await peer.clock.settle();
    assertEquals(isOver, ends);
    await peer.messages.close();
    await answer;
    assertEquals([peer.streams.size, peer.listeners, peer.errors], [0, 0, []]);
  }
});

Deno.test("serveContainer() ends stdin at once if the client has not opened it", async () => {
  const peer = new Peer(cat, { query: "command=cat&stdout=1" });
  const answer = peer.read();
  let isOver = false;
  answer.then(() => isOver = true);
  await peer.send(0, "not for it");
  await peer.clock.settle();
  assertEquals(isOver, true);
  assertEquals((await answer)[1], "cat false:");
});

Deno.test("serveContainer() tells success, failures, and the end of the Pod", async () => {
  const status = async (exec: PodProgram["exec"], act: (peer: Peer) => void = () => {}) => {
    const peer = new Peer({ exec }, { query: "command=x&stdout=1" });
    const answer = peer.read();
    await peer.clock.settle();
    act(peer);
    const { 3: text } = await answer;
    assertEquals(peer.streams.size, 0);
    return text && JSON.parse(text);
  };
  assertEquals(await status(() => 0), { metadata: {}, status: "Success" });
  assertEquals(await status(() => {}), { metadata: {}, status: "Success" });
  const failed = await status(() => {
    throw new Error("no such file");
  });
  assertEquals([failed.code, failed.message], [
    500,
    "Internal error occurred: error executing command in container: no such file",
  ]);
  const wait = ({ signal }: { readonly signal: AbortSignal }) =>
    new Promise<never>((_, reject) =>
      signal.addEventListener("abort", () => reject(signal.reason))
    );
  const killed = await status(wait, (peer) => peer.deleted());
  assertEquals(killed.details.causes, [{ reason: "ExitCode", message: "137" }]);
  const late = await status(() => new Promise<number>(() => {}), (peer) => peer.deleted());
  assertEquals(late.details.causes[0].message, "137");
  assertEquals(await status(wait, (peer) => peer.streams.end(new Error("gone"))), undefined);
});

Deno.test("serveContainer() tells a terminal its size, and sends large output in parts of 32 KiB", async () => {
  const sizes: string[] = [];
  const peer = new Peer({
    exec: async ({ resized, stdout }) => {
      for await (const { columns, rows } of resized) {
        sizes.push(`${columns}x${rows}`);
        if (sizes.length === 2) break;
      }
      await stdout.write("x".repeat(70_000));
    },
  }, { query: "command=x&stdout=1&tty=1" });
  await peer.send(4, '{"Width":80,"Height":24}');
  await peer.send(4, "broken");
  const lengths: number[] = [];
  for (;;) {
    const message = await peer.messages.receive();
    if (message === undefined || message[0] === 3) break;
    lengths.push(message.length - 1);
  }
  await peer.messages.close();
  await peer.served;
  assertEquals([sizes, lengths], [["80x24", "0x0"], [32_768, 32_768, 4464]]);
});

Deno.test("servePorts() names the port on both channels, and carries each connection by its own", async () => {
  const peer = new Peer({
    ports: {
      258: async ({ incoming, port, write }) => {
        for await (const bytes of incoming) {
          await write(`${port} ${decoder.decode(bytes)}`);
          break;
        }
      },
      80: () => {
        throw new Error("boom");
      },
    },
  }, { protocol: V4, ports: [258, 80, 99] });
  const answer = peer.read();
  await peer.send(1, "not for it");
  await peer.send(0, "hi");
  const output = await answer;
  const number = String.fromCharCode(2, 1);
  const refused = "failed to connect to localhost:99 inside namespace: connection refused";
  assertEquals(output, {
    0: `${number}258 hi`,
    1: number,
    2: "P\0",
    3: "P\0error forwarding port 80 to pod web, uid : boom",
    4: "c\0",
    5: `c\0error forwarding port 99 to pod web, uid : ${refused}`,
  });
  assertEquals([peer.streams.size, peer.listeners, peer.errors], [0, 0, []]);
});
