import type { ByteSocket } from "./byte_socket.ts";

/**
 * The members that {@linkcode byteSocketOf} uses of a socket of `node:net` or `node:tls`. Declared here, so that
 * programs compile without the types of Node.
 */
export interface SocketLike {
  /** Whether the socket is closed. */
  readonly destroyed: boolean;
  /** Whether `end` has been called. */
  readonly writableEnded: boolean;
  /** Calls `listener` at each event. */
  // deno-lint-ignore no-explicit-any -- the types of the arguments depend on the event.
  on(event: string, listener: (...args: any[]) => void): unknown;
  /** Calls `listener` at the next event. */
  // deno-lint-ignore no-explicit-any -- the types of the arguments depend on the event.
  once(event: string, listener: (...args: any[]) => void): unknown;
  /** Sends bytes. Returns whether more may be sent before the event `drain`. */
  write(bytes: Uint8Array): boolean;
  /** Ends the direction to the peer. */
  end(): unknown;
  /** Closes the connection. */
  destroy(): unknown;
  /** Stops the event `data`. */
  pause(): unknown;
  /** Continues the event `data`. */
  resume(): unknown;
  /** Whether to send small pieces at once. */
  setNoDelay(isOn: boolean): unknown;
  /** Whether the kernel asks after `initialDelayMs` without data whether the peer is there. */
  setKeepAlive(isOn: boolean, initialDelayMs: number): unknown;
  /** Sets the time without data until the event `timeout`, in milliseconds; 0 for none. */
  readonly setTimeout: (timeoutMs: number) => unknown;
}

/** Returns a socket of `node:net` or `node:tls` as a {@linkcode ByteSocket}. `first` are bytes that were read already. */
export function byteSocketOf(socket: SocketLike, first?: Uint8Array): ByteSocket {
  return new NodeSocket(socket, first);
}

class NodeSocket implements ByteSocket {
  readonly #socket: SocketLike;
  readonly #chunks: Uint8Array[] = [];
  readonly #drained: PromiseWithResolvers<void>[] = [];
  #reader: PromiseWithResolvers<Uint8Array | undefined> | undefined;
  #ended = false;
  #failure: { readonly reason: unknown } | undefined;

  constructor(socket: SocketLike, first: Uint8Array | undefined) {
    this.#socket = socket;
    if (first !== undefined && first.length > 0) this.#chunks.push(first);
    socket.setNoDelay(true);
    // Notices a peer that is gone while a message waits for it, when no ping gets through.
    socket.setKeepAlive(true, 30_000);
    socket.setTimeout(0);
    socket.on("data", (chunk: Uint8Array) => {
      const reader = this.#reader;
      this.#reader = undefined;
      if (reader === undefined) this.#chunks.push(chunk);
      else reader.resolve(chunk);
      // Each chunk is asked for, so that a peer is not read faster than its reader is.
      if (this.#reader === undefined) socket.pause();
    });
    socket.on("drain", () => {
      for (const waiting of this.#drained.splice(0)) waiting.resolve();
    });
    socket.once("end", () => this.#end());
    socket.once("error", (error: Error) => this.#fail(error));
    socket.once("close", () => this.#end());
    socket.pause();
  }

  read(): Promise<Uint8Array | undefined> {
    const chunk = this.#chunks.shift();
    if (chunk !== undefined) return Promise.resolve(chunk);
    if (this.#failure !== undefined) return Promise.reject(this.#failure.reason);
    if (this.#ended) return Promise.resolve(undefined);
    this.#reader = Promise.withResolvers();
    this.#socket.resume();
    return this.#reader.promise;
  }

  write(bytes: Uint8Array): Promise<void> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure.reason);
    if (this.#socket.destroyed || this.#socket.writableEnded) {
      return Promise.reject(new Error("Cannot write: the connection is closed"));
    }
    if (this.#socket.write(bytes)) return Promise.resolve();
    const drained = Promise.withResolvers<void>();
    this.#drained.push(drained);
    return drained.promise;
  }

  end(): void {
    this.#socket.end();
  }

  destroy(reason: unknown): void {
    this.#fail(reason);
    this.#socket.destroy();
  }

  #end(): void {
    this.#ended = true;
    this.#reader?.resolve(undefined);
    this.#reader = undefined;
    if (this.#socket.destroyed) this.#fail(new Error("The connection was closed"));
  }

  #fail(reason: unknown): void {
    if (this.#failure === undefined) this.#failure = { reason };
    this.#reader?.reject(this.#failure.reason);
    this.#reader = undefined;
    for (const waiting of this.#drained.splice(0)) waiting.reject(this.#failure.reason);
  }
}
