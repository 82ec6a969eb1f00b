import { acceptKey, newKey } from "../../websocket/mod.ts";
import { type Clock, onAbort, realClock } from "../../base/mod.ts";
import type { TransportSettings } from "../config/mod.ts";
import { dial } from "./dial.ts";
import { type HttpAnswer, readAnswer } from "./http_answer.ts";
import type { Upgraded, UpgradeRequest } from "./upgraded.ts";

/** How long the body of a refusal may take, in milliseconds. What has arrived by then is used. */
const REFUSAL_BODY_MS = 10_000;

/**
 * Opens a connection and asks the server to make it a WebSocket.
 *
 * @param clock The clock of real sockets.
 */
export async function openUpgraded(
  url: URL,
  { headers, protocols, signal }: UpgradeRequest,
  settings: TransportSettings,
  clock: Clock = realClock,
): Promise<Response | Upgraded> {
  const socket = await dial(url, settings, signal);
  const release = onAbort(signal, (reason) => socket.destroy(reason));
  try {
    const key = newKey();
    const lines = [
      ["Host", url.host],
      ["Connection", "Upgrade"],
      ["Upgrade", "websocket"],
      ["Sec-WebSocket-Version", "13"],
      ["Sec-WebSocket-Key", key],
      ["Sec-WebSocket-Protocol", protocols.join(", ")],
      ...headers,
    ].map(([name, value]) => `${name}: ${value}\r\n`);
    const head = `GET ${url.pathname}${url.search} HTTP/1.1\r\n${lines.join("")}\r\n`;
    await socket.write(new TextEncoder().encode(head));
    const answer = await readAnswer(socket);
    if (answer.status === 101) {
      const protocol = await requireAccepted(answer, key, protocols);
      return { protocol, socket: answer.rest() };
    }
    const refused = new Error("The server has refused to open a WebSocket");
    const timer = clock.setTimer(() => socket.destroy(refused), REFUSAL_BODY_MS);
    try {
      const response = await answer.response();
      signal.throwIfAborted();
      return response;
    } finally {
      timer.cancel();
      socket.destroy(refused);
    }
  } catch (error) {
    socket.destroy(error);
    signal.throwIfAborted();
    throw error;
  } finally {
    release();
  }
}

/**
 * Checks the handshake of the server, and returns the subprotocol that it has chosen.
 *
 * @throws {Error} If it is not that of a WebSocket, or the subprotocol was not offered.
 */
async function requireAccepted(
  { headers }: HttpAnswer,
  key: string,
  protocols: readonly string[],
): Promise<string> {
  const isUpgraded = /^websocket$/i.test(headers.get("upgrade") ?? "") &&
    headers.get("sec-websocket-accept") === await acceptKey(key);
  if (!isUpgraded) {
    throw new Error("The server answered 101, but does not speak WebSocket: is a proxy between?");
  }
  const protocol = headers.get("sec-websocket-protocol") ?? "";
  if (protocols.includes(protocol)) return protocol;
  throw new Error(
    `The server chose the subprotocol ${JSON.stringify(protocol.slice(0, 100))}, expected one of ${
      protocols.join(", ")
    }`,
  );
}
