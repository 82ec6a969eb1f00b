import { onAbort } from "@kubeloop/controller/internal/base";
import type { Lane } from "../storage/mod.ts";
import type { ContainerLog, LogEntry } from "./container_log.ts";

/** How many unread bytes a body buffers. */
const BUFFER_BYTES = 64 * 1024;

const encoder = new TextEncoder();

/** The part of a log that a request reads. */
export interface LogQuery {
  /** Whether the body stays open until the container has ended. */
  readonly follow: boolean;
  /** Whether each line begins with its time. */
  readonly timestamps: boolean;
  /** Older lines are left out, by wall time in milliseconds. */
  readonly sinceMs: number | undefined;
  /** The number of the last lines to begin with. */
  readonly tailLines: number | undefined;
  /** The number of bytes after which the body ends. */
  readonly limitBytes: number | undefined;
}

/** Options of a {@linkcode LogBody}. */
export interface LogBodyOptions {
  readonly log: ContainerLog;
  readonly query: LogQuery;
  /** Delivers each chunk, and the end, in a turn of its own if the clock gives turns. */
  readonly lane: Lane;
  /** Fails the body. */
  readonly signal: AbortSignal;
  /** Called once, when nothing more is read from the log. */
  readonly onEnd: (body: LogBody) => void;
}

/**
 * The body of an answer: a reader at a position in a log, which takes entries as its own reader takes chunks. A reader that
 * is slower than the rotation misses lines.
 */
export class LogBody {
  /** The bytes. */
  readonly stream: ReadableStream<Uint8Array>;
  readonly #options: LogBodyOptions;
  readonly #unlisten: () => void;
  #release: () => void = () => {};
  #controller!: ReadableStreamDefaultController<Uint8Array>;
  #position: number;
  #leftBytes: number;
  #isQueued = false;
  #isOver = false;

  constructor(options: LogBodyOptions) {
    const { log, query, signal } = options;
    this.#options = options;
    this.#position = query.tailLines === undefined ? log.start : log.tail(query.tailLines);
    this.#leftBytes = query.limitBytes ?? Infinity;
    // Without `follow`, the answer ends with the lines that exist now.
    const end = query.follow ? Infinity : log.end;
    this.stream = new ReadableStream<Uint8Array>({
      start: (controller) => {
        this.#controller = controller;
      },
      pull: () => this.#pump(end),
      cancel: () => this.#finish(),
    }, new ByteLengthQueuingStrategy({ highWaterMark: BUFFER_BYTES }));
    this.#unlisten = log.listen(() => this.#pumpInTurn(end));
    this.#release = onAbort(signal, (reason) => this.fail(reason));
  }

  /** Breaks the connection, as if the server had crashed. */
  fail(reason: unknown): void {
    this.#options.lane.queue(() => {
      if (this.#isOver) return;
      this.#controller.error(reason);
      this.#finish();
    });
  }

  /** Ends the body after what was delivered. */
  close(): void {
    this.#options.lane.queue(() => this.#close());
  }

  #pumpInTurn(end: number): void {
    if (this.#isQueued || this.#isOver) return;
    this.#isQueued = true;
    this.#options.lane.queue(() => {
      this.#isQueued = false;
      this.#pump(end);
    });
  }

  #pump(end: number): void {
    const { log } = this.#options;
    while (!this.#isOver && (this.#controller.desiredSize ?? 0) > 0) {
      this.#position = Math.max(this.#position, log.start);
      if (this.#leftBytes <= 0 || this.#position >= Math.min(end, log.end)) break;
      const bytes = this.#bytesOf(log.at(this.#position++));
      if (bytes === undefined) continue;
      const chunk = bytes.subarray(0, Math.min(bytes.length, this.#leftBytes));
      this.#leftBytes -= chunk.length;
      this.#controller.enqueue(chunk);
    }
    const isRead = this.#position >= Math.min(end, log.end);
    if (this.#leftBytes <= 0 || (isRead && (log.hasEnded || end < Infinity))) this.#close();
  }

  #bytesOf({ atMs, bytes, isStart }: LogEntry): Uint8Array | undefined {
    const { sinceMs, timestamps } = this.#options.query;
    if (sinceMs !== undefined && atMs < sinceMs) return undefined;
    if (!timestamps || !isStart) return bytes;
    const prefix = encoder.encode(`${timestamp(atMs)} `);
    const line = new Uint8Array(prefix.length + bytes.length);
    line.set(prefix);
    line.set(bytes, prefix.length);
    return line;
  }

  #close(): void {
    if (this.#isOver) return;
    this.#controller.close();
    this.#finish();
  }

  #finish(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#unlisten();
    this.#release();
    this.#options.onEnd(this);
  }
}

/** Returns a time as a kubelet prints it: RFC 3339 with nine digits of a second. */
function timestamp(wallMs: number): string {
  return new Date(wallMs).toISOString().replace("Z", "000000Z");
}
