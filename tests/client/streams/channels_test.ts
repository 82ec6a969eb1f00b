import { assertEquals } from "@std/assert";
import { sendOn } from "../../../src/client/streams/channels.ts";
import type { MessageSocket } from "../../../src/websocket/mod.ts";

Deno.test("sendOn() sends bytes in messages of up to 32 KiB, each with its channel", async () => {
  const block = 32 * 1024;
  for (
    const [length, lengths] of [
      [0, [0]],
      [1, [1]],
      [block, [block]],
      [block + 1, [block, 1]],
      [2 * block, [block, block]],
    ] as const
  ) {
    const messages: Uint8Array[] = [];
    const socket = {
      send: (message: Uint8Array) => {
        messages.push(message);
        return Promise.resolve();
      },
    };
    const bytes = new Uint8Array(length).map((_, at) => at % 251);
    await sendOn(socket as unknown as MessageSocket, 7, bytes);
    assertEquals(messages.map((message) => message.length - 1), [...lengths]);
    assertEquals(messages.every(([channel]) => channel === 7), true);
    let at = 0;
    for (const message of messages) {
      assertEquals(message.subarray(1).every((byte) => byte === bytes[at++]), true);
    }
    assertEquals(at, length);
  }
});
