import type { ChildProcess } from "node:child_process";
import { ByteParts, type Clock, onAbort } from "../../base/mod.ts";

/** A program to run. */
export interface Command {
  readonly file: string;
  readonly args: readonly string[];
  /** Variables in addition to the environment of this process. */
  readonly env: Readonly<Record<string, string>>;
  /** Whether the program reads the standard input of this process, such as a terminal. */
  readonly interactive: boolean;
  /** The number of milliseconds after which the program is killed. */
  readonly timeoutMs: number;
}

/** The way in which a program ended. */
export type Outcome =
  | { readonly kind: "exited"; readonly code: number; readonly stdout: string }
  | { readonly kind: "killed"; readonly signal: string }
  | { readonly kind: "not started"; readonly error: unknown }
  | { readonly kind: "too slow" }
  | { readonly kind: "too much output" };

/** Runs a program. Rejects only with `signal.reason`. */
export type RunCommand = (
  command: Command,
  call: { readonly clock: Clock; readonly signal: AbortSignal },
) => Promise<Outcome>;

/** Far more than an ExecCredential with a chain of certificates. */
const MAX_OUTPUT_BYTES = 1024 * 1024;

/**
 * Runs a program without blocking, on every runtime. Its standard error goes to that of this process, because it is
 * meant for users. Unless the program is interactive, or on Windows, it gets its own process group, so that its child
 * processes are killed with it.
 */
export const runCommand: RunCommand = async (command, { clock, signal }) => {
  const { spawn } = await import("node:child_process");
  signal.throwIfAborted();
  // Not imported: an import reads all properties of `process`, standard input included, which takes time and memory. Nor
  // read when this module is loaded: Deno then loads what it has of Node, which takes longer than the whole client.
  const { process } = globalThis;
  const grouped = !command.interactive && process.platform !== "win32";
  let child: ChildProcess;
  try {
    child = spawn(command.file, [...command.args], {
      env: { ...process.env, ...command.env },
      stdio: [command.interactive ? "inherit" : "ignore", "pipe", "inherit"],
      detached: grouped,
      windowsHide: true,
    });
  } catch (error) {
    return { kind: "not started", error };
  }
  return await new Promise<Outcome>((resolve, reject) => {
    const output = new ByteParts();
    let ended: (() => void) | undefined;
    const end = (settle: () => void) => {
      if (ended !== undefined) return;
      ended = settle;
      kill(child, grouped);
      // A child process that left the process group may keep its end of the pipe open.
      child.stdout?.destroy();
    };
    const timer = clock.setTimer(
      () => end(() => resolve({ kind: "too slow" })),
      command.timeoutMs,
    );
    const release = onAbort(signal, (reason) => end(() => reject(reason)));
    const settle = (otherwise: () => void) => {
      timer.cancel();
      release();
      (ended ?? otherwise)();
    };
    child.stdout?.on("data", (chunk: Uint8Array) => {
      output.push(chunk);
      if (output.length > MAX_OUTPUT_BYTES) end(() => resolve({ kind: "too much output" }));
    });
    child.stdout?.on("error", () => {
      // The events below report how the program ended.
    });
    child.on("error", (error) => settle(() => resolve({ kind: "not started", error })));
    child.on("exit", (code, name) => {
      if (ended !== undefined || code === null) {
        settle(() => resolve({ kind: "killed", signal: name ?? "an unknown signal" }));
      }
    });
    child.on("close", (code) => {
      if (code !== null) settle(() => resolve({ kind: "exited", code, stdout: decode(output) }));
    });
  });
};

function kill(child: ChildProcess, grouped: boolean): void {
  const { pid } = child;
  try {
    if (grouped && pid !== undefined) globalThis.process.kill(-pid, "SIGKILL");
  } catch {
    // The program has already ended; or Deno's permission to run this program does not include signals to a group.
  }
  child.kill("SIGKILL");
}

function decode(output: ByteParts): string {
  return new TextDecoder().decode(output.join());
}

/** Reports whether standard input is a terminal. */
export async function stdinIsTerminal(): Promise<boolean> {
  const { isatty } = await import("node:tty");
  return isatty(0);
}
