/**
 * HTTP as bytes on a socket, for requests that no client sends.
 *
 * @module
 */

import { connect, type Socket } from "node:net";

/** An answer, as it is on the wire. */
export interface RawAnswer {
  /** The status code; 0 if the connection was closed without an answer. */
  readonly status: number;
  /** The head, in lower case. */
  readonly head: string;
  /** The body, with the sizes of its chunks if it is chunked. */
  readonly body: string;
}

/** A connection to a server on this machine. */
export class RawConnection implements Disposable {
  readonly #socket: Socket;
  #text = "";
  /** Resolves when the server has closed the connection. */
  readonly closed: Promise<RawAnswer>;

  constructor(port: number) {
    const socket = connect(port, "127.0.0.1");
    this.#socket = socket;
    socket.setEncoding("latin1");
    socket.on("data", (text) => this.#text += text);
    socket.on("error", () => {});
    this.closed = new Promise((resolve) => socket.once("close", () => resolve(this.#answer())));
  }

  /** Sends `text`, in which \n is a line break. */
  send(text: string): void {
    this.#socket.write(text.replaceAll("\n", "\r\n"), "latin1");
  }

  /** Stops reading, like a client that hangs. */
  stall(): void {
    this.#socket.pause();
  }

  /** Resolves when the server has sent a text that matches. */
  async received(pattern: RegExp): Promise<void> {
    while (!pattern.test(this.#text)) {
      await new Promise<void>((resolve, reject) => {
        this.#socket.once("data", () => resolve());
        this.#socket.once("close", () => reject(new Error(`Closed after ${this.#text}`)));
      });
    }
  }

  #answer(): RawAnswer {
    const [head = "", ...body] = this.#text.split("\r\n\r\n");
    const status = Number(/^HTTP\/1\.[01] ([0-9]{3})/.exec(head)?.[1] ?? 0);
    return { status, head: head.toLowerCase(), body: body.join("\r\n\r\n") };
  }

  [Symbol.dispose](): void {
    this.#socket.destroy();
  }
}

/** Sends one request and returns the answer. The request must ask the server to close the connection. */
export async function rawRequest(port: number, text: string): Promise<RawAnswer> {
  using connection = new RawConnection(port);
  connection.send(text);
  return await connection.closed;
}
