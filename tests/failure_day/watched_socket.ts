import type { ByteSocket } from "../../src/websocket/mod.ts";
import type { Chunks } from "./wire.ts";

/** Options of a {@linkcode WatchedSocket}. */
export interface WatchedSocketOptions {
  /** Called for each chunk that is read or written. */
  readonly step: () => void;
  readonly chunks: Chunks | undefined;
  /** Called when the program has closed the socket, or when both directions have ended. */
  readonly close: () => void;
}

/** A socket whose end is noticed. */
export class WatchedSocket implements ByteSocket {
  readonly #socket: ByteSocket;
  readonly #options: WatchedSocketOptions;
  readonly #waiting: Uint8Array[] = [];
  #hasEnded = false;
  #peerHasEnded = false;

  /** Watches `socket`. */
  constructor(socket: ByteSocket, options: WatchedSocketOptions) {
    this.#socket = socket;
    this.#options = options;
  }

  async read(): Promise<Uint8Array | undefined> {
    while (this.#waiting.length === 0) {
      let chunk: Uint8Array | undefined;
      try {
        chunk = await this.#socket.read();
      } catch (error) {
        this.#options.close();
        throw error;
      }
      if (chunk === undefined) {
        this.#peerHasEnded = true;
        if (this.#hasEnded) this.#options.close();
        return undefined;
      }
      this.#waiting.push(...this.#options.chunks?.(chunk) ?? [chunk]);
    }
    this.#options.step();
    return this.#waiting.shift();
  }

  async write(bytes: Uint8Array): Promise<void> {
    this.#options.step();
    await this.#socket.write(bytes);
  }

  end(): void {
    this.#hasEnded = true;
    if (this.#peerHasEnded) this.#options.close();
    this.#socket.end();
  }

  destroy(reason: unknown): void {
    this.#options.close();
    this.#socket.destroy(reason);
  }
}
