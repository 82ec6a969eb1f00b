/** Where the output of containers goes. The logs of an `ApiServer` fit. */
export interface LogSink {
  /** Notes that a kubelet runs the Pod of this key. */
  admit(pod: string): void;
  /** Starts the log of an instance of a container. */
  start(pod: string, options: { readonly container: string }): void;
  /** Adds text to the log of a container. */
  write(pod: string, options: { readonly container: string; readonly text: string }): void;
  /** Ends the log of the current instance. */
  end(pod: string, options: { readonly container: string }): void;
}

/** A line that each run of a container writes to its log. */
export interface ScriptedLine {
  /** The line, without its line break. */
  readonly text: string;
  /** The time from the start of the container until the line is written, in milliseconds. Default 0. */
  readonly afterMs?: number | undefined;
  /** The time until the line is written again, and so on, in milliseconds. Default: it is written once. */
  readonly everyMs?: number | undefined;
}

/** Writes the log of one container. All times are clock times. */
export class ContainerOutput {
  readonly #sink: LogSink;
  readonly #pod: string;
  readonly #container: string;
  readonly #script: readonly ScriptedLine[];
  readonly #listeners = new Set<(text: string | undefined) => void>();
  /** When each line is due. */
  #dueMs: number[] = [];

  constructor(
    sink: LogSink,
    place: { readonly pod: string; readonly container: string },
    script: readonly ScriptedLine[],
  ) {
    this.#sink = sink;
    this.#pod = place.pod;
    this.#container = place.container;
    this.#script = script;
  }

  /** Calls `listener` with each line, and with undefined when the container ends. The returned function stops that. */
  listen(listener: (text: string | undefined) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Notes that the container has started. */
  start(atMs: number): void {
    this.#sink.start(this.#pod, { container: this.#container });
    this.#dueMs = this.#script.map(({ afterMs = 0 }) => atMs + afterMs);
  }

  /** Writes the lines that are due; returns the time of the next one, Infinity if there is none. */
  advance(nowMs: number): number {
    for (;;) {
      const atMs = Math.min(Infinity, ...this.#dueMs);
      if (atMs > nowMs || atMs === Infinity) return atMs;
      const at = this.#dueMs.indexOf(atMs);
      const { text, everyMs = Infinity } = this.#script[at]!;
      this.#dueMs[at] = atMs + everyMs;
      this.#sink.write(this.#pod, { container: this.#container, text: `${text}\n` });
      this.#tell(`${text}\n`);
    }
  }

  /** Notes that the container has ended. */
  end(atMs: number): void {
    this.advance(atMs);
    this.#dueMs = [];
    this.#sink.end(this.#pod, { container: this.#container });
    this.#tell(undefined);
  }

  #tell(text: string | undefined): void {
    for (const listener of [...this.#listeners]) listener(text);
  }
}

/** Returns a sink that passes its failures to `tell` and never throws: a Pod may be gone from the server already. */
export function forgivingSink(sink: LogSink, tell: (error: unknown) => void): LogSink {
  const attempt = (write: () => void) => {
    try {
      write();
    } catch (error) {
      tell(error);
    }
  };
  return {
    admit: (pod) => attempt(() => sink.admit(pod)),
    start: (pod, options) => attempt(() => sink.start(pod, options)),
    write: (pod, options) => attempt(() => sink.write(pod, options)),
    end: (pod, options) => attempt(() => sink.end(pod, options)),
  };
}
