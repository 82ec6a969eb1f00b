/**
 * A connection that carries bytes in both directions, such as a TCP or TLS socket. Both directions have backpressure:
 * the peer is not read faster than `read` is called, and `write` waits for the peer.
 */
export interface ByteSocket {
  /** Returns the next bytes, or undefined after the peer has ended its direction. Rejects if the connection is lost. */
  read(): Promise<Uint8Array | undefined>;
  /** Sends bytes, in the order of the calls. Resolves when more may be sent. Rejects if the connection is lost. */
  write(bytes: Uint8Array): Promise<void>;
  /** Ends this direction, after the bytes that are written. The peer may still send. */
  end(): void;
  /** Closes the connection immediately. Pending and later reads and writes reject with `reason`. */
  destroy(reason: unknown): void;
}

/** The bytes that wait in one direction of a pipe before `write` waits. */
const PIPE_BYTES = 64 * 1024;

/** Returns the two ends of a connection within this process. */
export function bytePipe(): [ByteSocket, ByteSocket] {
  const there = new PipeDirection();
  const back = new PipeDirection();
  return [new PipeEnd(back, there), new PipeEnd(there, back)];
}

class PipeEnd implements ByteSocket {
  readonly #incoming: PipeDirection;
  readonly #outgoing: PipeDirection;

  constructor(incoming: PipeDirection, outgoing: PipeDirection) {
    this.#incoming = incoming;
    this.#outgoing = outgoing;
  }

  read(): Promise<Uint8Array | undefined> {
    return this.#incoming.read();
  }

  write(bytes: Uint8Array): Promise<void> {
    return this.#outgoing.write(bytes);
  }

  end(): void {
    this.#outgoing.end();
  }

  destroy(reason: unknown): void {
    this.#incoming.fail(reason, new Error("The connection was closed by the other end"));
    this.#outgoing.fail(new Error("The connection was closed by the other end"), reason);
  }
}

/** One direction of a pipe. */
class PipeDirection {
  readonly #chunks: Uint8Array[] = [];
  readonly #readers: PromiseWithResolvers<Uint8Array | undefined>[] = [];
  readonly #writers: PromiseWithResolvers<void>[] = [];
  #waitingBytes = 0;
  #ended = false;
  /** The error of all later reads and writes; undefined while the pipe is open. */
  #failure: { readonly reader: unknown; readonly writer: unknown } | undefined;

  read(): Promise<Uint8Array | undefined> {
    const chunk = this.#chunks.shift();
    if (chunk !== undefined) {
      this.#waitingBytes -= chunk.length;
      if (this.#waitingBytes < PIPE_BYTES) {
        for (const writer of this.#writers.splice(0)) writer.resolve();
      }
      return Promise.resolve(chunk);
    }
    if (this.#failure !== undefined) return Promise.reject(this.#failure.reader);
    if (this.#ended) return Promise.resolve(undefined);
    const reader = Promise.withResolvers<Uint8Array | undefined>();
    this.#readers.push(reader);
    return reader.promise;
  }

  write(bytes: Uint8Array): Promise<void> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure.writer);
    if (this.#ended) return Promise.reject(new Error("Cannot write: this direction has ended"));
    const reader = this.#readers.shift();
    if (reader !== undefined) {
      reader.resolve(bytes);
      return Promise.resolve();
    }
    this.#chunks.push(bytes);
    this.#waitingBytes += bytes.length;
    if (this.#waitingBytes < PIPE_BYTES) return Promise.resolve();
    const writer = Promise.withResolvers<void>();
    this.#writers.push(writer);
    return writer.promise;
  }

  end(): void {
    this.#ended = true;
    for (const reader of this.#readers.splice(0)) reader.resolve(undefined);
  }

  fail(reader: unknown, writer: unknown): void {
    if (this.#failure !== undefined) return;
    this.#failure = { reader, writer };
    // Bytes that were written before still arrive, as over a closed socket.
    for (const waiting of this.#readers.splice(0)) waiting.reject(reader);
    for (const waiting of this.#writers.splice(0)) waiting.reject(writer);
  }
}
