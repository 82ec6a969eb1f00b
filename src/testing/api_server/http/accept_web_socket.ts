import { type TakeSocket, UnreadableRequest } from "@kubeloop/controller/serving";
import { acceptKey, byteSocketOf } from "@kubeloop/controller/websocket";
import type { ServedUpgrade } from "./serve_types.ts";

/**
 * Returns the function that sends the response of a WebSocket and hands its connection to `accepted`.
 *
 * @throws {UnreadableRequest} If the request is not a WebSocket of version 13.
 */
export async function acceptWebSocket(
  { headers }: Request,
  { protocol, serve }: ServedUpgrade,
): Promise<TakeSocket> {
  const key = headers.get("sec-websocket-key");
  if (key === null || headers.get("sec-websocket-version") !== "13") {
    throw new UnreadableRequest(400, "The request is no WebSocket of version 13");
  }
  const lines = [
    "HTTP/1.1 101 Switching Protocols",
    "Upgrade: websocket",
    "Connection: Upgrade",
    `Sec-WebSocket-Accept: ${await acceptKey(key)}`,
  ];
  if (protocol !== "") lines.push(`Sec-WebSocket-Protocol: ${protocol}`);
  return (socket, first) => {
    socket.write(new TextEncoder().encode(`${lines.join("\r\n")}\r\n\r\n`));
    serve(byteSocketOf(socket, first));
  };
}
