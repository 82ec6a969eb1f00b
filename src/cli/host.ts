/** The environment of a command. */
export interface CommandHost {
  /** Writes to standard output. */
  readonly print: (text: string) => void;
  /** Writes a line to standard error. */
  readonly warn: (line: string) => void;
  /** Returns the text of a file. */
  readonly readFile: (path: string) => Promise<string>;
  /** Returns the text of standard input. */
  readonly readInput: () => Promise<string>;
}

/** A subcommand. */
export interface Command {
  /** What it does, in one line. */
  readonly summary: string;
  /** What `--help` prints. */
  readonly usage: string;
  /**
   * Runs the command.
   *
   * @throws {SyntaxError} If the arguments are wrong.
   * @throws {Error} If it fails. The message is one line.
   */
  readonly run: (args: readonly string[], host: CommandHost) => Promise<void>;
}
