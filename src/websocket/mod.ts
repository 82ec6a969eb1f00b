/**
 * WebSockets (RFC 6455) over any connection of bytes: the frames, the handshake, and messages with backpressure in both
 * directions. Clients and servers use the same code.
 *
 * {@linkcode MessageSocket} sends and receives messages over a {@linkcode ByteSocket}. Imports only `base`. Loaded
 * only by programs that use streams.
 *
 * @module
 */

export { bytePipe, type ByteSocket } from "./byte_socket.ts";
export { encodeFrame, type Frame, FrameParser, OPCODES, WebSocketError } from "./frames.ts";
export { acceptKey, newKey } from "./handshake.ts";
export { MessageSocket, type MessageSocketOptions } from "./message_socket.ts";
export { byteSocketOf, type SocketLike } from "./node_socket.ts";
