import type { Clock, Redact } from "@kubeloop/controller/internal/base";
import type { Fetch, ReadEnv } from "@kubeloop/controller/client";
import type { FlagSet } from "./flags.ts";
import type { Screen } from "./terminal/mod.ts";

/** The input and output of a process. Tests replace it. */
export interface ProcessHost {
  /** Writes to standard output. Resolves when more may be written; rejects once the reader has closed the pipe. */
  readonly print: (text: string) => Promise<void>;
  /** Writes a line to standard error. */
  readonly warn: (line: string) => void;
  /** Writes the progress of long work to standard error, if that is a terminal. */
  readonly draw: (text: string) => void;
  readonly stdout: Screen;
  readonly stderr: Screen;
  /** Returns the text of a file. */
  readonly readFile: (path: string) => Promise<string>;
  /** Returns the lines of a file of any size. */
  readonly readLines: (path: string) => AsyncIterable<string>;
  /** Returns the paths of all files below a folder, in order; undefined if the path is not a folder. */
  readonly filesBelow: (path: string) => Promise<readonly string[] | undefined>;
  /** Writes a file, and creates its folders. */
  readonly writeFile: (path: string, text: string) => Promise<void>;
  /** Returns the exports of a module. */
  readonly importModule: (path: string) => Promise<Readonly<Record<string, unknown>>>;
  /** Returns the text of standard input. */
  readonly readInput: () => Promise<string>;
  /** Asks a question on the terminal and returns the answer; undefined without a terminal. */
  readonly ask?: ((question: string) => Promise<string>) | undefined;
  /** Returns an environment variable; undefined without the permission, which is never asked for. */
  readonly env: ReadEnv;
  /** Aborts with a {@linkcode Stop} on Ctrl-C, and once the reader of standard output has closed the pipe. */
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** Makes the requests. Default: the runtime's own `fetch`. */
  readonly fetch?: Fetch | undefined;
}

/** The input and output of a command. Its text may contain untrusted text from servers and files. */
export interface CommandHost extends ProcessHost {
  /**
   * Writes text for people to standard output. Control characters are escaped, except for line breaks and the colours of
   * `painter()`, and credentials are hidden.
   */
  readonly print: (text: string) => Promise<void>;
  /** Writes data for programs, such as JSON, to standard output unchanged. */
  readonly printData: (text: string) => Promise<void>;
  /** Writes text for people to standard error, as one line of bounded length. */
  readonly warn: (line: string) => void;
  /** Hides the credentials of the client in text that is changed before `print`, which would not find them any more. */
  readonly redact: Redact;
  /** Sets the function that hides the credentials of the client. */
  readonly hide: (redact: Redact) => void;
}

/** The type of the arguments of a command, for completion. */
export type Takes = "resources" | "files" | "shells" | "nothing";

/** A subcommand. */
export interface Command {
  /** The text of `--help` before the flags. */
  readonly usage: string;
  readonly flags: FlagSet;
  readonly takes: Takes;
  /**
   * Runs the command.
   *
   * @throws {UsageError} If the arguments are wrong.
   * @throws {Error} If it fails.
   */
  readonly run: (args: readonly string[], host: CommandHost) => Promise<void>;
}

/** A subcommand that is loaded on use, so that `types` does not load the client. */
export interface LazyCommand {
  /** The description, in one line. */
  readonly summary: string;
  readonly load: () => Promise<Command>;
}
