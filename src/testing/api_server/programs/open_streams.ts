/** The open streams of a server: commands, attachments and forwarded ports. */
export class OpenStreams {
  readonly #open = new Set<(reason: Error) => void>();

  /** The number of open streams. */
  get size(): number {
    return this.#open.size;
  }

  /** Registers what breaks a stream. The returned function removes it. */
  add(destroy: (reason: Error) => void): () => void {
    this.#open.add(destroy);
    return () => this.#open.delete(destroy);
  }

  /** Breaks all streams. */
  end(reason: Error): void {
    for (const destroy of [...this.#open]) destroy(reason);
  }
}
