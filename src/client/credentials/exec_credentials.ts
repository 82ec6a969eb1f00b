import { type Clock, describeError } from "../../base/mod.ts";
import type { Credentials, CredentialsProvider } from "./provider.ts";
import { execInfo, type ExpiringCredentials, parseExecCredential } from "./exec_protocol.ts";
import type { Outcome, RunCommand } from "./run_command.ts";
import { type RunCause, RunPace } from "./run_pace.ts";
import { type ExecConfig, isShown, showText } from "../config/mod.ts";

/** Longer than any plugin takes that does not wait for user input. */
const DEFAULT_TIMEOUT_MS = 60_000;

/** The maximum length of an install hint in an error message, in characters. */
const MAX_HINT_LENGTH = 300;

/** Options of {@linkcode ExecCredentials}. */
export interface ExecCredentialsOptions {
  readonly exec: ExecConfig;
  /** The place where the plugin is configured, for messages. */
  readonly source: string;
  readonly clock: Clock;
  readonly run: RunCommand;
  /** Reports whether a user can answer questions. Default: reports whether standard input is a terminal. */
  readonly isTerminal?: (() => Promise<boolean>) | undefined;
}

/**
 * CredentialsProvider from an exec plugin. The plugin runs when credentials are first needed, when they have expired
 * and when the server rejects them; once for all requests that wait, and once for all requests that were rejected with
 * the same credentials. A plugin whose credentials are refused runs at growing intervals, independent of the number of
 * requests.
 */
export class ExecCredentials implements CredentialsProvider {
  readonly #options: ExecCredentialsOptions;
  readonly #stop = new AbortController();
  readonly #pace: RunPace;
  #held: ExpiringCredentials | undefined;
  /** The time when the plugin printed the credentials, in milliseconds since the Unix epoch. */
  #heldSince = 0;
  #failure: Error | undefined;
  #running: Promise<ExpiringCredentials> | undefined;

  constructor(options: ExecCredentialsOptions) {
    this.#options = options;
    this.#pace = new RunPace(options.clock);
  }

  async current(): Promise<Credentials> {
    const held = this.#held;
    if (held !== undefined && this.#options.clock.wallNow() < held.expiresAtMs) return held;
    const cause = this.#isUseless ? "useless" : "expired";
    if (this.#running === undefined && !this.#pace.allows(cause)) {
      if (this.#failure !== undefined) throw this.#failure;
      // The plugin printed credentials that have expired by this machine's clock, which may be wrong.
      if (held !== undefined) return held;
    }
    return await this.#refresh(cause);
  }

  async renew(refused: Credentials): Promise<boolean> {
    const held = this.#held;
    // The plugin has run since the request was made, perhaps after another request with the same credentials.
    if (held !== undefined && held !== refused) return !isSame(held, refused);
    if (this.#running === undefined && !this.#pace.allows("refused")) return false;
    return !isSame(await this.#refresh("refused"), refused);
  }

  close(reason: Error): void {
    this.#stop.abort(reason);
  }

  /** Whether the last run failed, or printed credentials that had already expired. */
  get #isUseless(): boolean {
    const held = this.#held;
    return this.#failure !== undefined ||
      (held !== undefined && held.expiresAtMs <= this.#heldSince);
  }

  #refresh(cause: RunCause): Promise<ExpiringCredentials> {
    if (this.#running === undefined) {
      this.#pace.begin(cause);
      this.#running = this.#run().finally(() => {
        this.#running = undefined;
        this.#pace.end();
      });
    }
    return this.#running;
  }

  async #run(): Promise<ExpiringCredentials> {
    const { exec, source, clock, run } = this.#options;
    const signal = this.#stop.signal;
    signal.throwIfAborted();
    try {
      const interactive = await this.#interactive();
      const outcome = await run({
        file: exec.command,
        args: exec.args ?? [],
        env: {
          ...Object.fromEntries((exec.env ?? []).map(({ name, value }) => [name, value])),
          KUBERNETES_EXEC_INFO: execInfo(exec, interactive),
        },
        interactive,
        timeoutMs: this.#timeoutMs,
      }, { clock, signal });
      this.#held = parseExecCredential(this.#output(outcome), exec);
      this.#heldSince = clock.wallNow();
      this.#failure = undefined;
      return this.#held;
    } catch (error) {
      signal.throwIfAborted();
      throw this.#failure = new Error(
        `Exec plugin ${showText(exec.command)} (${source}) ${describeError(error)}`,
      );
    }
  }

  get #timeoutMs(): number {
    return this.#options.exec.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  }

  async #interactive(): Promise<boolean> {
    const { exec, isTerminal = stdinIsTerminal } = this.#options;
    const mode = exec.interactiveMode ?? "IfAvailable";
    if (mode === "Never") return false;
    const available = await isTerminal();
    if (mode === "Always" && !available) {
      throw new Error(
        'needs a terminal (interactiveMode "Always"), but standard input is not one: run this at a terminal, or use other credentials',
      );
    }
    return available;
  }

  #output(outcome: Outcome): string {
    switch (outcome.kind) {
      case "exited":
        if (outcome.code === 0) return outcome.stdout;
        throw new Error(
          `exited with code ${outcome.code}: see what it wrote to standard error, or run it by hand`,
        );
      case "killed":
        throw new Error(`was killed by ${outcome.signal}: run it by hand to see why`);
      case "too slow":
        throw new Error(
          `did not end within ${
            this.#timeoutMs / 1000
          } s and was killed: run it by hand, it may be waiting for an answer`,
        );
      case "too much output":
        throw new Error("printed more than 1 MiB and was killed: expected an ExecCredential");
      case "not started":
        throw new Error(this.#notStarted(outcome.error));
    }
  }

  #notStarted(error: unknown): string {
    const { code } = error as { readonly code?: unknown };
    const message = describeError(error);
    if (code === "ENOENT") {
      const hint = this.#options.exec.installHint?.slice(0, MAX_HINT_LENGTH)
        .split(/\s/).filter((word) => word !== "").join(" ") ?? "";
      const isHint = hint !== "" && isShown(hint);
      return `was not found: install it, or correct its path or PATH${isHint ? ` (${hint})` : ""}`;
    }
    if (code === "EACCES") return "cannot be run: make it executable";
    if (/NotCapable|--allow-/.test(message)) {
      return "may not be run: grant the process --allow-run for it, and --allow-env";
    }
    // The message may quote an argument, or the value of a variable.
    return `cannot be run (${
      typeof code === "string" ? code : "unknown reason"
    }): try its command line by hand`;
  }
}

function isSame(a: Credentials, b: Credentials): boolean {
  return a.authorization === b.authorization && a.certificate?.cert === b.certificate?.cert;
}

/** Imported only for plugins, so that a bundle for browsers does not have it. */
async function stdinIsTerminal(): Promise<boolean> {
  return await (await import("./run_command.ts")).stdinIsTerminal();
}
