import type { ChildProcess } from "node:child_process";
import { type Clock, onAbort } from "../../base/mod.ts";

/** A program to run. */
export interface Command {
  readonly file: string;
  readonly args: readonly string[];
  /** Beside the environment of this process. */
  readonly env: Readonly<Record<string, string>>;
  /** Whether it may read what people type. */
  readonly interactive: boolean;
  /** Milliseconds until it is killed. */
  readonly timeoutMs: number;
}

/** How a program ended. */
export type Outcome =
  | { readonly kind: "exited"; readonly code: number; readonly stdout: string }
  | { readonly kind: "killed"; readonly signal: string }
  | { readonly kind: "not started"; readonly error: unknown }
  | { readonly kind: "too slow" }
  | { readonly kind: "too much output" };

/** Runs a program; rejects only with `signal.reason`. */
export type RunCommand = (
  command: Command,
  call: { readonly clock: Clock; readonly signal: AbortSignal },
) => Promise<Outcome>;

/** Far above an ExecCredential with a chain of certificates. */
const MAX_OUTPUT_BYTES = 1024 * 1024;

/** Not imported: that would touch all it has, standard input included, which takes time and memory. */
const { process } = globalThis;

/**
 * Runs a program without blocking, on every runtime. Its standard error goes to that of this process, since it is written
 * for people. It gets a process group of its own unless it is interactive, so that what it started is killed with it.
 */
export const runCommand: RunCommand = async (command, { clock, signal }) => {
  const { spawn } = await import("node:child_process");
  signal.throwIfAborted();
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
    const chunks: Uint8Array[] = [];
    let size = 0;
    let ended: (() => void) | undefined;
    const end = (settle: () => void) => {
      if (ended !== undefined) return;
      ended = settle;
      kill(child, grouped);
      // Something that it started and that left its group may hold the other end.
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
      chunks.push(chunk);
      size += chunk.length;
      if (size > MAX_OUTPUT_BYTES) end(() => resolve({ kind: "too much output" }));
    });
    child.stdout?.on("error", () => {
      // The program's end says what there is to say.
    });
    child.on("error", (error) => settle(() => resolve({ kind: "not started", error })));
    child.on("exit", (code, name) => {
      if (ended !== undefined || code === null) {
        settle(() => resolve({ kind: "killed", signal: name ?? "an unknown signal" }));
      }
    });
    child.on("close", (code) => {
      if (code !== null) settle(() => resolve({ kind: "exited", code, stdout: decode(chunks) }));
    });
  });
};

function kill(child: ChildProcess, grouped: boolean): void {
  const { pid } = child;
  try {
    if (grouped && pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch {
    // It has ended by itself; or Deno, which may run this program and no other, may not signal a group.
  }
  child.kill("SIGKILL");
}

function decode(chunks: readonly Uint8Array[]): string {
  const decoder = new TextDecoder();
  const parts = chunks.map((chunk) => decoder.decode(chunk, { stream: true }));
  return parts.join("") + decoder.decode();
}
