import { Buffer } from "node:buffer";
import type { Socket } from "node:net";

/**
 * Makes a socket write text in Latin-1. The only text is the head of a response, whose characters beyond ASCII are bytes.
 * `node:http` writes a head that is flushed in UTF-8, and Deno every head over TLS, so that these bytes would be encoded
 * again.
 */
export function writeLatin1(socket: Socket): void {
  const write = socket.write as (...parts: unknown[]) => boolean;
  socket.write =
    ((chunk: unknown, encoding: unknown, ...rest: unknown[]) =>
      typeof chunk === "string" && (encoding === undefined || encoding === "latin1")
        ? write.call(socket, Buffer.from(chunk, "latin1"), undefined, ...rest)
        : write.call(socket, chunk, encoding, ...rest)) as Socket["write"];
}
