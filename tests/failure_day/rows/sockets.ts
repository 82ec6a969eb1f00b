import { assertEquals } from "@std/assert";
import { bytePipe, MessageSocket } from "../../../src/websocket/mod.ts";
import type { Row } from "../row.ts";
import { NO_CLOCK, NO_FUNCTION, NO_OBJECT, NO_SERVER, NO_SIGNAL } from "./_reasons.ts";

/** WebSockets without a client. */
export const sockets: readonly Row[] = [
  {
    name: "MessageSocket",
    covers: [
      "MessageSocket.send",
      "MessageSocket.receive",
      "MessageSocket.close",
      "MessageSocket.destroy",
      "ByteSocket.read",
      "ByteSocket.write",
      "ByteSocket.end",
      "ByteSocket.destroy",
    ],
    start: async ({ clock }) => {
      const [near, far] = bytePipe();
      const client = new MessageSocket(near, { role: "client", clock, protocol: "" });
      const server = new MessageSocket(far, { role: "server", clock, protocol: "" });
      await client.send(new TextEncoder().encode("hello"));
      const received = new TextDecoder().decode(await server.receive());
      const closed = client.close();
      const end = await server.receive();
      await closed;
      // A peer that has left without a word.
      const [one, other] = bytePipe();
      const left = new MessageSocket(one, { role: "client", clock, protocol: "" });
      other.destroy(new Error("reset"));
      const failure = await left.receive().then(() => "none", (error: Error) => error.message);
      server.destroy(new Error("late"));
      left.destroy(new Error("late"));
      return [received, end, failure !== "none"];
    },
    normal: (_day, seen) => assertEquals(seen, ["hello", undefined, true]),
    not: { ...NO_SERVER, ...NO_OBJECT, ...NO_CLOCK, ...NO_FUNCTION, ...NO_SIGNAL },
  },
];
