import type { TerminalSize } from "./container_streams.ts";

/** The standard input of a command. A string is sent as UTF-8. */
export type StdinSource =
  | string
  | Uint8Array
  | AsyncIterable<string | Uint8Array>
  | ReadableStream<string | Uint8Array>;

/** Options of `Client.openAttach`. */
export interface OpenAttachOptions {
  /** The namespace of the Pod, if it is given by its name. */
  readonly namespace?: string | undefined;
  /** The container. Default: the only container of the Pod; the server refuses if there are several. */
  readonly container?: string | undefined;
  /** Whether to open the standard input. Default false. */
  readonly stdin?: boolean | undefined;
  /** Whether to open the standard output. Default true. */
  readonly stdout?: boolean | undefined;
  /** Whether to open the standard error. Default: true without `tty`. A terminal has no standard error of its own. */
  readonly stderr?: boolean | undefined;
  /** Whether the command gets a terminal. Default false. */
  readonly tty?: boolean | undefined;
  /** Ends the connection. The streams and `exited` then fail with `signal.reason`. */
  readonly signal?: AbortSignal | undefined;
}

/** Options of `Client.openExec`. */
export interface OpenExecOptions extends OpenAttachOptions {}

/** Options of `Client.attach`. */
export interface AttachOptions {
  /** The namespace of the Pod, if it is given by its name. */
  readonly namespace?: string | undefined;
  /** The container. Default: the only container of the Pod; the server refuses if there are several. */
  readonly container?: string | undefined;
  /** The standard input, which is closed at its end. Default: no standard input. */
  readonly stdin?: StdinSource | undefined;
  /** Receives the standard output. It is not closed. Default: the result has it. */
  readonly stdout?: WritableStream<Uint8Array> | undefined;
  /** Receives the standard error. It is not closed. Default: the result has it. */
  readonly stderr?: WritableStream<Uint8Array> | undefined;
  /**
   * The number of bytes of the standard output, and of the standard error, that the result may have. More is a
   * `RangeError`. Default 16 MiB.
   */
  readonly maxOutputBytes?: number | undefined;
  /** Whether the command gets a terminal, which sends errors to the standard output. Default false. */
  readonly tty?: boolean | undefined;
  /** The sizes of the terminal. */
  readonly resize?: AsyncIterable<TerminalSize> | undefined;
  /**
   * Ends the call, which rejects with `signal.reason`. Kubernetes has no way to end the command: it continues without
   * streams.
   */
  readonly signal?: AbortSignal | undefined;
  /** The time limit of the whole call, in milliseconds. Then it rejects with a `TimeoutError`. Default: no limit. */
  readonly timeoutMs?: number | undefined;
}

/** Options of `Client.exec`. */
export interface ExecOptions extends AttachOptions {}

/** The output of a container that `Client.attach` was attached to. */
export interface AttachResult {
  /** The standard output, read as UTF-8. Empty if it went to a stream. */
  readonly stdout: string;
  /** The standard error, read as UTF-8. Empty if it went to a stream. */
  readonly stderr: string;
}

/** The result of a command that `Client.exec` has run. */
export interface ExecResult extends AttachResult {
  /** The exit code of the command: 0 is success. */
  readonly exitCode: number;
}
