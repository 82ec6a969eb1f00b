import type { Clock, Redact } from "@kubeloop/controller/internal/base";
import type { Fetch, ReadEnv } from "@kubeloop/controller/client";
import type { FlagSet } from "./flags.ts";
import type { Screen } from "./terminal/mod.ts";

/** The process of a command: where it reads and writes. Tests have one of their own. */
export interface ProcessHost {
  /** Writes to standard output. The promise resolves when more may be written, and rejects once nobody reads it. */
  readonly print: (text: string) => Promise<void>;
  /** Writes a line to standard error. */
  readonly warn: (line: string) => void;
  /** Writes to standard error, if that is a terminal: the progress of long work. */
  readonly draw: (text: string) => void;
  readonly stdout: Screen;
  readonly stderr: Screen;
  /** Returns the text of a file. */
  readonly readFile: (path: string) => Promise<string>;
  /** Returns the paths of the files in a folder and in the folders below it, in order; undefined if it is a file. */
  readonly filesBelow: (path: string) => Promise<readonly string[] | undefined>;
  /** Returns the text of standard input. */
  readonly readInput: () => Promise<string>;
  /** Returns an environment variable, without asking anybody for the permission. */
  readonly env: ReadEnv;
  /** Aborts with a {@linkcode Stop}: on Ctrl-C, and once nobody reads standard output. */
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** Makes the requests. Default: the runtime's own `fetch`. */
  readonly fetch?: Fetch | undefined;
}

/** The environment of a command. Texts of a server and of files may be in everything that it writes. */
export interface CommandHost extends ProcessHost {
  /**
   * Writes text for people to standard output: nothing in it acts on a terminal except for line breaks and the colours of
   * `painter()`, and credentials are hidden.
   */
  readonly print: (text: string) => Promise<void>;
  /** Writes data for programs to standard output, exactly as it is, such as JSON, which has escapes of its own. */
  readonly printData: (text: string) => Promise<void>;
  /** Writes text for people to standard error, as one line of bounded length. */
  readonly warn: (line: string) => void;
  /** Hides the credentials of the client in text that is changed before it is written. */
  readonly redact: Redact;
  /** Sets what hides the credentials of a client in text for people. */
  readonly hide: (redact: Redact) => void;
}

/** What the arguments of a command are, for completion. */
export type Takes = "resources" | "files" | "shells" | "nothing";

/** A subcommand. */
export interface Command {
  /** What `--help` prints before the flags. */
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

/** A subcommand that is loaded when it is used, so that `types` does not load the client. */
export interface LazyCommand {
  /** What it does, in one line. */
  readonly summary: string;
  readonly load: () => Promise<Command>;
}
