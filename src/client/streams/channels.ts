import type { MessageSocket } from "../../websocket/mod.ts";

/** The channels of a connection to a container. The first byte of a message is its channel. */
export const CHANNELS = {
  stdin: 0,
  stdout: 1,
  stderr: 2,
  /** The Status with the exit code. */
  error: 3,
  resize: 4,
  /** Closes the channel that its second byte names. Only version 5 has it. */
  close: 255,
} as const;

/** The protocol that can end the standard input before the connection ends. */
export const V5 = "v5.channel.k8s.io";

/** The protocol of servers before Kubernetes 1.30, and of port-forward. */
export const V4 = "v4.channel.k8s.io";

/** The largest message that is sent, in bytes, as kubectl's. */
const MESSAGE_BYTES = 32 * 1024;

/** Sends bytes on a channel, in messages of a size that every server takes. */
export async function sendOn(
  socket: MessageSocket,
  channel: number,
  bytes: Uint8Array,
): Promise<void> {
  let at = 0;
  do {
    const part = bytes.subarray(at, at + MESSAGE_BYTES);
    const message = new Uint8Array(part.length + 1);
    message[0] = channel;
    message.set(part, 1);
    await socket.send(message);
    at += part.length;
  } while (at < bytes.length);
}
