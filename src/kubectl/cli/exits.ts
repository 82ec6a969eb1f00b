/** The exit codes of the command. */
export const EXIT = {
  done: 0,
  failed: 1,
  wrongUsage: 2,
  /** A wait has timed out. Same code as the program `timeout`. */
  timedOut: 124,
  interrupted: 130,
  terminated: 143,
} as const;

/** The arguments are wrong. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** An error with an exit code of its own. */
export class CommandError extends Error {
  override readonly name = "CommandError";
  readonly exitCode: number;

  constructor(message: string, exitCode: number) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** The reason of {@linkcode CommandHost.signal}: why the process stops early. */
export class Stop extends Error {
  override readonly name = "Stop";
  readonly exitCode: number;

  constructor(what: string, exitCode: number) {
    super(what);
    this.exitCode = exitCode;
  }
}
