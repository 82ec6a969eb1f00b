import { type ChildProcess, spawn } from "node:child_process";
import process from "node:process";
import type { Clock } from "@kubeloop/controller/internal/base";
import type { ParentMessage } from "./preload.ts";

/** The time that a process has to stop before it is killed, in milliseconds: a little longer than a manager takes. */
const STOP_MS = 35_000;

/** Options of {@linkcode Started}. */
export interface StartOptions {
  readonly clock: Clock;
  readonly env?: Readonly<Record<string, string>>;
  /** Whether its standard output is read with {@linkcode Started.lines}. Default: it is that of this process. */
  readonly isRead?: boolean;
}

/**
 * A process of the same runtime, connected by a channel. It is not in the process group of the terminal: Ctrl-C reaches only
 * this process, which stops the others in order. If this process is killed, the end of the channel tells them.
 */
export class Started {
  /** Receives the messages of the process. */
  onMessage: (message: unknown) => void = () => {};
  /** Resolves when the process has ended: with its exit code, or the name of the signal that killed it. */
  readonly ended: Promise<number | string>;
  readonly #child: ChildProcess;
  readonly #clock: Clock;
  #hasEnded = false;

  constructor(args: readonly string[], { clock, env, isRead = false }: StartOptions) {
    this.#clock = clock;
    this.#child = spawn(process.execPath, args, {
      env: { ...process.env, ...env },
      stdio: ["ignore", isRead ? "pipe" : "inherit", isRead ? "pipe" : "inherit", "ipc"],
      detached: true,
    });
    this.#child.on("message", (message) => this.onMessage(message));
    this.ended = new Promise((resolve, reject) => {
      this.#child.once("error", reject);
      this.#child.once("exit", (code, signal) => {
        this.#hasEnded = true;
        resolve(code ?? signal ?? 1);
      });
    });
    this.ended.catch(() => {});
  }

  /** Whether the process has ended. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Returns the texts that the process writes to its outputs. */
  async read(onText: (text: string) => void): Promise<void> {
    const { stdout, stderr } = this.#child;
    for (const stream of [stdout, stderr]) {
      stream?.setEncoding("utf8");
      stream?.on("data", onText);
    }
    await this.ended;
  }

  /** Lets the program begin, which waits for it. */
  begin(): void {
    this.#send({ do: "begin" });
  }

  /** Asks the process to stop, and waits for its end. Kills it if it takes too long. */
  async stop(): Promise<void> {
    if (this.#hasEnded) return;
    const late = this.#clock.setTimer(() => this.#child.kill("SIGKILL"), STOP_MS);
    this.#send({ do: "stop" });
    try {
      await this.ended;
    } finally {
      late.cancel();
    }
  }

  #send(message: ParentMessage): void {
    try {
      // The callback takes the error of a process that ends at this moment.
      this.#child.send(message, () => {});
    } catch {
      this.#child.kill("SIGTERM");
    }
  }
}
